package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"farad/engine/config"
)

// 10-configuration #8
func TestDefinedVariableWinsOverTheEnvironmentAndAnUndefinedOneIsAnError(t *testing.T) {
	t.Parallel()
	o := config.Options{
		Variables: map[string]string{"X": "1"},
		Environ:   environment(map[string]string{"X": "2", "Z": "3"}),
	}
	c, report := config.Parse("config.xml", []byte(instance("<Description>${X} ${Z}</Description>")), o)
	if c == nil || c.Description != "1 3" {
		t.Fatalf("%+v\n%s", c, written(report))
	}
	c, report = config.Parse("config.xml", []byte("<AMPSConfig>\n<Name>a</Name>\n <Description>${Y}</Description></AMPSConfig>"), o)
	wantError(t, c, report, "config.xml:3:2: error: AMPSConfig/Description: variable Y is not defined", "-DY=VALUE")
}

func TestEnvironmentOfTheProcessIsTheDefault(t *testing.T) {
	t.Setenv("FARAD_CONFIG_TEST", "from the process")
	c, report := config.Parse("config.xml", []byte(instance("<Description>${FARAD_CONFIG_TEST}</Description>")), config.Options{})
	if c == nil || c.Description != "from the process" {
		t.Fatalf("%+v\n%s", c, written(report))
	}
}

// 10-configuration #9
func TestConfigDirectoryIsAsWrittenOnTheCommandLine(t *testing.T) {
	t.Parallel()
	text := instance("<Description>${AMPS_CONFIG_DIRECTORY} ${AMPS_CONFIG_PATH} ${AMPS_VERSION}</Description>")
	d := write(t, map[string]string{"c/f.xml": text, "w/x": ""})
	for path, want := range map[string]string{
		"../c/f.xml":                   "../c ../c/f.xml",
		"./../c/f.xml":                 "../c ./../c/f.xml",
		filepath.Join(d, "c", "f.xml"): filepath.Join(d, "c") + " " + filepath.Join(d, "c", "f.xml"),
	} {
		c, report := config.Load(path, in(filepath.Join(d, "w")))
		if c == nil || c.Description != want+" "+config.Level {
			t.Errorf("%s: %+v\n%s", path, c, written(report))
		}
	}
}

func TestVariablesAreExpandedOnce(t *testing.T) {
	t.Parallel()
	o := config.Options{Environ: environment(nil), Variables: map[string]string{
		"A": "${B}", "B": "b", "MARKUP": "<Name>&amp;", "DOLLAR": "$", "EMPTY": "",
	}}
	for text, want := range map[string]string{
		"${A}":               "${B}",
		"${A}${B}":           "${B}b",
		"${DOLLAR}{B}":       "${B}",
		"$${B}":              "$b",
		"$B $ {B} $":         "$B $ {B} $",
		"x${EMPTY}y":         "xy",
		"<![CDATA[${B}<]]>":  "b<",
		"{{USER_NAME}}":      "{{USER_NAME}}",
		"{{${B}}}":           "{{b}}",
		"a<!-- ${NONE} -->b": "ab",
		"&#36;{B}":           "b",
	} {
		c, report := config.Parse("config.xml", []byte(instance("<Description>"+text+"</Description>")), o)
		if c == nil || c.Description != want {
			t.Errorf("%s: %+v, want %q\n%s", text, c, want, written(report))
		}
	}
	c, report := config.Parse("config.xml", []byte(instance("<Description>${MARKUP}</Description>")), o)
	if c == nil || c.Description != "<Name>&amp;" || c.Name != "a" {
		t.Errorf("%+v\n%s", c, written(report))
	}
}

func TestMalformedReferencesAreRefused(t *testing.T) {
	t.Parallel()
	o := config.Options{Environ: environment(nil), Variables: map[string]string{"BELL": "\a", "LATIN": "\xe9", "": "x"}}
	for text, part := range map[string]string{
		"${":       `"${" has no closing }`,
		"x${Y ":    `"${Y" has no closing }`,
		"${}":      "names no variable",
		"${BELL}":  "variable BELL holds a character that XML does not allow",
		"${LATIN}": "variable LATIN holds a character that XML does not allow",
	} {
		c, report := config.Parse("config.xml", []byte(instance("<Description>"+text+"</Description>")), o)
		if c != nil || !strings.Contains(written(report), part) {
			t.Errorf("%s: %s", text, written(report))
		}
	}
}

func TestEachUndefinedVariableIsReportedAtItsElementAndNothingElseAboutIt(t *testing.T) {
	t.Parallel()
	_, report := parse(`<AMPSConfig><Name>${N}</Name>
<Transports>
<Transport><Name>x</Name><Type>${T}</Type><InetAddr>${H}:${P}</InetAddr></Transport>
<Transport><Name>y</Name><Type>tcp</Type><InetAddr>${Q}</InetAddr></Transport>
</Transports></AMPSConfig>`)
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.ElementPath+" "+strings.Fields(f.Message)[1])
	}
	want := "AMPSConfig/Name N, AMPSConfig/Transports/Transport[1]/Type T, AMPSConfig/Transports/Transport[1]/InetAddr H, " +
		"AMPSConfig/Transports/Transport[1]/InetAddr P, AMPSConfig/Transports/Transport[2]/InetAddr Q"
	if strings.Join(got, ", ") != want {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(got, ", "), want)
	}
}

func TestUndefinedVariableIsAnErrorAlsoWithoutValidation(t *testing.T) {
	t.Parallel()
	c, report := parse(instance("<ConfigValidation>disabled</ConfigValidation><Description>${Y}</Description>"))
	wantError(t, c, report, "variable Y is not defined")
}

func TestPlacementVariablesOfAMPSAreIgnoredWithANotice(t *testing.T) {
	t.Parallel()
	o := config.Options{Environ: environment(map[string]string{"AMPS_NUMA": "1", "AMPS_PLATFORM_COMPAT": "1"})}
	c, report := config.Parse("config.xml", []byte(instance("")), o)
	if c == nil || report.Count(config.SeverityNotice) != 2 || len(report.Findings) != 2 {
		t.Fatal(written(report))
	}
	if !strings.Contains(written(report), "AMPSConfig: variable AMPS_NUMA is accepted and ignored") {
		t.Error(written(report))
	}
}
