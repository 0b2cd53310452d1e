package expr_test

import (
	"errors"
	"strings"
	"testing"

	"farad/expr"
	"farad/expr/message"
)

// enriched applies a block to a message.
func enriched(t *testing.T, rules expr.FieldRules, body, previous string, fields ...string) string {
	t.Helper()
	l, err := expr.CompileFields(rules, fields...)
	if err != nil {
		t.Fatalf("%q: %v", fields, err)
	}
	inputs := []expr.Input{in(body)}
	if previous != "" {
		p := in(previous)
		p.Qualifier = expr.Qualifier{Previous: true}
		inputs = append(inputs, p)
	}
	var d message.Document
	if err := d.Read(message.JSON{}, []byte(body)); err != nil {
		t.Fatal(err)
	}
	expr.Put(&d, l.Make(expr.NewScratch(), inputs...))
	return string(message.JSON{}.Write(nil, &d, 0))
}

func TestConstructedFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body, previous string
		fields         []string
		want           string
	}{
		{`{"a":1,"b":2}`, "", []string{`/a + /b AS /c`}, `{"a":1,"b":2,"c":3}`},
		{`{"a":1}`, "", []string{`UPPER('x') AS /o/p, /a AS /o/q`}, `{"a":1,"o":{"p":"X","q":1}}`},
		{`{"a":[7,8],"o":{"x":1}}`, "", []string{`/a AS /first, /o AS /none`}, `{"a":[7,8],"o":{"x":1},"first":7,"none":null}`},
		{`{"a":1,"b":2}`, "", []string{`NULL AS /a`, `/gone AS /b HINT OPTIONAL`, `/gone AS /c HINT OPTIONAL`}, `{"a":null}`},
		// 12.7: all fields read the message as it was, unless one writes at once.
		{`{"a":1,"b":2}`, "", []string{`/b AS /a`, `/a AS /b`}, `{"a":2,"b":1}`},
		{`{"a":1,"b":2}`, "", []string{`/b AS /a HINT SET_CURRENT`, `/a AS /b`}, `{"a":2,"b":2}`},
		{`{"a":"x"}`, "", []string{`CONCAT(/a, 'y') AS /a HINT SET_CURRENT,OPTIONAL, CONCAT(/a, 'z') AS /a`}, `{"a":"xyz"}`},
		{`{"a":5,"n":1.50}`, `{"a":3}`, []string{`/a OF CURRENT - /a OF PREVIOUS AS /change, /n`}, `{"a":5,"n":1.50,"change":2}`},
		{`{"a":5}`, ``, []string{`/a - /a OF PREVIOUS AS /change HINT OPTIONAL, COALESCE(/c OF PREVIOUS, 0) + 1 AS /c`}, `{"a":5,"c":1}`},
		{`{"a":5}`, `{"l":[1,2,3]}`, []string{`IF(/l OF PREVIOUS = 3, 'y', 'n') AS /has, ARRAY_SUM(/l OF PREVIOUS) AS /sum`}, `{"a":5,"has":"y","sum":6}`},
		{`{"n":1}`, "", []string{`'a,b' AS /x, IF(/n IN (1,2), 'p', 'q') AS /y`}, `{"n":1,"x":"a,b","y":"p"}`},
	} {
		if got := enriched(t, expr.Enrichment, c.body, c.previous, c.fields...); got != c.want {
			t.Errorf("%q over %s and %s: %s, not %s", c.fields, c.body, c.previous, got, c.want)
		}
	}
	if got := enriched(t, expr.Preprocessing, `{"a":1}`, "", `/a + 1 AS /a`); got != `{"a":2}` {
		t.Errorf("preprocessing: %s", got)
	}
}

// VALUE_LOOKUP asks whoever knows the records.
func TestLookups(t *testing.T) {
	t.Parallel()
	records := map[string]string{"IBM/1": "Big Blue"}
	rules := expr.Enrichment
	rules.Lookups = map[string]expr.Lookup{"names": {Arguments: 2, Find: func(dst []byte, values []message.Value) ([]byte, bool) {
		key := values[0].AppendText(nil)
		name, ok := records[string(values[1].AppendText(append(key, '/')))]
		return append(dst, name...), ok
	}}}
	const block = `VALUE_LOOKUP('names', UPPER(/s), /n) AS /name, CONCAT('<', VALUE_LOOKUP('names', 'IBM', 1), '>') AS /tag`
	if got := enriched(t, rules, `{"s":"ibm","n":1}`, "", block); got != `{"s":"ibm","n":1,"name":"Big Blue","tag":"<Big Blue>"}` {
		t.Errorf("%s", got)
	}
	if got := enriched(t, rules, `{"s":"x","n":1}`, "", block); got != `{"s":"x","n":1,"name":null,"tag":"<Big Blue>"}` {
		t.Errorf("%s", got)
	}
	l, err := expr.CompileFields(rules, block)
	if err != nil || l.Deterministic() {
		t.Errorf("%v, deterministic %v", err, l.Deterministic())
	}
	for text, want := range map[string]string{
		`VALUE_LOOKUP('nobody', 1, 2) AS /a`: `found lookup "nobody", expected one of names`, `VALUE_LOOKUP('names', 1) AS /a`: "with 1 values, expected 2",
		`VALUE_LOOKUP(/n, 1, 2) AS /a`: "as a literal", `VALUE_LOOKUP() AS /a`: "without arguments",
	} {
		if _, err := expr.CompileFields(rules, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", text, err, want)
		}
	}
	if _, err := expr.CompileFilter(`VALUE_LOOKUP('names', 1, 2) = 'x'`); err == nil || !strings.Contains(err.Error(), "preprocessing and enrichment") {
		t.Errorf("a filter: %v", err)
	}
}

func TestFieldErrorsNameThePlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules  expr.FieldRules
		fields []string
		want   string
	}{
		{expr.Preprocessing, []string{`/a OF PREVIOUS AS /b`}, "at byte 3: found \"OF PREVIOUS AS /b\", expected an operator"},
		{expr.Enrichment, []string{`/a OF LAST AS /b`}, "CURRENT or PREVIOUS"},
		{expr.Enrichment, []string{`/a AS /b OF PREVIOUS`}, "a comma or the end"},
		{expr.Enrichment, []string{`[t]./a AS /b`}, "without a topic"},
		{expr.Enrichment, []string{`/a AS /b`, `/a + AS /c`}, "field 2: at byte 5"},
		{expr.Enrichment, []string{`/a AS /b HINT FAST`}, "OPTIONAL or SET_CURRENT"},
		{expr.Enrichment, []string{`/a + 1`}, "with AS and a path behind it"},
		{expr.Enrichment, []string{strings.Repeat("/a,", 20_000) + "/a"}, "at most"},
	} {
		_, err := expr.CompileFields(c.rules, c.fields...)
		var syntax *expr.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, not %s", c.fields, err, c.want)
		}
	}
}

func TestFieldsAllocateNothing(t *testing.T) {
	l, err := expr.CompileFields(expr.Enrichment, `/a + /b OF PREVIOUS AS /c, CONCAT(/s, '-', /a) AS /d HINT SET_CURRENT, /d AS /e`)
	if err != nil {
		t.Fatal(err)
	}
	if l.Deterministic() != true || len(l.Destinations()) != 3 {
		t.Errorf("%v, %v", l.Deterministic(), l.Destinations())
	}
	s := expr.NewScratch()
	previous := in(`{"b":2}`)
	previous.Qualifier.Previous = true
	inputs := []expr.Input{in(`{"a":1,"s":"text"}`), previous}
	l.Make(s, inputs...)
	if n := testing.AllocsPerRun(100, func() { l.Make(s, inputs...) }); n != 0 {
		t.Errorf("%v allocations a message", n)
	}
}

func FuzzCompileFields(f *testing.F) {
	f.Add(`/a OF CURRENT + /b OF PREVIOUS AS /c HINT SET_CURRENT,OPTIONAL, /d`)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := expr.CompileFields(expr.Enrichment, text)
		if err == nil && len(text) < 500 {
			l.Make(expr.NewScratch(), in(`{"a":1,"b":"x","d":[1,2]}`))
		}
	})
}
