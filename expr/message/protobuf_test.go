package message_test

import (
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
	} {
		if got := merged(t, kind, stored, delta); got != want {
			t.Errorf("%q + %q = %q, not %q", stored, delta, got, want)
		}
	}
	var d, old message.Document
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
	for file, text := range map[string]string{"good.proto": `syntax = "proto2"; message M { optional int32 a = 1; } enum E { X = 0; }`, "bad.proto": "syntax = \"proto2\";\nmessage M { optional int32 }", "alone.proto": `import "lost/x.proto"; message M {}`} {
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
		{[]message.Setting{path, {Name: "ProtoFile", Value: "good.proto"}, {Name: "Type", Value: "N"}}, 2, `no message "N"`},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "good.proto"}, {Name: "Type", Value: "E"}}, 2, `"E" is no message`},
		{[]message.Setting{path, {Name: "ProtoFile", Value: "bad.proto"}, {Name: "Type", Value: "M"}}, 1, "bad.proto:2:"},
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
}

func FuzzProtobuf(f *testing.F) {
	kind := protoType(f, "trade.Order")
	for _, s := range protoSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	trie := message.NewTrie()
	for _, p := range []string{"/id", "/party/name", "/parties/rank", "/packed", "/extra/e", "/child/child/id"} {
		trie.Add(pathOf(p))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var values message.Values
		var d message.Document
		kind.Extract(body, trie, &values)
		err := d.Read(kind, body)
		if written := kind.Write(nil, &d, 0); err == nil && string(written) != string(body) {
			t.Fatalf("%q was written as %q", body, written)
		}
	})
}
