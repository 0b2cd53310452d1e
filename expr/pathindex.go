package expr

import (
	"hash/maphash"

	"farad/expr/message"
)

// pathIndex finds filters by the value of one path, or of one expression that
// they all hold.
type pathIndex struct {
	slot       uint32   // of the path
	expression node     // nil for a path
	slots      []uint32 // of the expression's paths
	form       string   // of the expression
	place      int      // in Matcher.indexes
	entries    int      // anchors of filters

	strings  linkTable                 // by text
	numbers  linkTable                 // by numberKey
	numerals linkTable                 // string literals in number form, which numbers equal
	prefixes linkTable                 // by text
	lengths  [prefixBytesMax + 1]int32 // how many prefixes of each length there are

	intervals intervalIndex
}

// link is one place of a filter in a table; those under one hash are chained.
type link struct {
	entry      *entry
	prev, next *link
	key        [linkKeyBytes]byte // of strings and prefixes, as far as it fits
	length     uint8              // of key; longer ones cannot be proven here
	proof      bool               // whoever is led here by its key is true
}

// linkKeyBytes lets nearly all keys in use fit, and a link with what follows
// it in an entry a line of the cache.
const linkKeyBytes = 14

func (l *link) setKey(text []byte) {
	copy(l.key[:], text)
	l.length = uint8(min(len(text), linkKeyBytes+1))
}

// isFor reports whether a text is the link's key.
func (l *link) isFor(text []byte) bool {
	return int(l.length) == len(text) && len(text) <= linkKeyBytes && string(l.key[:l.length]) == string(text)
}

// crowdCounted bounds how far a chain is counted when filters are placed.
const crowdCounted = 64

func (l *link) crowd() int {
	n := 0
	for ; l != nil && n < crowdCounted; l = l.next {
		n++
	}
	return n
}

// crowd estimates how many filters a message would have to be tried on that
// holds one of an anchor's keys.
func (p *pathIndex) crowd(a *anchor, h hasher) int {
	n := 0
	switch a.kind {
	case equality:
		for _, v := range a.literals {
			if v.Kind == message.String {
				n += p.strings.find(h.text(v.Text)).crowd()
			} else {
				n += p.numbers.find(h.number(v.Number())).crowd()
			}
		}
		return n / len(a.literals)
	case prefix:
		for _, text := range a.prefixes {
			n += p.prefixes.find(h.text([]byte(text))).crowd()
		}
		return n / len(a.prefixes)
	}
	if a.span.bounded() {
		return p.intervals.count / 16
	}
	return p.intervals.count / 2
}

// add enters a filter under an anchor. A string literal in number form stands
// in two tables: strings equal it by their bytes, numbers by its value.
func (p *pathIndex) add(x *entry, a *anchor, whole bool, h hasher) {
	p.entries++
	switch a.kind {
	case equality:
		for _, v := range a.literals {
			if v.Kind == message.String {
				l := x.newLink(whole)
				l.setKey(v.Text)
				p.strings.add(h.text(v.Text), l)
			}
			if n := v.Number(); !n.IsNaN() {
				p.numbersFor(v).add(h.number(n), x.newLink(whole))
			}
		}
	case prefix:
		for _, text := range a.prefixes {
			l := x.newLink(whole && a.proof)
			l.setKey([]byte(text))
			p.prefixes.add(h.text([]byte(text)), l)
			p.lengths[len(text)]++
		}
	case interval:
		p.intervals.insert(a.span, x)
	}
}

// remove takes a filter out again. Its links come in the order in which add
// made them.
func (p *pathIndex) remove(x *entry, a *anchor, h hasher) {
	p.entries--
	switch a.kind {
	case equality:
		for _, v := range a.literals {
			if v.Kind == message.String {
				p.strings.remove(h.text(v.Text), x.oldLink())
			}
			if n := v.Number(); !n.IsNaN() {
				p.numbersFor(v).remove(h.number(n), x.oldLink())
			}
		}
	case prefix:
		for _, text := range a.prefixes {
			p.prefixes.remove(h.text([]byte(text)), x.oldLink())
			p.lengths[len(text)]--
		}
	case interval:
		p.intervals.remove(a.span, x)
	}
}

// numbersFor is the table of numbers for a literal.
func (p *pathIndex) numbersFor(literal message.Value) *linkTable {
	if literal.Kind == message.String {
		return &p.numerals
	}
	return &p.numbers
}

// hasher makes the hashes of keys. Its seed keeps clients from choosing keys
// that meet.
type hasher struct{ seed maphash.Seed }

func (h hasher) text(text []byte) uint64 { return maphash.Bytes(h.seed, text) }

// number hashes what is the same for numbers that compare as equal.
func (h hasher) number(n message.Value) uint64 {
	return maphash.Comparable(h.seed, numberKey(n))
}
