package message

import "bytes"

// widePairs is how many comparisons of names are made one by one before a
// table is used instead.
const widePairs = 1 << 10

// samePlace reports whether two fields of the same or of twin parents stand
// for the same thing.
func samePlace(a, b *Field) bool {
	if a.Form == Opaque || b.Form == Opaque {
		return a.Form == b.Form && bytes.Equal(a.Key, b.Key)
	}
	return a.Name != nil && b.Name != nil && bytes.Equal(a.Name, b.Name)
}

// groupSiblings chains the children of a field that have the same name: peer
// leads from each to the next, again marks all but the first.
func (d *Document) groupSiblings(parent int32) (count int) {
	first := d.fields[parent].first
	for i := first; i >= 0; i = d.fields[i].next {
		d.fields[i].peer, d.fields[i].again = -1, false
		count++
	}
	if count*count > widePairs {
		d.groupMany(first, count)
		return count
	}
	for i := first; i >= 0; i = d.fields[i].next {
		if d.fields[i].again {
			continue
		}
		tail := i
		for j := d.fields[i].next; j >= 0; j = d.fields[j].next {
			if !d.fields[j].again && samePlace(&d.fields[i], &d.fields[j]) {
				d.fields[tail].peer, d.fields[j].again = j, true
				tail = j
			}
		}
	}
	return count
}

func (d *Document) groupMany(first int32, count int) {
	d.names.reset(count)
	for i := first; i >= 0; i = d.fields[i].next {
		slot := d.names.slot(d.fields, &d.fields[i])
		if slot == nil {
			continue
		}
		if *slot > 0 {
			d.fields[*slot-1].peer, d.fields[i].again = i, true
		}
		*slot = i + 1
	}
}

// pairUp groups the children of two fields and gives each child of b, in d, the
// first child of a, in other, that has the same name as its twin, or -1.
func (d *Document) pairUp(b int32, other *Document, a int32) {
	count, others := d.groupSiblings(b), other.groupSiblings(a)
	if count*others > widePairs {
		d.pairMany(b, other, a, others)
		return
	}
	for i := d.fields[b].first; i >= 0; i = d.fields[i].next {
		d.fields[i].twin = -1
		for j := other.fields[a].first; j >= 0; j = other.fields[j].next {
			if samePlace(&d.fields[i], &other.fields[j]) {
				d.fields[i].twin = j
				break
			}
		}
	}
}

func (d *Document) pairMany(b int32, other *Document, a int32, others int) {
	d.names.reset(others)
	for j := other.fields[a].first; j >= 0; j = other.fields[j].next {
		if f := &other.fields[j]; !f.again {
			if slot := d.names.slot(other.fields, f); slot != nil {
				*slot = j + 1
			}
		}
	}
	for i := d.fields[b].first; i >= 0; i = d.fields[i].next {
		f := &d.fields[i]
		f.twin = -1
		if slot := d.names.slot(other.fields, f); slot != nil && *slot > 0 {
			f.twin = *slot - 1
		}
	}
}

// dropRepeats takes out the children of an object that have an earlier
// sibling's name, or all but the last of each name. The raw bytes stay as they
// are: a message that is copied keeps what it repeats.
func (d *Document) dropRepeats(parent int32, keepLast bool) {
	d.groupSiblings(parent)
	for i := d.fields[parent].first; i >= 0; i = d.fields[i].next {
		if f := &d.fields[i]; keepLast && f.peer >= 0 || !keepLast && f.again {
			d.unlink(i)
		}
	}
}
