package expr_test

import (
	"strings"
	"testing"

	"farad/expr"
	"farad/expr/message"
)

// 02-expressions #108-110, #112: the test vectors for message types other than
// JSON.
func TestVectorsOfOtherMessageTypes(t *testing.T) {
	t.Parallel()
	types := message.NewTypes()
	for _, c := range []struct{ kind, body, filter string }{
		{"xml", `<Order update="full"><Symbol>IBM</Symbol></Order>`, `/Order/@update = 'full' AND /Order/Symbol = 'IBM'`},
		{"fix", "55=IBM|38=500|", `/55 = 'IBM' AND /38 > 100`},
		{"nvfix", "a=|b=24|", `/a IS NULL AND /b = 24`},
		{"nvfix", "14=2|6=3|21964=6|", `/21964 IN (/14*5, /6*/14, 1000)`},
	} {
		kind, ok := types.ByName(c.kind)
		if !ok {
			t.Fatalf("no type %s", c.kind)
		}
		body := []byte(strings.ReplaceAll(c.body, "|", "\x01"))
		f := compile(t, c.filter)
		if !f.Match(kind, body, expr.NewScratch()) {
			t.Errorf("%s %q: %s does not match", c.kind, body, c.filter)
		}
		m := expr.NewMatcher(kind)
		m.Add(1, f)
		if len(m.Match(body, expr.NewScratch())) != 1 {
			t.Errorf("%s %q: the matcher does not find %s", c.kind, body, c.filter)
		}
	}
}

// 02-expressions #113: the first of duplicate members counts, or the last.
func TestVectorOfDuplicateMembers(t *testing.T) {
	t.Parallel()
	types := message.NewTypes()
	if err := types.Define(message.Definition{Name: "last", Module: "json", Settings: []message.Setting{{Name: "EarlyTerminationOptimization", Value: "false"}}}); err != nil {
		t.Fatal(err)
	}
	f := compile(t, `/code = 1`)
	for name, want := range map[string]bool{"json": true, "last": false} {
		kind, _ := types.ByName(name)
		if f.Match(kind, []byte(`{"code":1,"d":"x","code":2}`), expr.NewScratch()) != want {
			t.Errorf("%s: not %v", name, want)
		}
	}
}

// 02-expressions #114: the number of a part is the first step.
func TestVectorOfCompositeMessages(t *testing.T) {
	t.Parallel()
	types := message.NewTypes()
	part := message.Setting{Name: "MessageType", Value: "json"}
	if err := types.Define(message.Definition{Name: "two", Module: "composite-local", Settings: []message.Setting{part, part}}); err != nil {
		t.Fatal(err)
	}
	kind, _ := types.ByName("two")
	body := []byte("\x00\x00\x00\x02{}\x00\x00\x00\x09{\"m\":\"y\"}")
	if !compile(t, `/1/m = 'y'`).Match(kind, body, expr.NewScratch()) || compile(t, `/0/m = 'y'`).Match(kind, body, expr.NewScratch()) {
		t.Error("the part is not told by its number")
	}
}
