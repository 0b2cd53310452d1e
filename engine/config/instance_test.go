package config_test

import (
	"strings"
	"testing"

	"farad/engine/config"
)

func TestFileWithOnlyANameIsValidAndAsksForNothing(t *testing.T) {
	t.Parallel()
	c := mustParse(t, "<AMPSConfig><Name>\n  desk-a\n</Name></AMPSConfig>")
	if c.Name != "desk-a" || c.Group != "desk-a" || !c.RegexTopicSupport || c.Source != "config.xml" {
		t.Errorf("%+v", c)
	}
	if len(c.Transports) != 0 || len(c.LogTargets) != 0 || c.EventLoops != 0 || c.OutboundLimit != config.OutboundLimitDefault {
		t.Errorf("%+v", c)
	}
}

func TestScalarsOfTheInstanceAreRead(t *testing.T) {
	t.Parallel()
	c := mustParse(t, instance(`<Group>g</Group><ProcessName>p q</ProcessName><Description>d &lt; e</Description>
		<Environment>prod</Environment><RegexTopicSupport>Disabled</RegexTopicSupport>
		<Tuning><EventLoops>64</EventLoops><Client><OutboundLimit>1MB</OutboundLimit></Client></Tuning>`))
	if c.Group != "g" || c.ProcessName != "p q" || c.Description != "d < e" || c.Environment != "prod" || c.RegexTopicSupport {
		t.Errorf("%+v", c)
	}
	if c.EventLoops != 64 || c.OutboundLimit != 1<<20 {
		t.Errorf("%+v", c)
	}
}

// 10-configuration #2
func TestMissingOrEmptyNameIsRefusedWithElementAndFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"<AMPSConfig/>", "<AMPSConfig><Name/></AMPSConfig>", "<AMPSConfig><Name> \n </Name></AMPSConfig>", "<AMPSConfig><Name><!-- x --></Name></AMPSConfig>"} {
		c, report := parse(text)
		wantError(t, c, report, "error: AMPSConfig/Name: ")
		if len(report.Findings) == 1 && strings.Count(report.Findings[0].Message, "config.xml") != 1 {
			t.Errorf("%s: message %q does not name the file", text, report.Findings[0].Message)
		}
	}
}

func TestNameThatIsAwkwardInPathsOnlyWarns(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]string{
		"my amps": "contains a space", "a/b": "contains a slash", `a\b`: "contains a backslash",
		"a$b": "contains a dollar sign", "~a b": "contains a space and a tilde",
	} {
		c, report := parse("<AMPSConfig><Name>" + name + "</Name></AMPSConfig>")
		if c == nil || c.Name != name || report.Count(config.SeverityWarning) != 1 || !strings.Contains(written(report), part) {
			t.Errorf("%s: %s", name, written(report))
		}
	}
}

// 10-configuration #18
func TestRequiredVersionAboveOursIsAnErrorAndASuggestedOneWarns(t *testing.T) {
	t.Parallel()
	c, report := parse(instance("<RequiredMinimumVersion>99.0</RequiredMinimumVersion>"))
	wantError(t, c, report, "error: AMPSConfig/RequiredMinimumVersion: ", `"99.0" is newer than 5.3.5.0`)
	c, report = parse(instance("<SuggestedMinimumVersion>99.0</SuggestedMinimumVersion>"))
	if c == nil || report.Count(config.SeverityWarning) != 1 || !strings.Contains(written(report), "warning: AMPSConfig/SuggestedMinimumVersion: ") {
		t.Error(written(report))
	}
	mustParse(t, instance("<RequiredMinimumVersion>5.3.5.0</RequiredMinimumVersion><SuggestedMinimumVersion>5.3</SuggestedMinimumVersion>"))
	c, report = parse(instance("<RequiredMinimumVersion>new</RequiredMinimumVersion>"))
	wantError(t, c, report, `"new" is not a version`)
}

func TestValuesOutOfTypeOrRangeAreRefused(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		"<RegexTopicSupport>perhaps</RegexTopicSupport>":                                `AMPSConfig/RegexTopicSupport: "perhaps" is not a boolean`,
		"<ConfigValidation>perhaps</ConfigValidation>":                                  "AMPSConfig/ConfigValidation: ",
		"<ConfigIncludeCommentDefault>2</ConfigIncludeCommentDefault>":                  "AMPSConfig/ConfigIncludeCommentDefault: ",
		"<ConfigCycleDetectionThreshold>65MB</ConfigCycleDetectionThreshold>":           "expected 1 to 64000000 bytes",
		"<ConfigCycleDetectionThreshold>big</ConfigCycleDetectionThreshold>":            `"big" is not a size`,
		"<Tuning><EventLoops>0</EventLoops></Tuning>":                                   "AMPSConfig/Tuning/EventLoops: \"0\" is out of range; expected 1 to 64",
		"<Tuning><EventLoops>65</EventLoops></Tuning>":                                  "expected 1 to 64",
		"<Tuning><EventLoops>two</EventLoops></Tuning>":                                 `"two" is not a count`,
		"<Tuning><Client><OutboundLimit>1000000</OutboundLimit></Client></Tuning>":      "expected 1MB to 1TB",
		"<Tuning><Client><OutboundLimit>2TB</OutboundLimit></Client></Tuning>":          "expected 1MB to 1TB",
		"<Group>" + strings.Repeat("g", 256) + "</Group>":                               "longer than 255 bytes",
		"<Description>" + strings.Repeat("d", config.TextBytesMax+1) + "</Description>": "longer than 65536 bytes",
	} {
		c, report := parse(instance(text))
		wantError(t, c, report, part)
	}
}

func TestEmptyOptionalTextsAreDefaults(t *testing.T) {
	t.Parallel()
	c := mustParse(t, instance("<Group/><ProcessName/><Description></Description>"))
	if c.Group != "a" || c.ProcessName != "" || c.Description != "" {
		t.Errorf("%+v", c)
	}
}
