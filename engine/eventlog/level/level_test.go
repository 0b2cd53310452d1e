package level_test

import (
	"strings"
	"testing"

	"farad/engine/eventlog/level"
)

func TestLevelNamesAreReadInAnyCase(t *testing.T) {
	t.Parallel()
	for _, name := range level.Names() {
		for _, text := range []string{name, strings.ToUpper(name)} {
			l, err := level.Parse(text)
			if err != nil || l.String() != name {
				t.Errorf("Parse(%q) = %v, %v", text, l, err)
			}
		}
	}
}

// What the log makes of it is shown by the tests of eventlog.
func TestDebugIsInfo(t *testing.T) {
	t.Parallel()
	if l, err := level.Parse("debug"); err != nil || l != level.Info {
		t.Errorf("Parse(debug) = %v, %v", l, err)
	}
}

func TestLevelsAscendInTheOrderOfTheirNames(t *testing.T) {
	t.Parallel()
	want := "developer trace stats info warning error critical emergency none"
	if got := strings.Join(level.Names(), " "); got != want {
		t.Errorf("levels %s, want %s", got, want)
	}
	if level.Developer >= level.Trace || level.Emergency >= level.None {
		t.Error("levels do not ascend")
	}
}

func TestUnknownLevelIsRefusedWithTheKnownOnes(t *testing.T) {
	t.Parallel()
	_, err := level.Parse("verbose")
	if err == nil || !strings.Contains(err.Error(), `"verbose"`) || !strings.Contains(err.Error(), "emergency, none") {
		t.Errorf("error %v", err)
	}
	if got := level.Level(0).String(); got != "level(0)" {
		t.Errorf("zero level is %q", got)
	}
}
