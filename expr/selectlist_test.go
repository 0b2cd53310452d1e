package expr_test

import (
	"errors"
	"strings"
	"testing"

	"farad/expr"
	"farad/expr/message"
)

func TestSelectLists(t *testing.T) {
	t.Parallel()
	const wanderer = `{"id":42,"name":"Arthur","day":"Thursday","complaint":"c","pocket_contents":{"left":"twine","right":"towel"}}`
	for _, c := range []struct{ list, body, want string }{
		{"-/,+/id,+/complaint", wanderer, `{"id":42,"complaint":"c"}`},
		{" - / , + /name , +/pocket_contents/left", wanderer, `{"name":"Arthur","pocket_contents":{"left":"twine"}}`},
		{"-/pocket_contents", wanderer, `{"id":42,"name":"Arthur","day":"Thursday","complaint":"c"}`},
		{"+/,-/a", `{"a":{"b":1,"c":2},"d":3}`, `{"d":3}`},
		{"-/a,+/a/b", `{"a":{"b":1,"c":2},"d":3}`, `{"a":{"b":1},"d":3}`},
		{"-/a,+/a", `{"a":1,"d":3}`, `{"d":3}`},
		{"-/,+[/a b/c d]", `{"a b":{"c d":1,"e":2}}`, `{"a b":{"c d":1}}`},
		{"-/", `{"a":1}`, `{}`},
		{"+/none", `{"a":1}`, `{"a":1}`},
	} {
		list, err := expr.CompileSelectList(c.list)
		if err != nil {
			t.Errorf("%s: %v", c.list, err)
			continue
		}
		var d message.Document
		if err := d.Read(message.JSON{}, []byte(c.body)); err != nil {
			t.Fatal(err)
		}
		d.Select(list)
		if got := string(message.JSON{}.Write(nil, &d, 0)); got != c.want {
			t.Errorf("%s of %s: %s, not %s", c.list, c.body, got, c.want)
		}
	}
}

func TestSelectListErrorsNameThePlace(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"":            `at byte 0: found the end, expected + or -`,
		"/a":          `at byte 0: found "/a", expected + or -`,
		"+/a,":        `at byte 4: found the end, expected + or -`,
		"+":           `at byte 1: found the end, expected a path`,
		"+/a[0]":      `at byte 1: found "/a[0]", expected a path without a subscript`,
		"+/a -/b":     `at byte 4: found "-/b", expected a comma`,
		"-/,+a":       `at byte 4: found "a", expected a path`,
		"[-/,+/id]":   `at byte 0: found "[-/,+/id]"`,
		"+/a, -/b, *": `at byte 10: found "*", expected + or -`,
	} {
		_, err := expr.CompileSelectList(list)
		var syntax *expr.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", list, err, want)
		}
	}
}
