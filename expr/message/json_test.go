package message_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"farad/expr/message"

	"pgregory.net/rapid"
)

// read extracts one path and returns the string forms of its values.
func read(body string, path ...string) []string {
	trie := message.NewTrie()
	slot := trie.Add(path)
	var values message.Values
	message.JSON{}.Extract([]byte(body), trie, &values)
	var texts []string
	for v := range values.All(slot) {
		if v.IsNull() {
			texts = append(texts, "NULL")
		} else {
			texts = append(texts, string(v.AppendText(nil)))
		}
	}
	return texts
}

func TestJSONValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body, path string
		want       []string
	}{
		{`{"a":1}`, "a", []string{"1"}},
		{` { "a" : -1.50e+3 } `, "a", []string{"-1.50e+3"}},
		{`{"a":"x\"\\\/\b\f\n\r\ty"}`, "a", []string{"x\"\\/\b\f\n\r\ty"}},
		{`{"a":"\u00e9\ud83d\ude00\ud800x"}`, "a", []string{"é😀\ufffdx"}},
		{`{"\u0061":1}`, "a", []string{"1"}},
		{`{"a":true,"b":1}`, "a", []string{"true"}},
		{`{"a":null}`, "a", []string{"NULL"}},
		{`{"a":""}`, "a", []string{"NULL"}},
		{`{"a":[]}`, "a", nil},
		{`{"a":[1,[2,[3]],null,"x"]}`, "a", []string{"1", "2", "3", "NULL", "x"}},
		{`{"a":{"b":1}}`, "a", nil},
		{`{"a":[{"b":1},{"c":2},{"b":3}]}`, "a/b", []string{"1", "3"}},
		{`{"a":{"b":1},"a":{"b":2}}`, "a/b", []string{"1"}},
		{`{"a":[{"b":1,"b":9},{"b":2}]}`, "a/b", []string{"1", "2"}},
		{`{"a":5,"a":{"b":2}}`, "a/b", nil},
		{`{"s":"}{\"","x":{"a":[{"]":1}]},"a":7}`, "a", []string{"7"}},
		{`{"s":"\\","a":7}`, "a", []string{"7"}},
		{`[{"a":1}]`, "a", nil},
		{`"a"`, "a", nil},
		{``, "a", nil},
		{`{"a":1,`, "a", []string{"1"}},
		{`{"a":1,"b"`, "b", nil},
		{`{"b":tru,"a":1}`, "b", nil},
		{`{"a":1 "b":2}`, "a", []string{"1"}},
		{`{"a":-}`, "a", nil},
		{`{"a":1.2.3}`, "a", nil},
		{`{"a":"open`, "a", nil},
		{`{"a":"bad \q"}`, "a", nil},
		{`{"é":"ü"}`, "é", []string{"ü"}},
		{"{\"a\":\"\xff\"}", "a", []string{"\xff"}},
	} {
		if got := read(c.body, strings.Split(c.path, "/")...); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s: %q, want %q", c.path, c.body, got, c.want)
		}
	}
}

func TestJSONDepthIsBounded(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 100_000)
	read(`{"a":`+deep, "a")
	read(strings.Repeat(`{"a":`, 100_000), "b")
	if got := read(`{"a":`+strings.Repeat("[", 400)+"1"+strings.Repeat("]", 400)+`}`, "a"); len(got) != 1 {
		t.Errorf("400 levels: %v", got)
	}
}

// The walk against encoding/json, over random documents and all their paths.
func TestJSONAgreesWithTheStandardLibrary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		document := objects(3).Draw(t, "document")
		body, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]string{}
		flatten("", document, want)
		trie := message.NewTrie()
		slots := map[string]uint32{}
		for path := range want {
			slots[path] = trie.Add(strings.Split(path[1:], "/"))
		}
		var values message.Values
		message.JSON{}.Extract(body, trie, &values)
		for path, slot := range slots {
			var got []string
			for v := range values.All(slot) {
				got = append(got, string(v.AppendText(nil)))
			}
			if !slices.Equal(got, want[path]) {
				t.Fatalf("%s of %s: %q, want %q", path, body, got, want[path])
			}
		}
	})
}

func objects(depth int) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		o := map[string]any{}
		for i := range rapid.IntRange(0, 12).Draw(t, "members") {
			o[fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"k", "é", `q"`, "a b"}).Draw(t, "key"), i%5)] = anything(depth).Draw(t, "value")
		}
		return o
	})
}

func anything(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 6).Draw(t, "kind")
		if depth == 0 {
			kind %= 4
		}
		switch kind {
		case 0:
			return rapid.Int64().Draw(t, "int")
		case 1:
			return rapid.StringMatching(`[a-z"\\/\x01é😀]{0,20}`).Draw(t, "string")
		case 2:
			return rapid.Bool().Draw(t, "bool")
		case 3:
			return nil
		case 4:
			return rapid.SliceOfN(anything(depth-1), 0, 4).Draw(t, "array")
		}
		return objects(depth-1).Draw(t, "object")
	})
}

// flatten is the model of 02-expressions 8.1 and 8.2.
func flatten(path string, v any, into map[string][]string) {
	switch v := v.(type) {
	case map[string]any:
		for k, member := range v {
			if !strings.Contains(k, "/") {
				flatten(path+"/"+k, member, into)
			}
		}
	case []any:
		for _, element := range v {
			flatten(path, element, into)
		}
	case nil:
		into[path] = append(into[path], "")
	default:
		into[path] = append(into[path], fmt.Sprint(v))
	}
}

func TestPathsComeAndGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		trie := message.NewTrie()
		type added struct {
			path string
			slot uint32
		}
		var live []added
		var values message.Values
		body := []byte(`{"a":{"b":{"c":"1"}},"b":"2","c":{"a":"3","b":"4"}}`)
		want := map[string]string{"a/b/c": "1", "b": "2", "c/a": "3", "c/b": "4", "a": "", "a/b": "", "x": ""}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(live) == 0 || rapid.Bool().Draw(t, "add") {
				path := rapid.SampledFrom([]string{"a", "a/b", "a/b/c", "b", "c/a", "c/b", "x"}).Draw(t, "path")
				live = append(live, added{path, trie.Add(strings.Split(path, "/"))})
			} else {
				i := rapid.IntRange(0, len(live)-1).Draw(t, "which")
				trie.Remove(live[i].slot)
				live = slices.Delete(live, i, i+1)
			}
			message.JSON{}.Extract(body, trie, &values)
			for _, l := range live {
				if got := string(values.First(l.slot).AppendText(nil)); got != want[l.path] {
					t.Fatalf("%s: %q, want %q", l.path, got, want[l.path])
				}
			}
		}
	})
}

func TestExtractAllocatesNothing(t *testing.T) {
	trie := message.NewTrie()
	for _, p := range []string{"id", "px", "note", "legs/q"} {
		trie.Add(strings.Split(p, "/"))
	}
	body := []byte(`{"id":17,"px":90.5,"legs":[{"q":1},{"q":2},{"q":3}],"note":"a \"quoted\" text","rest":[1,2,3]}`)
	var values message.Values
	if n := testing.AllocsPerRun(100, func() { message.JSON{}.Extract(body, trie, &values) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestComparisonsAreConsistent(t *testing.T) {
	t.Parallel()
	values := rapid.SampledFrom([]message.Value{
		{}, message.BoolValue(true), message.BoolValue(false), message.IntValue(-1), message.IntValue(1 << 62),
		message.UintValue(1<<64 - 1), message.FloatValue(1), message.FloatValue(1.5), message.NumeralValue([]byte("1")),
		message.NumeralValue([]byte("18446744073709551615")), message.StringValue([]byte("x")), message.StringValue([]byte("1")),
		message.StringValue([]byte("-9223372036854775808")), message.NumeralValue([]byte("1e3")),
	})
	opposite := map[message.Ordering]message.Ordering{
		message.Less: message.Greater, message.Greater: message.Less, message.Equal: message.Equal,
		message.Unknown: message.Unknown, message.Unordered: message.Unordered,
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := values.Draw(t, "a"), values.Draw(t, "b")
		if x, y := message.Compare(a, b), message.Compare(b, a); opposite[x] != y {
			t.Fatalf("%v and %v: %d one way, %d the other", a, b, x, y)
		}
	})
}

func TestNumbersReadExactly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0": "0", "04109": "4109", "-7": "-7", "9223372036854775807": "9223372036854775807",
		"-9223372036854775808": "-9223372036854775808", "18446744073709551615": "18446744073709551615",
		"18446744073709551616": "18446744073709552000.0", "90.50": "90.5", ".5": "0.5", "5.": "5.0", "1e3": "1000.0",
		"-0.1": "-0.1", "123456789.123456789": "123456789.12345679", "31.4e-1": "3.14",
		"x": "NaN", "": "NaN", "-": "NaN", "1x": "NaN", "1e": "NaN", ".": "NaN", " 1": "NaN", "1e999": "NaN", "0x10": "NaN", "--1": "NaN",
	} {
		v := message.NumeralValue([]byte(text))
		if got := string(v.Number().AppendText(nil)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func FuzzJSONExtract(f *testing.F) {
	f.Add([]byte(`{"a":{"b":[1,"x",null,{"c":true}]},"d":"\u00e9"}`))
	f.Add([]byte(`{"a":1,`))
	f.Add([]byte(`{"a":"\ud800`))
	trie := message.NewTrie()
	slots := []uint32{trie.Add(message.Path{"a", "b"}), trie.Add(message.Path{"a", "b", "c"}), trie.Add(message.Path{"d"}), trie.Add(message.Path{"a"})}
	f.Fuzz(func(t *testing.T, body []byte) {
		var values message.Values
		message.JSON{}.Extract(body, trie, &values)
		for _, slot := range slots {
			n := 0
			for v := range values.All(slot) {
				v.Number()
				n++
			}
			if n != values.Count(slot) {
				t.Fatalf("%d values, the count says %d", n, values.Count(slot))
			}
		}
	})
}
