package message_test

import (
	"slices"
	"testing"

	"farad/expr/message"
)

// 03-message-types #19: a delta replaces its paths, adds new ones, leaves the
// others and counts equal values, in all types alike.
func TestDeltasMergeAlikeInAllTypes(t *testing.T) {
	t.Parallel()
	types := message.NewTypes()
	for name, prefix := range map[string]message.Path{"json": nil, "xml": {"r"}, "nvfix": nil, "bson": nil, "msgpack": nil, "bflat": nil} {
		kind, _ := types.ByName(name)
		make := func(fields ...any) []byte {
			var d message.Document
			d.Reset()
			for i := 0; i < len(fields); i += 2 {
				path := append(slices.Clone(prefix), fields[i].(string))
				switch v := fields[i+1].(type) {
				case int:
					d.Set(path, message.IntValue(int64(v)))
				case string:
					d.Set(path, message.StringValue([]byte(v)))
				default:
					d.Set(path, message.Value{})
				}
			}
			return kind.Write(nil, &d, 0)
		}
		for _, c := range []struct{ stored, delta, want []any }{
			{[]any{"id", 1, "a", "x", "b", 2}, []any{"id", 1, "a", "y"}, []any{"id", 1, "a", "y", "b", 2}},
			{[]any{"id", 1, "a", "x"}, []any{"id", 1, "c", 3}, []any{"id", 1, "a", "x", "c", 3}},
			{[]any{"id", 1, "a", "x"}, []any{"id", 1, "a", "x"}, []any{"id", 1, "a", "x"}},
			{[]any{"id", 1, "a", "x"}, []any{"id", 1, "a", nil}, []any{"id", 1, "a", nil}},
			{[]any{"id", 1, "a", 5}, []any{"a", "text"}, []any{"id", 1, "a", "text"}},
		} {
			var d, delta message.Document
			if d.Read(kind, make(c.stored...)) != nil || delta.Read(kind, make(c.delta...)) != nil {
				t.Fatalf("%s: %q or %q cannot be read", name, make(c.stored...), make(c.delta...))
			}
			d.Merge(&delta)
			if got := kind.Write(nil, &d, 0); string(got) != string(make(c.want...)) {
				t.Errorf("%s: %q + %q = %q, not %q", name, make(c.stored...), make(c.delta...), got, make(c.want...))
			}
		}
	}
	// Nested objects merge path by path, arrays are replaced whole.
	for name, c := range map[string][3]string{
		"json":    {`{"o":{"x":1,"y":2},"l":[1,2]}`, `{"o":{"y":3,"z":4},"l":[9]}`, `{"o":{"x":1,"y":3,"z":4},"l":[9]}`},
		"xml":     {`<r><o><x>1</x><y>2</y></o><l>1</l><l>2</l></r>`, `<r><o><y>3</y><z>4</z></o><l>9</l></r>`, `<r><o><x>1</x><y>3</y><z>4</z></o><l>9</l></r>`},
		"msgpack": {"\x82\xa1o\x82\xa1x\x01\xa1y\x02\xa1l\x92\x01\x02", "\x82\xa1o\x82\xa1y\x03\xa1z\x04\xa1l\x91\x09", "\x82\xa1o\x83\xa1x\x01\xa1y\x03\xa1z\x04\xa1l\x91\x09"},
		"bson": {
			bsonDoc(bsonElement(3, "o", bsonDoc(bsonElement(16, "x", le32(1)), bsonElement(16, "y", le32(2)))), bsonElement(4, "l", bsonDoc(bsonElement(16, "0", le32(1)), bsonElement(16, "1", le32(2))))),
			bsonDoc(bsonElement(3, "o", bsonDoc(bsonElement(16, "y", le32(3)), bsonElement(16, "z", le32(4)))), bsonElement(4, "l", bsonDoc(bsonElement(16, "0", le32(9))))),
			bsonDoc(bsonElement(3, "o", bsonDoc(bsonElement(16, "x", le32(1)), bsonElement(16, "y", le32(3)), bsonElement(16, "z", le32(4)))), bsonElement(4, "l", bsonDoc(bsonElement(16, "0", le32(9))))),
		},
		"nvfix": {soh("a=1|l=1|l=2|"), soh("l=9|"), soh("a=1|l=9|")},
		"bflat": {"\x99l\x02\x01\x02\x19a\x01", "\x99l\x01\x09", "\x99l\x01\x09\x19a\x01"},
	} {
		kind, _ := types.ByName(name)
		if got := merged(t, kind, c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q + %q = %q, not %q", name, c[0], c[1], got, c[2])
		}
	}
}

// 03-message-types #4, #5: nested paths.
func TestNestedPaths(t *testing.T) {
	t.Parallel()
	kind := define(t, "json", "json")
	body := []byte(`{"outer":{"middle":{"inner":5},"compound":{"C":[{"C1":"first-C1","D1":1},{"D1":2}]}}}`)
	paths := []string{"/outer", "/outer/middle", "/outer/middle/inner", "/outer/compound/C/C1", "/outer/compound/C/D1", "/inner"}
	got := extracted(kind, body, paths)
	want := map[string][]string{"/outer/middle/inner": {"5"}, "/outer/compound/C/C1": {`"first-C1"`}, "/outer/compound/C/D1": {"1", "2"}}
	if !sameLeaves(got, want) {
		t.Errorf("%v", got)
	}
}

// 03-message-types #2: what stands behind the needed fields may be broken.
func TestJSONBrokenBehindTheNeededFields(t *testing.T) {
	t.Parallel()
	kind := define(t, "json", "json")
	if got := extracted(kind, []byte(`{"a":1,"b":{"c":"x"},"d":[[}`), []string{"/a", "/b/c"}); !sameLeaves(got, map[string][]string{"/a": {"1"}, "/b/c": {`"x"`}}) {
		t.Errorf("%v", got)
	}
}
