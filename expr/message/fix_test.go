package message_test

import (
	"slices"
	"strings"
	"testing"

	"farad/expr/message"
)

// soh writes | as the default field separator.
func soh(text string) string { return strings.ReplaceAll(text, "|", "\x01") }

func fixSamples(t testing.TB) []sample {
	bodies := []string{
		"", soh("55=IBM|38=500|"), soh("8=FIX.4.4|9=12|35=D|55=IBM|38=500|44=-90.50|10=128|"), soh("55=|38=1=2|"), soh("448=A|447=D|448=B|447=E|448=|"),
		soh("55=MSFT|40=2"), soh("rubbish|=x|12a=3|55=1|"), soh("55=a\x0238=b\x03|"),
	}
	return []sample{
		{kind: define(t, "fix", "fix"), bodies: bodies, paths: [3]message.Path{{"1"}, {"20"}, {"300"}}},
		{kind: define(t, "nvfix", "nvfix"), bodies: append(bodies, soh("Symbol=IBM|Qty=5|a long name of a tag=1|")), paths: [3]message.Path{{"a"}, {"Order-ID"}, {"c"}}},
		{kind: define(t, "pipes", "fix", message.Setting{Name: "FieldSeparator", Value: "124"}), bodies: []string{"55=IBM|38=5|"}, paths: [3]message.Path{{"1"}, {"2"}, {"3"}}},
	}
}

func TestFIXValues(t *testing.T) {
	t.Parallel()
	fix, nvfix := define(t, "fix", "fix"), define(t, "nvfix", "nvfix")
	pipes := define(t, "pipes", "fix", message.Setting{Name: "FieldSeparator", Value: "124"})
	for _, c := range []struct {
		kind       message.Type
		body, path string
		want       []string
	}{
		{nvfix, soh("a=|b=1=2|"), "/a", []string{"NULL"}}, // 03-message-types #7
		{nvfix, soh("a=|b=1=2|"), "/b", []string{`"1=2"`}},
		{pipes, "55=IBM|38=5|", "/38", []string{"5"}}, // 03-message-types #8
		{pipes, "55=IBM|38=5|", "/55", []string{`"IBM"`}},
		{fix, soh("448=A|448=X|"), "/448", []string{`"A"`, `"X"`}}, // 03-message-types #9
		{fix, soh("38=-5.50|"), "/38", []string{"-5.50"}},
		{fix, soh("38= 5|"), "/38", []string{`" 5"`}},
		{fix, soh("38=5e|"), "/38", []string{`"5e"`}},
		{fix, soh("x=5|38=7"), "/38", []string{"7"}},
		{fix, soh("x=5|38=7"), "/x", nil},
		{fix, soh("38=+7|"), "/38", []string{`"+7"`}},
	} {
		if got := extracted(c.kind, []byte(c.body), []string{c.path})[c.path]; !slices.Equal(got, c.want) {
			t.Errorf("%s %q, %s: %v, not %v", c.kind.Name(), c.body, c.path, got, c.want)
		}
	}
}

func TestFIXWritesFlatFields(t *testing.T) {
	t.Parallel()
	kind := define(t, "nvfix", "nvfix")
	var d message.Document
	if err := d.Read(kind, []byte(soh("a=1|rubbish|b=2"))); err != nil {
		t.Fatal(err)
	}
	d.Set(message.Path{"b"}, message.StringValue([]byte(soh("x|y"))))
	d.Set(message.Path{"c"}, message.BoolValue(true))
	d.Set(message.Path{"d"}, message.Value{})
	if got := string(kind.Write(nil, &d, 0)); got != soh("a=1|rubbish|b=xy|c=1|d=|") {
		t.Errorf("%q", got)
	}
	if got := merged(t, kind, soh("a=1|b=2|a=3|c=4|"), soh("a=7|a=8|d=9|")); got != soh("a=7|a=8|b=2|c=4|d=9|") {
		t.Errorf("merged %q", got)
	}
	fix := define(t, "fix", "fix").(message.Holder)
	for path, good := range map[string]bool{"/55": true, "/5a": false, "/5/6": false} {
		if err := fix.CanHold(pathOf(path)); (err == nil) != good {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestFIXSeparatorsAreChecked(t *testing.T) {
	t.Parallel()
	for _, settings := range [][]message.Setting{
		{{Name: "FieldSeparator", Value: "256"}}, {{Name: "FieldSeparator", Value: "|"}}, {{Name: "FieldSeparator", Value: "61"}},
		{{Name: "FieldSeparator", Value: "2"}}, {{Name: "Separator", Value: "1"}},
	} {
		err := message.NewTypes().Define(message.Definition{Name: "f", Module: "fix", Settings: settings})
		if err == nil {
			t.Errorf("%v: no error", settings)
		}
	}
}

func FuzzFIX(f *testing.F) {
	for _, s := range fixSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, func(t testing.TB) message.Type { return define(t, "nvfix", "nvfix") }, "/55", "/a", "/448")
}
