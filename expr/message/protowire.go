package message

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// protoTag is the tag of a field in a message: its number and wire type.
type protoTag uint64

func (t protoTag) number() protowire.Number { return protowire.Number(t >> 3) }
func (t protoTag) wire() protowire.Type     { return protowire.Type(t & 7) }

// cutProto cuts the field that begins at i: its tag, where its value is, without
// the length or the end around it, and where the field ends, -1 when it is
// broken. Tags and lengths of one byte, which most are, are read here.
func cutProto(b []byte, i int) (tag protoTag, from, to, end int) {
	tag, i = protoTag(b[i]), i+1
	if tag >= 0x80 {
		long, size := protowire.ConsumeVarint(b[i-1:])
		if size < 0 {
			return 0, i, i, -1
		}
		tag = protoTag(long)
		i += size - 1
	}
	if n := tag >> 3; n < protoTag(protowire.MinValidNumber) || n > protoTag(protowire.MaxValidNumber) {
		return tag, i, i, -1
	}
	switch tag.wire() {
	case protowire.VarintType:
		if i < len(b) && b[i] < 0x80 {
			return tag, i, i + 1, i + 1
		}
	case protowire.BytesType:
		if i < len(b) && b[i] < 0x80 {
			from = i + 1
			if to = from + int(b[i]); to > len(b) {
				return tag, from, to, -1
			}
			return tag, from, to, to
		}
		return cutLongProto(b, tag, i)
	case protowire.StartGroupType:
		inside, size := protowire.ConsumeGroup(tag.number(), b[i:])
		if size < 0 {
			return tag, i, i, -1
		}
		return tag, i, i + len(inside), i + size
	}
	end = scalarEnd(b, i, tag.wire())
	return tag, i, end, end
}

// cutLongProto cuts a value with a long length, at i.
func cutLongProto(b []byte, tag protoTag, i int) (_ protoTag, from, to, end int) {
	length, size := protowire.ConsumeVarint(b[i:])
	if size < 0 || length > uint64(len(b)-i-size) {
		return tag, i, i, -1
	}
	from = i + size
	to = from + int(length)
	return tag, from, to, to
}

// protoPieces are where messages that are not repeated stand. One that comes
// again is read as if its pieces were one behind the other, which merges them.
// The pieces of one message are chained: it is known by its last one, whose
// next is its first.
type protoPieces []protoPiece

type protoPiece struct{ from, to, next int }

// noPiece is a message of which nothing was found.
const noPiece = -1

// add adds a piece to the message whose last one is given.
func (p *protoPieces) add(last, from, to int) int {
	at := len(*p)
	next := at
	if last != noPiece {
		next, (*p)[last].next = (*p)[last].next, at
	}
	*p = append(*p, protoPiece{from, to, next})
	return at
}

func (p protoPieces) first(last int) int { return p[last].next }

// scalarEnd is the end of the number at i, -1 when it is broken or no number.
func scalarEnd(b []byte, i int, wire protowire.Type) int {
	end := -1
	switch wire {
	case protowire.VarintType:
		if i < len(b) && b[i] < 0x80 {
			return i + 1
		}
		if _, size := protowire.ConsumeVarint(b[i:]); size > 0 {
			end = i + size
		}
	case protowire.Fixed32Type:
		end = i + 4
	case protowire.Fixed64Type:
		end = i + 8
	}
	if end > len(b) {
		return -1
	}
	return end
}

// protoFault says what is broken about the field at i, of which cutProto made
// nothing.
func protoFault(b []byte, i int) (found, expected string) {
	number, wire, size := protowire.ConsumeTag(b[i:])
	switch {
	case size < 0:
		return fmt.Sprintf("bytes % x", b[i:min(len(b), i+8)]), fmt.Sprintf("a tag, with a field number from %d to %d", protowire.MinValidNumber, protowire.MaxValidNumber)
	case wire == protowire.EndGroupType:
		return fmt.Sprintf("the end of group %d", number), "a group that begins"
	case wire > protowire.Fixed32Type:
		return fmt.Sprintf("wire type %d of field %d", wire, number), "one of 0 to 5"
	}
	return fmt.Sprintf("a value of field %d that is cut off or too long", number), "a whole value"
}

// packs reports whether several values may stand in one field of the wire type.
func (f *protoField) packs(wire protowire.Type) bool {
	return f.repeated && f.table == nil && wire == protowire.BytesType && f.wire != protowire.BytesType
}

// value reads a scalar that has been cut.
func (f *protoField) value(b []byte) Value {
	switch f.wire {
	case protowire.BytesType:
		return StringValue(b[:len(b):len(b)])
	case protowire.Fixed32Type:
		bits, _ := protowire.ConsumeFixed32(b)
		return f.number64(uint64(bits))
	case protowire.Fixed64Type:
		bits, _ := protowire.ConsumeFixed64(b)
		return f.number64(bits)
	}
	bits, _ := protowire.ConsumeVarint(b)
	return f.number64(bits)
}

// number64 makes a value of a number's bits as they stand on the wire.
func (f *protoField) number64(bits uint64) Value {
	switch f.kind {
	case protoreflect.BoolKind:
		return BoolValue(bits != 0)
	case protoreflect.Sint32Kind:
		return IntValue(int64(int32(protowire.DecodeZigZag(bits & math.MaxUint32))))
	case protoreflect.Sint64Kind:
		return IntValue(protowire.DecodeZigZag(bits))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return UintValue(uint64(uint32(bits)))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return UintValue(bits)
	case protoreflect.Int32Kind, protoreflect.EnumKind, protoreflect.Sfixed32Kind:
		return IntValue(int64(int32(bits)))
	case protoreflect.FloatKind:
		return FloatValue(float64(math.Float32frombits(uint32(bits))))
	case protoreflect.DoubleKind:
		return FloatValue(math.Float64frombits(bits))
	}
	return IntValue(int64(bits))
}
