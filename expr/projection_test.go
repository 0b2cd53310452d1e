package expr_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"farad/expr"
	"farad/expr/message"

	"pgregory.net/rapid"
)

func projection(t testing.TB, fields, grouping string) *expr.Projection {
	t.Helper()
	p, err := expr.CompileProjection([]string{fields}, []string{grouping})
	if err != nil {
		t.Fatalf("%s by %s: %v", fields, grouping, err)
	}
	return p
}

func in(body string) expr.Input { return expr.Input{Kind: message.JSON{}, Body: []byte(body)} }

// written makes a JSON message of fields.
func written(made []expr.Made) string {
	var d message.Document
	d.Reset()
	expr.Put(&d, made)
	return string(message.JSON{}.Write(nil, &d, 0))
}

// 02-expressions #115-120: the test vectors of aggregates.
func TestVectorsOfAggregates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bodies []string
		fields string
		want   string
	}{
		{[]string{`{"q":10}`, `{"q":10}`, `{"q":25}`}, `SUM(/q) AS /s, SUM(IF((/q % 10) == 0,1,0)) AS /t`, `{"s":45,"t":2}`},
		{[]string{`{"v":1}`, `{"v":null}`, `{"v":3}`}, `COUNT(/v) AS /c, AVG(/v) AS /a, SUM(/v) AS /s`, `{"c":2,"a":2.0,"s":4}`},
		{[]string{`{"v":2}`, `{"v":"abc"}`, `{"v":"10"}`}, `MAX(/v) AS /x, MIN(/v) AS /n`, `{"x":"abc","n":2}`},
		{[]string{`{"v":1}`, `{"v":"abc"}`}, `(SUM(/v) IS NAN) AS /nan, SUM(/v) AS /s`, `{"nan":true,"s":0}`},
		{[]string{`{"v":2}`, `{"v":4}`, `{"v":4}`, `{"v":4}`, `{"v":5}`, `{"v":5}`, `{"v":7}`, `{"v":9}`}, `STDDEV_POP(/v) AS /d`, `{"d":2.0}`},
		{[]string{`{"v":"x"}`, `{"v":"y"}`, `{"v":"x"}`}, `COUNT_DISTINCT(/v) AS /n`, `{"n":2}`},

		{[]string{`{"s":2,"p":10.5}`, `{"s":3,"p":20.0}`}, `SUM(/s * /p) / SUM(/s) AS /vwap, COUNT(*) AS /n`, `{"vwap":16.2,"n":2}`},
		{[]string{`{"v":"b"}`, `{"v":"a"}`, `{"v":"b"}`, `{"v":3}`}, `GROUP_CONCAT(/v) AS /c, GROUP_CONCAT(/v, ' - ') AS /d, ANY(/v) AS /a, UNIQUE(/v) AS /u`, `{"c":"b,a,3","d":"b - a - 3","a":"b","u":null}`},
		{[]string{`{"v":"b"}`, `{"v":"b"}`, `{"v":null}`}, `UNIQUE(/v) AS /u, STDDEV_SAMP(/v) AS /s`, `{"u":"b","s":0}`},
		{[]string{`{"v":2}`, `{"v":"2.0"}`, `{"v":2.0}`, `{"v":"x"}`}, `COUNT_DISTINCT(/v) AS /n`, `{"n":2}`},
		{[]string{`{"v":5}`}, `STDDEV_POP(/v) AS /p, STDDEV_SAMP(/v) AS /s`, `{"p":0.0,"s":null}`},
		{[]string{`{}`, `{"v":null}`}, `SUM(/v) AS /s, AVG(/v) AS /a, COUNT(/v) AS /c, MIN(/v) AS /n, ANY(/v) AS /y, GROUP_CONCAT(/v) AS /g, COUNT_DISTINCT(/v) AS /d, STDDEV_POP(/v) AS /p`,
			`{"s":null,"a":null,"c":0,"n":null,"y":null,"g":null,"d":0,"p":null}`},
		{[]string{`{"v":9223372036854775807}`, `{"v":1}`}, `SUM(/v) AS /s`, `{"s":9223372036854775808}`},
		{[]string{`{"v":18446744073709551615}`, `{"v":1}`}, `SUM(/v) AS /s`, `{"s":18446744073709552000.0}`},
		{[]string{`{"v":-9223372036854775808}`, `{"v":-1}`, `{"v":1}`}, `SUM(/v) AS /s`, `{"s":-9223372036854775808}`},
		{[]string{`{"q":1,"g":"a","n":[1,2]}`, `{"q":2,"g":"b","n":[5,6]}`}, `/g, /q AS /d/q, SUM(/q) AS /d/sum, ARRAY_SUM(/n) AS /n, SUM(/q) + /q AS /m`, `{"g":"b","d":{"q":2,"sum":3},"n":11,"m":5}`},
	} {
		p := projection(t, c.fields, "/g")
		g := p.NewGroup()
		s := expr.NewScratch()
		for _, body := range c.bodies {
			p.Read(s, in(body))
			g.Add(s)
		}
		if got := written(g.Make(s)); got != c.want {
			t.Errorf("%s over %v: %s, not %s", c.fields, c.bodies, got, c.want)
		}
		for _, body := range c.bodies {
			p.Read(s, in(body))
			g.Remove(s)
		}
		if g.Messages() != 0 {
			t.Errorf("%d messages are left", g.Messages())
		}
	}
}

// 02-expressions #126, and where aggregates may not stand.
func TestAggregatesStandInProjectionsOnly(t *testing.T) {
	t.Parallel()
	var syntax *expr.SyntaxError
	if _, err := expr.CompileFilter(`SUM(/a) > 1`); !errors.As(err, &syntax) || !strings.Contains(err.Error(), "aggregates are for the projections") {
		t.Errorf("a filter: %v", err)
	}
	if _, err := expr.CompileFields(expr.Enrichment, `SUM(/a) AS /b`); !errors.As(err, &syntax) {
		t.Errorf("enrichment: %v", err)
	}
	for fields, want := range map[string]string{
		`SUM(SUM(/a)) AS /b`:          "without aggregates",
		`SUM(UNIX_TIMESTAMP()) AS /b`: "only deterministic functions",
		`SUM(/a)`:                     "with AS and a path behind it",
		`SUM() AS /b`:                 "a literal, an identifier",
		`SUM(*) AS /b`:                "a literal, an identifier",
		`COUNT(/a, /b) AS /c`:         "expected )",
		`GROUP_CONCAT(/a, /b) AS /c`:  "a literal text",
		`MEDIAN(/a) AS /c`:            "the name of a function",
		`/a AS /b[0]`:                 "without a subscript",
		`/a[0]`:                       "without a subscript",
		`/a AS [t]./b`:                "a path such as /field",
		`/a HINT SET_CURRENT`:         "SET_CURRENT is for preprocessing",
		`/a HINT`:                     "OPTIONAL behind HINT",
		`/a, `:                        "a literal, an identifier",
		`/a /b`:                       "a comma or the end",
		`/a OF PREVIOUS`:              "for enrichment",
		``:                            "a literal, an identifier",
	} {
		_, err := expr.CompileProjection([]string{fields}, nil)
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", fields, err, want)
		}
	}
	for _, grouping := range []string{``, `SUM(/a)`, `/a[1]`, `/a + 1`, `/a,`, `'x'`} {
		if _, err := expr.CompileProjection([]string{"/a"}, []string{grouping}); !errors.As(err, &syntax) {
			t.Errorf("grouping %q: %v", grouping, err)
		}
	}
}

func TestGroupsAreToldApartByText(t *testing.T) {
	t.Parallel()
	p := projection(t, "/a", "/a, /b")
	s := expr.NewScratch()
	key := func(body string) string {
		p.Read(s, in(body))
		return string(p.AppendKey(nil, s))
	}
	distinct := []string{`{"a":1}`, `{"a":1.0}`, `{"a":"x","b":"y"}`, `{"a":"xy"}`, `{"b":"xy"}`, `{}`, `{"a":"\u0000"}`}
	seen := map[string]string{}
	for _, body := range distinct {
		if other, ok := seen[key(body)]; ok {
			t.Errorf("%s and %s are one group", body, other)
		}
		seen[key(body)] = body
	}
	if key(`{"a":1}`) != key(`{"a":"1","b":null}`) {
		t.Error("1 and '1' are two groups")
	}
}

func TestProjectionsOfJoins(t *testing.T) {
	t.Parallel()
	p := projection(t, `[orders]./id, [nvfix].[prices]./px * [orders]./qty AS /value, [orders].[/a b] AS /c`, `[orders]./id`)
	if q := p.Qualifiers(); !slices.Equal(q, []expr.Qualifier{{Topic: "orders"}, {Type: "nvfix", Topic: "prices"}}) {
		t.Errorf("qualifiers %v", q)
	}
	types := message.NewTypes()
	nvfix, _ := types.ByName("nvfix")
	s := expr.NewScratch()
	g := p.NewGroup()
	order := in(`{"id":7,"qty":3,"a b":"c"}`)
	order.Qualifier = expr.Qualifier{Topic: "orders"}
	p.Read(s, order, expr.Input{Kind: nvfix, Body: []byte("px=2.5\x01"), Qualifier: expr.Qualifier{Type: "nvfix", Topic: "prices"}})
	g.Add(s)
	if got := written(g.Make(s)); got != `{"id":7,"value":7.5,"c":"c"}` {
		t.Errorf("%s", got)
	}
	p.Read(s, order)
	g.Add(s)
	if got := written(g.Make(s)); got != `{"id":7,"value":null,"c":"c"}` {
		t.Errorf("without a price: %s", got)
	}
}

// Aggregates of a group against the same made anew of what is in it.
func TestAggregatesForgetWhatLeaves(t *testing.T) {
	t.Parallel()
	p := projection(t, `SUM(/v) AS /sum, AVG(/v) AS /avg, COUNT(/v) AS /n, COUNT_DISTINCT(/v) AS /d, MIN(/v) AS /min, MAX(/v) AS /max, STDDEV_POP(/v) AS /dev, COUNT(*) AS /all`, "/g")
	values := []string{`1`, `2`, `-5`, `0.1`, `0.2`, `0.30`, `"x"`, `"2"`, `null`, `1e15`, `9223372036854775807`, `-0.0`, `"abc"`, `3.5`, `true`}
	rapid.Check(t, func(t *rapid.T) {
		s := expr.NewScratch()
		g := p.NewGroup()
		var live []string
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(live) > 0 && rapid.IntRange(0, 2).Draw(t, "step") == 0 {
				i := rapid.IntRange(0, len(live)-1).Draw(t, "gone")
				p.Read(s, in(live[i]))
				g.Remove(s)
				live = slices.Delete(live, i, i+1)
			} else {
				body := fmt.Sprintf(`{"v":%s}`, rapid.SampledFrom(values).Draw(t, "value"))
				p.Read(s, in(body))
				g.Add(s)
				live = append(live, body)
			}
			anew := p.NewGroup()
			for _, body := range live {
				p.Read(s, in(body))
				anew.Add(s)
			}
			got := slices.Clone(g.Make(s))
			for i, want := range anew.Make(expr.NewScratch()) {
				a, b := got[i].Value.Number(), want.Value.Number()
				same := a.Kind == b.Kind && (a.IsNaN() && b.IsNaN() || a.IsNull() || math.Abs(a.AsFloat()-b.AsFloat()) <= 1e-9*(1+math.Abs(b.AsFloat())))
				if !same {
					t.Fatalf("%s is %s, not %s, of %v", want.Path, text(got[i].Value), text(want.Value), live)
				}
			}
		}
	})
}

// A sum that returns to its start is where it was.
func TestSumsDoNotDrift(t *testing.T) {
	t.Parallel()
	p := projection(t, `SUM(/v) AS /s`, "/g")
	s := expr.NewScratch()
	g := p.NewGroup()
	p.Read(s, in(`{"v":0.1}`))
	g.Add(s)
	for i := range 10_000 {
		p.Read(s, in(fmt.Sprintf(`{"v":%d.37}`, i*7919%1_000_003)))
		g.Add(s)
	}
	for i := range 10_000 {
		p.Read(s, in(fmt.Sprintf(`{"v":%d.37}`, i*7919%1_000_003)))
		g.Remove(s)
	}
	if got := written(g.Make(s)); got != `{"s":0.1}` {
		t.Errorf("%s", got)
	}
}

func TestSumsAllocateNothing(t *testing.T) {
	p := projection(t, `/g, SUM(/v * /w) / SUM(/v) AS /s, COUNT(/v) AS /n`, "/g")
	s := expr.NewScratch()
	g := p.NewGroup()
	input := in(`{"g":"a group","v":3,"w":2.25}`)
	inputs := []expr.Input{input}
	change := func() {
		p.Read(s, inputs...)
		g.Add(s)
		g.Make(s)
		p.Read(s, inputs...)
		g.Remove(s)
	}
	change()
	if n := testing.AllocsPerRun(100, change); n != 0 {
		t.Errorf("%v allocations a message", n)
	}
}

func FuzzCompileProjection(f *testing.F) {
	for _, text := range []string{`SUM(/a) AS /b, /c HINT OPTIONAL`, `[t]./a AS /b`, `[x].[t].[/a b]`, `GROUP_CONCAT(/a, ',') AS /c/d, IF(/a > 1, 2, 3) AS /e`} {
		f.Add(text, `/a, [t]./b`)
	}
	f.Fuzz(func(t *testing.T, fields, grouping string) {
		p, err := expr.CompileProjection([]string{fields}, []string{grouping})
		if err != nil || len(fields) > 500 {
			return
		}
		s := expr.NewScratch()
		g := p.NewGroup()
		p.Read(s, in(`{"a":1,"b":"x","c":[1,2]}`))
		p.AppendKey(nil, s)
		g.Add(s)
		g.Make(s)
		p.Read(s, in(`{"a":1,"b":"x","c":[1,2]}`))
		g.Remove(s)
		g.Make(s)
	})
}
