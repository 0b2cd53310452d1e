package message

// Values are what one message holds on the wanted paths: for each slot no
// value, one, or an array in document order (02-expressions §8). It is filled
// by Type.Extract and used again for the next message, without allocating once
// it has grown. Owned by one goroutine.
type Values struct {
	slots  []slot
	more   []element // elements behind the first of arrays
	arena  []byte    // texts that had to be unescaped
	serial uint32    // of the message; marks which slots are of it

	seen   []uint64 // by node id: the object that had the member already
	object uint64   // serial of the object being walked

	expected []expectedKey // names of the last JSON messages, by their place
	keys     int           // names read of this message

	pending []protoPending // of open protobuf messages
	pieces  protoPieces

	levels *[xmlDepthMax + 1]xmlLevel // of open XML elements

	whole *Document // for types and settings that read whole messages
}

// wholeDocument is room to take a message apart in.
func (v *Values) wholeDocument() *Document {
	if v.whole == nil {
		v.whole = &Document{}
	}
	return v.whole
}

// slot is one path's values.
type slot struct {
	first      Value
	serial     uint32
	count      int32
	head, tail int32 // chain in more; valid when count > 1
}

// element is a link of an array.
type element struct {
	value Value
	next  int32
}

// begin makes room for a trie and forgets the last message.
func (v *Values) begin(t *Trie) {
	if v.serial++; v.serial == 0 { // wrapped: old marks could look new
		clear(v.slots)
		v.serial = 1
	}
	for len(v.slots) < t.Slots() {
		v.slots = append(v.slots, slot{})
	}
	for uint32(len(v.seen)) < t.nodes {
		v.seen = append(v.seen, 0)
	}
	v.more, v.arena = emptied(v.more, keptElements), emptied(v.arena, keptBytes)
	v.keys = 0
}

// What is kept of the room that one message took, for the next: a rare huge
// message must not hold memory for good.
const (
	keptElements = 1 << 16
	keptBytes    = 1 << 20
)

// emptied is a slice to be used again, unless it has grown beyond what is kept.
func emptied[T any](s []T, kept int) []T {
	if cap(s) > kept {
		return nil
	}
	return s[:0]
}

// add appends a value to a slot. Beyond FieldsMax elements of arrays the rest is
// left out, so that a message of many small values stays bounded.
func (v *Values) add(number int32, value Value) {
	s := &v.slots[number]
	if s.serial != v.serial {
		s.serial, s.count, s.first = v.serial, 1, value
		return
	}
	if len(v.more) >= FieldsMax {
		return
	}
	at := int32(len(v.more))
	v.more = append(v.more, element{value: value, next: -1})
	if s.count == 1 {
		s.head = at
	} else {
		v.more[s.tail].next = at
	}
	s.tail = at
	s.count++
}

// Count is the number of values on a slot's path.
func (v *Values) Count(number uint32) int {
	if s := &v.slots[number]; s.serial == v.serial {
		return int(s.count)
	}
	return 0
}

// First is the first value on a slot's path, NULL when there is none.
func (v *Values) First(number uint32) Value {
	s := &v.slots[number]
	if s.serial != v.serial {
		return Value{}
	}
	if s.first.Kind == Numeral {
		s.first = s.first.Parsed()
	}
	return s.first
}

// Peek is the first value on a slot's path and how many there are; nil when
// there is none. It saves copying values where millions are looked at.
func (v *Values) Peek(number uint32) (first *Value, count int) {
	s := &v.slots[number]
	if s.serial != v.serial {
		return nil, 0
	}
	if s.first.Kind == Numeral {
		s.first = s.first.Parsed()
	}
	return &s.first, int(s.count)
}

// At is the value at an index from 0, NULL outside of the array.
func (v *Values) At(number uint32, index int) Value {
	s := &v.slots[number]
	if s.serial != v.serial || index < 0 || index >= int(s.count) {
		return Value{}
	}
	if index == 0 {
		return s.first
	}
	at := s.head
	for ; index > 1; index-- {
		at = v.more[at].next
	}
	return v.more[at].value
}

// All calls yield with every value on a slot's path, in document order, until
// it returns false.
func (v *Values) All(number uint32) func(yield func(Value) bool) {
	return func(yield func(Value) bool) {
		s := &v.slots[number]
		if s.serial != v.serial || !yield(s.first) || s.count == 1 {
			return
		}
		for at := s.head; at >= 0; at = v.more[at].next {
			if !yield(v.more[at].value) {
				return
			}
		}
	}
}
