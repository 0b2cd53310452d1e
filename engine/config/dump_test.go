package config_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"farad/engine/config"
)

// richFiles is a configuration that uses what the language has.
func richFiles() map[string]string {
	return map[string]string{
		"main.xml": `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE AMPSConfig [ <!ENTITY desk "desk a"> ]>
<AMPSConfig><!-- a comment -->
  <Name>${NAME}</Name>
  <Group>&desk;</Group>
  <Description><![CDATA[a < b && c > d ]] ]]>&lt;${MARKUP}&quot; é</Description>
  <Environment>
    two	lines&#13;
    of it ${REFERENCE} $${REFERENCE} {{USER_NAME}}
  </Environment>
  <Externals><SSL><Library>libssl.so</Library><Empty/></SSL></Externals>
  <Transports><Include comment="true">transports.xml</Include></Transports>
  <Logging><Include>${PART}.xml</Include></Logging>
</AMPSConfig>`,
		"transports.xml": `<Transport><Name>x</Name><Type>TCP</Type><Protocol>json</Protocol><InetAddr>${PORT}</InetAddr></Transport>
<Transport><Name>y</Name><Type>tcp</Type><InetAddr>[::1]:1</InetAddr><MessageType>fix</MessageType></Transport>`,
		"targets.xml": `<Target><Protocol>stdout</Protocol><Level>debug</Level><Levels>trace,
 stats</Levels><IncludeErrors>12-.*</IncludeErrors><ExcludeErrors>12-0010, 07-0013</ExcludeErrors></Target>`,
	}
}

func richOptions(directory string) config.Options {
	o := in(directory)
	o.Variables = map[string]string{
		"NAME": "desk-a", "MARKUP": "<&>", "REFERENCE": "${NAME}", "PART": "targets", "PORT": "9007",
	}
	return o
}

// 10-configuration #4
func TestDumpIsTheSameConfigurationWithoutIncludesAndVariables(t *testing.T) {
	t.Parallel()
	o := richOptions(write(t, richFiles()))
	c, report := config.Load("main.xml", o)
	if c == nil {
		t.Fatal(written(report))
	}
	text, report := config.Dump("main.xml", o)
	if report.Err() != nil || string(text) != string(c.Expanded) {
		t.Fatalf("dump\n%s\nexpanded\n%s\n%s", text, c.Expanded, written(report))
	}
	elements := regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAllString(string(text), "")
	if strings.Contains(elements, "Include>") || strings.Contains(string(text), "${") {
		t.Errorf("the dump holds an Include or a reference\n%s", text)
	}
	again, report := config.Parse("main.xml", text, config.Options{Environ: environment(nil)})
	if again == nil {
		t.Fatalf("%s\n%s", written(report), text)
	}
	again.Expanded, c.Expanded = nil, nil
	if !reflect.DeepEqual(again, c) {
		t.Errorf("the dump gives\n%+v\nwant\n%+v", again, c)
	}
	if want := "two\tlines\r\n    of it ${NAME} $${NAME} {{USER_NAME}}"; c.Environment != want {
		t.Errorf("environment %q, want %q", c.Environment, want)
	}
	if want := `a < b && c > d ]] <<&>" é`; c.Description != want {
		t.Errorf("description %q, want %q", c.Description, want)
	}
}

// 10-configuration #13
func TestIncludesAreEnclosedInCommentsWhereAskedFor(t *testing.T) {
	t.Parallel()
	const enclosed = "<!-- Start <Include>./p.xml</Include> --><Group>g</Group><!-- End <Include>./p.xml</Include> -->"
	const plain = "<Group>g</Group>"
	d := write(t, map[string]string{
		"p.xml":  plain,
		"on.xml": "<ConfigIncludeCommentDefault>true</ConfigIncludeCommentDefault>",
	})
	for include, want := range map[string]string{
		`<Include comment="true">./p.xml</Include>`:                                                                 enclosed,
		`<Include comment="enabled">./p.xml</Include>`:                                                              enclosed,
		"<Include comment='True'>\n./p.xml\n</Include>":                                                             enclosed,
		"<Include>./p.xml</Include>":                                                                                plain,
		`<Include comment="false">./p.xml</Include>`:                                                                plain,
		"<ConfigIncludeCommentDefault>true</ConfigIncludeCommentDefault><Include>./p.xml</Include>":                 "<ConfigIncludeCommentDefault>true</ConfigIncludeCommentDefault>" + enclosed,
		"<Include>./p.xml</Include><ConfigIncludeCommentDefault>1</ConfigIncludeCommentDefault>":                    enclosed + "<ConfigIncludeCommentDefault>1</ConfigIncludeCommentDefault>",
		`<ConfigIncludeCommentDefault>true</ConfigIncludeCommentDefault><Include comment="false">./p.xml</Include>`: "<ConfigIncludeCommentDefault>true</ConfigIncludeCommentDefault>" + plain,
		`<ConfigIncludeCommentDefault>false</ConfigIncludeCommentDefault><Include comment="true">./p.xml</Include>`: "<ConfigIncludeCommentDefault>false</ConfigIncludeCommentDefault>" + enclosed,
		`<Include comment="false">on.xml</Include><Include>./p.xml</Include>`:                                       "<ConfigIncludeCommentDefault>true</ConfigIncludeCommentDefault>" + enclosed,
	} {
		c, report := config.Parse("main.xml", []byte(instance(include)), in(d))
		if c == nil {
			t.Errorf("%s: %s", include, written(report))
			continue
		}
		got := strings.TrimSuffix(strings.TrimPrefix(string(c.Expanded), `<?xml version="1.0" encoding="UTF-8"?>`+"\n<AMPSConfig><Name>a</Name>"), "</AMPSConfig>\n")
		if got != want {
			t.Errorf("%s\ngives %s\nwant  %s", include, got, want)
		}
	}
}

func TestNameOfAnIncludeInAComment(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"a--b.xml": ""})
	o := in(d)
	o.Variables = map[string]string{"F": "a--b"}
	c, report := config.Parse("main.xml", []byte(instance(`<Include comment="true">${F}.xml</Include><Include comment="true">a--b.xml</Include>`)), o)
	if c == nil {
		t.Fatal(written(report))
	}
	for _, want := range []string{"<!-- Start <Include>${F}.xml</Include> -->", "<!-- Start <Include>a- -b.xml</Include> -->"} {
		if !strings.Contains(string(c.Expanded), want) {
			t.Errorf("%s\nlacks %s", c.Expanded, want)
		}
	}
	if again, report := config.Parse("main.xml", c.Expanded, in(d)); again == nil {
		t.Error(written(report))
	}
}

func TestDumpShowsAlsoWhatIsRefused(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"main.xml": `<AMPSConfig><Transprots a="x&quot;&#10;y"/><a:b xmlns:a="u">c</a:b></AMPSConfig>`, "bad.xml": "<AMPSConfig>${NONE}<Include>none</Include></AMPSConfig>"})
	text, report := config.Dump("main.xml", in(d))
	want := `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<AMPSConfig><Transprots a="x&quot;&#xA;y"/><a:b xmlns:a="u">c</a:b></AMPSConfig>` + "\n"
	if report.Err() != nil || string(text) != want {
		t.Errorf("dump %s\n%s", text, written(report))
	}
	text, report = config.Dump("bad.xml", in(d))
	if text != nil || report.Count(config.SeverityError) != 2 {
		t.Errorf("dump %s\n%s", text, written(report))
	}
	if text, report = config.Dump("none.xml", in(d)); text != nil || report.Err() == nil {
		t.Errorf("dump %s\n%s", text, written(report))
	}
}
