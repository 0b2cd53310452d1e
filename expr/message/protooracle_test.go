package message_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"farad/expr/message"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"
)

// nodeProto has fields of all kinds, in all places; %[1]s is the syntax, and
// %[2]s what stands in front of a field that is not repeated.
const nodeProto = `syntax = "%[1]s"; package oracle;
enum Side { NONE = 0; BUY = 1; SELL = -2; }
message Node {
  %[2]s int32 a = 1; %[2]s string s = 2; repeated sint32 packed = 3 [packed = true]; repeated fixed32 loose = 4 [packed = false];
  %[2]s Node child = 5; repeated Node many = 6;
  oneof choice { Node left = 7; int64 plain = 8; string text = 9; }
  oneof other { bool yes = 10; double no = 65; }
  map<string, int32> m = 11;
  %[2]s Side side = 12; %[2]s bytes raw = 13; %[2]s float f = 14; %[2]s uint64 big = 15; %[2]s sfixed64 x = 16; %[2]s sint64 z = 17; %[2]s uint32 u = 18;
  repeated string words = 20; %[2]s sint32 z32 = 21; %[2]s fixed64 x64 = 22; %[2]s sfixed32 x32 = 23; %[2]s bool b = 24; repeated double prices = 25;
  %[2]s double far = 2000; %[2]s Leaf leaf = 536870911;
  %[3]s
}
message Leaf { %[2]s int32 n = 1; repeated int32 r = 2; }
`

// oracle reads a kind of message with the protobuf library.
type oracle struct {
	kind       message.Type
	descriptor protoreflect.MessageDescriptor
}

// oracles of the versions 2 and 3.
func oracles(t testing.TB) (two, three oracle) {
	t.Helper()
	directory := t.TempDir()
	make := func(file, text string) oracle {
		if err := os.WriteFile(filepath.Join(directory, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{ImportPaths: []string{directory}}}
		compiled, err := compiler.Compile(context.Background(), file)
		if err != nil {
			t.Fatal(err)
		}
		return oracle{
			define(t, file, "protobuf", message.Setting{Name: "ProtoPath", Value: directory}, message.Setting{Name: "ProtoFile", Value: file}, message.Setting{Name: "Type", Value: "oracle.Node"}),
			compiled[0].Messages().ByName("Node"),
		}
	}
	return make("two.proto", fmt.Sprintf(nodeProto, "proto2", "optional", `
			optional int32 seven = 30 [default = 7]; optional string usual = 31 [default = "usual"]; optional Side other_side = 32 [default = SELL]; optional double half = 33 [default = 0.5];
			optional group Extra = 34 { optional bool good = 1 [default = true]; optional Node below = 2; } repeated group Item = 35 { optional int32 q = 1 [default = -3]; }`)),
		make("three.proto", fmt.Sprintf(nodeProto, "proto3", "", "optional int32 maybe = 30;"))
}

func (o oracle) read(t interface{ Fatalf(string, ...any) }, body []byte) *dynamicpb.Message {
	m := dynamicpb.NewMessage(o.descriptor)
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(body, m); err != nil {
		t.Fatalf("%q: %v", body, err)
	}
	return m
}

// wireFields draws the fields of a message as they may stand on the wire: in
// any order, again, packed or not, and some that the schema does not have.
func wireFields(d protoreflect.MessageDescriptor, depth int) *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		var b []byte
		for range rapid.IntRange(0, 8).Draw(t, "fields") {
			fd := d.Fields().Get(rapid.IntRange(0, d.Fields().Len()-1).Draw(t, "field"))
			switch {
			case rapid.IntRange(0, 15).Draw(t, "strange") == 0:
				number := rapid.SampledFrom([]protowire.Number{19, 99, 3000, fd.Number()}).Draw(t, "number")
				b = protowire.AppendTag(b, number, protowire.Fixed32Type)
				b = protowire.AppendFixed32(b, 1)
				if number == fd.Number() && wireOf(fd.Kind()) == protowire.Fixed32Type {
					continue
				}
			case fd.IsMap(): // whole entries: the library panics over a key of another type
				entry := appendScalar(protowire.AppendTag(nil, 1, protowire.BytesType), protoreflect.StringKind, t)
				b = appendMessage(b, fd, appendScalar(protowire.AppendTag(entry, 2, protowire.VarintType), protoreflect.Int32Kind, t))
			case fd.Message() != nil:
				if depth > 0 {
					b = appendMessage(b, fd, wireFields(fd.Message(), depth-1).Draw(t, "below"))
				}
			case fd.IsList() && wireOf(fd.Kind()) != protowire.BytesType && rapid.Bool().Draw(t, "packed"):
				var values []byte
				for range rapid.IntRange(1, 4).Draw(t, "values") { // one without values clears the field; to the library it is not there
					values = appendScalar(values, fd.Kind(), t)
				}
				b = protowire.AppendBytes(protowire.AppendTag(b, fd.Number(), protowire.BytesType), values)
			default:
				b = appendScalar(protowire.AppendTag(b, fd.Number(), wireOf(fd.Kind())), fd.Kind(), t)
			}
		}
		return b
	})
}

func appendMessage(b []byte, fd protoreflect.FieldDescriptor, body []byte) []byte {
	if fd.Kind() == protoreflect.GroupKind {
		b = append(protowire.AppendTag(b, fd.Number(), protowire.StartGroupType), body...)
		return protowire.AppendTag(b, fd.Number(), protowire.EndGroupType)
	}
	return protowire.AppendBytes(protowire.AppendTag(b, fd.Number(), protowire.BytesType), body)
}

func appendScalar(b []byte, k protoreflect.Kind, t *rapid.T) []byte {
	bits := rapid.SampledFrom([]uint64{0, 1, 2, 127, 128, 300, 1 << 31, 1<<32 - 1, 1 << 33, 1 << 63, math.MaxUint64, math.MaxUint64 - 1, 0x400921fb54442d18, 0x40490fdb}).Draw(t, "bits")
	switch wireOf(k) {
	case protowire.Fixed32Type:
		return protowire.AppendFixed32(b, uint32(bits))
	case protowire.Fixed64Type:
		return protowire.AppendFixed64(b, bits)
	case protowire.BytesType:
		return protowire.AppendString(b, rapid.SampledFrom([]string{"", "x", "longer text", strings.Repeat("y", 200)}).Draw(t, "text"))
	}
	return protowire.AppendVarint(b, bits)
}

func wireOf(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	}
	return protowire.VarintType
}

// modelOf lists what a message holds, by path; with defaults as filters see it,
// without as documents do. Maps, which the library does not keep in order, are
// left out, as is what is NULL.
func modelOf(m protoreflect.Message, path string, defaults bool, into map[string][]string) {
	add := func(path string, v message.Value) {
		if !v.IsNull() {
			into[path] = append(into[path], show(v))
		}
	}
	below := func(path string, v protoreflect.Message) {
		add(path, message.BoolValue(true))
		modelOf(v, path, defaults, into)
	}
	for i := range m.Descriptor().Fields().Len() {
		fd := m.Descriptor().Fields().Get(i)
		path := path + "/" + string(fd.Name())
		chosen := fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic()
		switch {
		case fd.IsMap():
		case fd.IsList():
			list := m.Get(fd).List()
			for i := range list.Len() {
				if fd.Message() != nil {
					below(path, list.Get(i).Message())
				} else {
					add(path, scalarOf(fd, list.Get(i)))
				}
			}
		case fd.Message() != nil:
			if m.Has(fd) {
				below(path, m.Get(fd).Message())
			}
		case m.Has(fd) || defaults && !chosen:
			add(path, scalarOf(fd, m.Get(fd)))
		}
	}
}

func scalarOf(fd protoreflect.FieldDescriptor, v protoreflect.Value) message.Value {
	switch x := v.Interface().(type) {
	case bool:
		return message.BoolValue(x)
	case int32:
		return message.IntValue(int64(x))
	case int64:
		return message.IntValue(x)
	case uint32:
		return message.UintValue(uint64(x))
	case uint64:
		return message.UintValue(x)
	case float32:
		return message.FloatValue(float64(x))
	case float64:
		return message.FloatValue(x)
	case string:
		return message.StringValue([]byte(x))
	case []byte:
		return message.StringValue(x)
	case protoreflect.EnumNumber:
		return message.IntValue(int64(x))
	}
	panic(fmt.Sprintf("%s: %T", fd.FullName(), v.Interface()))
}

// pathsOf lists the paths of a kind of message, some levels deep.
func pathsOf(d protoreflect.MessageDescriptor, path string, depth int) (paths []string) {
	for i := range d.Fields().Len() {
		fd := d.Fields().Get(i)
		if fd.IsMap() {
			continue
		}
		paths = append(paths, path+"/"+string(fd.Name()))
		if fd.Message() != nil && depth > 1 {
			paths = append(paths, pathsOf(fd.Message(), path+"/"+string(fd.Name()), depth-1)...)
		}
	}
	return paths
}

// Extraction and documents against the protobuf library, over random messages
// and all their paths.
func TestProtobufAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	two, three := oracles(t)
	for _, o := range []oracle{two, three} {
		paths := pathsOf(o.descriptor, "", 3)
		few := message.NewTrie()
		trie := message.NewTrie()
		slots := make([]uint32, len(paths))
		for i, p := range paths {
			slots[i] = trie.Add(pathOf(p))
		}
		var values, parsed, alone message.Values
		var d message.Document
		rapid.Check(t, func(t *rapid.T) {
			body := wireFields(o.descriptor, 3).Draw(t, "body")
			m := o.read(t, body)
			want, present := map[string][]string{}, map[string][]string{}
			modelOf(m, "", true, want)
			modelOf(m, "", false, present)
			o.kind.Extract(body, trie, &values)
			if err := d.Read(o.kind, body); err != nil {
				t.Fatalf("%q: %v", body, err)
			}
			d.Extract(trie, &parsed)
			for i, p := range paths {
				if got := notNull(&values, slots[i]); !slices.Equal(got, want[p]) {
					t.Fatalf("%s of %q: %v, not %v", p, body, got, want[p])
				}
				// An absent field of version 3 cannot be told from one that is 0.
				if got := notNull(&parsed, slots[i]); o.kind == two.kind && !slices.Equal(got, present[p]) {
					t.Fatalf("%s of %q in the document: %v, not %v", p, body, got, present[p])
				}
			}
			p := rapid.SampledFrom(paths).Draw(t, "path")
			slot := few.Add(pathOf(p))
			o.kind.Extract(body, few, &alone)
			if got := notNull(&alone, slot); !slices.Equal(got, want[p]) {
				t.Fatalf("%s alone of %q: %v, not %v", p, body, got, want[p])
			}
			few.Remove(slot)
		})
	}
}

func notNull(values *message.Values, slot uint32) []string {
	return slices.DeleteFunc(all(values, slot), func(s string) bool { return s == "NULL" })
}

// mergeModel is 03-message-types §4 over messages of the library: scalars and
// repeated fields are replaced, messages merged.
func mergeModel(stored, delta protoreflect.Message) {
	delta.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if fd.Message() != nil && !fd.IsList() && !fd.IsMap() && stored.Has(fd) {
			mergeModel(stored.Mutable(fd).Message(), v.Message())
		} else {
			stored.Set(fd, v)
		}
		return true
	})
}

// Merges and differences, as the library reads them.
func TestProtobufMergesAsTheLibraryReads(t *testing.T) {
	t.Parallel()
	two, _ := oracles(t)
	read := func(t *rapid.T, d *message.Document, body []byte) {
		if err := d.Read(two.kind, body); err != nil {
			t.Fatalf("%q: %v", body, err)
		}
	}
	var d, e message.Document
	rapid.Check(t, func(t *rapid.T) {
		stored := wireFields(two.descriptor, 2).Draw(t, "stored")
		deltas := rapid.SliceOfN(wireFields(two.descriptor, 2), 1, 3).Draw(t, "deltas")
		want := two.read(t, stored)
		read(t, &d, stored)
		for _, delta := range deltas {
			mergeModel(want, two.read(t, delta))
			read(t, &e, delta)
			d.Merge(&e)
		}
		merged := two.kind.Write(nil, &d, 0)
		got := two.read(t, merged)
		forgetUnknown(got)
		forgetUnknown(want)
		if !proto.Equal(got, want) {
			t.Fatalf("%q + %q = %q:\ngot  %v\nwant %v", stored, deltas, merged, got, want)
		}
		if len(deltas) > 1 { // a member of a oneof that went and came may have lost fields, which no delta says
			return
		}
		// What a subscriber of deltas makes of the difference.
		read(t, &d, stored)
		read(t, &e, merged)
		e.Difference(&d, nil)
		difference := two.kind.Write(nil, &e, 0)
		read(t, &d, stored)
		read(t, &e, difference)
		d.Merge(&e)
		got = two.read(t, two.kind.Write(nil, &d, 0))
		forgetUnknown(got)
		if !proto.Equal(got, want) {
			t.Fatalf("%q to %q by %q:\ngot  %v\nwant %v", stored, merged, difference, got, want)
		}
	})
}

func forgetUnknown(m protoreflect.Message) {
	m.SetUnknown(nil)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Message() == nil || fd.IsMap():
		case fd.IsList():
			for i := range v.List().Len() {
				forgetUnknown(v.List().Get(i).Message())
			}
		default:
			forgetUnknown(v.Message())
		}
		return true
	})
}
