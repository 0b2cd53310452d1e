package message

import (
	"encoding/binary"
	"fmt"
	"math"
)

// BFlat is the type bflat (03-message-types §3.6): tagged values one behind the
// other, without nesting. A tag may come again, and is an array then, so every
// message is read to its end.
type BFlat struct{ name string }

func newBFlat(d Definition, _ *Types) (Type, error) {
	if len(d.Settings) > 0 {
		return nil, noSetting(d, 0)
	}
	return BFlat{d.Name}, nil
}

// Name returns the name that the type was defined under.
func (b BFlat) Name() string { return b.name }

// Capabilities are all.
func (BFlat) Capabilities() Capabilities { return everything }

// CanHold says that a path has one step.
func (b BFlat) CanHold(p Path) error {
	if len(p) != 1 || len(p[0]) == 0 {
		return fmt.Errorf("%s messages are flat: path %s has %d steps, expected one", b.name, p, len(p))
	}
	return nil
}

// An item's head: bit 7 says array, bits 6 to 3 are the type, bits 2 to 0 the
// length of the tag, or 0 when a number behind it is.
const (
	bflatArray = 0x80

	bflatNull     = 0
	bflatString   = 1
	bflatBinary   = 2
	bflatInt8     = 3
	bflatInt16    = 4
	bflatInt32    = 5
	bflatInt64    = 6
	bflatDouble   = 7
	bflatDateTime = 8
	bflatNumber   = 9 // signed LEB128
)

// bflatItem is the head of an item, by offsets.
type bflatItem struct {
	kind  byte
	array bool
	tag   []byte
	count int // of values
	value int // where the first begins
}

// bflatNullsMax bounds the nulls of an array: they take no bytes, so few of these
// could make very many values.
const bflatNullsMax = 64

// bflatHead reads the head at i; false at a fault.
func bflatHead(b []byte, i int) (bflatItem, bool) {
	item := bflatItem{kind: b[i] >> 3 & 0x0f, array: b[i]&bflatArray != 0, count: 1}
	length := uint64(b[i] & 7)
	i++
	if length == 0 {
		var n int
		if length, n = binary.Uvarint(b[i:]); n <= 0 {
			return item, false
		}
		i += n
	}
	if length > uint64(len(b)-i) || item.kind > bflatNumber {
		return item, false
	}
	item.tag = b[i : i+int(length) : i+int(length)]
	i += int(length)
	if item.array {
		count, n := binary.Uvarint(b[i:])
		// Every value but null has a byte at least.
		if n <= 0 || item.kind != bflatNull && count > uint64(len(b)-i-n) || item.kind == bflatNull && count > bflatNullsMax {
			return item, false
		}
		item.count = int(count)
		i += n
	}
	item.value = i
	return item, true
}

// bflatWidths are the sizes of the values that have one.
var bflatWidths = [...]int{bflatInt8: 1, bflatInt16: 2, bflatInt32: 4, bflatInt64: 8, bflatDouble: 8, bflatDateTime: 8, bflatNumber: 0}

// bflatValue reads a value at i; the end is -1 at a fault.
func bflatValue(kind byte, b []byte, i int) (Value, int) {
	switch kind {
	case bflatNull:
		return Value{}, i
	case bflatString, bflatBinary:
		length, n := binary.Uvarint(b[i:])
		if n <= 0 || length > uint64(len(b)-i-n) {
			return Value{}, -1
		}
		end := i + n + int(length)
		return StringValue(b[i+n : end : end]), end
	case bflatNumber:
		return leb128(b, i)
	}
	end := i + bflatWidths[kind]
	if end > len(b) {
		return Value{}, -1
	}
	var bits uint64
	for j := end - 1; j >= i; j-- {
		bits = bits<<8 | uint64(b[j])
	}
	if kind == bflatDouble {
		return FloatValue(math.Float64frombits(bits)), end
	}
	shift := 64 - 8*(end-i)
	return IntValue(int64(bits<<shift) >> shift), end
}

// leb128Max is the most bytes that a number of 128 bits takes.
const leb128Max = 19

// leb128 reads a signed number of up to 128 bits; beyond 64 it is a float.
func leb128(b []byte, i int) (Value, int) {
	var low, high uint64
	for n := 0; n < leb128Max && i+n < len(b); n++ {
		c := b[i+n]
		group, shift := uint64(c&0x7f), uint(7*n)
		if shift < 64 {
			low |= group << shift
			high |= group >> (64 - shift)
		} else {
			high |= group << (shift - 64)
		}
		if c&0x80 != 0 {
			continue
		}
		if shift += 7; c&0x40 != 0 && shift < 128 { // negative: ones above
			if shift < 64 {
				low |= ^uint64(0) << shift
				high = ^uint64(0)
			} else {
				high |= ^uint64(0) << (shift - 64)
			}
		}
		if high == uint64(int64(low)>>63) {
			return IntValue(int64(low)), i + n + 1
		}
		return FloatValue(float64(int64(high))*(1<<64) + float64(low)), i + n + 1
	}
	return Value{}, -1
}

// Extract reads all items.
func (BFlat) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	BFlat{}.extractAt(body, t.root, out)
}

func (BFlat) extractAt(body []byte, root *node, out *Values) {
	if len(root.children) == 0 {
		return
	}
	for i := 0; i < len(body); {
		item, ok := bflatHead(body, i)
		if !ok {
			return
		}
		n := root.child(item.tag)
		i = item.value
		for range item.count {
			v, end := bflatValue(item.kind, body, i)
			if end < 0 {
				return
			}
			if n != nil && n.slot >= 0 {
				out.add(n.slot, v)
			}
			i = end
		}
	}
}

// Parse makes a field of each item.
func (f BFlat) Parse(body []byte, d *Document, at int32) error {
	for i := 0; i < len(body); {
		item, ok := bflatHead(body, i)
		if !ok {
			return &ParseError{Type: f.name, Offset: i, Found: fmt.Sprintf("bytes % x", body[i:min(i+8, len(body))]), Expected: "the head of a value of a known type, with its tag"}
		}
		start := i
		field := Field{Name: item.tag, Form: Scalar}
		if item.array {
			field.Form = Array
		}
		n := d.Append(at, field)
		i = item.value
		for range item.count {
			v, end := bflatValue(item.kind, body, i)
			if end < 0 || d.Full() {
				return &ParseError{Type: f.name, Offset: i, Found: "a value that does not end, or more values than " + fmt.Sprint(FieldsMax), Expected: fmt.Sprintf("%d values of type %d", item.count, item.kind)}
			}
			if item.array {
				d.Append(n, Field{Value: v})
			} else {
				d.fields[n].Value = v
			}
			i = end
		}
		d.fields[n].Raw = body[start:i:i]
	}
	d.fields[at].Raw = body
	return nil
}

// Write writes numbers in the smallest type, so types may change; Booleans are
// int8. Nested fields cannot be written and are not.
func (f BFlat) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		field := &d.fields[i]
		switch {
		case field.Raw != nil:
			dst = append(dst, field.Raw...)
		case field.Form == Scalar:
			kind := bflatKind(field.Value)
			dst = appendBFlatValue(appendBFlatTag(dst, kind, field.Name), kind, field.Value)
		case field.Form == Array:
			dst = appendBFlatArray(dst, d, i)
		}
	}
	return dst
}

func appendBFlatTag(dst []byte, head byte, tag []byte) []byte {
	head = head&bflatArray | head&0x0f<<3
	if len(tag) >= 1 && len(tag) <= 7 {
		dst = append(dst, head|byte(len(tag)))
	} else {
		dst = binary.AppendUvarint(append(dst, head), uint64(len(tag)))
	}
	return append(dst, tag...)
}

// appendBFlatArray writes an array of one type that holds all its values, or,
// when there is none, the values one by one under the same tag.
func appendBFlatArray(dst []byte, d *Document, at int32) []byte {
	kind, count, alike := byte(0), uint64(0), true
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		k := bflatKind(d.fields[i].Value)
		switch integers := isBFlatInteger(k) && isBFlatInteger(kind); {
		case count == 0:
			kind = k
		case integers:
			kind = max(kind, k)
		case k != kind:
			alike = false
		}
		count++
	}
	if alike {
		dst = appendBFlatTag(dst, kind|bflatArray, d.fields[at].Name)
		dst = binary.AppendUvarint(dst, count)
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		v := d.fields[i].Value
		if !alike {
			kind = bflatKind(v)
			dst = appendBFlatTag(dst, kind, d.fields[at].Name)
		}
		dst = appendBFlatValue(dst, kind, v)
	}
	return dst
}

func isBFlatInteger(kind byte) bool { return kind >= bflatInt8 && kind <= bflatInt64 }

// bflatKind is the smallest type that holds a scalar; NaN is an integer, 0.
func bflatKind(v Value) byte {
	switch n := v.Parsed(); n.Kind {
	case Null:
		return bflatNull
	case String:
		return bflatString
	case Bool:
		return bflatInt8
	case Uint:
		return bflatNumber
	case Int:
		switch i := n.Int(); {
		case i == int64(int8(i)):
			return bflatInt8
		case i == int64(int16(i)):
			return bflatInt16
		case i == int64(int32(i)):
			return bflatInt32
		}
		return bflatInt64
	default:
		if n.IsNaN() {
			return bflatInt8
		}
		return bflatDouble
	}
}

func appendBFlatValue(dst []byte, kind byte, v Value) []byte {
	n := v.Parsed()
	switch kind {
	case bflatNull:
		return dst
	case bflatString:
		return append(binary.AppendUvarint(dst, uint64(len(n.Text))), n.Text...)
	case bflatDouble:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(n.AsFloat()))
	case bflatNumber: // an integer above int64: nine groups of 7 bits, then one with a 0 for the sign
		u := n.Uint()
		for range 9 {
			dst = append(dst, byte(u)|0x80)
			u >>= 7
		}
		return append(dst, byte(u))
	}
	var bits uint64
	if !n.IsNaN() {
		bits = uint64(n.Int())
	}
	for range bflatWidths[kind] {
		dst = append(dst, byte(bits))
		bits >>= 8
	}
	return dst
}
