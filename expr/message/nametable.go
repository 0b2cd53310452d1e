package message

import "hash/maphash"

// nameTable finds the children of wide objects by their place: a hash table of
// field numbers that allocates nothing once it has grown. Publishers choose the
// names, so the hash has a secret seed.
type nameTable struct{ slots []int32 } // one more than the number; 0 is free

var nameSeed = maphash.MakeSeed()

// reset empties the table and makes room for so many names.
func (t *nameTable) reset(names int) {
	size := 16
	for size < 2*names {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]int32, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// slot is where the field stands that has the place of f among fields, or the
// free slot for it; nil for a field without a place.
func (t *nameTable) slot(fields []Field, f *Field) *int32 {
	var hash uint64
	switch {
	case f.Form == Opaque:
		hash = maphash.Bytes(nameSeed, f.Key)
	case f.Name == nil:
		return nil
	default:
		hash = maphash.Bytes(nameSeed, f.Name)
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		if slot := &t.slots[at]; *slot == 0 || samePlace(&fields[*slot-1], f) {
			return slot
		}
	}
}
