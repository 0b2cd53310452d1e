package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"farad/expr/message"
)

const someTrades = `{"s":"IBM","p":90.50,"q":[1,2]}
{"s":"MSFT","p":12}

{"s":"IBM","p":null}
`

// filtered runs farad filter on an input.
func filtered(t *testing.T, input string, args ...string) (s *streams, code int, message string) {
	t.Helper()
	s = newStreams()
	err := farad(t.Context(), s, strings.NewReader(input), nil, append([]string{"filter"}, args...)...)
	if err != nil {
		message = err.Error()
	}
	return s, ExitCode(err), message
}

func TestFilterPrintsWhatMatchesAsItIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args  string // separated by |
		input string
		code  int
		out   string
		err   string
	}{
		{`/s = 'IBM'`, someTrades, 0, "{\"s\":\"IBM\",\"p\":90.50,\"q\":[1,2]}\n{\"s\":\"IBM\",\"p\":null}\n", "3 messages, 2 matched\n"},
		{`/s = 'IBM'|-v`, someTrades, 0, "{\"s\":\"MSFT\",\"p\":12}\n", "3 messages, 1 matched\n"},
		{`/none|--invert`, `{"s":1}`, 0, "{\"s\":1}\n", "1 message, 1 matched\n"}, // NULL is not true
		{`/s = 'HP'`, someTrades, 1, "", "3 messages, 0 matched\n"},
		{`/s = 'HP'`, "", 1, "", "0 messages, 0 matched\n"},
		{`/p > 0|-max|1`, someTrades, 0, "{\"s\":\"IBM\",\"p\":90.50,\"q\":[1,2]}\n", "1 message, 1 matched\n"},
		{`/p > 0|-m1|-count`, someTrades, 0, "1\n", "1 message, 1 matched\n"},
		{`/p > 0|-count|true`, someTrades, 0, "2\n", "3 messages, 2 matched\n"},
		{`/p > 99|-c`, someTrades, 1, "0\n", "3 messages, 0 matched\n"},
		{`/p > 99|-quiet`, someTrades, 1, "", ""},
		{`/p > 50|-q`, someTrades, 0, "", ""},
		{`--|-/p < -50`, someTrades, 0, "{\"s\":\"IBM\",\"p\":90.50,\"q\":[1,2]}\n", "3 messages, 1 matched\n"},
		{`/a = 2`, `[{"a":1}, {"a": 2}]`, 0, "{\"a\": 2}\n", "2 messages, 1 matched\n"},
		{`/a = 2|-delimiter|59`, "{\"a\":\n2};{\"a\":3};", 0, "{\"a\":\n2};", "2 messages, 1 matched\n"},
		{`/a = 2|-whole`, "{\n \"a\": 2\n}", 0, "{\n \"a\": 2\n}\n", "1 message, 1 matched\n"},
		{`1 = 1|-type|binary`, "\x01\x02\n", 0, "\x01\x02\n", "1 message, 1 matched\n"},
		{`/a = 1`, "{\"a\":1}\n{\"a\":1,\n{\"b\":}\n", 0, "{\"a\":1}\n{\"a\":1,\n", "3 messages, 2 matched, 2 unparsable, the first at standard input line 2: "},
	} {
		s, code, message := filtered(t, c.input, strings.Split(c.args, "|")...)
		if code != c.code || s.out.String() != c.out || !strings.HasPrefix(s.err.String(), c.err) || c.err == "" && s.err.String() != "" || message != "" {
			t.Errorf("%s on %q: exit code %d, %q, standard error %q, %q; want %d, %q, %q", c.args, c.input, code, s.out.String(), s.err.String(), message, c.code, c.out, c.err)
		}
	}
}

func TestFilterSaysWhatItCannotUse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want string }{
		{"", "the expression is missing, as in"},
		{"/a >> 1", "at byte 4: found \"> 1\", expected a literal, an identifier such as /field, a function or (\n  /a >> 1\n      ^"},
		{"/a = 1|-type|jsn", "did you mean json?"},
		{"/a = 1|-type|punchcards", "known are "},
		{"/a = 1|-type|binary", "/a cannot be read: messages of type binary have no fields"},
		{"/a = 1|no-such-file", "filter: open no-such-file: no such file"},
		{"/a = 1|.", "filter: . is a directory"},
		{"/a = 1|-count|-explain", "-count and -explain exclude each other"},
		{"/a = 1|-quiet|-count", "-quiet and -count exclude each other"},
		{"/a = 1|-whole|-delimiter|1", "-whole and -delimiter exclude each other"},
		{"/a = 1|-max|0", "expected a number of messages, 1 or more"},
		{"/a = 1|-explian", "did you mean -explain?"},
	} {
		var args []string
		if c.args != "" {
			args = strings.Split(c.args, "|")
		}
		s, code, message := filtered(t, "{}", args...)
		if code != ExitUsage || !strings.Contains(message, c.want) || s.out.String() != "" {
			t.Errorf("%s: exit code %d, %q, printed %q; want 2 and %q", c.args, code, message, s.out.String(), c.want)
		}
	}
	s, code, message := filtered(t, `[{"a":1},{"a":1`, "/a = 1")
	if code != ExitUsage || !strings.Contains(message, "standard input: JSON array: ") || s.out.String() != "{\"a\":1}\n" || s.err.String() != "1 message, 1 matched\n" {
		t.Errorf("a broken array: exit code %d, %q, printed %q, %q", code, message, s.out.String(), s.err.String())
	}
}

func TestCaretStandsUnderThePlace(t *testing.T) {
	t.Parallel()
	long := "/a = '" + strings.Repeat("é", 500) + "' AND "
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{"", 0, "  \n  ^"},
		{"/é = ~ 1", 6, "  /é = ~ 1\n       ^"},
		{"/a = 1\n\tAND ~\nOR /b", 12, "   AND ~\n       ^"},
		{"/a \x01 \xff", 5, "  /a ? ?\n       ^"},
		{long, len(long), "  ..." + strings.Repeat("é", 27) + "' AND \n  " + strings.Repeat(" ", 36) + "^"},
		{long, 0, "  /a = '" + strings.Repeat("é", 27) + "...\n  ^"},
		{"short", 99, "  short\n       ^"},
	} {
		if got := pointed(c.text, c.offset); got != c.want {
			t.Errorf("%.20q, %d:\n%s\nwant\n%s", c.text, c.offset, got, c.want)
		}
	}
}

func TestExplainShowsOutcomesFieldsAndConditionsOfEveryMessage(t *testing.T) {
	t.Parallel()
	const input = `{"s":"I'M\n","p":90.50,"q":[1,2.5,null,"x"],"t":true}
{"s":null,"p":3,"q":[7,8]`
	const want = `true   standard input line 1  {"s":"I'M\n","p":90.50,"q":[1,2.5,null,"x"],"t":true}
       /p    90.50  float
       /q    [1, 2.5, NULL, 'x']  array of 4: integer, float, NULL, string
       /t    true  boolean
       /s    'I\'M\x0A'  string
       /o/x  NULL  no value in the message
       true   /p > 10 AND /q = 2.5 AND (/t OR NOT (/s = 'a' OR /o/x = 1))
       true     /p > 10
       true     /q = 2.5
       true     /t OR NOT (/s = 'a' OR /o/x = 1)
       true       /t
       true       NOT (/s = 'a' OR /o/x = 1)
       false        /s = 'a' OR /o/x = 1
       false          /s = 'a'
       false          /o/x = 1
false  standard input line 2  {"s":null,"p":3,"q":[7,8]
       unparsable: *
       /p    3  integer
       /q    [7, 8]  array of 2: integer
       /t    NULL  no value in the message
       /s    NULL
       /o/x  NULL  no value in the message
       false  /p > 10 AND /q = 2.5 AND (/t OR NOT (/s = 'a' OR /o/x = 1))
       false    /p > 10
       false    /q = 2.5
       NULL     /t OR NOT (/s = 'a' OR /o/x = 1)
       NULL       /t
       true       NOT (/s = 'a' OR /o/x = 1)
       false        /s = 'a' OR /o/x = 1
       false          /s = 'a'
       false          /o/x = 1
`
	s, code, message := filtered(t, input, "-explain", `/p > 10 AND /q = 2.5 AND (/t OR NOT (/s = 'a' OR /o/x = 1))`)
	got := strings.Split(s.out.String(), "\n")
	for i, line := range strings.Split(want, "\n") {
		fixed, _, prefix := strings.Cut(line, "*")
		if i >= len(got) || got[i] != line && (!prefix || !strings.HasPrefix(got[i], fixed)) {
			t.Fatalf("exit code %d, %s; line %d: want %s in\n%s", code, message, i+1, line, s.out.String())
		}
	}
	if code != 0 || !strings.Contains(s.err.String(), "2 messages, 1 matched, 1 unparsable") {
		t.Errorf("exit code %d, standard error %q", code, s.err.String())
	}
}

func TestExplainShowsTheValueOfWhatIsNoConditionAndEndsAtItsLimit(t *testing.T) {
	t.Parallel()
	s, code, _ := filtered(t, "{\"a\":1}\n{\"a\":-1}\n{\"a\":2}\n", "-explain", "-max", "2", "/a + 1")
	want := "true   standard input line 1  {\"a\":1}\n       /a  1  integer\n       value  2  integer\n" +
		"false  standard input line 2  {\"a\":-1}\n       /a  -1  integer\n       value  0  integer\n"
	if code != 0 || s.out.String() != want {
		t.Errorf("exit code %d:\n%swant\n%s", code, s.out.String(), want)
	}
}

func TestFilterWritesJSON(t *testing.T) {
	t.Parallel()
	s, code, message := filtered(t, "{\"a\":[1,18446744073709551615,1e2,\"<\\u0001\",null,true]}\n\xff\n", "-json", "-explain", "/a = 2 OR /b")
	lines := strings.Split(strings.TrimSpace(s.out.String()), "\n")
	want := []string{
		`{"file":"-","unit":"line","number":1,"matched":false,"outcome":"NULL","fields":[{"path":"/a","values":[{"type":"integer","value":1},` +
			`{"type":"integer","value":18446744073709551615},{"type":"float","value":1e2},{"type":"string","value":"<\u0001"},{"type":"NULL","value":null},{"type":"boolean","value":true}]},` +
			`{"path":"/b","values":[]}],"conditions":[{"text":"/a = 2 OR /b","depth":0,"outcome":"NULL"},{"text":"/a = 2","depth":1,"outcome":"false"},{"text":"/b","depth":1,"outcome":"NULL"}],` +
			`"body":"{\"a\":[1,18446744073709551615,1e2,\"<\\u0001\",null,true]}"}`,
		`"body_base64":"/w=="}`,
	}
	if code != 1 || len(lines) != 2 || lines[0] != want[0] || !strings.Contains(lines[1], `"fault":"json message, byte 0: `) || !strings.HasSuffix(lines[1], want[1]) {
		t.Errorf("exit code %d, %s:\n%s\nwant\n%s", code, message, s.out.String(), strings.Join(want, "\n"))
	}
	s, _, _ = filtered(t, someTrades, "-json", "-count", "/p > 0")
	if got, want := s.out.String(), `{"file":"-","messages":3,"matched":2,"unparsable":0}`+"\n"; got != want {
		t.Errorf("count: got %s, want %s", got, want)
	}
	s, _, _ = filtered(t, someTrades, "-json", "/p < 50")
	if got, want := s.out.String(), `{"file":"-","unit":"line","number":2,"matched":true,"body":"{\"s\":\"MSFT\",\"p\":12}"}`+"\n"; got != want {
		t.Errorf("match: got %s, want %s", got, want)
	}
}

func TestValuesThatJSONCannotWriteAreText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value message.Value
		want  string
	}{
		{message.NumeralValue([]byte("007")), `{"type":"integer","value":"007"}`},
		{message.NumeralValue([]byte(".5")), `{"type":"float","value":".5"}`},
		{message.FloatValue(0).Number(), `{"type":"float","value":0.0}`},
		{message.StringValue([]byte("a\xff")), `{"type":"string","value":null,"base64":"Yf8="}`},
		{message.StringValue([]byte("7")), `{"type":"string","value":"7"}`},
	} {
		got, err := json.Marshal(recordValue(c.value))
		if err != nil || string(got) != c.want {
			t.Errorf("got %s, %v; want %s", got, err, c.want)
		}
	}
}

func TestFilterReadsFilesOneAfterTheOther(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a, b := filepath.Join(folder, "a"), filepath.Join(folder, "b")
	for name, text := range map[string]string{a: someTrades, b: `[{"s":"IBM"}]`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, code, message := filtered(t, `{"s":"IBM","p":1}`, `/s = 'IBM'`, a, "-", b, "-count")
	if want := a + ":2\n-:1\n" + b + ":1\n"; code != 0 || s.out.String() != want {
		t.Errorf("exit code %d, %s: got %q, want %q", code, message, s.out.String(), want)
	}
	s, _, _ = filtered(t, "", `/s = 'IBM'`, a, b, "-max", "3")
	if want := "{\"s\":\"IBM\",\"p\":90.50,\"q\":[1,2]}\n{\"s\":\"IBM\",\"p\":null}\n{\"s\":\"IBM\"}\n"; s.out.String() != want {
		t.Errorf("got %q, want %q", s.out.String(), want)
	}
	// The first file is read to its second match; the other is not opened.
	s, code, _ = filtered(t, "", `/s = 'IBM'`, a, filepath.Join(folder, "none"), "-max", "2")
	if code != 0 || s.err.String() != "3 messages, 2 matched\n" {
		t.Errorf("exit code %d, standard error %q", code, s.err.String())
	}
}

func TestInterruptedFilterSaysWhatItSawAndPrintsMatchesAtOnce(t *testing.T) {
	t.Parallel()
	s := newStreams()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- farad(ctx, s, read, nil, "filter", "/a = 1") }()
	if _, err := io.WriteString(write, "{\"a\":1}\n{\"a\":1"); err != nil {
		t.Fatal(err)
	}
	s.out.await(t, "{\"a\":1}\n")
	interrupt()
	if err := <-ended; err != nil || s.err.String() != "1 message, 1 matched\n" {
		t.Errorf("got %v, standard error %q", err, s.err.String())
	}
	read.Close() // lets the reading goroutine go
}

// Part of 14-tools-and-capacity #16: a closed pipe ends the command quietly.
func TestFilterEndsQuietlyWhenItsReaderHasGone(t *testing.T) {
	t.Parallel()
	s := newStreams()
	endless := io.MultiReader(strings.NewReader("{\"a\":1}\n"), lines{[]byte("{\"a\":1}\n")})
	if err := farad(t.Context(), s, endless, brokenStream{}, "filter", "/a = 1"); err != nil || s.err.String() != "" {
		t.Errorf("got %v, standard error %q", err, s.err.String())
	}
}

func TestFilterReportsAFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	err = farad(t.Context(), newStreams(), strings.NewReader("{\"a\":1}\n"), full, "filter", "/a = 1")
	if ExitCode(err) != ExitUsage || !strings.Contains(fmt.Sprint(err), "no space left") {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
}

// lines is a stream without an end.
type lines struct{ line []byte }

func (l lines) Read(p []byte) (n int, err error) {
	for n+len(l.line) <= len(p) {
		n += copy(p[n:], l.line)
	}
	return n, nil
}

func TestFilterHoldsLittleOfLongInput(t *testing.T) {
	const messages = 200_000
	line := []byte(`{"date":"2001/01/01 00:47","delay":66,"distance":1750,"origin":"DTW","destination":"LAS"}` + "\n")
	input := io.LimitReader(lines{line}, int64(messages*len(line))) // 18 MB
	input = io.MultiReader(input, strings.NewReader(`{"delay":[`+strings.Repeat("1,", 1<<20)+"2]}\n"), bytes.NewReader(line))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var allocations uint64 // at the last read
	watching := readerFunc(func(p []byte) (int, error) {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		allocations = now.Mallocs - before.Mallocs
		return input.Read(p)
	})
	s := newStreams()
	if err := farad(t.Context(), s, watching, io.Discard, "filter", "/delay = 66"); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%d messages, %d matched\n", messages+2, messages+1); s.err.String() != want {
		t.Errorf("standard error %q, want %q", s.err.String(), want)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 1<<20 {
		t.Errorf("%d bytes are held afterwards", held)
	}
	if allocations > messages/10 {
		t.Errorf("%d allocations for %d messages", allocations, messages)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func FuzzExplainLayout(f *testing.F) {
	f.Add("/a = 1 AND NOT /b", []byte(`{"a":[1,"x"],"b":"\u0000"}`))
	f.Add("/a > '\\x01'", []byte("{\"a\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, expression string, body []byte) {
		filter, err := compileFilter(expression)
		if err != nil {
			return
		}
		for _, asJSON := range []bool{false, true} {
			tried := &trial{options: &filterOptions{json: yesNo(asJSON)}, kind: message.JSON{}, filter: filter, room: newRoom(filter)}
			v := verdict{place: place{file: "-", unit: "line", number: 1}, body: body}
			v.explanation = tried.room.explainer.Explain(tried.kind, body)
			text := tried.appendVerdict(nil, &v)
			if asJSON && !json.Valid(text) {
				t.Fatalf("no JSON: %s", text)
			}
			if i := bytes.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }); i >= 0 && !asJSON {
				t.Fatalf("a control character at %d of %q", i, text)
			}
		}
	})
}

func BenchmarkFilter(b *testing.B) {
	line := `{"date":"2001/01/01 00:47","delay":66,"distance":1750,"origin":"DTW","destination":"LAS"}` + "\n"
	input := strings.Repeat(line, 10_000)
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		if err := farad(b.Context(), newStreams(), strings.NewReader(input), io.Discard, "filter", "/delay > 60"); err != nil {
			b.Fatal(err)
		}
	}
}
