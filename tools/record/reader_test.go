package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// allRecords reads a stream to its end.
func allRecords(stream io.Reader, separator byte, arrays bool) ([]string, error) {
	records, err := NewReader(stream, separator, arrays)
	if err != nil {
		return nil, err
	}
	return drained(records)
}

// drained reads what is left.
func drained(records Reader) ([]string, error) {
	var all []string
	for {
		record, err := records.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, string(record))
	}
}

func TestRecordsAreSeparatedByLinesBytesOrElementsOfAnArray(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*readBufferBytes)
	for _, c := range []struct {
		name, in  string
		separator byte
		arrays    bool
		want      []string
	}{
		{"nothing", "", '\n', true, nil},
		{"a line without its end", "a", '\n', true, []string{"a"}},
		{"lines, empty ones skipped", "a\n\nb\n", '\n', true, []string{"a", "b"}},
		{"carriage returns are payload", "a\r\nb", '\n', true, []string{"a\r", "b"}},
		{"another separator", "a\nb\x01c\x01", 1, false, []string{"a\nb", "c"}},
		{"a zero byte as separator", "a\x00b", 0, false, []string{"a", "b"}},
		{"lines longer than the buffer", long + "\n" + long + "y\nz", '\n', true, []string{long, long + "y", "z"}},
		{"an array", `[{"a":1},{"b":"]"}]`, '\n', true, []string{`{"a":1}`, `{"b":"]"}`}},
		{"an array behind white space", " \r\n\t[1, \"x\\\"],[\" ,\n null]\n", '\n', true, []string{"1", `"x\"],["`, "null"}},
		{"nested arrays stay whole", `[[1,[2]],{"a":[3]}]`, '\n', true, []string{"[1,[2]]", `{"a":[3]}`}},
		{"an empty array", "[]", '\n', true, nil},
		{"arrays one after the other", "[1,2]\n[]\n[3]\n", '\n', true, []string{"1", "2", "3"}},
		{"a bracket where no array is expected", "[1]\n[2]\n", '\n', false, []string{"[1]", "[2]"}},
		{"numbers keep their digits", "[1.000, 12345678901234567890]", '\n', true, []string{"1.000", "12345678901234567890"}},
		{"only white space", "  \n \n", '\n', true, []string{"  ", " "}},
	} {
		for how, stream := range map[string]io.Reader{
			"whole": strings.NewReader(c.in), "byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			got, err := allRecords(stream, c.separator, c.arrays)
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: got %.60q, %v; want %.60q", c.name, how, got, err, c.want)
			}
		}
	}
}

func TestWholeStreamIsOneRecordUnlessItIsEmpty(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{"": nil, "a\nb\n": {"a\nb\n"}, "[1]": {"[1]"}} {
		got, err := drained(Whole(strings.NewReader(in)))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, %v; want %q", in, got, err, want)
		}
	}
	broken := errors.New("broken")
	if _, err := drained(Whole(iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a stream that fails: got %v", err)
	}
}

func TestRecordsHaveAPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in        string
		separator byte
		want      string
	}{
		{"a\n\nb", '\n', "line 1, line 3, "},
		{"a;;b", ';', "record 1, record 3, "},
		{"[1,2] [3]", '\n', "element 1, element 2, element 3, "},
	} {
		records, err := NewReader(strings.NewReader(c.in), c.separator, true)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for {
			if _, err := records.Next(); err != nil {
				break
			}
			got += fmt.Sprintf("%s %d, ", records.Unit(), records.Number())
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.in, got, c.want)
		}
	}
}

func TestBrokenArrayIsReportedWithItsElement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{`[{"a":1},{"b":`, "element 2"},
		{`[1,2`, "ends without its ] behind element 2"},
		{`[1,2] 3`, "behind element 2"},
		{`[1 2]`, "element"},
		{`[`, "ends without its ]"},
	} {
		_, err := allRecords(strings.NewReader(c.in), '\n', true)
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %T %v; want an *Error with %q", c.in, err, err, c.want)
		}
	}
}

func TestRecordBeyondTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	r := &separatedReader{stream: bufio.NewReaderSize(strings.NewReader(strings.Repeat("x", 5000)), 16), separator: '\n', limit: 1000}
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "record 1 is longer than 1000 bytes") {
		t.Errorf("a record of 5000 bytes, limit 1000: got %v", err)
	}
	a := newArrayReader(strings.NewReader("[1]"))
	_, err := (&allowance{stream: strings.NewReader("x")}).Read(make([]byte, 1))
	if _, ok := errors.AsType[*Error](a.broken(err)); !ok {
		t.Errorf("an element beyond the limit: got %v", err)
	}
	w := &whole{stream: strings.NewReader("12345"), limit: 4}
	if _, err := w.Next(); err == nil || !strings.Contains(err.Error(), "longer than 4 bytes") {
		t.Errorf("a file of 5 bytes, limit 4: got %v", err)
	}
}

// endlessArray is a JSON array of n small elements that exists only as it is
// read.
type endlessArray struct {
	n    int
	rest []byte
}

func (e *endlessArray) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		if e.n == 0 {
			return 0, io.EOF
		}
		e.n--
		e.rest = []byte(`{"date":"2001/01/01 00:47","delay":66,"distance":1750,"origin":"DTW","destination":"LAS"},`)
		if e.n == 0 {
			e.rest = []byte("0]")
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func TestArrayIsNeverHeldAsAWhole(t *testing.T) {
	const elements = 50_000 // 4.5 MB
	stream := io.MultiReader(strings.NewReader("["), &endlessArray{n: elements})
	records, err := NewReader(stream, '\n', true)
	if err != nil {
		t.Fatal(err)
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for n := 0; ; n++ {
		if _, err := records.Next(); err != nil {
			if !errors.Is(err, io.EOF) || n != elements {
				t.Fatalf("after %d of %d elements: %v", n, elements, err)
			}
			break
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&now)
	if held := int64(now.HeapAlloc) - int64(before.HeapAlloc); held > 1<<20 {
		t.Errorf("%d bytes are held after an array of 4.5 MB, expected under 1 MiB", held)
	}
	runtime.KeepAlive(records)
}

func FuzzRecords(f *testing.F) {
	for _, seed := range []string{"", "a\nb\n", `[{"a":1},2]`, " [1]\n[2] x", `["\u005d"`, "[[[[", "\x01\x02"} {
		f.Add([]byte(seed), byte('\n'), true)
		f.Add([]byte(seed), byte(1), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, separator byte, arrays bool) {
		got, err := allRecords(bytes.NewReader(in), separator, arrays)
		array := arrays && bytes.HasPrefix(bytes.TrimLeft(in, " \t\r\n"), []byte("["))
		if !array {
			var want []string
			for part := range bytes.SplitSeq(in, []byte{separator}) {
				if len(part) > 0 {
					want = append(want, string(part))
				}
			}
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("records of %q with %q between: got %q, %v; want %q", in, separator, got, err, want)
			}
			return
		}
		var whole []json.RawMessage
		if json.Unmarshal(in, &whole) != nil {
			for _, record := range got {
				if !json.Valid([]byte(record)) {
					t.Fatalf("element %q of %q is not JSON", record, in)
				}
			}
			return
		}
		if want := fmt.Sprintf("%s", whole); err != nil || fmt.Sprintf("%s", got) != want {
			t.Fatalf("elements of %q: got %q, %v; want %s", in, got, err, want)
		}
	})
}

func BenchmarkSeparatedRecords(b *testing.B) {
	line := []byte(`{"date":"2001/01/01 00:47","delay":66,"distance":1750,"origin":"DTW","destination":"LAS"}` + "\n")
	in := bytes.Repeat(line, 10_000)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := drain(bytes.NewReader(in), false); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArrayRecords(b *testing.B) {
	in := []byte("[" + strings.Repeat(`{"date":"2001/01/01 00:47","delay":66,"distance":1750,"origin":"DTW","destination":"LAS"},`, 10_000) + "0]")
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := drain(bytes.NewReader(in), true); err != nil {
			b.Fatal(err)
		}
	}
}

// drain counts the records of a stream.
func drain(stream io.Reader, arrays bool) (n int, err error) {
	records, err := NewReader(stream, '\n', arrays)
	for err == nil {
		_, err = records.Next()
		n++
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n - 1, err
}
