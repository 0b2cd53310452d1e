package message_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"farad/expr/message"
)

// bsonDoc makes a document of elements.
func bsonDoc(elements ...string) string {
	body := strings.Join(elements, "") + "\x00"
	return string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)+4))) + body
}

func bsonElement(kind byte, name, value string) string {
	return string([]byte{kind}) + name + "\x00" + value
}

func le32(n uint32) string { return string(binary.LittleEndian.AppendUint32(nil, n)) }
func le64(n uint64) string { return string(binary.LittleEndian.AppendUint64(nil, n)) }

func bsonText(name, text string) string {
	return bsonElement(2, name, le32(uint32(len(text)+1))+text+"\x00")
}

// bsonOfAll has an element of each type.
func bsonOfAll() string {
	return bsonDoc(
		bsonElement(1, "double", le64(math.Float64bits(2.5))), bsonText("string", "text"),
		bsonElement(3, "o", bsonDoc(bsonText("x", "deep"), bsonElement(3, "p", bsonDoc(bsonElement(0x10, "n", le32(7)))))),
		bsonElement(4, "list", bsonDoc(bsonElement(0x10, "0", le32(1)), bsonText("1", "two"), bsonElement(4, "2", bsonDoc(bsonElement(0x10, "0", le32(3)))), bsonElement(0x0a, "3", ""))),
		bsonElement(4, "docs", bsonDoc(bsonElement(3, "0", bsonDoc(bsonElement(0x10, "y", le32(1)))), bsonElement(3, "1", bsonDoc(bsonElement(0x10, "y", le32(2)))))),
		bsonElement(5, "binary", le32(3)+"\x00\x01\x02\xff"), bsonElement(6, "undefined", ""), bsonElement(7, "id", "\x50\x7f\x1f\x77\xbc\xf8\x6c\xd7\x99\x43\x90\x11"),
		bsonElement(8, "yes", "\x01"), bsonElement(8, "no", "\x00"), bsonElement(9, "when", le64(1700000000000)), bsonElement(0x0a, "null", ""),
		bsonElement(0x0b, "regex", "^a.*\x00i\x00"), bsonElement(0x0d, "code", le32(5)+"f();\x00"), bsonElement(0x0e, "symbol", le32(2)+"s\x00"),
		bsonElement(0x0f, "scoped", le32(4+4+5+5)+le32(5)+"g();\x00"+bsonDoc()), bsonElement(0x10, "int32", le32(math.MaxUint32)),
		bsonElement(0x11, "stamp", le64(5<<32|1)), bsonElement(0x12, "int64", le64(1<<40)), bsonElement(0x13, "decimal", le64(12345)+le64((6176-2)<<49)),
		bsonElement(0xff, "min", ""), bsonElement(0x7f, "max", ""), bsonElement(0x0c, "pointer", le32(2)+"c\x00"+strings.Repeat("\x01", 12)),
	)
}

func bsonSamples(t testing.TB) []sample {
	return []sample{{
		kind: define(t, "bson", "bson"),
		bodies: []string{
			bsonDoc(), bsonOfAll(), bsonDoc(bsonElement(0x10, "a", le32(1)), bsonText("b", "two"), bsonElement(0x10, "a", le32(2))),
			bsonDoc(bsonElement(3, "o", bsonDoc(bsonText("x", "other"), bsonElement(0x10, "z", le32(1)))), bsonElement(4, "list", bsonDoc()), bsonElement(3, "e", bsonDoc())),
		},
		paths: [3]message.Path{{"a"}, {"o", "b"}, {"o", "p", "c"}}, empty: "\x05\x00\x00\x00\x00",
	}}
}

func TestBSONValues(t *testing.T) {
	t.Parallel()
	kind := define(t, "bson", "bson")
	body := []byte(bsonOfAll())
	for path, want := range map[string][]string{
		"/double": {"2.5"}, "/string": {`"text"`}, "/o/x": {`"deep"`}, "/o/p/n": {"7"}, "/o": nil, "/list": {"1", `"two"`, "3", "NULL"}, "/docs/y": {"1", "2"},
		"/binary": {`"\x01\x02\xff"`}, "/undefined": {"NULL"}, "/id": {`"507f1f77bcf86cd799439011"`}, "/yes": {"true"}, "/no": {"false"}, "/when": {"1700000000000"},
		"/null": {"NULL"}, "/regex": {`"^a.*"`}, "/code": {`"f();"`}, "/symbol": {`"s"`}, "/scoped": {`"g();"`}, "/int32": {"-1"}, "/stamp": {"21474836481"},
		"/int64": {"1099511627776"}, "/decimal": {`"123.45"`}, "/min": {"NULL"}, "/max": {"NULL"}, "/pointer": {"NULL"}, "/none": nil,
	} {
		if got := extracted(kind, body, []string{path})[path]; !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", path, got, want)
		}
	}
	wrong := []byte(bsonDoc(bsonElement(0x10, "a", le32(1))) + "x")
	if got := extracted(kind, wrong, []string{"/a"}); len(got) > 0 {
		t.Errorf("a length that is not that of the message: %v", got)
	}
}

func TestDecimal128(t *testing.T) {
	t.Parallel()
	kind := define(t, "bson", "bson")
	for want, words := range map[string][2]uint64{
		"0": {6176 << 49, 0}, "-1.5": {1<<63 | (6176-1)<<49, 15}, "0.001": {(6176 - 3) << 49, 1}, "1E+3": {(6176 + 3) << 49, 1}, "1.2E-9": {(6176 - 10) << 49, 12},
		"Infinity": {0x78 << 56, 0}, "-Infinity": {0xf8 << 56, 0}, "NaN": {0x7c << 56, 0}, "9999999999999999999999999999999999": {6176<<49 | 0x1ed09bead87c0, 0x378d8e63ffffffff},
	} {
		body := []byte(bsonDoc(bsonElement(0x13, "d", le64(words[1])+le64(words[0]))))
		if got := extracted(kind, body, []string{"/d"})["/d"]; len(got) != 1 || got[0] != `"`+want+`"` {
			t.Errorf("%v, not %s", got, want)
		}
	}
}

func FuzzBSON(f *testing.F) {
	for _, s := range bsonSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, func(t testing.TB) message.Type { return define(t, "bson", "bson") }, "/a", "/o/x", "/list", "/docs/y", "/decimal")
}
