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
		switch rapid.IntRange(0, 8).Draw(t, "form") {
		case 0, 1, 2:
			return p + " = " + v
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
	s := expr.NewScratch()
	body := []byte(`{"sym":"S0","px":101.25,"qty":300,"side":"buy","account":"A-1234567","note":"some more text to fill"}`)
	b.ReportAllocs()
	for b.Loop() {
		if len(m.Match(body, s)) != 1 {
			b.Fatal("no match")
		}
	}
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
