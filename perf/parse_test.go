package perf_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"farad/perf"
)

func TestParseSaysWhatItCannotUse(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(file, []byte("{\"a\":1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ line, names string }{
		{"--types punchcards", "types punchcards: there is no such message type; known are bflat, binary, "},
		{"--fields 0", "fields 0: expected 1 to 10000"},
		{"--size 5", "size 5: expected 16 to"},
		{"--size 9999999", "262144 bytes"},
		{"--size x", "size"},
		{"--duration 0s", "duration 0s: expected 1ms to 10m0s"},
		{"--type json", "--type has a meaning only with a --file"},
		{"--field /a", "--field has a meaning only with a --file"},
		{"--types binary", "nothing was measured"},
		{"--file m --size 100", "--size has a meaning only without a --file"},
		{"--file m --whole --delimiter 1", "--whole and --delimiter exclude each other"},
		{"--file no-such-file", "file: open no-such-file"},
		{"--file FILE --type x", "type x: there is no such message type"},
		{"--file FILE --field a", "field a: at byte 0"},
		{"--file FILE --field /a=1", "expected a field such as /order/price"},
		{"--file FILE --filter /a>>1", "filter /a>>1: at byte 3"},
		{"--file FILE --type binary", "no fields"},
		{"--unheard-of", "unheard-of"},
		{"file.json", "unknown command"},
	} {
		args := append([]string{"parse"}, strings.Fields(strings.ReplaceAll(row.line, "FILE", file))...)
		_, err := runPerf(t.Context(), args...)
		if perf.ExitCode(err) != 2 && row.line != "file.json" || err == nil || !strings.Contains(err.Error(), row.names) {
			t.Errorf("%s: exit code %d, %v; expected 2, %s", row.line, perf.ExitCode(err), err, row.names)
		}
	}
}

func TestParseReportsGeneratedMessagesForPeople(t *testing.T) {
	out, err := runPerf(t.Context(), "parse", "--types", "json,binary", "--size", "150,400", "--fields", "1,5", "--duration", "1ms")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"machine  ", "load          one core, 1ms", "ns/message  ns/byte  allocations", "extract 5", "parse", "write", "filter 1", "filter 5", "nested", "skipped       binary: messages of this type cannot be written"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	if n := strings.Count(out, "json  "); n != 2*2*6 {
		t.Errorf("%d lines, expected 24:\n%s", n, out)
	}
}

func TestParseMeasuresOwnMessagesAndFilters(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.json")
	if err := os.WriteFile(file, []byte("[{\"a\":1,\"b\":\"x\"},\n{\"a\":2,\"b\":\"y\"}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := runPerf(t.Context(), "parse", "--file", file, "--field", "/a", "--field", "/none", "--filter", "/a = 2", "--duration", "1ms", "--json")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var report struct {
		Command []string
		Machine struct{ Cores int }
		Cells   []struct {
			Operation, Shape, Filter  string
			Bytes, NsMessage, Matched float64
			Allocations, NsByte, MB   float64
			Fields, Messages          int
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	var operations []string
	for _, c := range report.Cells {
		operations = append(operations, c.Operation)
	}
	last := report.Cells[len(report.Cells)-1]
	if got := strings.Join(operations, ","); got != "extract 2,parse,write,filter 1,filter 5,filter #1" || last.Filter != "/a = 2" || last.Matched != 0.5 ||
		last.Shape != file || last.Fields != 2 || last.Bytes != 15 || report.Machine.Cores < 1 {
		t.Errorf("unexpected report %s", out)
	}
	out, err = runPerf(t.Context(), "parse", "--file", file, "--filter", "/a = 2", "--delimiter", "10", "--fields", "1", "--duration", "1ms")
	if perf.ExitCode(err) != 2 || !strings.Contains(err.Error(), "no message is well-formed") {
		t.Errorf("lines that are no messages: %v\n%s", err, out)
	}
	out, err = runPerf(t.Context(), "parse", "--file", file, "--filter", "/a = 2", "--fields", "1", "--duration", "1ms")
	if err != nil || !strings.Contains(out, "filter #1     true for 50.0 %: /a = 2") {
		t.Errorf("%v\n%s", err, out)
	}
}
