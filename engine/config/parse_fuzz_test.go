package config_test

import (
	"bytes"
	"reflect"
	"testing"

	"farad/engine/config"
)

// FuzzParse asks of every text: a configuration if and only if there is no
// error, and a dump that gives the same configuration again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "<", "text", "<AMPSConfig>&\n", config.Sample(), instance(""), instance("<Quux a='b'><c/></Quux>"),
		instance("<ConfigValidation>off</ConfigValidation><x:Y x='&amp;'>${A}<![CDATA[$]]>{A}</x:Y><Tuning>x</Tuning>"),
		instance("<Include>nothing.xml</Include>"), instance("<Include comment='true'>${A}</Include>"),
		instance("<ConfigCycleDetectionThreshold>10</ConfigCycleDetectionThreshold>"),
		"<!DOCTYPE a [<!ENTITY e 'f'>]>" + instance("<Group>&e;&#13;&#x9;</Group>"),
		instance("<Description>${A}${B}$${A}$<!-- -->{A}{{C}}</Description>"),
		listener("<Type>tcp</Type><Protocol>json</Protocol><MessageType>fix</MessageType>"),
		target("<Protocol>stderr</Protocol><Level>debug</Level><Levels>trace,info</Levels><IncludeErrors>12-.*</IncludeErrors>"),
		instance("<Externals><a><b>c</b></a></Externals><Tuning><EventLoops>3</EventLoops><NUMA/></Tuning>"),
		string(richFiles()["main.xml"]),
	} {
		f.Add([]byte(seed))
	}
	o := config.Options{Variables: map[string]string{"A": "a${B}<&\r\n", "B": "$"}, Environ: environment(nil), WorkingDirectory: f.TempDir()}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, report := config.Parse("config.xml", text, o)
		if (c == nil) != (report.Err() != nil) {
			t.Fatalf("config %v, report\n%s", c, written(report))
		}
		for _, finding := range report.Findings {
			if finding.File == "" || finding.Line < 1 || finding.Column < 1 || finding.ElementPath == "" || finding.Message == "" {
				t.Errorf("incomplete finding %+v", finding)
			}
		}
		if c == nil {
			return
		}
		none := o
		none.Variables = nil
		again, report := config.Parse("config.xml", c.Expanded, none)
		if again == nil {
			t.Fatalf("the dump is refused\n%s\n%s", written(report), c.Expanded)
		}
		if !bytes.Equal(again.Expanded, c.Expanded) {
			t.Errorf("the dump of the dump is\n%q\nwant\n%q", again.Expanded, c.Expanded)
		}
		again.Expanded, c.Expanded = nil, nil
		if !reflect.DeepEqual(again, c) {
			t.Errorf("the dump gives\n%+v\nwant\n%+v", again, c)
		}
	})
}
