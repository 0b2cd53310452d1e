package expr

import (
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

	strings map[string]*link // by text
	numbers map[uint64]*link // by numberKey

	prefixes map[string]*link
	lengths  [prefixBytesMax + 1]int32 // how many prefixes of each length there are

	intervals intervalIndex
}

// link is one place of a filter in a table; those under one key are chained.
type link struct {
	entry      *entry
	prev, next *link
	proof      bool // whoever is led here by its key is true
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
func (p *pathIndex) crowd(a *anchor) int {
	n := 0
	switch a.kind {
	case equality:
		for _, v := range a.literals {
			if v.Kind == message.String {
				n += p.strings[string(v.Text)].crowd()
			} else {
				n += p.numbers[numberKey(v.Number())].crowd()
			}
		}
		return n / len(a.literals)
	case prefix:
		for _, text := range a.prefixes {
			n += p.prefixes[text].crowd()
		}
		return n / len(a.prefixes)
	}
	if a.span.bounded() {
		return p.intervals.count / 16
	}
	return p.intervals.count / 2
}

// add enters a filter under an anchor. A string literal in number form stands
// in two tables, since it equals numbers too.
func (p *pathIndex) add(x *entry, a *anchor, whole bool) {
	p.entries++
	switch a.kind {
	case equality:
		for _, v := range a.literals {
			if v.Kind == message.String {
				chain(&p.strings, string(v.Text), x.newLink(whole))
			}
			if n := v.Number(); !n.IsNaN() {
				chain(&p.numbers, numberKey(n), x.newLink(whole))
			}
		}
	case prefix:
		for _, text := range a.prefixes {
			chain(&p.prefixes, text, x.newLink(whole && a.proof))
			p.lengths[len(text)]++
		}
	case interval:
		p.intervals.insert(a.span, x)
	}
}

// remove takes a filter out again. Its links come in the order in which add
// made them.
func (p *pathIndex) remove(x *entry, a *anchor) {
	p.entries--
	switch a.kind {
	case equality:
		for _, v := range a.literals {
			if v.Kind == message.String {
				unchain(p.strings, string(v.Text), x.oldLink())
			}
			if n := v.Number(); !n.IsNaN() {
				unchain(p.numbers, numberKey(n), x.oldLink())
			}
		}
	case prefix:
		for _, text := range a.prefixes {
			unchain(p.prefixes, text, x.oldLink())
			p.lengths[len(text)]--
		}
	case interval:
		p.intervals.remove(a.span, x)
	}
}

// chain puts a link in front of those under a key.
func chain[K comparable](table *map[K]*link, key K, l *link) {
	if *table == nil {
		*table = map[K]*link{}
	}
	if head := (*table)[key]; head != nil {
		l.next, head.prev = head, l
	}
	(*table)[key] = l
}

// unchain takes a link out of those under its key.
func unchain[K comparable](table map[K]*link, key K, l *link) {
	if l.next != nil {
		l.next.prev = l.prev
	}
	switch {
	case l.prev != nil:
		l.prev.next = l.next
	case l.next != nil:
		table[key] = l.next
	default:
		delete(table, key)
	}
}
