package expr

import (
	"hash/maphash"
	"math"
	"slices"

	"farad/expr/message"
)

// Matcher is the set of filters of one topic. It finds, for a message, all
// that are true: the message is walked once for the union of their paths;
// filters of equal form are evaluated once; and a filter that has a cover
// (cover.go) is not even looked at unless the message's values lead to it
// through an index, so a hundred thousand of those cost about what one does
// (02-expressions 9.3, 05-subscriptions §5).
//
// Guarded by the caller's lock.
type Matcher struct {
	kind    message.Type
	trie    *message.Trie
	hash    hasher
	byForm  map[uint64]*entry // chained where hashes are equal
	byID    []*entry          // nil where free
	count   int               // of ids
	indexes []*pathIndex      // those that filters are in
	bySlot  map[uint32]*pathIndex
	byExpr  map[string]*pathIndex // by the expression's form
	scan    []*entry              // filters that can only be evaluated
	serial  uint64                // of the message
	numbers uint64                // given out
	form    []byte                // scratch
}

// entry is one distinct filter of a Matcher. What is needed when an index finds
// it comes first, within a line of the processor's cache or two: among a
// hundred thousand filters, fetching lines is most of the cost.
type entry struct {
	oneLink [1]link   // room for the usual number of links, ids and slots,
	oneID   [1]uint32 // so that an entry is one allocation
	cover   int32     // which of the filter's covers it stands under; -1 for none
	serial  uint64    // of the last message for which it was looked at
	ids     []uint32  // who asked for it

	filter   *Filter
	number   uint64   // tells entries apart
	slots    []uint32 // of the filter's paths
	twoSlots [2]uint32
	links    []link // its places in tables
	same     *entry // the next one whose form has the same hash
	place    int32  // in Matcher.scan, without a cover
	taken    int32  // links given out, or given back
}

// NewMatcher returns an empty set of filters over one message type.
func NewMatcher(kind message.Type) *Matcher {
	return &Matcher{kind: kind, trie: message.NewTrie(), hash: hasher{maphash.MakeSeed()}, byForm: map[uint64]*entry{}, bySlot: map[uint32]*pathIndex{}, byExpr: map[string]*pathIndex{}}
}

// Len is the number of ids.
func (m *Matcher) Len() int { return m.count }

// Distinct is the number of filters that are evaluated apart, and Scanned how
// many of them no index finds: each message is tried on all of those.
func (m *Matcher) Distinct() (distinct, scanned int) {
	for _, x := range m.byForm {
		for ; x != nil; x = x.same {
			distinct++
		}
	}
	return distinct, len(m.scan)
}

// Add enters a filter under an id that is not in use. Ids are small numbers:
// the matcher keeps a table as long as the largest.
func (m *Matcher) Add(id uint32, f *Filter) {
	for int(id) >= len(m.byID) {
		m.byID = append(m.byID, nil)
	}
	if m.byID[id] != nil {
		panic("expr: matcher id in use")
	}
	hash, x := m.find(f)
	if x == nil {
		x = m.enter(hash, f)
	}
	x.ids = append(x.ids, id)
	m.byID[id] = x
	m.count++
}

// Filter returns the filter that is evaluated for an id, which is the first
// that was added of those of equal form; nil for an id that is not in use.
func (m *Matcher) Filter(id uint32) *Filter {
	if int(id) < len(m.byID) && m.byID[id] != nil {
		return m.byID[id].filter
	}
	return nil
}

// find returns the hash of a filter's form, and the entry of that form.
func (m *Matcher) find(f *Filter) (uint64, *entry) {
	m.form = f.appendForm(m.form[:0])
	hash := m.hash.text(m.form)
	length := len(m.form)
	for x := m.byForm[hash]; x != nil; x = x.same {
		m.form = x.filter.appendForm(m.form[:length])
		if slices.Equal(m.form[:length], m.form[length:]) {
			return hash, x
		}
	}
	return hash, nil
}

func (m *Matcher) enter(hash uint64, f *Filter) *entry {
	m.numbers++
	x := &entry{filter: f, number: m.numbers}
	x.ids, x.slots, x.links = x.oneID[:0], x.twoSlots[:0], x.oneLink[:0]
	for _, p := range f.paths {
		x.slots = append(x.slots, m.trie.Add(p))
	}
	x.same, m.byForm[hash] = m.byForm[hash], x
	m.place(x)
	return x
}

// Remove takes an id out if it is there.
func (m *Matcher) Remove(id uint32) {
	if int(id) >= len(m.byID) || m.byID[id] == nil {
		return
	}
	x := m.byID[id]
	m.byID[id] = nil
	m.count--
	at := slices.Index(x.ids, id)
	x.ids[at] = x.ids[len(x.ids)-1]
	if x.ids = x.ids[:len(x.ids)-1]; len(x.ids) > 0 {
		return
	}
	m.forget(x)
	m.displace(x)
	for _, slot := range x.slots {
		m.trie.Remove(slot)
	}
}

// forget takes an entry out of those by form.
func (m *Matcher) forget(x *entry) {
	m.form = x.filter.appendForm(m.form[:0])
	hash := m.hash.text(m.form)
	head := m.byForm[hash]
	switch {
	case head != x:
		for ; head.same != x; head = head.same {
		}
		head.same = x.same
	case x.same != nil:
		m.byForm[hash] = x.same
	default:
		delete(m.byForm, hash)
	}
}

// place puts a filter where Match finds it: under the cover that the fewest
// filters share so far, or among those to be evaluated.
func (m *Matcher) place(x *entry) {
	alternatives := x.filter.covers()
	x.cover = -1
	least := 0
	for i, c := range alternatives {
		crowd := lookUpCost(c)
		for j := range c {
			if p := m.index(x, &c[j].subject); p != nil {
				crowd += p.crowd(&c[j], m.hash)
			}
		}
		if x.cover < 0 || crowd < least {
			x.cover, least = int32(i), crowd
		}
	}
	if x.cover < 0 {
		x.place = int32(len(m.scan))
		m.scan = append(m.scan, x)
		return
	}
	cover := alternatives[x.cover]
	x.makeRoom(cover)
	whole := x.filter.isCover(x.filter.root)
	for i := range cover {
		p := m.index(x, &cover[i].subject)
		if p == nil {
			p = m.newIndex(x, &cover[i].subject)
		}
		p.add(x, &cover[i], whole, m.hash)
	}
}

func (m *Matcher) displace(x *entry) {
	if x.cover < 0 {
		last := len(m.scan) - 1
		m.scan[x.place] = m.scan[last]
		m.scan[x.place].place = x.place
		m.scan[last] = nil
		m.scan = m.scan[:last]
		return
	}
	x.taken = 0
	cover := x.filter.covers()[x.cover]
	for i := range cover {
		p := m.index(x, &cover[i].subject)
		p.remove(x, &cover[i], m.hash)
		if p.entries == 0 {
			m.dropIndex(p)
		}
	}
}

// index returns the index over a subject, nil when there is none.
func (m *Matcher) index(x *entry, of *subject) *pathIndex {
	if of.expression != nil {
		return m.byExpr[of.form]
	}
	return m.bySlot[x.slots[of.path]]
}

func (m *Matcher) newIndex(x *entry, of *subject) *pathIndex {
	p := &pathIndex{place: len(m.indexes)}
	m.indexes = append(m.indexes, p)
	if of.expression == nil {
		p.slot = x.slots[of.path]
		m.bySlot[p.slot] = p
		return p
	}
	p.expression, p.form = of.expression, of.form
	p.slots = make([]uint32, len(x.slots))
	for _, number := range reads(of.expression, nil) {
		p.slots[number] = m.trie.Add(x.filter.paths[number])
	}
	m.byExpr[p.form] = p
	return p
}

func (m *Matcher) dropIndex(p *pathIndex) {
	last := len(m.indexes) - 1
	m.indexes[p.place] = m.indexes[last]
	m.indexes[p.place].place = p.place
	m.indexes[last] = nil
	m.indexes = m.indexes[:last]
	if p.expression == nil {
		delete(m.bySlot, p.slot)
		return
	}
	delete(m.byExpr, p.form)
	for _, number := range reads(p.expression, nil) {
		m.trie.Remove(p.slots[number])
	}
}

// makeRoom allocates the links that a cover may need at once: they must not
// move afterwards.
func (x *entry) makeRoom(cover []anchor) {
	n := 0
	for _, a := range cover {
		n += len(a.prefixes)
		for _, v := range a.literals {
			if v.Kind == message.String && !v.Number().IsNaN() {
				n++ // in both tables
			}
			n++
		}
	}
	if n > cap(x.links) {
		x.links = make([]link, 0, n)
	}
}

// newLink gives out the next link.
func (x *entry) newLink(proof bool) *link {
	x.links = append(x.links, link{entry: x, proof: proof})
	return &x.links[len(x.links)-1]
}

// oldLink gives the links again, in the order in which newLink gave them.
func (x *entry) oldLink() *link {
	x.taken++
	return &x.links[x.taken-1]
}

// Match returns the ids of all filters that are true for a message, each once,
// in no particular order. The slice is valid until s is used again.
func (m *Matcher) Match(body []byte, s *Scratch) []uint32 {
	m.kind.Extract(body, m.trie, &s.values)
	m.serial++
	s.ids = s.ids[:0]
	s.begin(body)
	for _, p := range m.indexes {
		if p.expression != nil {
			m.lookUpExpression(p, s)
			continue
		}
		first, count := s.values.Peek(p.slot)
		switch count {
		case 0:
		case 1:
			m.lookUp(p, first, s)
			if p.intervals.root != nil {
				m.lookUpInterval(p.intervals.root, first, s)
			}
		default:
			for v := range s.values.All(p.slot) {
				m.lookUp(p, &v, s)
			}
			// One element may satisfy one bound and another one the other.
			m.evaluateAll(p.intervals.root, s)
		}
	}
	for _, x := range m.scan {
		m.evaluate(x, s)
	}
	return s.ids
}

// lookUpExpression finds the value of an expression once for all filters that
// hold it.
func (m *Matcher) lookUpExpression(p *pathIndex, s *Scratch) {
	s.environment.slots = p.slots
	s.environment.begin()
	v := p.expression.value(&s.environment)
	if v.Text != nil { // evaluating the filters takes back what was made
		s.subject = append(s.subject[:0], v.Text...)
		v.Text = s.subject
	}
	m.lookUp(p, &v, s)
	if p.intervals.root != nil {
		m.lookUpInterval(p.intervals.root, &v, s)
	}
}

// lookUp looks at the filters that a value leads to.
func (m *Matcher) lookUp(p *pathIndex, v *message.Value, s *Scratch) {
	if v.Kind == message.String && p.strings.used > 0 {
		m.followText(p.strings.find(m.hash.text(v.Text)), v.Text, s)
	}
	if p.prefixes.used > 0 && !v.IsNull() {
		m.lookUpPrefixes(p, v, s)
	}
	numerals := p.numerals.used > 0 && v.Kind != message.String
	if p.numbers.used == 0 && !numerals {
		return
	}
	n := v.Number()
	if n.IsNull() || n.IsNaN() {
		return
	}
	hash := m.hash.number(n)
	m.followNumber(p.numbers.find(hash), s)
	if numerals {
		m.followNumber(p.numerals.find(hash), s)
	}
}

// followNumber looks at the filters of a chain. Large integers share keys, and
// keys may share a hash, so only evaluating proves.
func (m *Matcher) followNumber(l *link, s *Scratch) {
	for ; l != nil; l = l.next {
		m.evaluateOnce(l.entry, s)
	}
}

// followText looks at the filters of a chain that has the text for a key, or a
// key with the same hash.
func (m *Matcher) followText(l *link, text []byte, s *Scratch) {
	for ; l != nil; l = l.next {
		x := l.entry
		switch {
		case x.serial == m.serial:
		case l.proof && l.isFor(text):
			x.serial = m.serial
			s.ids = append(s.ids, x.ids...)
		default:
			m.evaluate(x, s)
		}
	}
}

func (m *Matcher) lookUpPrefixes(p *pathIndex, v *message.Value, s *Scratch) {
	text := s.environment.textOf(*v)
	for length := 1; length <= prefixBytesMax && length <= len(text); length++ {
		if p.lengths[length] == 0 {
			continue
		}
		m.followText(p.prefixes.find(m.hash.text(text[:length])), text[:length], s)
		if v.Text == nil {
			text = s.environment.textOf(*v) // evaluating may have used its room
		}
	}
}

// lookUpInterval looks at the filters whose span a value is in. A string that
// is no number is greater than every number.
func (m *Matcher) lookUpInterval(root *intervalNode, v *message.Value, s *Scratch) {
	at := math.Inf(1)
	switch v.Kind {
	case message.Null:
		return
	case message.Int:
		at = float64(v.Int())
	case message.String:
		if n := v.Number(); !n.IsNaN() {
			at = n.AsFloat()
		}
	default:
		if at = v.Number().AsFloat(); math.IsNaN(at) {
			return
		}
	}
	m.stab(root, at, s)
}

func (m *Matcher) stab(n *intervalNode, at float64, s *Scratch) {
	for n != nil && n.highest >= at {
		m.stab(n.left, at, s)
		if n.span.low > at {
			return
		}
		if n.span.high >= at {
			m.evaluateOnce(n.entry, s)
		}
		n = n.right
	}
}

func (m *Matcher) evaluateAll(n *intervalNode, s *Scratch) {
	for ; n != nil; n = n.right {
		m.evaluateAll(n.left, s)
		m.evaluateOnce(n.entry, s)
	}
}

func (m *Matcher) evaluateOnce(x *entry, s *Scratch) {
	if x.serial != m.serial {
		m.evaluate(x, s)
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
