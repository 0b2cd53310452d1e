package tools

import (
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func TestOptionValuesAreReadOrRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value    pflag.Value
		in, want string // want "" = refused
	}{
		{new(yesNo), "yes", "true"},
		{new(yesNo), "1", "true"},
		{new(yesNo), "False", "false"},
		{new(yesNo), "maybe", ""},
		{new(interval), "5s", "5s"},
		{new(interval), "1.5", "1.5s"},
		{new(interval), "-1s", ""},
		{new(interval), "1e300", ""},
		{new(interval), "NaN", ""},
		{new(interval), "99999h", ""},
		{new(separator), "10", "10"},
		{new(separator), "0", "0"},
		{new(separator), "256", ""},
		{new(separator), ",", ""},
		{new(rate), ".25", "0.25"},
		{new(rate), "1000", "1000"},
		{new(rate), "0", ""},
		{new(rate), "-1", ""},
		{new(rate), "NaN", ""},
		{new(rate), "1e10", ""},
		{new(count), "5", "5"},
		{new(count), "0", ""},
		{new(count), "x", ""},
	} {
		err := c.value.Set(c.in)
		if got := c.value.String(); (err == nil) != (c.want != "") || (err == nil && got != c.want) {
			t.Errorf("%T from %q: got %q, %v; want %q", c.value, c.in, got, err, c.want)
		}
	}
}

func TestNearestSuggestsSlipsOnly(t *testing.T) {
	t.Parallel()
	known := []string{"server", "topic", "filter", "file", "format"}
	for word, want := range map[string]string{
		"sever": "server", "topci": "topic", "fitler": "filter", "fil": "file", "xyz": "", "": "", "bookmark": "",
	} {
		if got := nearest(word, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestMeterRateIsForPeople(t *testing.T) {
	t.Parallel()
	if got := perSecond(50, 10*time.Second); got != "5.00/s" {
		t.Errorf("50 in 10 s: got %s", got)
	}
}
