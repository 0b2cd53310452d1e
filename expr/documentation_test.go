package expr_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"farad/expr"
)

// Every function is in the documentation, and everything in its tables of
// functions is one.
func TestEveryFunctionIsDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/expressions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, err = expr.CompileFilter("NOSUCH()")
	_, list, ok := strings.Cut(err.Error(), "known are ")
	if !ok {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, name := range strings.Split(list, ", ") {
		known[name] = true
	}
	_, section, _ := strings.Cut(string(text), "## Functions")
	section, _, _ = strings.Cut(section, "## What filters cost")
	documented := map[string]bool{}
	for _, match := range regexp.MustCompile("`([A-Z][A-Z0-9_]+)(?:\\(|`)").FindAllStringSubmatch(section, -1) {
		if documented[match[1]] = true; !known[match[1]] && match[1] != "NULL" {
			t.Errorf("%s is documented and is no function", match[1])
		}
	}
	for name := range known {
		if !documented[name] {
			t.Errorf("%s is not documented", name)
		}
	}
}
