package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"farad/expr"
	"farad/expr/message"

	"pgregory.net/rapid"
)

// explained lays an explanation out: the outcome, the fields, the conditions.
func explained(x *expr.Explanation) string {
	var b strings.Builder
	fmt.Fprint(&b, x.Outcome)
	for _, f := range x.Fields {
		fmt.Fprintf(&b, "; %s", f.Path)
		for _, v := range f.Values {
			fmt.Fprintf(&b, " %s", text(v))
		}
	}
	for _, c := range x.Conditions {
		fmt.Fprintf(&b, "; %s%s: %s", strings.Repeat(">", c.Depth), c.Text, c.Outcome)
	}
	return b.String()
}

func TestExplanationShowsFieldsAndConditions(t *testing.T) {
	t.Parallel()
	const body = `{"a":1,"s":"x","n":null,"o":{"v":[1,"two",null,3.50]},"f":0,"k":"AND","e":"(\u00e9"}`
	for _, c := range []struct{ text, want string }{
		{`/a = 1`, `true; /a 1`},
		{`/a`, `true; /a 1`},
		{`1 = 1`, `true`},
		{`/o/v = 'two'`, `true; /o/v 1 two NULL 3.50`},
		{`/o/v[3] > 3 AND /o/v[1] = 2`, `false; /o/v 1 two NULL 3.50; /o/v[3] > 3 AND /o/v[1] = 2: false; >/o/v[3] > 3: true; >/o/v[1] = 2: false`},
		{`/n > 1 OR /none`, `NULL; /n NULL; /none; /n > 1 OR /none: NULL; >/n > 1: false; >/none: NULL`},
		{`NOT /n`, `NULL; /n NULL; NOT /n: NULL; >/n: NULL`},
		{`not(/a = 2)`, `true; /a 1; not(/a = 2): true; >/a = 2: false`},
		{
			`/a = 2 AND /s = 'x' OR (/a = 1 AND (/f OR /s = 'y'))`,
			`false; /a 1; /s x; /f 0; /a = 2 AND /s = 'x' OR (/a = 1 AND (/f OR /s = 'y')): false; ` +
				`>/a = 2 AND /s = 'x': false; >>/a = 2: false; >>/s = 'x': true; ` +
				`>/a = 1 AND (/f OR /s = 'y'): false; >>/a = 1: true; >>/f OR /s = 'y': false; >>>/f: false; >>>/s = 'y': false`,
		},
		{
			` /a BETWEEN 0 AND 2 AND /f NOT BETWEEN (1) AND 2 `,
			`true; /a 1; /f 0; /a BETWEEN 0 AND 2 AND /f NOT BETWEEN (1) AND 2: true; >/a BETWEEN 0 AND 2: true; >/f NOT BETWEEN (1) AND 2: true`,
		},
		{
			`/k IN ('AND', 'x) OR (y') AND /k LIKE '^(AND|OR)\b' AND REGEXP_MATCH(/k, '\x{41}|[A-Z]\d*(?= AND )') IS NOT NULL`,
			`true; /k AND; /k IN ('AND', 'x) OR (y') AND /k LIKE '^(AND|OR)\b' AND REGEXP_MATCH(/k, '\x{41}|[A-Z]\d*(?= AND )') IS NOT NULL: true; ` +
				`>/k IN ('AND', 'x) OR (y'): true; >/k LIKE '^(AND|OR)\b': true; >REGEXP_MATCH(/k, '\x{41}|[A-Z]\d*(?= AND )') IS NOT NULL: true`,
		},
		{`((/a + 1) * 2 = 4)`, `true; /a 1`},
		{`IF(/a = 1 AND /s = 'y', 1, 0) = 0`, `true; /a 1; /s x`},
		{`[/e] = '(é' and /k`, `NULL; /e (é; /k AND; [/e] = '(é' and /k: NULL; >[/e] = '(é': true; >/k: NULL`},
	} {
		x := expr.NewExplainer(compile(t, c.text))
		for range 2 { // a second time it has to say the same
			if got := explained(x.Explain(message.JSON{}, []byte(body))); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
			}
		}
	}
}

func TestExplanationHasTheValueOfAnExpressionThatIsNoCondition(t *testing.T) {
	t.Parallel()
	x := expr.NewExplainer(compile(t, `CONCAT(/s, '-', /i + 1)`)).Explain(message.JSON{}, []byte(`{"s":"x","i":2}`))
	if text(x.Value) != "x-3" || x.Outcome != expr.Unknown {
		t.Errorf("value %s, outcome %s; want x-3, NULL", text(x.Value), x.Outcome)
	}
}

func TestExpressionOfTooManyConditionsIsNotTakenApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		conditions, want int
	}{{expr.ExplainedConditionsMax - 1, expr.ExplainedConditionsMax}, {expr.ExplainedConditionsMax, 0}} {
		text := "/a = 1" + strings.Repeat(" AND /a = 1", c.conditions-1)
		x := expr.NewExplainer(compile(t, text)).Explain(message.JSON{}, []byte(`{"a":1}`))
		if len(x.Conditions) != c.want || x.Outcome != expr.True {
			t.Errorf("%d conditions: %d shown, outcome %s; want %d, true", c.conditions, len(x.Conditions), x.Outcome, c.want)
		}
	}
}

// combined is the outcome of conditions[at] by the tables of AND, OR and NOT,
// from the outcomes of its parts, and the index behind them.
func combined(conditions []expr.ConditionOutcome, at int) (expr.Outcome, int) {
	whole := conditions[at]
	var parts []expr.Outcome
	next := at + 1
	for next < len(conditions) && conditions[next].Depth > whole.Depth {
		var part expr.Outcome
		part, next = combined(conditions, next)
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return whole.Outcome, next
	}
	outcome := parts[0]
	switch {
	case len(parts) == 1 && outcome != expr.Unknown:
		outcome = expr.True - outcome
	case joinedByOr(conditions, at):
		for _, part := range parts[1:] {
			if outcome == expr.False {
				outcome = part
			}
		}
	default:
		for _, part := range parts[1:] {
			if outcome == expr.True {
				outcome = part
			}
		}
	}
	return outcome, next
}

// joinedByOr says whether what stands between the first two parts is OR.
func joinedByOr(conditions []expr.ConditionOutcome, at int) bool {
	behind := conditions[at].Text[strings.Index(conditions[at].Text, conditions[at+1].Text)+len(conditions[at+1].Text):]
	return strings.HasPrefix(strings.TrimLeft(behind, " )"), "OR")
}

// The parts that an explanation shows must be those that the parser sees: then
// their outcomes make the whole's.
func TestOutcomesOfConditionsMakeTheOutcomeOfTheWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.OneOf(filterTexts(), rapid.SampledFrom([]string{"/a", "/none", "/b BETWEEN 0 AND 1", "NOT /b", "(/a = 1)"}))
		source := texts.Draw(t, "text")
		for range rapid.IntRange(0, 3).Draw(t, "more") {
			source = rapid.SampledFrom([]string{"(%s) AND %s", "%s OR %s", "NOT (%s OR %s)", "%s AND (%s)"}).Draw(t, "form")
			source = fmt.Sprintf(source, texts.Draw(t, "left"), texts.Draw(t, "right"))
		}
		f, err := expr.CompileFilter(source)
		if err != nil {
			t.Fatal(err)
		}
		body := []byte(bodies().Draw(t, "body"))
		x := expr.NewExplainer(f).Explain(message.JSON{}, body)
		if match := f.Match(message.JSON{}, body, expr.NewScratch()); match != (x.Outcome == expr.True) {
			t.Fatalf("%s on %s: outcome %s, match %t", source, body, x.Outcome, match)
		}
		if len(x.Conditions) == 0 {
			return
		}
		if got, _ := combined(x.Conditions, 0); got != x.Outcome || x.Conditions[0].Outcome != x.Outcome {
			t.Fatalf("on %s: the parts make %s of %s", body, got, explained(x))
		}
	})
}

func FuzzExplain(f *testing.F) {
	for _, seed := range []string{"/a = 1 AND NOT (/b OR /c LIKE 'x')", "((/a) AND (/b))", "/a BETWEEN 1 AND 2 OR /a", `REGEXP_MATCH(/a, '\x{41}') AND /b`, "NOT NOT /a", "(", "/a AND"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		filter, err := expr.CompileFilter(source)
		if err != nil {
			return
		}
		x := expr.NewExplainer(filter).Explain(message.JSON{}, []byte(`{"a":1,"b":[0,"x"]}`))
		if !filter.Deterministic() {
			return
		}
		for i := range x.Conditions {
			if i == 0 && x.Conditions[0].Outcome != x.Outcome {
				t.Fatalf("%q: the whole is %s, its text gives %s", source, x.Outcome, x.Conditions[0].Outcome)
			}
		}
	})
}

func BenchmarkExplain(b *testing.B) {
	body := []byte(`{"date":"2001/01/01 00:47","delay":66,"distance":1750,"origin":"DTW","destination":"LAS"}`)
	x := expr.NewExplainer(compile(b, `/delay > 60 AND (/origin = 'ORD' OR /destination = 'LAS')`))
	b.ReportAllocs()
	for b.Loop() {
		x.Explain(message.JSON{}, body)
	}
}
