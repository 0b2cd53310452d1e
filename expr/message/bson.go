package message

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// BSON is the type bson (03-message-types §3.4). Names that come again make
// arrays, so a document is read to its end; documents that nobody wants are
// passed by their length. A document whose length is not that of the message is
// not read at all.
type BSON struct{ name string }

// bsonDepthMax bounds how deep documents are followed.
const bsonDepthMax = 512

func newBSON(d Definition, _ *Types) (Type, error) {
	if len(d.Settings) > 0 {
		return nil, noSetting(d, 0)
	}
	return BSON{d.Name}, nil
}

// Name returns the name that the type was defined under.
func (b BSON) Name() string { return b.name }

// Capabilities are all.
func (BSON) Capabilities() Capabilities { return everything }

// The element types that are looked into.
const (
	bsonDouble     = 0x01
	bsonString     = 0x02
	bsonDocument   = 0x03
	bsonArray      = 0x04
	bsonBinary     = 0x05
	bsonUndefined  = 0x06
	bsonObjectID   = 0x07
	bsonBool       = 0x08
	bsonDateTime   = 0x09
	bsonNull       = 0x0a
	bsonRegex      = 0x0b
	bsonPointer    = 0x0c
	bsonJavaScript = 0x0d
	bsonSymbol     = 0x0e
	bsonScoped     = 0x0f // JavaScript with scope
	bsonInt32      = 0x10
	bsonTimestamp  = 0x11
	bsonInt64      = 0x12
	bsonDecimal    = 0x13
	bsonMaxKey     = 0x7f
	bsonMinKey     = 0xff
)

// bsonElement is one element of a document, by offsets.
type bsonElement struct {
	kind       byte
	name       []byte
	value, end int // where its value begins and ends
}

// bsonNext reads the element at i; false at a fault.
func bsonNext(b []byte, i, end int) (bsonElement, bool) {
	n := bytes.IndexByte(b[i+1:end], 0)
	if n < 0 {
		return bsonElement{}, false
	}
	e := bsonElement{kind: b[i], name: b[i+1 : i+1+n : i+1+n], value: i + n + 2}
	size := bsonSize(e.kind, b[e.value:end])
	e.end = e.value + size
	return e, size >= 0 && e.end <= end
}

// bsonSize is the size of a value at the start of b, which may be more than
// there is; -1 for what cannot be one.
func bsonSize(kind byte, b []byte) int {
	switch kind {
	case bsonUndefined, bsonNull, bsonMinKey, bsonMaxKey:
		return 0
	case bsonBool:
		return 1
	case bsonInt32:
		return 4
	case bsonDouble, bsonDateTime, bsonTimestamp, bsonInt64:
		return 8
	case bsonObjectID:
		return 12
	case bsonDecimal:
		return 16
	case bsonRegex:
		first := bytes.IndexByte(b, 0)
		if first < 0 {
			return -1
		}
		second := bytes.IndexByte(b[first+1:], 0)
		if second < 0 {
			return -1
		}
		return first + second + 2
	}
	if len(b) < 4 {
		return -1
	}
	n := int(int32(binary.LittleEndian.Uint32(b)))
	switch kind {
	case bsonDocument, bsonArray:
		if n < 5 || n > len(b) || b[n-1] != 0 {
			return -1
		}
		return n
	case bsonScoped:
		if n < 14 {
			return -1
		}
		return n
	case bsonBinary:
		if n < 0 {
			return -1
		}
		return n + 5
	case bsonString, bsonJavaScript, bsonSymbol, bsonPointer:
		if n < 1 || n+4 > len(b) || b[n+3] != 0 {
			return -1
		}
		if kind == bsonPointer {
			return n + 16
		}
		return n + 4
	}
	return -1
}

// bsonValue reads a scalar. Texts that have to be made go to the arena.
func bsonValue(kind byte, b []byte, arena *[]byte) Value {
	switch kind {
	case bsonDouble:
		return FloatValue(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case bsonString, bsonJavaScript, bsonSymbol:
		return StringValue(b[4 : len(b)-1 : len(b)-1])
	case bsonBinary:
		return StringValue(b[5:])
	case bsonObjectID:
		start := len(*arena)
		*arena = hex.AppendEncode(*arena, b)
		return StringValue((*arena)[start:len(*arena):len(*arena)])
	case bsonBool:
		return BoolValue(b[0] != 0)
	case bsonDateTime, bsonInt64:
		return IntValue(int64(binary.LittleEndian.Uint64(b)))
	case bsonTimestamp:
		return UintValue(binary.LittleEndian.Uint64(b))
	case bsonInt32:
		return IntValue(int64(int32(binary.LittleEndian.Uint32(b))))
	case bsonRegex:
		return StringValue(b[:bytes.IndexByte(b, 0)])
	case bsonScoped:
		if n := int(int32(binary.LittleEndian.Uint32(b[4:]))); n > 0 && n <= len(b)-8 {
			return StringValue(b[8 : 8+n-1])
		}
	case bsonDecimal:
		start := len(*arena)
		*arena = appendDecimal128(*arena, binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b))
		return StringValue((*arena)[start:len(*arena):len(*arena)])
	}
	return Value{}
}

// Extract walks the document.
func (BSON) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	BSON{}.extractAt(body, t.root, out)
}

func (BSON) extractAt(body []byte, n *node, out *Values) {
	if bsonSize(bsonDocument, body) == len(body) {
		out.extractBSON(body, n, 0, false)
	}
}

// extractBSON reads a document or an array for the children of n, or for n
// itself. It reports whether there was no fault.
func (v *Values) extractBSON(b []byte, n *node, depth int, array bool) bool {
	if depth > bsonDepthMax {
		return false
	}
	end := len(b) - 1
	for i := 4; i < end; {
		e, ok := bsonNext(b, i, end)
		if !ok {
			return false
		}
		i = e.end
		child := n
		if !array {
			if child = n.child(e.name); child == nil {
				continue
			}
		}
		switch {
		case e.kind == bsonDocument && len(child.children) == 0:
		case e.kind == bsonDocument || e.kind == bsonArray:
			if !v.extractBSON(b[e.value:e.end:e.end], child, depth+1, e.kind == bsonArray) {
				return false
			}
		case child.slot >= 0:
			v.add(child.slot, bsonValue(e.kind, b[e.value:e.end:e.end], &v.arena))
		}
	}
	return true
}
