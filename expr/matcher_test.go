package expr_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"farad/expr"
	"farad/expr/message"

	"pgregory.net/rapid"
)

func compile(t testing.TB, text string) *expr.Filter {
	t.Helper()
	f, err := expr.CompileFilter(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}

// filterTexts draws filters that collide often: few paths, few values, every
// form that an index may or may not take.
func filterTexts() *rapid.Generator[string] {
	path := rapid.SampledFrom([]string{"/a", "/b", "/o/x", "/o/y", "/none"})
	value := rapid.SampledFrom([]string{"1", "2", "'1'", "'1.0'", "1.0", "'x'", "'y'", "'01'", "NULL", "''", "-0.0", "0", "9007199254740993", "9007199254740992"})
	term := rapid.Custom(func(t *rapid.T) string {
		p, v := path.Draw(t, "path"), value.Draw(t, "value")
		switch rapid.IntRange(0, 18).Draw(t, "form") {
		case 0, 1, 2:
			return p + " = " + v
		case 9:
			return p + " BEGINS WITH (" + v + "," + value.Draw(t, "other") + ")"
		case 10:
			return p + " LIKE '^" + rapid.SampledFrom([]string{"1", "x", "x$", "1.", "xy*", "tr", "90071992547409931"}).Draw(t, "pattern") + "'"
		case 11:
			return p + " BETWEEN " + v + " AND " + value.Draw(t, "other")
		case 12:
			return v + " >= " + p
		case 13:
			return p + " < " + v
		case 15:
			return p + " + 1 = " + v
		case 16:
			return "UPPER(" + p + ") IN (" + v + ",'X')"
		case 17:
			return "COALESCE(" + p + ", /b, 'q') BEGINS WITH ('x','q')"
		case 18:
			return "-" + p + "[1] < " + v
		case 14:
			return "(" + p + " >= " + v + " AND " + p + " < " + value.Draw(t, "other") + ")"
		case 3:
			return v + " = " + p
		case 4:
			return p + " IN (" + v + "," + value.Draw(t, "other") + ")"
		case 5:
			return p + " > " + v
		case 6:
			return p + "[1] = " + v
		case 7:
			return p + " IS NULL"
		}
		return p + " LIKE '1'"
	})
	return rapid.Custom(func(t *rapid.T) string {
		text := term.Draw(t, "term")
		for range rapid.IntRange(0, 2).Draw(t, "more") {
			text += rapid.SampledFrom([]string{" AND ", " AND ", " OR "}).Draw(t, "link") + term.Draw(t, "term")
		}
		if rapid.IntRange(0, 9).Draw(t, "negate") == 0 {
			text = "NOT (" + text + ")"
		}
		return text
	})
}

func bodies() *rapid.Generator[string] {
	scalar := rapid.SampledFrom([]string{"1", "2", `"1"`, `"1.0"`, "1.0", `"x"`, `"y"`, "null", "true", `""`, "0", "-0.0", "9007199254740993", `"01"`, "[1,2]", `["x",1]`, "[]"})
	return rapid.Custom(func(t *rapid.T) string {
		inner := fmt.Sprintf(`{"x":%s,"y":%s}`, scalar.Draw(t, "x"), scalar.Draw(t, "y"))
		if rapid.Bool().Draw(t, "array") {
			inner = "[" + inner + "," + fmt.Sprintf(`{"x":%s}`, scalar.Draw(t, "x2")) + "]"
		}
		return fmt.Sprintf(`{"b":%s,"skip":{"a":[1,"}"]},"o":%s,"a":%s}`, scalar.Draw(t, "b"), inner, scalar.Draw(t, "a"))
	})
}

// The matcher against its model: every filter evaluated on its own.
func TestMatcherAgreesWithEvaluatingEachFilter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := expr.NewMatcher(message.JSON{})
		model := map[uint32]*expr.Filter{}
		s, alone := expr.NewScratch(), expr.NewScratch()
		next := uint32(0)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0, 1:
				f, err := expr.CompileFilter(filterTexts().Draw(t, "filter"))
				if err != nil {
					t.Fatal(err)
				}
				m.Add(next, f)
				model[next] = f
				next++
			case 2:
				for id := range model {
					m.Remove(id)
					delete(model, id)
					break
				}
			}
			body := []byte(bodies().Draw(t, "body"))
			got := slices.Clone(m.Match(body, s))
			slices.Sort(got)
			var want []uint32
			for id, f := range model {
				if f.Match(message.JSON{}, body, alone) {
					want = append(want, id)
				}
			}
			slices.Sort(want)
			if !slices.Equal(got, want) {
				for id, f := range model {
					t.Logf("%d: %s", id, f.Text())
				}
				t.Fatalf("%s: matcher %v, filters %v", body, got, want)
			}
		}
		if m.Len() != len(model) {
			t.Fatalf("%d ids, want %d", m.Len(), len(model))
		}
	})
}

const flight = `{"date":"2001/01/14 21:55","delay":66,"distance":1750,"origin":"DTW","destination":"LAS"}`

func TestMatchingAllocatesNothing(t *testing.T) {
	m := expr.NewMatcher(message.JSON{})
	for i, text := range []string{
		`/delay > 60 AND /origin = 'ORD'`, `/origin IN ('DTW','ORD')`, `/destination LIKE '^L.S$'`, `/delay BETWEEN 1.5 AND 100`,
		`/delay + /distance > 1000`, `/date BEGINS WITH ('2001')`, `IF(/delay > 0, /distance, 0) > 5`, `/distance LIKE '50$'`, `(/delay + 1) LIKE '67'`,
	} {
		m.Add(uint32(i), compile(t, text))
	}
	s := expr.NewScratch()
	body := []byte(flight)
	if n := testing.AllocsPerRun(200, func() {
		if len(m.Match(body, s)) != 8 {
			t.Fatal("wrong number of matches")
		}
	}); n != 0 {
		t.Errorf("%v allocations a message", n)
	}
}

// Filters that differ only in how they are written are evaluated once.
func TestEqualFiltersShareOneEvaluation(t *testing.T) {
	t.Parallel()
	for _, group := range [][]string{
		{`/a = 1 AND /b = 'x'`, `(/a==1) and ((/b = "x"))`, `1 = /a AND 'x' = /b`, `/a IN (1) AND /b = '\x78'`},
		{`/a < 5 OR NOT /b IS NULL`, `5 > /a or /b is not null`},
		{`/a IN (1, 2, 'x')`, `/a in ('x', 2, 1, 2)`},
		{`/a BETWEEN 1 AND 5`, `/a >= 1 AND 5 >= /a`},
		{`INSTR(/a, 'x') > 0`, `instr( /a , "x" ) > 0`},
		{`[/a b] LIKE 'x'`, `([/a b] LIKE "x")`},
	} {
		m := expr.NewMatcher(message.JSON{})
		for i, text := range group {
			m.Add(uint32(i), compile(t, text))
		}
		if distinct, _ := m.Distinct(); distinct != 1 {
			t.Errorf("%q: %d evaluations", group, distinct)
		}
	}
	m := expr.NewMatcher(message.JSON{})
	different := []string{
		`/a = 1`, `/a = 1.0`, `/a = '1'`, `/b = 1`, `/a != 1`, `/a[0] = 1`, `/a = 1 AND /b = 1`, `/b = 1 AND /a = 1`, `/a = 1 OR /b = 1`,
		`/a LIKE 'x+'`, `/a LIKE r'x+'`, `/a BEGINS WITH ('x')`, `/a ENDS WITH ('x')`, `/a - 1 = 1`, `/a + 1 = 1`, `UPPER(/a) = 'X'`, `LOWER(/a) = 'X'`,
		`/ab/c = 1`, `/a/bc = 1`, `/a IN (1, 2)`, `/a IN (1, 2, 3)`, `/a = NULL`, `/a IS NULL`, `/a IS NAN`,
	}
	for i, text := range different {
		m.Add(uint32(i), compile(t, text))
	}
	if distinct, _ := m.Distinct(); distinct != len(different) {
		t.Errorf("%d evaluations of %d filters", distinct, len(different))
	}
	for i := range different {
		m.Remove(uint32(i))
	}
	if distinct, scanned := m.Distinct(); m.Len()+distinct+scanned != 0 {
		t.Errorf("%d ids, %d filters, %d scanned are left", m.Len(), distinct, scanned)
	}
}

// Which filters an index finds.
func TestCoveredFiltersAreNotScanned(t *testing.T) {
	t.Parallel()
	for text, scanned := range map[string]int{
		`/a = 1`: 0, `'x' = /a`: 0, `/a IN (1,'x')`: 0, `/a BEGINS WITH ('x')`: 0, `/a LIKE '^x.*y'`: 0, `/a > 5`: 0, `/a BETWEEN 1 AND 2`: 0,
		`/a = 1 OR /b = 2`: 0, `(/a = 1 AND /c != 3) OR /b LIKE '^q'`: 0, `/a LIKE 'x' AND /b = 1`: 0,
		`/a != 1`: 1, `/a LIKE 'x'`: 1, `/a LIKE '^(x|y)'`: 1, `/a LIKE '(?i)^x'`: 1, `/a = 1 OR /b != 2`: 1, `NOT /a = 1`: 1, `/a[1] = 1`: 0, `/a > 'x'`: 1, `/a + 1 = 2`: 0, `UPPER(/a) = 'X'`: 0, `UNIX_TIMESTAMP() > 5`: 1, `/a + 1 = /b`: 1,
		`/a IS NULL`: 1, `/a NOT IN (1)`: 1, `1 = 1`: 1,
	} {
		m := expr.NewMatcher(message.JSON{})
		m.Add(0, compile(t, text))
		if _, n := m.Distinct(); n != scanned {
			t.Errorf("%s: %d scanned, not %d", text, n, scanned)
		}
	}
}

// Of the terms of a conjunction, filters are found by those that few share.
func TestFiltersAreFoundByWhatTellsThemApart(t *testing.T) {
	m := expr.NewMatcher(message.JSON{})
	const filters = 5000
	for i := range filters {
		m.Add(uint32(i), compile(t, fmt.Sprintf(`/side = 'B' AND /px > 1 AND /sym = 'S%d'`, i)))
	}
	s := expr.NewScratch()
	body := []byte(`{"side":"B","sym":"S77","px":5}`)
	if got := m.Match(body, s); len(got) != 1 || got[0] != 77 {
		t.Fatalf("matched %v", got)
	}
	for i := range filters {
		m.Remove(uint32(i))
	}
	if got := m.Match(body, s); len(got) != 0 {
		t.Fatalf("matched %v after all filters went", got)
	}
}

func BenchmarkMatchOneFilter(b *testing.B)       { benchmarkMatch(b, 1) }
func BenchmarkMatchThousandFilters(b *testing.B) { benchmarkMatch(b, 1000) }
func BenchmarkMatchHundredThousand(b *testing.B) { benchmarkMatch(b, 100_000) }
func BenchmarkMatchFlightFilter(b *testing.B)    { benchmarkFilter(b, `/delay > 60 AND /origin = 'ORD'`) }
func BenchmarkMatchRange(b *testing.B)           { benchmarkFilter(b, `/delay > 60`) }
func BenchmarkMatchFiveFieldsAtTheEnd(b *testing.B) {
	benchmarkFilter(b, `/delay > 60 AND /origin != 'ORD' AND /distance < 5000 AND /date != 'x' AND /destination LIKE 'A'`)
}

func benchmarkMatch(b *testing.B, filters int) {
	m := expr.NewMatcher(message.JSON{})
	for i := range filters {
		m.Add(uint32(i), compile(b, fmt.Sprintf(`/sym = 'S%d'`, i)))
	}
	var bodies [][]byte
	for range 1 << 12 {
		bodies = append(bodies, fmt.Appendf(nil, `{"sym":"S%d","px":101.25,"qty":300,"side":"buy","account":"A-1234567","note":"some more text to fill"}`, rand.IntN(filters)))
	}
	benchmarkBodies(b, m, bodies)
}

// benchmarkBodies matches messages in turn and reports how many filters each
// matches.
func benchmarkBodies(b *testing.B, m *expr.Matcher, bodies [][]byte) {
	s := expr.NewScratch()
	matches, messages := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		matches += len(m.Match(bodies[messages%len(bodies)], s))
		messages++
	}
	b.ReportMetric(float64(matches)/float64(messages), "matches/op")
}

// Ten thousand filters of which each message matches about 1 %, half of them in
// forms that no index finds.
func BenchmarkMatchMixed(b *testing.B) {
	m := expr.NewMatcher(message.JSON{})
	for i, text := range mixedFilters(10_000, true) {
		m.Add(uint32(i), compile(b, text))
	}
	benchmarkBodies(b, m, trades())
}

// The half of those that an index finds.
func BenchmarkMatchMixedIndexed(b *testing.B) {
	m := expr.NewMatcher(message.JSON{})
	for i, text := range mixedFilters(5_000, false) {
		m.Add(uint32(i), compile(b, text))
	}
	benchmarkBodies(b, m, trades())
}

// A thousand filters of narrow ranges, and of one-sided ones.
func BenchmarkMatchThousandBoundedRanges(b *testing.B) {
	benchmarkTexts(b, func(i int) string { return fmt.Sprintf(`/px BETWEEN %d AND %d`, i, i+10) })
}

func BenchmarkMatchThousandOpenRanges(b *testing.B) {
	benchmarkTexts(b, func(i int) string { return fmt.Sprintf(`/px > %d`, i) })
}

func BenchmarkMatchThousandPrefixes(b *testing.B) {
	benchmarkTexts(b, func(i int) string { return fmt.Sprintf(`/account BEGINS WITH ('A-%d')`, i) })
}

func BenchmarkMatchThousandOfOneExpression(b *testing.B) {
	benchmarkTexts(b, func(i int) string { return fmt.Sprintf(`/px * /qty BETWEEN %d AND %d`, i*500, i*500+400) })
}

func benchmarkTexts(b *testing.B, text func(i int) string) {
	m := expr.NewMatcher(message.JSON{})
	for i := range 1000 {
		m.Add(uint32(i), compile(b, text(i)))
	}
	benchmarkBodies(b, m, trades())
}

// mixedFilters draws filters as users write them: equality with a second
// condition, lists, prefixes and ranges; and where asked for, every other one
// in a form that has to be evaluated.
func mixedFilters(count int, scanned bool) []string {
	random := rand.New(rand.NewPCG(1, 2))
	indexed := []func() string{
		func() string {
			return fmt.Sprintf(`/sym = 'S%d' AND /qty > %d`, random.IntN(1000), random.IntN(500))
		},
		func() string {
			return fmt.Sprintf(`/sym IN ('S%d','S%d','S%d')`, random.IntN(1000), random.IntN(1000), random.IntN(1000))
		},
		func() string { return fmt.Sprintf(`/account BEGINS WITH ('A-%d')`, 100+random.IntN(900)) },
		func() string {
			low := random.IntN(990)
			return fmt.Sprintf(`/px BETWEEN %d AND %d.5`, low, low+10)
		},
	}
	evaluated := []func() string{
		func() string { return fmt.Sprintf(`/account LIKE '%d'`, 100+random.IntN(900)) },
		func() string { return fmt.Sprintf(`/px * %d < /qty`, 50+random.IntN(500)) },
		func() string { return fmt.Sprintf(`/venue != 'V1' AND /account ENDS WITH ('%d')`, 10+random.IntN(90)) },
		func() string { return fmt.Sprintf(`NOT (/qty >= %d OR /venue = 'V3')`, 5+random.IntN(20)) },
	}
	var texts []string
	for i := range count {
		if scanned && i%2 == 1 {
			texts = append(texts, evaluated[random.IntN(len(evaluated))]())
		} else {
			texts = append(texts, indexed[random.IntN(len(indexed))]())
		}
	}
	return texts
}

func trades() [][]byte {
	random := rand.New(rand.NewPCG(3, 4))
	var bodies [][]byte
	for range 1 << 10 {
		bodies = append(bodies, fmt.Appendf(nil, `{"sym":"S%d","px":%d.25,"qty":%d,"side":"buy","venue":"V%d","account":"A-%d","note":"fill x%d"}`,
			random.IntN(1000), random.IntN(1000), random.IntN(500), random.IntN(10), 10000+random.IntN(90000), random.IntN(100)))
	}
	return bodies
}

// Five predicates on fields spread over a message of 1 KB, all true.
func BenchmarkFivePredicatesOneKilobyte(b *testing.B) {
	body := []byte("{")
	for i := 0; len(body) < 1000; i++ {
		body = fmt.Appendf(body, `"field%d":"text%d","value%d":%d.25,`, i, i, i, i*37)
	}
	body = append(body[:len(body)-1], '}')
	m := expr.NewMatcher(message.JSON{})
	m.Add(1, compile(b, `/field3 = 'text3' AND /value8 > 100 AND /field12 LIKE '^text' AND /value17 BETWEEN 100 AND 1000 AND /field23 != 'x'`))
	b.SetBytes(int64(len(body)))
	benchmarkBodies(b, m, [][]byte{body})
}

func benchmarkFilter(b *testing.B, text string) {
	m := expr.NewMatcher(message.JSON{})
	m.Add(1, compile(b, text))
	s := expr.NewScratch()
	body := []byte(flight)
	b.ReportAllocs()
	for b.Loop() {
		m.Match(body, s)
	}
}

func BenchmarkAddRemoveAmongTenThousand(b *testing.B) {
	m := expr.NewMatcher(message.JSON{})
	var filters []*expr.Filter
	for i := range 10_000 {
		filters = append(filters, compile(b, fmt.Sprintf(`/sym = 'S%d' AND /px > %d`, i, i)))
		m.Add(uint32(i), filters[i])
	}
	b.ReportAllocs()
	for b.Loop() {
		i := rand.IntN(len(filters))
		m.Remove(uint32(i))
		m.Add(uint32(i), filters[i])
	}
}

func FuzzCompile(f *testing.F) {
	for _, v := range vectors {
		f.Add(v.expression, v.message)
	}
	for _, call := range everyCall {
		f.Add(call, messageF)
	}
	f.Add(`/a OF CURRENT`, `{`)
	f.Fuzz(func(t *testing.T, text, body string) {
		filter, err := expr.CompileFilter(text)
		if err != nil {
			return
		}
		if len(text) < 1000 && len(body) < 1000 {
			if !filter.Deterministic() {
				filter.Match(message.JSON{}, []byte(body), expr.NewScratch())
				return
			}
			s := expr.NewScratch()
			match := filter.Match(message.JSON{}, []byte(body), s)
			m := expr.NewMatcher(message.JSON{})
			m.Add(1, filter)
			if ids := m.Match([]byte(body), s); (len(ids) == 1) != match {
				t.Fatalf("the matcher says %v, the filter %t", ids, match)
			}
		}
	})
}
