package message_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"farad/expr/message"

	"google.golang.org/protobuf/encoding/protowire"
)

const orderProto = `syntax = "proto2";
package trade;
import "common/money.proto";
message Order {
  required int32 id = 1;
  optional string symbol = 2;
  optional int32 f = 3 [default = 7];
  repeated int32 fills = 4;
  repeated int32 packed = 5 [packed = true];
  optional Party party = 6;
  repeated Party parties = 7;
  map<string, int32> limits = 8;
  optional Side side = 9 [default = SELL];
  optional double px = 10;
  optional bytes raw = 11;
  optional sint64 z = 12;
  optional fixed32 x32 = 13;
  optional sfixed64 x64 = 14;
  optional float half = 15;
  optional bool live = 16;
  optional uint64 big = 17;
  optional group Extra = 18 { optional int32 e = 1; }
  optional shared.Money money = 19;
  optional Order child = 20;
}
message Party { optional string name = 1; optional int32 rank = 2 [default = 3]; optional Party boss = 3; }
enum Side { BUY = 1; SELL = 2; }
message MyUnion {
  oneof choice { OrderType order_type = 1; PaymentType payment_type = 2; int32 plain = 3; }
}
message OrderType { optional int32 id = 1; }
message PaymentType { optional string customer_id = 1; }
`

const moneyProto = `syntax = "proto2"; package shared; message Money { optional int64 amount = 1; optional string currency = 2 [default = "USD"]; }`

const quoteProto = `syntax = "proto3"; package trade; message Quote { int32 n = 1; string s = 2; optional int32 o = 3; repeated int32 r = 4; bool b = 5; }`

// protoType declares a message of the .proto files above.
func protoType(t testing.TB, name string) message.Type {
	t.Helper()
	directory := t.TempDir()
	for file, text := range map[string]string{"order.proto": orderProto, "lib/money.proto": moneyProto, "quote.proto": quoteProto} {
		path := filepath.Join(directory, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := "order.proto"
	if name == "trade.Quote" {
		file = "quote.proto"
	}
	return define(t, "proto", "protobuf", message.Setting{Name: "ProtoPath", Value: directory}, message.Setting{Name: "ProtoPath", Value: "common;" + directory + "/lib"},
		message.Setting{Name: "ProtoFile", Value: file}, message.Setting{Name: "Type", Value: name})
}

func protoVarint(number protowire.Number, v uint64) string {
	return string(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), v))
}

func protoText(number protowire.Number, text string) string {
	return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), text))
}

func protoFixed(number protowire.Number, wire protowire.Type, bits string) string {
	return string(protowire.AppendTag(nil, number, wire)) + bits
}

// orderOfAll has a field of each kind, and one that the schema does not know.
func orderOfAll() string {
	party := func(name string, rank uint64) string { return protoText(1, name) + protoVarint(2, rank) }
	return protoVarint(1, 42) + protoText(2, "IBM") + protoVarint(4, 1) + protoVarint(4, 2) + protoText(5, "\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") +
		protoText(6, party("ann", 1)+protoText(3, party("bob", 2))) + protoText(7, party("p", 5)) + protoText(7, party("q", 6)) +
		protoText(8, protoText(1, "k1")+protoVarint(2, 10)) + protoText(8, protoText(1, "k2")+protoVarint(2, 20)) + protoVarint(9, 1) +
		protoFixed(10, protowire.Fixed64Type, "\x00\x00\x00\x00\x00\x00\x04\x40") + protoText(11, "\x00\xff") + protoVarint(12, 3) + protoFixed(13, protowire.Fixed32Type, "\xff\xff\xff\xff") +
		protoFixed(14, protowire.Fixed64Type, "\xff\xff\xff\xff\xff\xff\xff\xff") + protoFixed(15, protowire.Fixed32Type, "\x00\x00\x00\x3f") + protoVarint(16, 1) + protoVarint(17, 1<<63) +
		protoFixed(18, protowire.StartGroupType, protoVarint(1, 9)) + protoFixed(18, protowire.EndGroupType, "") + protoText(19, protoVarint(1, 5)) + protoText(20, protoVarint(1, 1)+protoText(20, protoVarint(1, 2))) +
		protoText(99, "unknown")
}

func protoSamples(t testing.TB) []sample {
	return []sample{
		{kind: protoType(t, "trade.Order"), bodies: []string{orderOfAll(), protoVarint(1, 1), protoVarint(1, 1) + protoText(6, protoText(1, "zed")) + protoVarint(4, 9), protoVarint(1, 1) + protoFixed(18, protowire.StartGroupType, protoVarint(1, 8)) + protoFixed(18, protowire.EndGroupType, "")}},
		{kind: protoType(t, "trade.Quote"), bodies: []string{protoVarint(1, 5) + protoText(2, "s"), protoVarint(1, 5) + protoText(2, "t") + protoText(4, "\x01\x02") + protoVarint(4, 3)}},
	}
}

// 03-message-types #13, and the part of #12 on filters: defaults, presence,
// values of all kinds.
func TestProtobufValues(t *testing.T) {
	t.Parallel()
	order, union, quote := protoType(t, "trade.Order"), protoType(t, "trade.MyUnion"), protoType(t, "trade.Quote")
	payment := protoText(2, protoText(1, "42"))
	for _, c := range []struct {
		kind       message.Type
		body, path string
		want       []string
	}{
		{order, orderOfAll(), "/id", []string{"42"}}, {order, orderOfAll(), "/symbol", []string{`"IBM"`}}, {order, orderOfAll(), "/f", []string{"7"}},
		{order, orderOfAll(), "/fills", []string{"1", "2"}}, {order, orderOfAll(), "/packed", []string{"1", "2", "-1"}}, {order, orderOfAll(), "/party", []string{"true"}},
		{order, orderOfAll(), "/party/name", []string{`"ann"`}}, {order, orderOfAll(), "/party/boss/name", []string{`"bob"`}}, {order, orderOfAll(), "/parties/name", []string{`"p"`, `"q"`}},
		{order, orderOfAll(), "/parties/rank", []string{"5", "6"}}, {order, protoText(7, protoText(1, "q")), "/parties/rank", []string{"3"}}, {order, orderOfAll(), "/limits/key", []string{`"k1"`, `"k2"`}}, {order, orderOfAll(), "/limits/value", []string{"10", "20"}},
		{order, orderOfAll(), "/side", []string{"1"}}, {order, orderOfAll(), "/px", []string{"2.5"}}, {order, orderOfAll(), "/raw", []string{`"\x00\xff"`}}, {order, orderOfAll(), "/z", []string{"-2"}},
		{order, orderOfAll(), "/x32", []string{"4294967295"}}, {order, orderOfAll(), "/x64", []string{"-1"}}, {order, orderOfAll(), "/half", []string{"0.5"}}, {order, orderOfAll(), "/live", []string{"true"}},
		{order, orderOfAll(), "/big", []string{"9223372036854775808"}}, {order, orderOfAll(), "/extra/e", []string{"9"}}, {order, orderOfAll(), "/money/amount", []string{"5"}},
		{order, orderOfAll(), "/money/currency", []string{`"USD"`}}, {order, orderOfAll(), "/child/child/id", []string{"2"}}, {order, orderOfAll(), "/none", nil},
		{order, "", "/f", []string{"7"}}, {order, "", "/side", []string{"2"}}, {order, "", "/symbol", nil}, {order, "", "/live", []string{"false"}}, {order, "", "/party", nil}, {order, "", "/party/rank", nil},
		{order, protoVarint(3, 1) + protoVarint(3, 2), "/f", []string{"2"}},
		{order, protoText(6, protoText(1, "a")+protoVarint(2, 4)) + protoText(6, protoText(1, "b")), "/party/name", []string{`"b"`}},
		{order, protoText(6, protoText(1, "a")+protoVarint(2, 4)) + protoText(6, protoText(1, "b")), "/party/rank", []string{"4"}},
		{order, protoVarint(1, 1) + "\xff", "/id", []string{"1"}}, {order, protoText(1, "wrong wire"), "/id", []string{"0"}},
		{union, payment, "/order_type", nil}, {union, payment, "/payment_type", []string{"true"}}, {union, payment, "/payment_type/customer_id", []string{`"42"`}}, {union, payment, "/plain", nil},
		{quote, "", "/n", []string{"0"}}, {quote, "", "/s", nil}, {quote, "", "/o", []string{"0"}}, {quote, "", "/b", []string{"false"}}, {quote, "", "/r", nil},
	} {
		if got := extracted(c.kind, []byte(c.body), []string{c.path})[c.path]; !slices.Equal(got, c.want) {
			t.Errorf("%q, %s: %v, not %v", c.body, c.path, got, c.want)
		}
	}
	if c := order.Capabilities(); !c.Delta || c.Select || c.Output {
		t.Errorf("version 2: %+v", c)
	}
	if c := quote.Capabilities(); c.Delta || c.Select || !c.Parsed {
		t.Errorf("version 3: %+v", c)
	}
}

// 03-message-types #12, the part on deltas: an absent default is not sent.
func TestProtobufDeltas(t *testing.T) {
	t.Parallel()
	kind := protoType(t, "trade.Order")
	stored := protoVarint(1, 1) + protoVarint(4, 1) + protoVarint(4, 2) + protoText(6, protoText(1, "ann")+protoVarint(2, 4)) + protoText(99, "kept")
	for delta, want := range map[string]string{
		protoVarint(1, 1) + protoVarint(3, 8): stored + protoVarint(3, 8),
		protoVarint(4, 9):                     protoVarint(1, 1) + protoVarint(4, 9) + protoText(6, protoText(1, "ann")+protoVarint(2, 4)) + protoText(99, "kept"),
		protoText(6, protoText(1, "bob")):     protoVarint(1, 1) + protoVarint(4, 1) + protoVarint(4, 2) + protoText(6, protoText(1, "bob")+protoVarint(2, 4)) + protoText(99, "kept"),
		protoText(6, protoText(3, "")):        protoVarint(1, 1) + protoVarint(4, 1) + protoVarint(4, 2) + protoText(6, protoText(1, "ann")+protoVarint(2, 4)+protoText(3, "")) + protoText(99, "kept"),
		protoText(99, "other"):                protoVarint(1, 1) + protoVarint(4, 1) + protoVarint(4, 2) + protoText(6, protoText(1, "ann")+protoVarint(2, 4)) + protoText(99, "other"),
		protoText(4, ""):                      protoVarint(1, 1) + protoText(4, "") + protoText(6, protoText(1, "ann")+protoVarint(2, 4)) + protoText(99, "kept"),
	} {
		if got := merged(t, kind, stored, delta); got != want {
			t.Errorf("%q + %q = %q, not %q", stored, delta, got, want)
		}
	}
	// A single message of a repeated field is replaced like several, and sent whole.
	one, other := protoText(7, protoText(1, "p")+protoVarint(2, 5)), protoText(7, protoText(1, "q"))
	if got := merged(t, kind, one, other); got != other {
		t.Errorf("%q + %q = %q", one, other, got)
	}
	var d, old message.Document
	_ = old.Read(kind, []byte(one))
	_ = d.Read(kind, []byte(protoText(7, protoText(1, "q")+protoVarint(2, 5))))
	d.Difference(&old, nil)
	if got := string(kind.Write(nil, &d, 0)); got != protoText(7, protoText(1, "q")+protoVarint(2, 5)) {
		t.Errorf("difference %q", got)
	}
	_ = old.Read(kind, []byte(protoVarint(1, 1)+protoText(2, "a")))
	_ = d.Read(kind, []byte(protoVarint(1, 1)+protoText(2, "b")))
	d.Difference(&old, []message.Path{{"id"}})
	if got := string(kind.Write(nil, &d, 0)); got != protoVarint(1, 1)+protoText(2, "b") {
		t.Errorf("difference %q", got)
	}
}

func TestProtobufDeclarationsAreChecked(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	for file, text := range map[string]string{"good.proto": `syntax = "proto2"; message M { optional int32 a = 1; } enum E { X = 0; }`, "bad.proto": "syntax = \"proto2\";\nmessage M { optional int32 }", "other.proto": `message Other { optional int32 a = 1; }`, "alone.proto": `import "lost/x.proto"; message M {}`} {
		if err := os.WriteFile(filepath.Join(directory, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := message.Setting{Name: "ProtoPath", Value: ";" + directory}
	for _, c := range []struct {
		settings []message.Setting
		at       int
		want     string
	}{
		{[]message.Setting{{Name: "ProtoFile", Value: "good.proto"}, {Name: "Type", Value: "M"}}, -1, "no ProtoPath"},
		{[]message.Setting{path, {Name: "Type", Value: "M"}}, -1, "no ProtoFile"},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "good.proto"}}, -1, "no Type"},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "good.proto"}, {Name: "Type", Value: "N"}}, 2, `no "N" in good.proto`},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "good.proto"}, {Name: "Type", Value: "E"}}, 2, `"E", which is no message`},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "bad.proto"}, {Name: "Type", Value: "M"}}, 1, "bad.proto:2:"},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "good.proto"}, {Name: "ProtoFile", Value: "bad.proto"}, {Name: "ProtoFile", Value: "other.proto"}, {Name: "Type", Value: "M"}}, 2, "bad.proto:2:"},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "absent.proto"}, {Name: "Type", Value: "M"}}, 1, "absent.proto"},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "alone.proto"}, {Name: "Type", Value: "M"}}, 1, "lost/x.proto"},
		{[]message.Setting{path, {Name: "Quux"}}, 1, "setting Quux"},
	} {
		err := message.NewTypes().Define(message.Definition{Name: "p", Module: "protobuf", Settings: c.settings})
		d, ok := err.(*message.DefinitionError)
		if !ok || d.Setting != c.at || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.settings, err)
		}
	}
	err := message.NewTypes().Define(message.Definition{Name: "p", Module: "protobuf", Settings: []message.Setting{{Name: "ProtoPath", Value: "a;" + directory}, {Name: "ProtoFile", Value: "a/good.proto"}, {Name: "Type", Value: "M"}}})
	if err != nil {
		t.Errorf("an alias in front of a file: %v", err)
	}
	two := define(t, "p", "protobuf", message.Setting{Name: "ProtoPath", Value: directory}, message.Setting{Name: "ProtoFile", Value: "other.proto"}, message.Setting{Name: "ProtoFile", Value: "good.proto"}, message.Setting{Name: "Type", Value: "Other"})
	if !two.Capabilities().Delta {
		t.Error("a file without a syntax line is not of version 2")
	}
}

// Of the members of a oneof the last one in the message is the chosen one, and
// what stood before is forgotten; messages that come twice are one, unless
// another member stood between them.
func TestProtobufOneofs(t *testing.T) {
	t.Parallel()
	kind := protoType(t, "trade.MyUnion")
	order, payment, plain := protoText(1, protoVarint(1, 5)), protoText(2, protoText(1, "42")), protoVarint(3, 7)
	paths := []string{"/order_type", "/order_type/id", "/payment_type", "/payment_type/customer_id", "/plain"}
	for body, want := range map[string]map[string][]string{
		order:           {"/order_type": {"true"}, "/order_type/id": {"5"}},
		order + payment: {"/payment_type": {"true"}, "/payment_type/customer_id": {`"42"`}},
		payment + order: {"/order_type": {"true"}, "/order_type/id": {"5"}},
		order + plain:   {"/plain": {"7"}},
		payment + plain + protoText(2, "") + order + protoText(1, ""): {"/order_type": {"true"}, "/order_type/id": {"5"}},
		payment + plain + protoText(2, ""):                            {"/payment_type": {"true"}},
		plain + protoText(3, "of another wire type"):                  {"/plain": {"7"}},
	} {
		if got := extracted(kind, []byte(body), paths); !sameLeaves(got, want) {
			t.Errorf("%q: %v, not %v", body, got, want)
		}
		for _, p := range paths { // where the rivals are not wanted
			if got := extracted(kind, []byte(body), []string{p}); !slices.Equal(got[p], want[p]) {
				t.Errorf("%q, %s alone: %v, not %v", body, p, got[p], want[p])
			}
		}
		var d message.Document
		if err := d.Read(kind, []byte(body)); err != nil {
			t.Fatal(err)
		}
		got := leaves(&d)
		delete(got, "")
		delete(want, "/order_type/id") // has a default
		delete(got, "/order_type/id")
		if !sameLeaves(got, want) {
			t.Errorf("%q in a document: %v, not %v", body, got, want)
		}
	}
	for _, c := range []struct{ stored, delta, want string }{
		{order, payment, payment}, {payment, order, order}, {order, plain, plain},
		{order, protoText(1, protoVarint(1, 6)), protoText(1, protoVarint(1, 6))},
	} {
		if got := merged(t, kind, c.stored, c.delta); got != c.want {
			t.Errorf("%q + %q = %q, not %q", c.stored, c.delta, got, c.want)
		}
	}
}

func TestProtobufFaultsNameThePlace(t *testing.T) {
	t.Parallel()
	kind := protoType(t, "trade.Order")
	id := protoVarint(1, 1)
	deep := "" // 100 levels with the message itself
	for range 99 {
		deep = protoText(20, deep)
	}
	for _, c := range []struct {
		body   string
		offset int
		want   string
	}{
		{id + "\xff", 2, "found bytes ff, expected a tag"},
		{id + "\x00", 2, "expected a tag, with a field number from 1"},
		{id + "\x12\x05ab", 2, "a value of field 2 that is cut off"},
		{id + "\x12\xff\xff\xff\xff\xff\xff\xff\xff\x7fab", 2, "a value of field 2 that is cut off"},
		{id + "\x0c", 2, "the end of group 1"},
		{id + "\x0f", 2, "wire type 7 of field 1"},
		{id + "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 2, "field 1 that is cut off or too long"},
		{id + protoText(5, "\x01\x80"), 5, "values of field 5"},
		{id + protoText(6, protoText(1, "ann")+"\x0a\x09"), 9, "value of field 1 that is cut off"},
		{id + protoText(6, "") + protoText(6, "\x0a\x09"), 6, "value of field 1 that is cut off"},
		{strings.Repeat("\xa3\x06", 100_000), 0, "value of field 100 that is cut off"},
		{protoText(20, deep), len(protoText(20, deep)), "found 101 levels, expected at most 100"},
	} {
		var d message.Document
		err := d.Read(kind, []byte(c.body))
		var fault *message.ParseError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) || fault.Offset != c.offset {
			t.Errorf("%q: %v", c.body[:min(len(c.body), 40)], err)
		}
		extracted(kind, []byte(c.body), []string{"/none", "/party/name", "/packed", "/child" + strings.Repeat("/child", 120) + "/id"})
	}
	var d message.Document
	if err := d.Read(kind, []byte(deep)); err != nil {
		t.Errorf("100 levels: %v", err)
	}
}

// The paths are those without defaults, which documents do not have.
func FuzzProtobuf(f *testing.F) {
	for _, s := range protoSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, func(t testing.TB) message.Type { return protoType(t, "trade.Order") }, "/fills", "/packed", "/party", "/parties", "/limits", "/extra", "/child/fills", "/child/child/parties/boss", "/money")
}

func FuzzProtobufOneof(f *testing.F) {
	f.Add([]byte(protoText(1, protoVarint(1, 5)) + protoText(2, protoText(1, "42")) + protoVarint(3, 7)))
	fuzzType(f, func(t testing.TB) message.Type { return protoType(t, "trade.MyUnion") }, "/order_type", "/payment_type", "/plain")
}

// BenchmarkExtractProtobuf reads 1, 5 and 20 fields of messages of about 150
// bytes and 1 KB.
func BenchmarkExtractProtobuf(b *testing.B) {
	kind := protoType(b, "trade.Order")
	small := orderOfAll()
	large := small + protoText(2, strings.Repeat("s", 100)) + strings.Repeat(protoText(7, protoText(1, "Ann Example")+protoVarint(2, 4)), 40)
	paths := []string{"/live", "/id", "/symbol", "/px", "/party/name", "/f", "/fills", "/side", "/raw", "/z", "/x32", "/x64", "/half", "/big", "/extra/e", "/money/amount", "/money/currency", "/child/id", "/party/rank", "/party/boss/name"}
	for _, body := range []string{small, large} {
		for _, fields := range []int{1, 5, 20} {
			b.Run(fmt.Sprintf("bytes=%d/fields=%d", len(body), fields), func(b *testing.B) { benchmarkExtract(b, kind, body, paths[:fields]) })
		}
	}
}

func benchmarkExtract(b *testing.B, kind message.Type, body string, paths []string) {
	trie := message.NewTrie()
	for _, p := range paths {
		trie.Add(pathOf(p))
	}
	var values message.Values
	bytes := []byte(body)
	b.SetBytes(int64(len(bytes)))
	b.ReportAllocs()
	for b.Loop() {
		kind.Extract(bytes, trie, &values)
	}
}

func BenchmarkParseProtobuf(b *testing.B) {
	kind := protoType(b, "trade.Order")
	body := []byte(orderOfAll())
	var d message.Document
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Read(kind, body); err != nil {
			b.Fatal(err)
		}
	}
}
