package expr

// linkTable finds the first link under a key by the key's hash: an open table
// with one place a hash, so that a look-up among a hundred thousand filters
// fetches one line of memory. Keys are not kept: a link says itself whether it
// is for a value (link.isFor), so links under keys of the same hash may share a
// chain.
type linkTable struct {
	slots []tableSlot // a power of two, or none
	used  int
}

type tableSlot struct {
	hash uint64
	head *link // nil: free
}

// tableSlotsMin is the size of the smallest table.
const tableSlotsMin = 8

func (t *linkTable) mask() uint64 { return uint64(len(t.slots) - 1) }

// find returns the first link under a hash, nil when there is none.
func (t *linkTable) find(hash uint64) *link {
	if t.used == 0 {
		return nil
	}
	mask := t.mask()
	for i := hash & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.head == nil || s.hash == hash {
			return s.head
		}
	}
}

// add puts a link in front of those under a hash.
func (t *linkTable) add(hash uint64, l *link) {
	if t.used*3 >= len(t.slots)*2 {
		t.grow()
	}
	s := t.place(hash)
	if s.head == nil {
		t.used++
	} else {
		l.next, s.head.prev = s.head, l
	}
	s.hash, s.head = hash, l
}

// place is the slot of a hash, or the free one where it belongs.
func (t *linkTable) place(hash uint64) *tableSlot {
	mask := t.mask()
	for i := hash & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.head == nil || s.hash == hash {
			return s
		}
	}
}

func (t *linkTable) grow() {
	old := t.slots
	t.slots = make([]tableSlot, max(tableSlotsMin, 2*len(old)))
	for _, s := range old {
		if s.head != nil {
			*t.place(s.hash) = s
		}
	}
}

// remove takes a link out of those under its hash.
func (t *linkTable) remove(hash uint64, l *link) {
	if l.next != nil {
		l.next.prev = l.prev
	}
	if l.prev != nil {
		l.prev.next = l.next
		return
	}
	mask := t.mask()
	i := hash & mask
	for t.slots[i].head != l {
		i = (i + 1) & mask
	}
	if l.next != nil {
		t.slots[i].head = l.next
		return
	}
	t.slots[i] = tableSlot{}
	t.close(i)
	if t.used--; t.used == 0 {
		t.slots = nil
	}
}

// close moves slots up into a freed one where a look-up for them would have
// stopped there.
func (t *linkTable) close(free uint64) {
	mask := t.mask()
	for i := (free + 1) & mask; t.slots[i].head != nil; i = (i + 1) & mask {
		home := t.slots[i].hash & mask
		if (i-home)&mask >= (i-free)&mask {
			t.slots[free], t.slots[i] = t.slots[i], tableSlot{}
			free = i
		}
	}
}
