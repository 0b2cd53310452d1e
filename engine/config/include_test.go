package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"farad/engine/config"
)

func TestIncludedElementsStandWhereTheIncludeStood(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{
		"main.xml": `<AMPSConfig><Name>a</Name><Transports>
<Include>one.xml</Include>
<Transport><Name>last</Name><Type>tcp</Type><InetAddr>3</InetAddr></Transport>
</Transports><Include> ${WHERE}/deep.xml </Include></AMPSConfig>`,
		"one.xml": `<?xml version="1.0"?><!-- two elements -->
<Transport><Name>x</Name><Type>tcp</Type><InetAddr>1</InetAddr></Transport>
<Transport><Name>y</Name><Type>tcp</Type><InetAddr>2</InetAddr></Transport>`,
		"sub/deep.xml": `<Include>beside.xml</Include><Description>deep</Description>`,
		"sub/beside.xml": `<Environment>
			beside
		</Environment>`,
	})
	o := in(d)
	o.Variables = map[string]string{"WHERE": "sub"}
	c, report := config.Load("main.xml", o)
	if c == nil || len(report.Findings) > 0 {
		t.Fatal(written(report))
	}
	var names []string
	for _, transport := range c.Transports {
		names = append(names, transport.Name)
	}
	if strings.Join(names, " ") != "x y last" || c.Description != "deep" || c.Environment != "beside" {
		t.Errorf("transports %v, description %q, environment %q", names, c.Description, c.Environment)
	}
}

func TestIncludeIsLookedForInTheWorkingDirectoryFirst(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{
		"etc/main.xml":  instance("<Include>part.xml</Include><Include>other.xml</Include>"),
		"etc/part.xml":  "<Description>beside the file</Description>",
		"part.xml":      "<Description>in the working directory</Description>",
		"etc/other.xml": "<Environment>beside the file</Environment>",
	})
	c, report := config.Load("etc/main.xml", in(d))
	if c == nil || c.Description != "in the working directory" || c.Environment != "beside the file" {
		t.Fatalf("%+v\n%s", c, written(report))
	}
}

// 10-configuration #7
func TestErrorInIncludedFileCarriesThatFileAndLine(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{
		"main.xml": "<AMPSConfig>\n<Name>a</Name>\n<Transports>\n<Include>sub/part.xml</Include>\n</Transports></AMPSConfig>",
		"sub/part.xml": "<Transport>\n <Name>x</Name>\n <Type>tcp</Type><InetAddr>1</InetAddr></Transport>\n" +
			"<Transport>\n <Name>y</Name>\n  <Type>tpc</Type><InetAddr>2</InetAddr></Transport>",
	})
	c, report := config.Load("main.xml", in(d))
	if c != nil {
		t.Error("the configuration is accepted")
	}
	wantFindings(t, report, `sub/part.xml:6:3: error: AMPSConfig/Transports/Transport[2]/Type: "tpc" is not a transport type; `+
		`expected one of tcp, tcps, amps-unix, amps-replication, amps-replication-secure`)
}

func TestMissingIncludedFileIsNamedWithThePlaceOfTheInclude(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"etc/main.xml": "<AMPSConfig>\n <Include>none.xml</Include></AMPSConfig>"})
	c, report := config.Load("etc/main.xml", in(d))
	wantError(t, c, report, "etc/main.xml:2:2: error: AMPSConfig/Include: ", `"none.xml", tried also as "etc/none.xml"`, "no such file")
}

func TestMalformedIncludedFileIsNamedWithTheIncludingFileAndLine(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{
		"main.xml": "<AMPSConfig><Name>a</Name>\n<Logging>\n<Include>bad.xml</Include></Logging></AMPSConfig>",
		"bad.xml":  "<Target>\n<Protocol>stderr</Level></Target>",
	})
	c, report := config.Load("main.xml", in(d))
	wantError(t, c, report, "bad.xml:2:", "error: AMPSConfig/Logging/Target/Protocol: not well-formed XML", "(included from main.xml:3)")
}

func TestIncludeThatNamesNothingUsableIsRefused(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"text.xml": "just text", "sub/x": "", "empty.xml": ""})
	for include, part := range map[string]string{
		"<Include/>":                                        "names no file",
		"<Include> \n </Include>":                           "names no file",
		"<Include><Name>x</Name></Include>":                 "holds an element",
		`<Include comment="perhaps">empty.xml</Include>`:    `attribute comment: "perhaps" is not a boolean`,
		`<Include remark="true">empty.xml</Include>`:        `attribute "remark" is not known`,
		"<Include>text.xml</Include>":                       "outside of any element",
		"<Include>sub</Include>":                            "is a directory",
		"<Include>${NOWHERE}.xml</Include>":                 "variable NOWHERE is not defined",
		`<Include comment="${NOWHERE}">empty.xml</Include>`: "variable NOWHERE is not defined",
	} {
		c, report := config.Parse("main.xml", []byte(instance(include)), in(d))
		if c != nil || report.Count(config.SeverityError) != 1 || !strings.Contains(written(report), part) {
			t.Errorf("%s: %s", include, written(report))
		}
	}
	if c, report := config.Parse("main.xml", []byte(instance("<Include>empty.xml</Include>")), in(d)); c == nil {
		t.Errorf("an empty file: %s", written(report))
	}
}

// 10-configuration #11. It runs alone, because the memory is the process's.
func TestFilesThatIncludeEachOtherAreRefusedWithTheirChain(t *testing.T) {
	d := write(t, map[string]string{
		"a.xml":     "<AMPSConfig><Name>a</Name>\n<Include>sub/b.xml</Include></AMPSConfig>",
		"sub/b.xml": "<Description>b</Description>\n\n<Include>../a.xml</Include>",
		"self.xml":  "<AMPSConfig><Name>a</Name><Include>self.xml</Include></AMPSConfig>",
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, report := config.Load("a.xml", in(d))
	runtime.ReadMemStats(&after)
	wantError(t, c, report, "sub/b.xml:3:1: error: AMPSConfig/Include: ", "a file includes itself: a.xml -> sub/b.xml -> a.xml")
	if used := after.TotalAlloc - before.TotalAlloc; used > 64_000_000 {
		t.Errorf("%d bytes were used", used)
	}
	c, report = config.Load("self.xml", in(d))
	wantError(t, c, report, "self.xml:1:", "self.xml -> self.xml")
}

func TestCycleIsFoundBehindASymbolicLink(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"a.xml": "<AMPSConfig><Name>a</Name><Include>link.xml</Include></AMPSConfig>"})
	if err := os.Symlink(filepath.Join(d, "a.xml"), filepath.Join(d, "link.xml")); err != nil {
		t.Fatal(err)
	}
	c, report := config.Load("a.xml", in(d))
	wantError(t, c, report, "a file includes itself: a.xml -> link.xml")
}

func TestOneFileMayBeIncludedTwice(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{
		"main.xml":   instance("<Logging><Include>target.xml</Include><Include>target.xml</Include></Logging>"),
		"target.xml": "<Target><Protocol>stderr</Protocol><Level>info</Level></Target>",
	})
	c, report := config.Load("main.xml", in(d))
	if c == nil || len(c.LogTargets) != 2 {
		t.Fatalf("%+v\n%s", c, written(report))
	}
}

func TestChainOfFilesHasALimit(t *testing.T) {
	t.Parallel()
	files := map[string]string{"0.xml": instance("<Include>1.xml</Include>")}
	for i := 1; i <= config.IncludeDepthMax; i++ {
		files[fmt.Sprintf("%d.xml", i)] = fmt.Sprintf("<Include>%d.xml</Include>", i+1)
	}
	c, report := config.Load("0.xml", in(write(t, files)))
	wantError(t, c, report, fmt.Sprintf("files include each other deeper than %d: 0.xml -> 1.xml", config.IncludeDepthMax))
}

func TestNestingIsLimitedAcrossIncludedFiles(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("<e>", config.DepthMax-1) + strings.Repeat("</e>", config.DepthMax-1)
	d := write(t, map[string]string{"deep.xml": deep})
	c, report := config.Parse("main.xml", []byte(instance("<Externals><Include>deep.xml</Include></Externals>")), in(d))
	wantError(t, c, report, "deep.xml:1:", fmt.Sprintf("nested deeper than %d", config.DepthMax), "(included from main.xml:1)")
}

func TestInclusionsHaveALimit(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"x": ""})
	text := instance(strings.Repeat("<Include>x</Include>", config.InclusionsMax+1))
	c, report := config.Parse("main.xml", []byte(text), in(d))
	wantError(t, c, report, fmt.Sprintf("more than %d inclusions", config.InclusionsMax))
}

// 10-configuration #12
func TestExpandedFileAboveTheThresholdIsRefused(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("x", 2000)
	d := write(t, map[string]string{
		"value.xml":   "<Description>" + filler + "</Description>",
		"comment.xml": "<!--" + filler + "-->",
	})
	threshold := func(limit string) string {
		return "<ConfigCycleDetectionThreshold>" + limit + "</ConfigCycleDetectionThreshold>"
	}
	o := in(d)
	o.Variables = map[string]string{"LONG": filler}
	for name, text := range map[string]string{
		"an included file":            instance(threshold("1k") + "<Include>value.xml</Include>"),
		"the limit behind":            instance("<Include>value.xml</Include>" + threshold("1k")),
		"a variable":                  instance(threshold("1k") + "<Description>${LONG}</Description>"),
		"a variable in an attribute":  instance(threshold("1k") + `<Include comment="${LONG}">value.xml</Include>`),
		"the main file":               instance(threshold("1k") + "<Description>" + filler + "</Description>"),
		"comments of an included one": instance(threshold("1k") + "<Include>comment.xml</Include>"),
		"comments of the main file":   instance(threshold("1k") + "<!--" + filler + "--><Include>value.xml</Include>"),
		"a limit that is a variable":  instance(threshold("${LIMIT}") + "<Include>value.xml</Include>"),
	} {
		o.Variables["LIMIT"] = "1000"
		c, report := config.Parse("main.xml", []byte(text), o)
		if c != nil || report.Count(config.SeverityError) != 1 {
			t.Errorf("%s: %s", name, written(report))
		} else if !strings.Contains(written(report), "larger than ConfigCycleDetectionThreshold of 1000 bytes") {
			t.Errorf("%s: %s", name, written(report))
		}
	}
	if c, report := config.Parse("main.xml", []byte(instance(threshold("3k")+"<Include>value.xml</Include>")), o); c == nil {
		t.Errorf("below the threshold: %s", written(report))
	}
}
