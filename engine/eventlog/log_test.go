package eventlog_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"farad/engine/config"
	"farad/engine/eventlog"
	"farad/engine/eventlog/level"
)

// configured returns a log with one target on stderr that has these elements
// besides its protocol, and what it writes.
func configured(t *testing.T, elements string) (*eventlog.Log, *bytes.Buffer) {
	t.Helper()
	text := "<AMPSConfig><Name>a</Name><Logging><Target><Protocol>stderr</Protocol>" + elements + "</Target></Logging></AMPSConfig>"
	c, report := config.Parse("config.xml", []byte(text), config.Options{})
	if c == nil {
		t.Fatal(report.Err())
	}
	var stdout, stderr bytes.Buffer
	t.Cleanup(func() {
		if stdout.Len() > 0 {
			t.Errorf("stdout got %s", &stdout)
		}
	})
	return eventlog.FromConfig(c, &stdout, &stderr), &stderr
}

// everyEvent logs each event once and returns their number.
func everyEvent(log *eventlog.Log, format string, args ...any) int {
	n := len(eventlog.Entries())
	for e := range eventlog.Event(n) {
		log.Event(e, 1, format, args...)
	}
	return n
}

// ids are those of the lines.
func ids(lines string) string {
	var found []string
	for line := range strings.Lines(lines) {
		found = append(found, strings.Fields(line)[3])
	}
	return strings.Join(found, " ")
}

// 10-configuration #34
func TestTargetWithOnlyAProtocolWritesNothing(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "")
	everyEvent(log, "text")
	logLibrary(log.Handler(), "text")
	if out.Len() > 0 {
		t.Errorf("written %s", out)
	}
	if log.Enabled(eventlog.ProductLine) {
		t.Error("an event is enabled")
	}
}

func TestEventsPassByThresholdAndSingleLevels(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<Level>error</Level><Levels>trace,info</Levels>")
	everyEvent(log, "text")
	written := out.String()
	for _, e := range eventlog.Entries() {
		want := e.Level >= level.Error || e.Level == level.Trace || e.Level == level.Info
		if got := strings.Contains(written, " "+e.Level.String()+": "+e.ID+" "); got != want {
			t.Errorf("%s at %v is written: %v", e.ID, e.Level, got)
		}
	}
}

// 10-configuration #36. 12-1002 is no event of this version; that the
// expression takes its id is asked of the filter in
// TestExclusionBeatsInclusionAndInclusionBeatsLevels.
func TestIDBothIncludedAndExcludedIsNotWritten(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<IncludeErrors>12-0010, 07-0013</IncludeErrors><ExcludeErrors>12-0010</ExcludeErrors>")
	everyEvent(log, "text")
	if got := ids(out.String()); got != "07-0013" {
		t.Errorf("written are %s", got)
	}
	log, out = configured(t, "<Level>developer</Level><ExcludeErrors>12-.*</ExcludeErrors>")
	n := everyEvent(log, "text")
	if got := ids(out.String()); strings.Contains(got, "12-") || len(strings.Fields(got)) != n-2 {
		t.Errorf("written are %s", got)
	}
}

// 10-configuration #42
func TestLevelDebugBehavesAsInfo(t *testing.T) {
	t.Parallel()
	for _, element := range []string{"Level", "Levels"} {
		var written [2]string
		for i, name := range []string{"debug", "info"} {
			log, out := configured(t, "<"+element+">"+name+"</"+element+">")
			everyEvent(log, "text")
			written[i] = ids(out.String())
		}
		if written[0] == "" || written[0] != written[1] {
			t.Errorf("%s debug writes %s, info %s", element, written[0], written[1])
		}
	}
}

func TestEachTargetGetsWhatItAsksFor(t *testing.T) {
	t.Parallel()
	text := `<AMPSConfig><Name>a</Name><Logging>
		<Target><Protocol>stdout</Protocol><IncludeErrors>00-0015</IncludeErrors></Target>
		<Target><Protocol>stderr</Protocol><Level>error</Level></Target>
		<Target><Protocol>stderr</Protocol><IncludeErrors>70-0004</IncludeErrors></Target></Logging></AMPSConfig>`
	c, report := config.Parse("config.xml", []byte(text), config.Options{})
	if c == nil {
		t.Fatal(report.Err())
	}
	var stdout, stderr bytes.Buffer
	log := eventlog.FromConfig(c, &stdout, &stderr)
	log.Event(eventlog.Initialized, 1, "initialization completed (%d seconds).", 0)
	log.Event(eventlog.SlowClientDisconnected, 2, "client[x] is slow")
	log.Event(eventlog.ClientLogon, 2, "client[x] logged on")
	if ids(stdout.String()) != "00-0015" || ids(stderr.String()) != "70-0004 70-0004" {
		t.Errorf("stdout\n%sstderr\n%s", &stdout, &stderr)
	}
}

// refusing is a writer that fails, and counts how often.
type refusing struct{ writes int }

func (r *refusing) Write([]byte) (int, error) {
	r.writes++
	return 0, errors.New("no space left on device")
}

func TestTargetThatCannotBeWrittenStopsNothing(t *testing.T) {
	t.Parallel()
	var broken refusing
	var sound bytes.Buffer
	log := eventlog.New(
		eventlog.Target{Writer: &broken, Threshold: level.Developer},
		eventlog.Target{Writer: &sound, Threshold: level.Developer},
	)
	n := everyEvent(log, "text")
	if broken.writes != n || strings.Count(sound.String(), "\n") != n {
		t.Errorf("%d and %d records of %d", broken.writes, strings.Count(sound.String(), "\n"), n)
	}
}

func TestDiscardWritesNothing(t *testing.T) {
	t.Parallel()
	log := eventlog.Discard()
	everyEvent(log, "text")
	if log.Enabled(eventlog.SlowClientDisconnected) {
		t.Error("an event is enabled")
	}
}

func TestZeroFilterLetsNothingPass(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := eventlog.New(eventlog.Target{Writer: &out})
	everyEvent(log, "text")
	logLibrary(log.Handler(), "text")
	if out.Len() > 0 {
		t.Errorf("written %s", &out)
	}
}

func TestTooManyTargetsAreAProgrammerError(t *testing.T) {
	t.Parallel()
	eventlog.New(make([]eventlog.Target, eventlog.TargetsMax)...)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	eventlog.New(make([]eventlog.Target, eventlog.TargetsMax+1)...)
}

func TestEachOf64TargetsIsServed(t *testing.T) {
	t.Parallel()
	out := make([]bytes.Buffer, eventlog.TargetsMax)
	targets := make([]eventlog.Target, eventlog.TargetsMax)
	for i := range targets {
		targets[i] = eventlog.Target{Writer: &out[i], Threshold: level.Info}
	}
	eventlog.New(targets...).Event(eventlog.ProductLine, 1, "Farad")
	for i := range out {
		if !strings.HasSuffix(out[i].String(), "00-0001 Farad\n") {
			t.Errorf("target %d got %q", i, &out[i])
		}
	}
}

func TestRecordsOfManyGoroutinesAreWholeAndInOrder(t *testing.T) {
	t.Parallel()
	const goroutines, records = 8, 200
	log, out := configured(t, "<Level>info</Level>")
	library := log.Handler()
	var all sync.WaitGroup
	for g := 1; g <= goroutines; g++ {
		all.Go(func() {
			for i := range records {
				if i%2 == 0 {
					log.Event(eventlog.ClientLogon, g, "client[%d] %d\nsecond line", g, i)
				} else {
					logLibrary(library, fmt.Sprintf("client[%d] %d", g, i))
				}
			}
		})
	}
	all.Wait()
	last, begun := map[string]int{}, ""
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	form := regexp.MustCompile(`^(\S{33}) \[(\d)\] info: (?:1F-0004|01-9001) client\[(\d)\] (\d+)$`)
	for _, line := range lines {
		if line == "\tsecond line" {
			continue
		}
		m := form.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("line %q", line)
		}
		var n int
		if _, err := fmt.Sscan(m[4], &n); err != nil {
			t.Fatal(err)
		}
		if before, seen := last[m[3]]; seen && n != before+1 || m[1] < begun {
			t.Fatalf("line %q comes after %d and %s", line, before, begun)
		}
		last[m[3]], begun = n, m[1]
	}
	if len(lines) != goroutines*records*3/2 {
		t.Errorf("%d lines", len(lines))
	}
}

func TestFindingsAreLoggedWithTheirPlaceAndWeight(t *testing.T) {
	t.Parallel()
	_, report := config.Parse("c.xml", []byte("<AMPSConfig><Name>a b</Name>\n<Quux/>\n<MiniDumpDirectory/></AMPSConfig>"), config.Options{})
	log, out := configured(t, "<Level>info</Level>")
	log.Findings(report)
	for i, want := range []string{
		`warning: 00-9002 c.xml:1:13: AMPSConfig/Name: "a b" contains a space`,
		`error: 00-9001 c.xml:2:1: AMPSConfig/Quux: "Quux" is not a known element here`,
		`info: 00-9003 c.xml:3:1: AMPSConfig/MiniDumpDirectory: accepted and ignored`,
	} {
		lines := strings.Split(out.String(), "\n")
		if len(lines) != 4 || !strings.Contains(lines[i], want) {
			t.Errorf("%s\nlacks %s", out, want)
		}
	}
}
