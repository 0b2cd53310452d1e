package message_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"farad/expr/message"
)

// framed puts the length in front of each part.
func framed(parts ...string) string {
	var body []byte
	for _, p := range parts {
		body = append(binary.BigEndian.AppendUint32(body, uint32(len(p))), p...)
	}
	return string(body)
}

// composite declares a composite of parts.
func composite(t testing.TB, module string, parts ...string) message.Type {
	t.Helper()
	types := message.NewTypes()
	declare := func(name, module string, settings ...message.Setting) {
		if err := types.Define(message.Definition{Name: name, Module: module, Settings: settings}); err != nil {
			t.Fatal(err)
		}
	}
	declare("pair", "struct", message.Setting{Name: "Field", Value: "/id = c"})
	declare("shared", "composite-global", message.Setting{Name: "MessageType", Value: "json"}, message.Setting{Name: "MessageType", Value: "json"})
	declare("inner", "composite-local", message.Setting{Name: "MessageType", Value: "json"}, message.Setting{Name: "MessageType", Value: "fix"})
	var settings []message.Setting
	for _, p := range parts {
		settings = append(settings, message.Setting{Name: "MessageType", Value: p})
	}
	declare("it", module, settings...)
	kind, _ := types.ByName("it")
	return kind
}

func compositeSamples(t testing.TB) []sample {
	local := sample{
		kind: composite(t, "composite-local", "json", "xml", "inner"),
		bodies: []string{
			framed(`{"id":1,"o":{"x":2}}`, `<a b="1"><c>2</c></a>`, framed(`{"q":1}`, "55=IBM\x01")), framed(`{"id":2,"o":{"x":2}}`, "", ""), framed(`{"id":1}`), "",
			framed(`{"id":1}`, `<a/>`, framed(`{}`, "")) + "payload", framed("", `<a/>`),
		},
		paths: [3]message.Path{{"0", "a"}, {"2", "1", "55"}, {"1", "r", "b"}}, empty: framed("", "", ""),
	}
	global := sample{
		kind: composite(t, "composite-global", "json", "binary", "json"),
		bodies: []string{
			framed(`{"message":"part one message","only":1}`, "\xde\xea", `{"message":"another part","list":[1,2]}`), framed(`{"a":1}`, "", ""), framed(`{"a":1}`), framed(`{"a":1}`, "b", `{}`) + "payload",
		},
	}
	return []sample{local, global}
}

// 03-message-types #16, #24: paths of parts, and parts longer than the message.
func TestCompositePaths(t *testing.T) {
	t.Parallel()
	two := framed(`{"id":1,"message":"part one message"}`, `{"message":"another part"}`)
	local, global := composite(t, "composite-local", "json", "json"), composite(t, "composite-global", "json", "json")
	for _, c := range []struct {
		kind       message.Type
		body, path string
		want       []string
	}{
		{local, two, "/0/id", []string{"1"}},
		{local, two, "/1/message", []string{`"another part"`}},
		{local, two, "/message", nil},
		{global, two, "/message", []string{`"part one message"`, `"another part"`}},
		{global, two, "/id", []string{"1"}},
		{local, two[:len(two)-1], "/0/id", []string{"1"}},
		{local, two[:len(two)-1], "/1/message", nil},
		{local, "\x00\x00\x00\xff{\"id\":1}", "/0/id", nil},
		{local, framed(`{"id":1}`) + "\x00\x00", "/0/id", []string{"1"}},
		{composite(t, "composite-local", "xml", "pair"), framed(`<Order update="x"/>`, "A"), "/0/Order/@update", []string{`"x"`}},
		{composite(t, "composite-local", "xml", "pair"), framed(`<Order update="x"/>`, "A"), "/1/id", []string{`"A"`}},
	} {
		if got := extracted(c.kind, []byte(c.body), []string{c.path})[c.path]; !slices.Equal(got, c.want) {
			t.Errorf("%s %q, %s: %v, not %v", c.kind.Name(), c.body, c.path, got, c.want)
		}
	}
}

// 03-message-types #17: an empty part of a delta leaves the stored part.
func TestCompositeDeltas(t *testing.T) {
	t.Parallel()
	kind := composite(t, "composite-local", "json", "binary", "pair")
	stored := framed(`{"id":1,"a":1}`, "\xde\xea", "A") + "old payload"
	for delta, want := range map[string]string{
		framed(`{"id":1,"b":2}`, "", ""):               framed(`{"id":1,"a":1,"b":2}`, "\xde\xea", "A") + "old payload",
		framed(`{"id":1}`, "new", "B") + "new payload": framed(`{"id":1,"a":1}`, "new", "B") + "new payload",
		framed(`{"a":null}`):                           framed(`{"id":1,"a":null}`, "\xde\xea", "A") + "old payload",
	} {
		if got := merged(t, kind, stored, delta); got != want {
			t.Errorf("%q + %q = %q, not %q", stored, delta, got, want)
		}
	}
	var d, old message.Document
	_ = old.Read(kind, []byte(stored))
	_ = d.Read(kind, []byte(framed(`{"id":1,"a":2}`, "\xde\xea", "A")))
	d.Difference(&old, []message.Path{{"0", "id"}})
	if got := string(kind.Write(nil, &d, 0)); got != framed(`{"id":1,"a":2}`, "", "") {
		t.Errorf("difference %q", got)
	}
	if composite(t, "composite-global", "json").Capabilities().Delta {
		t.Error("a global composite knows deltas")
	}
}

func TestCompositeSelect(t *testing.T) {
	t.Parallel()
	local, global := composite(t, "composite-local", "json", "binary"), composite(t, "composite-global", "json", "binary", "json")
	yes := func(p string) message.Directive { return message.Directive{Path: pathOf(p), Include: true} }
	no := func(p string) message.Directive { return message.Directive{Path: pathOf(p)} }
	for _, c := range []struct {
		kind message.Type
		body string
		list []message.Directive
		want string
	}{
		{local, framed(`{"a":1,"b":2}`, "x") + "p", []message.Directive{{}, yes("/0/a")}, framed(`{"a":1}`, "") + "p"},
		{local, framed(`{"a":1,"b":2}`, "x") + "p", []message.Directive{no("/0")}, framed("", "x") + "p"},
		{global, framed(`{"a":1,"b":2}`, "x", `{"a":3}`), []message.Directive{no("/a")}, framed(`{"b":2}`, "x", `{}`)},
		{global, framed(`{"a":1,"b":2}`, "x", `{"a":3}`) + "p", []message.Directive{{}, yes("/b")}, framed(`{"b":2}`, "x", `{}`) + "p"},
	} {
		var d message.Document
		if err := d.Read(c.kind, []byte(c.body)); err != nil {
			t.Fatal(err)
		}
		d.Select(message.NewSelectList(c.list))
		if got := string(c.kind.Write(nil, &d, 0)); got != c.want {
			t.Errorf("%v of %q: %q, not %q", c.list, c.body, got, c.want)
		}
	}
	// Parts that know no select lists go as a whole when a list takes something
	// of them: what is excluded is not sent.
	local, global = composite(t, "composite-local", "json", "pair", "shared", "binary"), composite(t, "composite-global", "json", "pair")
	inner := framed(`{"x":1}`, `{"y":2}`)
	for _, c := range []struct {
		kind message.Type
		body string
		list []message.Directive
		want string
	}{
		{local, framed(`{"a":1}`, "I", inner, "b"), []message.Directive{no("/1/id")}, framed(`{"a":1}`, "", inner, "b")},
		{local, framed(`{"a":1}`, "I", inner, "b"), []message.Directive{no("/2/y"), no("/3/none")}, framed(`{"a":1}`, "I", "", "b")},
		{local, framed(`{"a":1}`, "I", inner, "b"), []message.Directive{{}, yes("/1/id")}, framed("", "", "", "")},
		{local, framed(`{"a":1}`, "I", inner, "b"), []message.Directive{{}, yes("/1"), yes("/2")}, framed("", "I", inner, "")},
		{local, framed(`{"a":1}`, "I", inner, "b"), []message.Directive{no("/0"), yes("/1/id")}, framed("", "I", inner, "b")},
		{global, framed(`{"a":1,"id":2}`, "I"), []message.Directive{no("/id")}, framed(`{"a":1}`, "")},
		{global, framed(`{"a":1,"id":2}`, "I"), []message.Directive{no("/a")}, framed(`{"id":2}`, "I")},
	} {
		var d message.Document
		if err := d.Read(c.kind, []byte(c.body)); err != nil {
			t.Fatal(err)
		}
		d.Select(message.NewSelectList(c.list))
		if got := string(c.kind.Write(nil, &d, 0)); got != c.want {
			t.Errorf("%v of %q: %q, not %q", c.list, c.body, got, c.want)
		}
	}
	local = composite(t, "composite-local", "json", "binary")
	for path, good := range map[string]bool{"/0/a": true, "/1/a": false, "/2/a": false, "/0": false, "/a/b": false, "/00/a": false} {
		if err := local.(message.Holder).CanHold(pathOf(path)); (err == nil) != good {
			t.Errorf("%s: %v", path, err)
		}
	}
	err := message.NewTypes().Define(message.Definition{Name: "c", Module: "composite-local", Settings: []message.Setting{{Name: "MessageType", Value: "later"}}})
	if err == nil {
		t.Error("a part of an unknown type")
	}
}

// Parts of protobuf messages: deltas merge in those of version 2 and replace
// those of version 3.
func TestCompositeOfProtobuf(t *testing.T) {
	t.Parallel()
	types := message.NewTypes()
	directory := t.TempDir()
	for file, text := range map[string]string{"2.proto": `syntax = "proto2"; message M { optional int32 a = 1; optional string b = 2; }`, "3.proto": `syntax = "proto3"; message M { int32 a = 1; string b = 2; }`} {
		if err := os.WriteFile(filepath.Join(directory, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, file := range map[string]string{"two": "2.proto", "three": "3.proto"} {
		settings := []message.Setting{{Name: "ProtoPath", Value: directory}, {Name: "ProtoFile", Value: file}, {Name: "Type", Value: "M"}}
		if err := types.Define(message.Definition{Name: name, Module: "protobuf", Settings: settings}); err != nil {
			t.Fatal(err)
		}
	}
	for _, module := range []string{"composite-local", "composite-global"} {
		settings := []message.Setting{{Name: "MessageType", Value: "two"}, {Name: "MessageType", Value: "three"}}
		if err := types.Define(message.Definition{Name: module, Module: module, Settings: settings}); err != nil {
			t.Fatal(err)
		}
	}
	local, _ := types.ByName("composite-local")
	global, _ := types.ByName("composite-global")
	stored := framed(protoVarint(1, 1)+protoText(2, "x"), protoVarint(1, 5)+protoText(2, "y"))
	if got := extracted(local, []byte(stored), []string{"/0/a", "/1/a", "/1/b"}); !sameLeaves(got, map[string][]string{"/0/a": {"1"}, "/1/a": {"5"}, "/1/b": {`"y"`}}) {
		t.Errorf("local: %v", got)
	}
	if got := extracted(global, []byte(stored), []string{"/a", "/b"}); !sameLeaves(got, map[string][]string{"/a": {"1", "5"}, "/b": {`"x"`, `"y"`}}) {
		t.Errorf("global: %v", got)
	}
	delta := framed(protoText(2, "z"), protoText(2, "w"))
	if got := merged(t, local, stored, delta); got != framed(protoVarint(1, 1)+protoText(2, "z"), protoText(2, "w")) {
		t.Errorf("merged: %q", got)
	}
	var d message.Document
	if err := d.Read(global, []byte(stored)); err != nil {
		t.Fatal(err)
	}
	d.Select(message.NewSelectList([]message.Directive{{Path: message.Path{"a"}}}))
	if got := string(global.Write(nil, &d, 0)); got != framed("", "") {
		t.Errorf("selected: %q", got)
	}
}

func TestCompositeFaultsNameThePlace(t *testing.T) {
	t.Parallel()
	local, global := composite(t, "composite-local", "json", "inner"), composite(t, "composite-global", "json", "json")
	for _, c := range []struct {
		kind   message.Type
		body   string
		offset int
		want   string
	}{
		{local, framed(`{"id":1}`, framed(`{"q":?}`)), 25, `it, part 1: inner, part 0: json message, byte 25: found "?"`},
		{local, framed(`{"id":1}`) + "\x00\x00", 12, "it message, byte 12: found 2 bytes, expected part 1"},
		{local, framed(`{"id":1}`) + "\xff\xff\xff\xff{}", 12, "it message, byte 12: found 6 bytes, expected part 1"},
		{global, framed(`{"id":1}`, "[]"), 16, "it, part 1: json message, byte 16"},
	} {
		var d message.Document
		err := d.Read(c.kind, []byte(c.body))
		if fault, ok := err.(*message.ParseError); !ok || fault.Offset != c.offset || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.body, err)
		}
	}
}

func FuzzComposite(f *testing.F) {
	for _, body := range compositeSamples(f)[0].bodies {
		f.Add([]byte(body))
	}
	fuzzType(f, func(t testing.TB) message.Type { return composite(t, "composite-local", "json", "xml", "inner") }, "/0/id", "/0/o/x", "/1/a/@b", "/2/1/55")
}

func FuzzCompositeGlobal(f *testing.F) {
	for _, body := range compositeSamples(f)[1].bodies {
		f.Add([]byte(body))
	}
	fuzzType(f, func(t testing.TB) message.Type { return composite(t, "composite-global", "json", "binary", "shared") }, "/a", "/message", "/list", "/x/y")
}

// BenchmarkExtractComposite reads 1, 5 and 20 fields of messages of about 150
// bytes and 1 KB, from a JSON and a FIX part.
func BenchmarkExtractComposite(b *testing.B) {
	kind := composite(b, "composite-local", "json", "fix")
	for _, fields := range []int{10, 60} {
		var first, second []byte
		var paths []string
		for i := range fields {
			if i%2 == 0 {
				first = fmt.Appendf(first, `,"field%02d":%d`, i, 1000+i)
				paths = append(paths, fmt.Sprintf("/0/field%02d", i))
			} else {
				second = fmt.Appendf(second, "%d=%d\x01", 1000+i, 90_000_000+i)
				paths = append(paths, fmt.Sprintf("/1/%d", 1000+i))
			}
		}
		first[0] = '{'
		body := framed(string(first)+"}", string(second))
		for _, wanted := range []int{1, 5, 20} {
			b.Run(fmt.Sprintf("bytes=%d/fields=%d", len(body), min(wanted, fields)), func(b *testing.B) {
				benchmarkExtract(b, kind, body, paths[:min(wanted, fields)])
			})
		}
	}
}
