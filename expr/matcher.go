package expr

import (
	"farad/expr/message"
)

// Matcher is the set of filters of one topic. It finds, for a message, all
// that are true: the message is walked once for the union of their paths;
// filters of equal text are evaluated once; and a filter that requires a path
// to equal a literal is not even looked at unless the message's value leads to
// it through a hash table, so a thousand of those cost about what one does
// (02-expressions 9.3, 05-subscriptions §5).
//
// Guarded by the caller's lock.
type Matcher struct {
	kind   message.Type
	trie   *message.Trie
	byText map[string]*entry
	byID   map[uint32]*entry
	index  []*pathIndex // paths that filters are found by
	scan   []*entry     // filters that can only be evaluated
	serial uint64       // of the message
}

// entry is one distinct filter of a Matcher.
type entry struct {
	filter *Filter
	slots  []uint32 // of the filter's paths
	ids    []uint32 // who asked for it
	serial uint64   // of the last message for which it was looked at

	place  int    // in Matcher.scan; -1 when it is found by an index
	anchor anchor // how an index finds it
	index  *pathIndex
}

// NewMatcher returns an empty set of filters over one message type.
func NewMatcher(kind message.Type) *Matcher {
	return &Matcher{kind: kind, trie: message.NewTrie(), byText: map[string]*entry{}, byID: map[uint32]*entry{}}
}

// Len is the number of ids.
func (m *Matcher) Len() int { return len(m.byID) }

// Add enters a filter under an id that is not in use.
func (m *Matcher) Add(id uint32, f *Filter) {
	if m.byID[id] != nil {
		panic("expr: matcher id in use")
	}
	x := m.byText[f.text]
	if x == nil {
		x = &entry{filter: f, place: -1}
		for _, p := range f.paths {
			x.slots = append(x.slots, m.trie.Add(p))
		}
		m.place(x)
		m.byText[f.text] = x
	}
	x.ids = append(x.ids, id)
	m.byID[id] = x
}

// Remove takes an id out if it is there.
func (m *Matcher) Remove(id uint32) {
	x := m.byID[id]
	if x == nil {
		return
	}
	delete(m.byID, id)
	for i, other := range x.ids {
		if other == id {
			x.ids[i] = x.ids[len(x.ids)-1]
			x.ids = x.ids[:len(x.ids)-1]
			break
		}
	}
	if len(x.ids) > 0 {
		return
	}
	delete(m.byText, x.filter.text)
	m.displace(x)
	for _, slot := range x.slots {
		m.trie.Remove(slot)
	}
}

// place puts a filter where Match finds it: under the anchor whose path tells
// most filters apart so far, or among those to be evaluated.
func (m *Matcher) place(x *entry) {
	for _, a := range anchorsOf(x.filter.root) {
		index := m.indexOf(x.slots[a.path])
		if x.index == nil || index.distinct() > x.index.distinct() {
			x.index, x.anchor = index, a
		}
	}
	if x.index == nil {
		x.place = len(m.scan)
		m.scan = append(m.scan, x)
		return
	}
	if x.index.entries == 0 {
		m.index = append(m.index, x.index)
	}
	x.index.add(x)
}

func (m *Matcher) displace(x *entry) {
	if x.index == nil {
		last := len(m.scan) - 1
		m.scan[x.place] = m.scan[last]
		m.scan[x.place].place = x.place
		m.scan[last] = nil
		m.scan = m.scan[:last]
		return
	}
	x.index.remove(x)
	if x.index.entries > 0 {
		return
	}
	for i, index := range m.index {
		if index == x.index {
			m.index = append(m.index[:i], m.index[i+1:]...)
			return
		}
	}
}

// indexOf returns the index over a slot, a new one if there is none yet.
func (m *Matcher) indexOf(slot uint32) *pathIndex {
	for _, index := range m.index {
		if index.slot == slot {
			return index
		}
	}
	return newPathIndex(slot)
}

// Match returns the ids of all filters that are true for a message, each once,
// in no particular order. The slice is valid until s is used again.
func (m *Matcher) Match(body []byte, s *Scratch) []uint32 {
	m.kind.Extract(body, m.trie, &s.values)
	m.serial++
	s.ids = s.ids[:0]
	s.environment.values = &s.values
	for _, index := range m.index {
		switch s.values.Count(index.slot) {
		case 0:
		case 1:
			m.lookUp(index, s.values.First(index.slot), s)
		default:
			for v := range s.values.All(index.slot) {
				m.lookUp(index, v, s)
			}
		}
	}
	for _, x := range m.scan {
		m.evaluate(x, s)
	}
	return s.ids
}

// lookUp looks at the filters that a value leads to.
func (m *Matcher) lookUp(index *pathIndex, v message.Value, s *Scratch) {
	if v.Kind == message.String {
		for _, x := range index.strings[string(v.Text)] {
			if x.serial == m.serial {
				continue
			}
			if x.anchor.whole {
				x.serial = m.serial
				s.ids = append(s.ids, x.ids...)
				continue
			}
			m.evaluate(x, s)
		}
	}
	if len(index.numbers) == 0 {
		return
	}
	n := v.Number()
	if n.IsNull() || n.IsNaN() {
		return
	}
	// A number that a float holds exactly equals the literals that share its
	// key. A string does not: with a string literal it compares by bytes.
	proof := v.Kind != message.String && isExact(n)
	for _, x := range index.numbers[numberKey(n)] {
		switch {
		case x.serial == m.serial:
		case proof && x.anchor.whole:
			x.serial = m.serial
			s.ids = append(s.ids, x.ids...)
		default:
			m.evaluate(x, s)
		}
	}
}

func (m *Matcher) evaluate(x *entry, s *Scratch) {
	x.serial = m.serial
	s.environment.slots = x.slots
	s.environment.begin()
	if x.filter.root.truth(&s.environment) == isTrue {
		s.ids = append(s.ids, x.ids...)
	}
}
