package eventlog

import (
	"regexp"
	"strings"
	"testing"

	"farad/engine/eventlog/level"
)

// passing returns the names of the levels at which a target takes an id.
func passing(t Target, id string) string {
	var names []string
	for l := level.Developer; l < level.None; l++ {
		if t.passes(l, id) {
			names = append(names, l.String())
		}
	}
	return strings.Join(names, " ")
}

// 10-configuration #35. No event is critical or an emergency, so the filter
// itself is asked.
func TestThresholdAndSingleLevelsAddUp(t *testing.T) {
	t.Parallel()
	target := Target{Threshold: level.Error, Levels: []level.Level{level.Trace, level.Info}}
	if got := passing(target, "07-0013"); got != "trace info error critical emergency" {
		t.Errorf("passing are %s", got)
	}
}

func TestExclusionBeatsInclusionAndInclusionBeatsLevels(t *testing.T) {
	t.Parallel()
	expressions := func(patterns ...string) []*regexp.Regexp {
		var compiled []*regexp.Regexp
		for _, p := range patterns {
			compiled = append(compiled, regexp.MustCompile(p))
		}
		return compiled
	}
	const all = "developer trace stats info warning error critical emergency"
	for _, c := range []struct {
		name   string
		target Target
		id     string
		want   string
	}{
		{"included", Target{Threshold: level.None, Include: expressions("12-0010")}, "12-0010", all},
		{"another is included", Target{Threshold: level.None, Include: expressions("12-0010")}, "12-0001", ""},
		{"included and excluded", Target{Threshold: level.None, Include: expressions("12-.*"), Exclude: expressions("12-0010")}, "12-0010", ""},
		{"excluded whatever the level", Target{Threshold: level.Developer, Exclude: expressions("12-.*")}, "12-1002", ""},
		{"expressions are unanchored", Target{Threshold: level.Developer, Exclude: expressions("2-10")}, "12-1002", ""},
		{"others of the category", Target{Threshold: level.Emergency, Exclude: expressions("12-.*")}, "11-9001", "emergency"},
		{"none", Target{Threshold: level.None}, "12-0010", ""},
	} {
		if got := passing(c.target, c.id); got != c.want {
			t.Errorf("%s: passing are %q, want %q", c.name, got, c.want)
		}
	}
}
