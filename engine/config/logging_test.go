package config_test

import (
	"reflect"
	"strings"
	"testing"

	"farad/engine/config"
	"farad/engine/eventlog/level"
)

func TestLogTargetIsRead(t *testing.T) {
	t.Parallel()
	c := mustParse(t, target(`<Protocol>STDERR</Protocol><Level>Warning</Level><Levels>
		trace, debug ,none,trace</Levels><IncludeErrors>12-.*,
		07-0013</IncludeErrors><ExcludeErrors>12-0010</ExcludeErrors>`))
	if len(c.LogTargets) != 1 {
		t.Fatalf("%+v", c.LogTargets)
	}
	got := c.LogTargets[0]
	if got.Protocol != "stderr" || got.Threshold != level.Warning || !reflect.DeepEqual(got.Levels, []level.Level{level.Trace, level.Info}) {
		t.Errorf("%+v", got)
	}
	if len(got.Include) != 2 || !got.Include[0].MatchString("12-1002") || !got.Include[1].MatchString("07-0013") || got.Include[1].MatchString("07-0014") {
		t.Errorf("include %v", got.Include)
	}
	if len(got.Exclude) != 1 || !got.Exclude[0].MatchString("12-0010") {
		t.Errorf("exclude %v", got.Exclude)
	}
}

func TestLogTargetWithOnlyAProtocolHasNoThreshold(t *testing.T) {
	t.Parallel()
	got := mustParse(t, target("<Protocol>stdout</Protocol>")).LogTargets[0]
	if !reflect.DeepEqual(got, config.LogTarget{Protocol: "stdout", Threshold: level.None}) {
		t.Errorf("%+v", got)
	}
}

func TestMistakesInALogTargetAreNamedWithWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	const protocol = "<Protocol>stderr</Protocol>"
	for text, part := range map[string]string{
		"":                                       "Target/Protocol: missing in config.xml",
		"<Protocol>stdin</Protocol>":             `"stdin" is not a log protocol; expected one of stdout, stderr, file, gzip, syslog`,
		protocol + "<Level>loud</Level>":         `Target/Level: "loud" is not a log level; expected one of developer, trace, stats, info`,
		protocol + "<Level/>":                    `Target/Level: "" is not a log level`,
		protocol + "<Levels>trace;info</Levels>": `"trace;info" is not a log level`,
		protocol + "<IncludeErrors>12-(</IncludeErrors>":                                 `Target/IncludeErrors: "12-(" is not the id of an event or a regular expression`,
		protocol + "<ExcludeErrors>07-0013,,12-0010</ExcludeErrors>":                     `Target/ExcludeErrors: "" is not the id`,
		protocol + "<ExcludeErrors>" + strings.Repeat("x", 1025) + "</ExcludeErrors>":    "1 to 1024 bytes",
		protocol + "<ExcludeErrors>" + strings.Repeat("x,", 1000) + "x</ExcludeErrors>":  "1001 ids or expressions; at most 1000",
		protocol + "<ExcludeErrors>" + strings.Repeat("x", 64<<10) + "x</ExcludeErrors>": "longer than 65536 bytes",
	} {
		c, report := parse(target(text))
		wantError(t, c, report, "AMPSConfig/Logging/Target", part)
	}
}

func TestLogTargetsHaveALimit(t *testing.T) {
	t.Parallel()
	c, report := parse(instance("<Logging>" + strings.Repeat("<Target><Protocol>stderr</Protocol></Target>", config.LogTargetsMax+1) + "</Logging>"))
	wantError(t, c, report, "more than 64 log targets")
}
