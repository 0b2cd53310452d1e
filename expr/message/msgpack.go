package message

import (
	"encoding/binary"
	"math"
	"strconv"
)

// MessagePack is the type msgpack (03-message-types §3.5). The root is a map;
// integer keys are steps in decimal, other keys than those and strings are on no
// path. Names that come again make arrays, so a map is read to its end; what
// nobody wants is passed without being looked into. Bytes behind the root are
// not read.
type MessagePack struct{ name string }

// packDepthMax bounds how deep maps and arrays are followed.
const packDepthMax = 512

func newMessagePack(d Definition, _ *Types) (Type, error) {
	if len(d.Settings) > 0 {
		return nil, noSetting(d, 0)
	}
	return MessagePack{d.Name}, nil
}

// Name returns the name that the type was defined under.
func (m MessagePack) Name() string { return m.name }

// Capabilities are all.
func (MessagePack) Capabilities() Capabilities { return everything }

// packKind is what an item is.
type packKind uint8

const (
	packFault packKind = iota
	packScalar
	packMap
	packArray
)

// packItem is one item, or the head of a map or an array.
type packItem struct {
	kind  packKind
	value Value
	count int // of a map's pairs or an array's elements
	end   int // behind the scalar or the head
}

// packNext reads the item at i.
func packNext(b []byte, i int) packItem {
	if i >= len(b) {
		return packItem{}
	}
	c := b[i]
	switch {
	case c <= 0x7f, c >= 0xe0:
		return packItem{kind: packScalar, value: IntValue(int64(int8(c))), end: i + 1}
	case c <= 0x8f:
		return packItem{kind: packMap, count: int(c & 0x0f), end: i + 1}
	case c <= 0x9f:
		return packItem{kind: packArray, count: int(c & 0x0f), end: i + 1}
	case c <= 0xbf:
		return packText(b, i+1, int(c&0x1f))
	}
	switch c {
	case 0xc0:
		return packItem{kind: packScalar, end: i + 1}
	case 0xc2, 0xc3:
		return packItem{kind: packScalar, value: BoolValue(c == 0xc3), end: i + 1}
	case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8: // ext of a fixed size: a type, the bytes
		return packText(b, i+2, 1<<(c-0xd4))
	}
	return packSized(b, i)
}

// packSized reads an item whose value or size has a fixed number of bytes.
func packSized(b []byte, i int) packItem {
	widths := [...]uint8{ // by the lower bits of the code, 0xc4 to 0xdf
		0xc4 - 0xc0: 1, 0xc5 - 0xc0: 2, 0xc6 - 0xc0: 4, 0xc7 - 0xc0: 1, 0xc8 - 0xc0: 2, 0xc9 - 0xc0: 4, 0xca - 0xc0: 4, 0xcb - 0xc0: 8,
		0xcc - 0xc0: 1, 0xcd - 0xc0: 2, 0xce - 0xc0: 4, 0xcf - 0xc0: 8, 0xd0 - 0xc0: 1, 0xd1 - 0xc0: 2, 0xd2 - 0xc0: 4, 0xd3 - 0xc0: 8,
		0xd9 - 0xc0: 1, 0xda - 0xc0: 2, 0xdb - 0xc0: 4, 0xdc - 0xc0: 2, 0xdd - 0xc0: 4, 0xde - 0xc0: 2, 0xdf - 0xc0: 4,
	}
	c := b[i]
	width := int(widths[c-0xc0])
	end := i + 1 + width
	if width == 0 || end > len(b) {
		return packItem{}
	}
	var n uint64
	for _, part := range b[i+1 : end] {
		n = n<<8 | uint64(part)
	}
	switch c {
	case 0xc4, 0xc5, 0xc6, 0xd9, 0xda, 0xdb:
		return packText(b, end, int(n))
	case 0xc7, 0xc8, 0xc9: // ext: a type in front of the bytes
		return packText(b, end+1, int(n))
	case 0xca:
		return packItem{kind: packScalar, value: FloatValue(float64(math.Float32frombits(uint32(n)))), end: end}
	case 0xcb:
		return packItem{kind: packScalar, value: FloatValue(math.Float64frombits(n)), end: end}
	case 0xcc, 0xcd, 0xce, 0xcf:
		return packItem{kind: packScalar, value: UintValue(n), end: end}
	case 0xd0, 0xd1, 0xd2, 0xd3:
		shift := 64 - 8*width
		return packItem{kind: packScalar, value: IntValue(int64(n<<shift) >> shift), end: end}
	case 0xdc, 0xdd:
		return packItem{kind: packArray, count: int(n), end: end}
	}
	return packItem{kind: packMap, count: int(n), end: end}
}

func packText(b []byte, start, length int) packItem {
	end := start + length
	if length < 0 || end > len(b) {
		return packItem{}
	}
	return packItem{kind: packScalar, value: StringValue(b[start:end:end]), end: end}
}

// packFixed are the sizes of the scalars from 0xc0 on that have one.
var packFixed = [32]uint8{
	0: 1, 0xc2 - 0xc0: 1, 0xc3 - 0xc0: 1, 0xca - 0xc0: 5, 0xcb - 0xc0: 9, 0xcc - 0xc0: 2, 0xcd - 0xc0: 3, 0xce - 0xc0: 5, 0xcf - 0xc0: 9,
	0xd0 - 0xc0: 2, 0xd1 - 0xc0: 3, 0xd2 - 0xc0: 5, 0xd3 - 0xc0: 9, 0xd4 - 0xc0: 3, 0xd5 - 0xc0: 4, 0xd6 - 0xc0: 6, 0xd7 - 0xc0: 10, 0xd8 - 0xc0: 18,
}

// packSkip is the offset behind the item at i with all that it holds, -1 at a
// fault.
func packSkip(b []byte, i int) int {
	for items := 1; items > 0; items-- {
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c <= 0x7f, c >= 0xe0:
			i++
		case c <= 0x8f:
			items += 2 * int(c&0x0f)
			i++
		case c <= 0x9f:
			items += int(c & 0x0f)
			i++
		case c <= 0xbf:
			i += 1 + int(c&0x1f)
		case packFixed[c-0xc0] > 0:
			i += int(packFixed[c-0xc0])
		default:
			item := packSized(b, i)
			i = item.end
			switch item.kind {
			case packFault:
				return -1
			case packMap:
				items += 2 * item.count
			case packArray:
				items += item.count
			}
		}
	}
	if i > len(b) {
		return -1
	}
	return i
}

// packKey reads a map's key at i as the name of a step: nil for one that is
// none. The end is -1 at a fault.
func packKey(b []byte, i int, room []byte) (name []byte, end int) {
	if i < len(b) && b[i]>>5 == 0xa0>>5 && i+1+int(b[i]&0x1f) <= len(b) { // a short text, as nearly all are
		end = i + 1 + int(b[i]&0x1f)
		return b[i+1 : end : end], end
	}
	item := packNext(b, i)
	switch {
	case item.kind == packFault:
		return nil, -1
	case item.kind != packScalar:
		return nil, packSkip(b, i)
	case item.value.Kind == Int:
		return strconv.AppendInt(room, item.value.Int(), 10), item.end
	case item.value.Kind == Uint:
		return strconv.AppendUint(room, item.value.Uint(), 10), item.end
	case b[i] == 0xd9 || b[i] == 0xda || b[i] == 0xdb:
		if item.value.IsNull() {
			return []byte{}, item.end
		}
		return item.value.Text, item.end
	}
	return nil, item.end
}

// isPackNumber reports whether an item that is a key is an integer.
func isPackNumber(code byte) bool {
	return code <= 0x7f || code >= 0xe0 || code >= 0xcc && code <= 0xd3
}

// Extract walks the root map.
func (MessagePack) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	MessagePack{}.extractAt(body, t.root, out)
}

func (MessagePack) extractAt(body []byte, n *node, out *Values) {
	if root := packNext(body, 0); root.kind == packMap {
		out.extractPackMap(body, root, n, 0)
	}
}

// extractPackMap reads the pairs of a map for the children of n. It returns the
// offset behind the map, -1 at a fault.
func (v *Values) extractPackMap(b []byte, head packItem, n *node, depth int) int {
	i := head.end
	var room [20]byte
	for range head.count {
		name, end := packKey(b, i, room[:0])
		if end < 0 {
			return -1
		}
		var child *node
		if name != nil {
			child = n.child(name)
		}
		if child == nil {
			i = packSkip(b, end)
		} else {
			i = v.extractPack(b, end, child, depth+1)
		}
		if i < 0 {
			return -1
		}
	}
	return i
}

// extractPack reads the item at i for n and its children.
func (v *Values) extractPack(b []byte, i int, n *node, depth int) int {
	if depth > packDepthMax {
		return -1
	}
	item := packNext(b, i)
	switch item.kind {
	case packScalar:
		if n.slot >= 0 {
			v.add(n.slot, item.value)
		}
		return item.end
	case packMap:
		if len(n.children) == 0 {
			return packSkip(b, i)
		}
		return v.extractPackMap(b, item, n, depth)
	case packArray:
		i = item.end
		for range item.count {
			if i = v.extractPack(b, i, n, depth+1); i < 0 {
				return -1
			}
		}
		return i
	}
	return -1
}

// appendPackHead writes the head of a map, an array or a string in the smallest
// form: short is the code of the form that holds up to shortMax itself, wide
// that of the form with a size of 16 bits (8 before it for strings).
func appendPackHead(dst []byte, n int, short byte, shortMax int, wide byte, hasByte bool) []byte {
	switch {
	case n <= shortMax:
		return append(dst, short|byte(n))
	case hasByte && n <= math.MaxUint8:
		return append(dst, wide-1, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, wide), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, wide+1), uint32(n))
}

func appendPackString(dst, text []byte) []byte {
	return append(appendPackHead(dst, len(text), 0xa0, 31, 0xda, true), text...)
}

// appendPackValue writes a scalar in the smallest form; NaN is written as 0.
func appendPackValue(dst []byte, v Value) []byte {
	switch n := v.Parsed(); n.Kind {
	case Null:
		return append(dst, 0xc0)
	case Bool:
		return append(dst, 0xc2|byte(n.Int()))
	case String:
		return appendPackString(dst, n.Text)
	case Uint:
		return binary.BigEndian.AppendUint64(append(dst, 0xcf), n.Uint())
	case Int:
		return appendPackInt(dst, n.Int())
	default:
		if math.IsNaN(n.Float()) {
			return append(dst, 0)
		}
		return binary.BigEndian.AppendUint64(append(dst, 0xcb), math.Float64bits(n.Float()))
	}
}

func appendPackInt(dst []byte, i int64) []byte {
	switch {
	case i >= -32 && i <= math.MaxInt8:
		return append(dst, byte(i))
	case i >= 0 && i <= math.MaxUint8:
		return append(dst, 0xcc, byte(i))
	case i >= 0 && i <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, 0xcd), uint16(i))
	case i >= 0 && i <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, 0xce), uint32(i))
	case i >= 0:
		return binary.BigEndian.AppendUint64(append(dst, 0xcf), uint64(i))
	case i >= math.MinInt8:
		return append(dst, 0xd0, byte(i))
	case i >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(dst, 0xd1), uint16(i))
	case i >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(dst, 0xd2), uint32(i))
	}
	return binary.BigEndian.AppendUint64(append(dst, 0xd3), uint64(i))
}
