package perf_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"farad/perf"
	"farad/perf/load"
	"farad/perf/loadtest"
)

func TestCommandLinesThatCannotBeUsedExitWithTwoAndSayWhatIsExpected(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ line, names string }{
		{"pubsub --publishers 0", "publishers 0"},
		{"pubsub --publishers 1025", "1 to 1024"},
		{"pubsub --subscribers -1", "subscribers -1"},
		{"pubsub --size 20", "size 20"},
		{"pubsub --size 99999999", "4194304"},
		{"pubsub --rate -1", "rate -1"},
		{"pubsub --rate NaN", "rate NaN"},
		{"pubsub --topics 0", "topics 0"},
		{"pubsub --filters 5 --subscribers 2", "1 subscriber"},
		{"pubsub --filters 5 --match 6", "match 6"},
		{"pubsub --messages 10 --warmup 1s", "warmup"},
		{"pubsub --window -1", "window -1"},
		{"pubsub --batch -1", "batch -1"},
		{"pubsub --duration -1s", "duration -1s"},
		{"pubsub --server ws://h:1/amps", "tcp://"},
		{"pubsub --unheard-of", "unheard-of"},
		{"pubsub --messages 1 --publishers 2", "at least one for each of 2"},
		{"pubsub --server-pid 1073741824", "server pid 1073741824"},
		{"latency --rate 0", "rate 0"},
		{"latency --duration 0s", "duration 0s"},
		{"latency --subscribers 0", "subscribers 0"},
		{"latency --baseline --publishers 2", "2 publishers"},
	} {
		t.Run(row.line, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(row.line)
			if !strings.Contains(row.line, "--server") {
				args = append(args, "--server", loadtest.Start(t, loadtest.Options{}).URI())
			}
			_, err := runPerf(t.Context(), args...)
			if code := perf.ExitCode(err); code != 2 {
				t.Errorf("exit code %d (%v), expected 2", code, err)
			}
			if err != nil && !strings.Contains(err.Error(), row.names) {
				t.Errorf("%q does not say %q", err, row.names)
			}
		})
	}
}

func TestPubsubReportsARunForPeople(t *testing.T) {
	t.Parallel()
	server := loadtest.Start(t, loadtest.Options{})
	out, err := runPerf(t.Context(), "pubsub", "--server", server.URI(), "--messages", "1000", "--subscribers", "2",
		"--server-pid", strconv.Itoa(os.Getpid()))
	if err != nil || perf.ExitCode(err) != 0 {
		t.Fatal(err)
	}
	for _, want := range []string{
		"farad 5.0.0.0", "class V", "1 publisher, 2 subscribers, 128 bytes", "sent          1,000 in",
		"delivered     2,000,", "CPU seconds   client", "peak memory", "0 losses, 0 duplicates, 0 order violations",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
}

func TestPubsubReportsJSONThatNamesMachineCommandAndClass(t *testing.T) {
	t.Parallel()
	server := loadtest.Start(t, loadtest.Options{})
	out, err := runPerf(t.Context(), "pubsub", "--server", server.URI(), "--messages", "1000", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Date, Settings string
		Command        []string
		Machine        struct{ Cores int }
		Throughput     load.Result
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	r := report.Throughput
	if r.Class != "V" || r.Sent != 1000 || r.Received != 1000 || r.Any() || report.Machine.Cores < 1 || report.Date == "" || len(report.Command) == 0 {
		t.Fatalf("unexpected report %s", out)
	}
}

func TestPubsubFailsWhenMessagesAreLost(t *testing.T) {
	t.Parallel()
	server := loadtest.Start(t, loadtest.Options{Fate: func(n uint64) loadtest.Fate {
		if n == 10 {
			return loadtest.Drop
		}
		return loadtest.Pass
	}})
	out, err := runPerf(t.Context(), "pubsub", "--server", server.URI(), "--messages", "1000")
	if perf.ExitCode(err) != 1 || !strings.Contains(out, "1 losses") {
		t.Fatalf("exit code %d, %v, report:\n%s", perf.ExitCode(err), err, out)
	}
}

func TestServersThatRefuseAreReportedWithTheirReason(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"pubsub", "latency"} {
		for reason, options := range map[string]loadtest.Options{
			"auth failure": {RefuseLogon: "auth failure"},
			"not entitled": {RefuseSubscribe: "not entitled"},
		} {
			_, err := runPerf(t.Context(), command, "--server", loadtest.Start(t, options).URI())
			if perf.ExitCode(err) != 1 || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: exit code %d, %v, expected %s", command, perf.ExitCode(err), err, reason)
			}
		}
	}
}

func TestAnInterruptEndsARunWithWhatItHas(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"pubsub", "latency"} {
		ctx, interrupt := context.WithCancel(t.Context())
		server := loadtest.Start(t, loadtest.Options{Before: func(n uint64) {
			if n > 500 {
				interrupt()
			}
		}})
		out, err := runPerf(ctx, command, "--server", server.URI(), "--rate", "5000", "--duration", "1h", "--warmup", "0s")
		if err != nil || !strings.Contains(out, "interrupted") || !strings.Contains(out, "0 losses, 0 duplicates, 0 order violations") {
			t.Errorf("%s: %v, report:\n%s", command, err, out)
		}
		interrupt()
	}
}

func TestLatencyComparesWithRawLoopbackAndWritesTheHistogram(t *testing.T) {
	server := loadtest.Start(t, loadtest.Options{})
	for name, want := range map[string]string{"l.hgrm": "Percentile", "l.hlog": "Histogram log format version"} {
		file := filepath.Join(t.TempDir(), name)
		out, err := runPerf(t.Context(), "latency", "--server", server.URI(), "--rate", "2000", "--duration", "300ms", "--warmup", "100ms",
			"--baseline", "--histogram", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, part := range []string{"received      600", "latency       p50", "raw loopback  p50", "ratio to it   p50", "send lag"} {
			if !strings.Contains(out, part) {
				t.Errorf("the report lacks %q:\n%s", part, out)
			}
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s holds %.80q, %v, expected %s", name, text, err, want)
		}
	}
}
