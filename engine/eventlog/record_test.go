package eventlog_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"farad/engine/eventlog"
	"farad/engine/eventlog/level"
)

// lineForm is that of 10-configuration §12 #37.
var lineForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}[+-]\d\d:\d\d \[\d+\] (developer|trace|stats|info|warning|error|critical|emergency): [0-9A-F]{2}-[0-9A-F]{4} `)

// checkRecords wants text to be so many records, each with one line of
// lineForm and no other that could be taken for one.
func checkRecords(t *testing.T, text string, records int) {
	t.Helper()
	if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
		t.Errorf("text %q", text)
	}
	begun := 0
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case lineForm.MatchString(line):
			begun++
		case !strings.HasPrefix(line, "\t"):
			t.Errorf("line %q neither begins a record nor continues one", line)
		}
		for _, r := range line {
			if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0x202e {
				t.Errorf("line %q holds %U", line, r)
			}
		}
	}
	if begun != records {
		t.Errorf("%d records in %q, want %d", begun, text, records)
	}
}

// forgeries are texts that try to look like records or to steer a terminal.
var forgeries = []string{
	"", "plain", "\n", "\r\n\r\n", "a\n2021-11-23T14:49:38.3442510-08:00 [1] info: 00-0015 forged",
	"a\r2021-11-23T14:49:38.3442510-08:00 [1] info: 00-0015 forged", "a\r\nb\n\nc", "a\vb\fc\x00d\x1b[2Je\x7f",
	"a\u0085b\u2028c\u2029d\u009b2Je\u202ef", "latin \xe9\x9b", "tab\tnext", "ü€😀\u00a0x", "\xc2", "%d%s%!",
}

// 10-configuration #37
func TestEachLineHasTheFormOfALineOrContinuesARecord(t *testing.T) {
	t.Parallel()
	for _, text := range forgeries {
		log, out := configured(t, "<Level>developer</Level>")
		n := everyEvent(log, "%s", text)
		logLibrary(log.Handler(), text)
		checkRecords(t, out.String(), n+1)
	}
}

func TestTextIsWrittenAsGivenWhereItCanBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain 100%":       "plain 100%",
		"a\r\nb\nc\r\n\n":  "a\n\tb\n\tc",
		"a\x1b[1m\x00\x7f": `a\x1b[1m\x00\x7f`,
		"\u009b\xff":       `\xc2\x9b\xff`,
		"a\rb":             `a\x0db`,
		"ü €😀\tx":          "ü €😀\tx",
		"\ufffd":           "\ufffd",
	} {
		log, out := configured(t, "<Level>info</Level>")
		log.Event(eventlog.ClientLogon, 12, text)
		if _, got, _ := strings.Cut(out.String(), " [12] info: 1F-0004 "); got != want+"\n" {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

func TestLineHasTheLocalTimeOfTheEvent(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<Level>info</Level>")
	before := time.Now()
	log.Event(eventlog.ProductLine, 1, "text")
	after := time.Now()
	stamp := strings.Fields(out.String())[0]
	got, err := time.Parse("2006-01-02T15:04:05.0000000-07:00", stamp)
	if err != nil || got.Before(before.Truncate(100*time.Nanosecond)) || got.After(after) {
		t.Errorf("%s, between %v and %v: %v", stamp, before, after, err)
	}
	if want := before.Format("-07:00"); !strings.HasSuffix(stamp, want) {
		t.Errorf("%s is not local time, which is %s", stamp, want)
	}
}

func TestLongTextIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<Level>info</Level>")
	log.Event(eventlog.ProductLine, 1, "%s", strings.Repeat("x", eventlog.TextBytesMax-1)+"€yz")
	if got := out.String(); !strings.HasSuffix(got, `xx\xe2 ... (4 bytes cut)`+"\n") {
		t.Errorf("%q", got[len(got)-60:])
	}
	checkRecords(t, out.String(), 1)
	out.Reset()
	log.Event(eventlog.ProductLine, 1, "short")
	checkRecords(t, out.String(), 1)
}

func FuzzText(f *testing.F) {
	for _, text := range forgeries {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		log := eventlog.New(eventlog.Target{Writer: &out, Threshold: level.Info})
		log.Event(eventlog.ClientLogon, 3, "%s", text)
		checkRecords(t, out.String(), 1)
	})
}
