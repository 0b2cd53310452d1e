package expr_test

import (
	"slices"
	"strings"
	"testing"

	"farad/expr"
	"farad/expr/message"
)

func TestOrders(t *testing.T) {
	t.Parallel()
	bodies := []string{`{"n":9,"k":"a"}`, `{"n":10,"k":"b"}`, `{"n":"x","k":"c"}`, `{"k":"d"}`, `{"n":"9.5","k":"e"}`, `{"n":9,"k":"f"}`}
	for text, want := range map[string]string{
		"/n": "dafebc", "/n DESC": "cbeafd", "/n TEXT": "dbafec", "/n desc text, /k DESC": "cefabd", "/n ASC, /k DESC": "dfaebc",
	} {
		o, err := expr.CompileOrder(text)
		if err != nil {
			t.Fatal(err)
		}
		var rows [][]message.Value
		for _, body := range bodies {
			var row []message.Value
			for _, p := range append(o.Paths(), message.Path{"k"}) {
				f := compile(t, p.String())
				v := f.Eval(message.JSON{}, []byte(body), expr.NewScratch())
				row = append(row, v)
			}
			rows = append(rows, row)
		}
		slices.SortStableFunc(rows, o.Compare)
		got := ""
		for _, row := range rows {
			got += string(row[len(row)-1].Text)
		}
		if got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"": "a path such as", "/a[0]": "without a subscript", "/a UP": "ASC, DESC, TEXT", "/a,": "a path such as", "/a DESC ASC": "a comma"} {
		if _, err := expr.CompileOrder(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
