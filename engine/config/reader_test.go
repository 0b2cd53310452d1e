package config_test

import (
	"fmt"
	"strings"
	"testing"

	"farad/engine/config"
)

func TestValuesLoseTheWhiteSpaceAroundThemAndKeepTheirInnerOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"\n\t a  b\n c \r\n":             "a  b\n c",
		"a<!-- x -->b":                   "ab",
		"<![CDATA[ a <b> ]]>":            "a <b>",
		"&lt;&gt;&amp;&quot;&apos;&#65;": `<>&"'A`,
		"a<?target data?>b":              "ab",
		"é\u00a0":                        "é\u00a0",
	} {
		if got := mustParse(t, instance("<Description>"+text+"</Description>")).Description; got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestByteOrderMarkAndDeclarationAreAllowed(t *testing.T) {
	t.Parallel()
	mustParse(t, "\ufeff"+`<?xml version="1.0" encoding="utf-8" standalone="yes"?>`+"\n"+instance(""))
}

func TestUnreadableXMLIsAnErrorWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, parts := range map[string][]string{
		"":                                                   {"config.xml:1:1: ", "the file holds no element; expected AMPSConfig"},
		"<!-- only -->":                                      {"holds no element"},
		"<Config><Name>a</Name></Config>":                    {"config.xml:1:1: error: Config: ", `"Config" is not the root of a configuration; expected AMPSConfig`},
		"<ampsconfig/>":                                      {`"ampsconfig" is not the root`},
		"<AMPSConfig/>\n<AMPSConfig/>":                       {"config.xml:2:1: ", "a second top-level element"},
		"text":                                               {`text "text" outside of any element`},
		"<AMPSConfig>\n <Name>a</name>":                      {"config.xml:2:9: error: AMPSConfig/Name: ", "</name> where </Name> should end the element that begins at config.xml:2"},
		"<AMPSConfig>\n<Name>":                               {"config.xml:2:7: error: AMPSConfig/Name: ", `element "Name", which begins at config.xml:2, does not end`},
		"<AMPSConfig></AMPSConfig></x>":                      {"</x> ends no element"},
		"<AMPSConfig a='1' a='2'/>":                          {`attribute "a" stands twice`},
		"<AMPSConfig><Name>a & b</Name>":                     {"not well-formed XML"},
		"<AMPSConfig><Name>&none;</Name>":                    {"not well-formed XML"},
		"<AMPSConfig><!DOCTYPE x></AMPSConfig>":              {"<!DOCTYPE inside of an element"},
		"<AMPSConfig><Name>\x01</Name>":                      {"not well-formed XML"},
		"<AMPSConfig><Name>\xff</Name>":                      {"not well-formed XML", "UTF-8"},
		`<?xml version="1.0" encoding="latin-1"?>`:           {"the declared encoding is not supported; expected UTF-8"},
		`<?xml version="1.1"?><AMPSConfig/>`:                 {"not well-formed XML"},
		strings.Repeat("<x>", config.DepthMax+1):             {fmt.Sprintf("nested deeper than %d", config.DepthMax)},
		instance(strings.Repeat("<x/>", config.ElementsMax)): {fmt.Sprintf("more than %d elements", config.ElementsMax)},
	} {
		c, report := parse(text)
		wantError(t, c, report, parts...)
	}
}

func TestDocumentTypeMayDeclarePlainEntitiesOnly(t *testing.T) {
	t.Parallel()
	c := mustParse(t, `<!DOCTYPE AMPSConfig [<!ENTITY d "a b"> <!-- x --> <!ENTITY e 'c'> <!ENTITY d "no">]>`+instance("<Description>&d;&e;&d;</Description>"))
	if c.Description != "a bca b" {
		t.Errorf("%q", c.Description)
	}
	for declared, part := range map[string]string{
		`<!DOCTYPE AMPSConfig SYSTEM "x.dtd">`:                              "a file of its own is not supported",
		`<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]>`:                   "expected <!ENTITY name",
		`<!DOCTYPE a [<!ENTITY x "&y;">]>`:                                  "holds <, & or %",
		`<!DOCTYPE a [<!ENTITY x "<Name>"> ]>`:                              "holds <, & or %",
		`<!DOCTYPE a [<!ELEMENT x ANY>]>`:                                   "expected <!ENTITY name",
		`<!DOCTYPE a [<!ENTITY x "` + strings.Repeat("y", 100_000) + `">]>`: "the entities add more than",
	} {
		_, report := parse(declared + instance("<Description>"+strings.Repeat("&x;", 1000)+"</Description>"))
		if !strings.Contains(written(report), part) || report.Count(config.SeverityError) != 1 {
			t.Errorf("%.60s: %.500s", declared, written(report))
		}
	}
}

func TestEntitiesOfAFileAreNotKnownInAnIncludedOne(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"p.xml": "<Group>&g;</Group>"})
	c, report := config.Parse("main.xml", []byte(`<!DOCTYPE a [<!ENTITY g "g">]>`+instance("<Include>p.xml</Include>")), in(d))
	wantError(t, c, report, "p.xml:1:", "not well-formed XML", "&g;")
}

func TestUnreadableMainFileIsNamed(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"sub/x": ""})
	for path, part := range map[string]string{"none.xml": "no such file", "sub": "is a directory"} {
		c, report := config.Load(path, in(d))
		wantError(t, c, report, path+":1:1: error: AMPSConfig: the file cannot be read: ", part)
	}
}

func TestTooLargeFileIsRefused(t *testing.T) {
	t.Parallel()
	c, report := config.Parse("config.xml", make([]byte, config.FileBytesMax+1), config.Options{})
	wantError(t, c, report, "the file is larger than 64000000 bytes")
}
