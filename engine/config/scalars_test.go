package config_test

import (
	"io/fs"
	"strings"
	"testing"

	"farad/engine/config"
)

func TestBooleansAreReadInAllTheirForms(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"true", "True", "enabled", "ENABLED", "1", "yes", "on"} {
		if got, err := config.ParseBool(text); err != nil || !got {
			t.Errorf("ParseBool(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"false", "False", "disabled", "Disabled", "0", "no", "off"} {
		if got, err := config.ParseBool(text); err != nil || got {
			t.Errorf("ParseBool(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2", "t", "maybe", "true false"} {
		if _, err := config.ParseBool(text); err == nil || !strings.Contains(err.Error(), "expected true or enabled") {
			t.Errorf("ParseBool(%q): %v", text, err)
		}
	}
}

func TestFileMasksAreOctal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]fs.FileMode{"0640": 0o640, "640": 0o640, "0": 0, "7777": 0o7777} {
		if got, err := config.ParseFileMask(text); err != nil || got != want {
			t.Errorf("ParseFileMask(%q) = %o, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "8", "0o640", "0x1", "10000", "-1", "+7", "6_4", "rw-", "99999999999"} {
		if _, err := config.ParseFileMask(text); err == nil || !strings.Contains(err.Error(), "such as 0640") {
			t.Errorf("ParseFileMask(%q): %v", text, err)
		}
	}
}

func TestVersionsAreComparedAsDottedNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"5.3", "5.3.0.0", 0}, {"5.3.5.0", "5.3.5.0.1700000000.abc", 0}, {"5.10", "5.9", 1},
		{"4.9.9.9", "5", -1}, {"5.3.5.1", "5.3.5.0", 1}, {"5.3.4", "5.3.5", -1},
	} {
		a, errA := config.ParseVersion(c.a)
		b, errB := config.ParseVersion(c.b)
		if errA != nil || errB != nil || a.Compare(b) != c.want || b.Compare(a) != -c.want {
			t.Errorf("%q against %q is %d, want %d (%v, %v)", c.a, c.b, a.Compare(b), c.want, errA, errB)
		}
	}
	for _, text := range []string{"", "5.", ".5", "5..3", "five", "5.3a", "-1", "+5", "4294967296", "5.3.5.0.x", "1.2.3.4.5.", "1.2.3.4.5.tag.more"} {
		if _, err := config.ParseVersion(text); err == nil || !strings.Contains(err.Error(), "is not a version") {
			t.Errorf("ParseVersion(%q): %v", text, err)
		}
	}
}
