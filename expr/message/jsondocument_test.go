package message_test

import (
	"testing"

	"farad/expr/message"
)

func jsonSamples(t testing.TB) []sample {
	bodies := []string{
		`{}`,
		`{"a":1}`,
		`{"a":1,"b":"two","c":2.50}`,
		` { "id" : 42 , "n":null,"t":true,"f":false,"e":"" } `,
		`{"o":{"x":1,"y":{"z":"deep"}},"list":[1,"two",null,[3]],"s":"q\"\\\u00e9\ud83d\ude00"}`,
		`{"c":[{"x":"p","y":1},{"x":"q"}],"o":{},"l":[],"o2":{"x":-1.5e3}}`,
		`{"o":{"x":2,"w":7},"a":{"b":1}}`,
		`{"\u0061b":1,"ключ":"значение"}`,
	}
	s := sample{
		kind: define(t, "json", "json"), bodies: bodies, empty: "{}",
		paths: [3]message.Path{{"a"}, {"o", "b"}, {"o", "c"}},
	}
	all := s
	all.kind = define(t, "json-all", "json", message.Setting{Name: "EarlyTerminationOptimization", Value: "false"})
	return []sample{s, all}
}

// 03-message-types #3: which of duplicate members counts.
func TestJSONDuplicateMembers(t *testing.T) {
	t.Parallel()
	body := []byte(`{"code":1,"d":"x","code":2}`)
	for value, want := range map[string]string{"true": "1", "false": "2"} {
		kind := define(t, "j", "json", message.Setting{Name: "EarlyTerminationOptimization", Value: value})
		if got := extracted(kind, body, []string{"/code", "/d"})["/code"]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, not %s", value, got, want)
		}
	}
}

func merged(t *testing.T, kind message.Type, stored, delta string) string {
	t.Helper()
	var d, e message.Document
	if err := d.Read(kind, []byte(stored)); err != nil {
		t.Fatalf("%q: %v", stored, err)
	}
	if err := e.Read(kind, []byte(delta)); err != nil {
		t.Fatalf("%q: %v", delta, err)
	}
	d.Merge(&e)
	return string(kind.Write(nil, &d, 0))
}

func TestJSONMerge(t *testing.T) {
	t.Parallel()
	kind := define(t, "json", "json")
	for _, c := range []struct{ stored, delta, want string }{
		{`{"id":42,"contents":{"packages":[{"box":"c"},{"bowl":"n"}]}}`, `{"id":42,"contents":{"packages":[{"basket":"e"}]}}`, `{"id":42,"contents":{"packages":[{"basket":"e"}]}}`},
		{`{"id":1,"a": 1,"o":{"x":1,"y":2}}`, `{"id":1,"o":{"y":3,"z":4},"n":5}`, `{"id":1,"a": 1,"o":{"x":1,"y":3,"z":4},"n":5}`},
		{`{"id":1,"a":1}`, `{"id":1,"a":null}`, `{"id":1,"a":null}`},
		{`{"id":1,"a":1}`, `{"id":1,"a":{"b":2}}`, `{"id":1,"a":{"b":2}}`},
		{`{"id":1,"a":{"b":2}}`, `{"id":1,"a":3}`, `{"id":1,"a":3}`},
		{`{"id":1}`, `{}`, `{"id":1}`},
		{`{"a":1,"a":2,"b":3}`, `{"a":4}`, `{"a":4,"b":3}`},
	} {
		if got := merged(t, kind, c.stored, c.delta); got != c.want {
			t.Errorf("%s + %s = %s, not %s", c.stored, c.delta, got, c.want)
		}
	}
}

// 03-message-types #20, the JSON part.
func TestJSONSelect(t *testing.T) {
	t.Parallel()
	kind := define(t, "json", "json")
	const wanderer = `{"id":42,"name":"Arthur","day":"Thursday","complaint":"c","pocket_contents":{"left":"twine","right":"towel"}}`
	yes := func(p ...string) message.Directive { return message.Directive{Path: p, Include: true} }
	no := func(p ...string) message.Directive { return message.Directive{Path: p} }
	for _, c := range []struct {
		body string
		list []message.Directive
		want string
	}{
		{wanderer, []message.Directive{no(), yes("id"), yes("complaint")}, `{"id":42,"complaint":"c"}`},
		{wanderer, []message.Directive{no(), yes("name"), yes("pocket_contents", "left")}, `{"name":"Arthur","pocket_contents":{"left":"twine"}}`},
		{wanderer, []message.Directive{no("pocket_contents")}, `{"id":42,"name":"Arthur","day":"Thursday","complaint":"c"}`},
		{`{"id":1,"event":{"description":"d","place":"p"}}`, []message.Directive{no("event"), yes("event", "description")}, `{"id":1,"event":{"description":"d"}}`},
		{`{"c":[{"x":1,"y":2},{"x":3},[{"x":4}],5]}`, []message.Directive{no("c", "x")}, `{"c":[{"y":2},{},[{}],5]}`},
		{`{"c":[{"x":1},{"x":3}],"d":1}`, []message.Directive{no("c", "x")}, `{"d":1}`},
		{`{"a":1}`, []message.Directive{no()}, `{}`},
		{`{"a":1,"b":2}`, []message.Directive{yes("a"), no("a")}, `{"a":1,"b":2}`},
		{`{"a":{},"b":{"c":1}}`, []message.Directive{no("b", "c")}, `{"a":{}}`},
		{`{"a" : 1}`, nil, `{"a" : 1}`},
	} {
		var d message.Document
		if err := d.Read(kind, []byte(c.body)); err != nil {
			t.Fatal(err)
		}
		d.Select(message.NewSelectList(c.list))
		if got := string(kind.Write(nil, &d, 0)); got != c.want {
			t.Errorf("%s %v: %s, not %s", c.body, c.list, got, c.want)
		}
	}
}

func TestJSONDifference(t *testing.T) {
	t.Parallel()
	kind := define(t, "json", "json")
	for _, c := range []struct {
		old, new, want string
		differs        bool
	}{
		{`{"id":1,"a":1,"b":2}`, `{"id":1,"a":1,"b":3}`, `{"id":1,"b":3}`, true},
		{`{"id":1,"a":1}`, `{"id":1,"a":1.0}`, `{"id":1,"a":1.0}`, true},
		{`{"id":1,"a":1}`, `{"a":1 , "id":1}`, `{"id":1}`, false},
		{`{"id":1,"o":{"x":1,"y":2}}`, `{"id":1,"o":{"x":1,"y":4}}`, `{"id":1,"o":{"y":4}}`, true},
		{`{"id":1,"l":[1,2]}`, `{"id":1,"l":[1,3]}`, `{"id":1,"l":[1,3]}`, true},
		{`{"id":1,"l":[1,{"a":2}]}`, `{"id":1,"l":[1,{"a": 2}]}`, `{"id":1}`, false},
		{`{"id":1,"gone":2}`, `{"id":1}`, `{"id":1}`, false},
	} {
		var d, old message.Document
		if err := old.Read(kind, []byte(c.old)); err != nil {
			t.Fatal(err)
		}
		if err := d.Read(kind, []byte(c.new)); err != nil {
			t.Fatal(err)
		}
		differs := d.Difference(&old, []message.Path{{"id"}})
		if got := string(kind.Write(nil, &d, 0)); got != c.want || differs != c.differs {
			t.Errorf("%s to %s: %s %v, not %s %v", c.old, c.new, got, differs, c.want, c.differs)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range jsonSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, func(t testing.TB) message.Type { return define(t, "json", "json") }, "/a", "/o/x", "/c/x", "/list")
}
