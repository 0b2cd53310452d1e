package parse_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"farad/expr"
	"farad/expr/message"
	"farad/perf/parse"
	"farad/tools/record"
)

func TestEveryTypeThatWritesHasMessagesOfTheAskedSizes(t *testing.T) {
	t.Parallel()
	types := message.NewTypes()
	for _, name := range types.Names() {
		kind, _ := types.ByName(name)
		for _, size := range []int{150, 1024, 10240, parse.SizeMax} {
			c, err := parse.Generate(kind, parse.Flat, size)
			if !kind.Capabilities().Output {
				if err == nil {
					t.Errorf("%s has no output, and messages were made of it", name)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %d bytes: %v", name, size, err)
				continue
			}
			if math.Abs(c.Bytes-float64(size)) > float64(size)/5 {
				t.Errorf("%s: messages of %.0f bytes, expected about %d", name, c.Bytes, size)
			}
			checkCorpus(t, c)
		}
	}
}

// checkCorpus checks that all messages are well-formed, differ, and hold a
// value in each of the fields.
func checkCorpus(t *testing.T, c *parse.Corpus) {
	t.Helper()
	trie := message.NewTrie()
	for _, f := range c.Fields {
		trie.Add(f.Path)
	}
	var d message.Document
	seen := map[string]bool{}
	for _, body := range c.Messages {
		if err := d.Read(c.Type, body); err != nil {
			t.Errorf("%s %s: %v", c.Type.Name(), c.Shape, err)
		}
		if seen[string(body)] {
			t.Errorf("%s %s: two messages are equal", c.Type.Name(), c.Shape)
		}
		seen[string(body)] = true
		var values message.Values
		c.Type.Extract(body, trie, &values)
		for _, f := range c.Fields {
			if values.First(trie.Add(f.Path)).IsNull() {
				t.Fatalf("%s %s: no value on %s", c.Type.Name(), c.Shape, f.Path)
			}
		}
	}
}

func TestNestedMessagesHaveGroups(t *testing.T) {
	t.Parallel()
	c, err := parse.Generate(message.JSON{}, parse.Nested, 1024)
	if err != nil {
		t.Fatal(err)
	}
	checkCorpus(t, c)
	if f := c.Fields[5]; f.Text != "/order/leg1/trader" {
		t.Errorf("the sixth field is %s", f.Text)
	}
	if !strings.HasPrefix(string(c.Messages[0]), `{"order":{"leg0":{"id":`) {
		t.Errorf("unexpected message %.60s", c.Messages[0])
	}
}

// picky is JSON with the limits of other types.
type picky struct {
	message.JSON
	refuses func(d *message.Document) error
}

func (p picky) Parse(body []byte, d *message.Document, at int32) error {
	if err := p.JSON.Parse(body, d, at); err != nil {
		return err
	}
	return p.refuses(d)
}

// each calls check with the members of the root.
func each(d *message.Document, check func(name string, f *message.Field) bool) error {
	for i := d.First(0); i >= 0; i = d.Next(i) {
		if f := d.Field(i); !check(string(f.Name), f) {
			return fmt.Errorf("member %s is not allowed", f.Name)
		}
	}
	return nil
}

func TestMessagesFollowWhatATypeCanHold(t *testing.T) {
	t.Parallel()
	oneRoot := picky{refuses: func(d *message.Document) error {
		if first := d.First(0); d.Next(first) >= 0 {
			return errors.New("a second root")
		}
		return nil
	}}
	numbers := picky{refuses: func(d *message.Document) error {
		return each(d, func(name string, f *message.Field) bool {
			return strings.Trim(name, "0123456789") == "" && f.Form == message.Scalar
		})
	}}
	for _, c := range []struct {
		name, shape string
		kind        message.Type
		field       string // the second one; "" for no messages
	}{
		{"one root", parse.Flat, oneRoot, "/message/symbol"},
		{"one root", parse.Nested, oneRoot, "/order/leg0/symbol"},
		{"numbers", parse.Flat, numbers, "/1001"},
		{"numbers", parse.Nested, numbers, ""},
	} {
		corpus, err := parse.Generate(c.kind, c.shape, 300)
		switch {
		case c.field == "" && (err == nil || !strings.Contains(err.Error(), "not allowed")):
			t.Errorf("%s %s: got %v, expected the reason of the type", c.name, c.shape, err)
		case c.field != "" && err != nil:
			t.Errorf("%s %s: %v", c.name, c.shape, err)
		case c.field != "" && corpus.Fields[1].Text != c.field:
			t.Errorf("%s %s: the second field is %s, not %s", c.name, c.shape, corpus.Fields[1].Text, c.field)
		}
	}
	_, err := parse.Generate(forgetful{}, parse.Flat, 300)
	if err == nil || !strings.Contains(err.Error(), "does not become part of a message") {
		t.Errorf("a type that writes nothing: %v", err)
	}
}

// forgetful writes nothing.
type forgetful struct{ message.JSON }

func (forgetful) Write(dst []byte, _ *message.Document, _ int32) []byte { return append(dst, "{}"...) }

func TestOperationsAreMeasured(t *testing.T) {
	t.Parallel()
	c, err := parse.Generate(message.JSON{}, parse.Nested, 400)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	filter, err := expr.CompileFilter("/order/leg0/id < 0")
	if err != nil {
		t.Fatal(err)
	}
	s := parse.Settings{Wanted: []int{1, 5, 100}, Filters: []*expr.Filter{filter}, Duration: 2 * time.Millisecond, Done: func() { done++ }}
	cells := s.Measure(t.Context(), c)
	var got []string
	for _, cell := range cells {
		got = append(got, cell.Operation)
		if cell.NsMessage <= 0 || cell.Messages == 0 || math.Abs(cell.NsByte*cell.Bytes-cell.NsMessage) > 1e-6 ||
			math.Abs(cell.MBs*cell.NsMessage-1000*cell.Bytes) > 1e-3 || cell.Fields != len(c.Fields) {
			t.Errorf("%s: the figures do not fit: %+v", cell.Operation, cell)
		}
		want := 0.0
		if strings.HasPrefix(cell.Operation, "filter ") && cell.Expression != filter.Text() {
			want = 1
		}
		if cell.Matched != want {
			t.Errorf("%s: true for %v of the messages, expected %v", cell.Operation, cell.Matched, want)
		}
		if n := strings.Count(cell.Expression, " AND ") + 1; cell.Operation == "filter 5" && n != 5 {
			t.Errorf("filter 5 has %d predicates: %s", n, cell.Expression)
		}
	}
	if want := "extract 1,extract 5,extract 100,parse,write,filter 1,filter 5,filter #1"; strings.Join(got, ",") != want || done != s.Cells() || done != len(got) {
		t.Errorf("measured %v, %d cells announced, %d done; expected %s", got, s.Cells(), done, want)
	}
}

func TestInterruptedMeasurementReturnsWhatItHas(t *testing.T) {
	t.Parallel()
	c, err := parse.Generate(message.JSON{}, parse.Flat, 150)
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	s := parse.Settings{Wanted: []int{1, 2}, Duration: time.Millisecond, Done: interrupt}
	if cells := s.Measure(ctx, c); len(cells) != 1 {
		t.Errorf("%d cells, expected the one that was done", len(cells))
	}
}

// wasteful allocates on every second message.
type wasteful struct {
	message.JSON
	calls *int
}

var kept []byte

func (w wasteful) Extract(body []byte, t *message.Trie, out *message.Values) {
	if *w.calls++; *w.calls%2 == 0 {
		kept = make([]byte, 100)
	}
	w.JSON.Extract(body, t, out)
}

func TestAllocationsAreCountedExactly(t *testing.T) {
	c, err := parse.Generate(message.JSON{}, parse.Nested, 3000) // wide, deep
	if err != nil {
		t.Fatal(err)
	}
	s := parse.Settings{Wanted: []int{1, 20}, Duration: time.Millisecond}
	for _, cell := range s.Measure(t.Context(), c) {
		if cell.Allocations != 0 {
			t.Errorf("%s: %v allocations a message", cell.Operation, cell.Allocations)
		}
	}
	c.Type = wasteful{calls: new(int)}
	for _, cell := range s.Measure(t.Context(), c) {
		want := 0.5
		if cell.Operation == "parse" || cell.Operation == "write" {
			want = 0
		}
		if cell.Allocations != want {
			t.Errorf("%s of a wasteful type: %v allocations a message, expected %v", cell.Operation, cell.Allocations, want)
		}
	}
}

func read(t *testing.T, kind message.Type, text string) (*parse.Corpus, error) {
	t.Helper()
	records, err := record.NewReader(strings.NewReader(text), '\n', true)
	if err != nil {
		t.Fatal(err)
	}
	return parse.Read(kind, "x.json", records)
}

func TestOwnMessagesAreReadWithTheirFields(t *testing.T) {
	t.Parallel()
	c, err := read(t, message.JSON{}, `{"s":"IBM","o":{"p":1.5,"l":[{"q":1},{"q":2}]},"a b":true,"n":null,"":1,"x]y":1}
not JSON
{"s":"MSFT"}
`)
	if err != nil {
		t.Fatal(err)
	}
	var fields []string
	for _, f := range c.Fields {
		fields = append(fields, f.Text)
	}
	if got, want := strings.Join(fields, " "), "/s /o/p /o/l/q [/a b]"; got != want || len(c.Messages) != 2 || c.Bad != 1 {
		t.Errorf("fields %s, %d messages, %d left out; expected %s, 2, 1", got, len(c.Messages), c.Bad, want)
	}
	for _, cell := range (&parse.Settings{Wanted: []int{3}, Duration: time.Millisecond}).Measure(t.Context(), c) {
		if cell.Shape != "x.json" || cell.Operation == "filter 5" && cell.Matched != 0.5 {
			t.Errorf("unexpected %+v", cell)
		}
	}
}

func TestOwnMessagesThatCannotBeMeasured(t *testing.T) {
	t.Parallel()
	binary, _ := message.NewTypes().ByName("binary")
	for _, c := range []struct {
		kind       message.Type
		text, want string
	}{
		{message.JSON{}, "", "x.json: no messages"},
		{message.JSON{}, "{\"a\":1\nx\n", "no message is well-formed, the first fault is in x.json line 1: json message, byte 6"},
		{message.JSON{}, "{}\n", "no fields"},
		{message.JSON{}, "[{\"a\":1}", "x.json: JSON array: it ends"},
		{binary, "a\n", "no fields"},
	} {
		if _, err := read(t, c.kind, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, expected %s", c.text, err, c.want)
		}
	}
	broken := errors.New("broken")
	if _, err := parse.Read(message.JSON{}, "x", record.Whole(iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a stream that breaks: %v", err)
	}
}

func TestReadingEndsAtItsLimit(t *testing.T) {
	t.Parallel()
	c, err := read(t, message.JSON{}, strings.Repeat("{\"a\":1}\n", parse.MessagesMax+10))
	if err != nil || len(c.Messages) != parse.MessagesMax {
		t.Errorf("%d messages, %v; expected %d", len(c.Messages), err, parse.MessagesMax)
	}
}

func TestIdentifiersAreFieldsAndNothingElse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"/a": "/a", "/a/b": "/a/b", "[/a b/c]": "/a b/c", "/a/@b": "/a/@b"} {
		if p, err := parse.PathOf(text); err != nil || p.String() != want {
			t.Errorf("%s: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "a", "/a = 1", "/a[1]", "/a OR /a", "1", "(/a)", "/"} {
		if p, err := parse.PathOf(text); err == nil {
			t.Errorf("%s is taken for the field %s", text, p)
		}
	}
}
