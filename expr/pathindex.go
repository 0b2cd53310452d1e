package expr

import (
	"slices"

	"farad/expr/message"
)

// anchor is a condition that must hold for a filter to be true and that a hash
// table can answer: a path equals one of some literals.
type anchor struct {
	path     int             // number of the path in the filter
	literals []message.Value // none is NULL
	whole    bool            // the condition is the filter
}

// anchorLiteralsMax bounds the literals of an anchor: each takes a place in a
// table.
const anchorLiteralsMax = 1024

// anchorsOf finds the anchors of an expression: among the terms of its
// outermost conjunction.
func anchorsOf(root node) []anchor {
	var anchors []anchor
	var visit func(n node)
	visit = func(n node) {
		if c, ok := n.(*and); ok {
			visit(c.left)
			visit(c.right)
			return
		}
		if a, ok := anchorOf(n); ok {
			a.whole = n == root
			anchors = append(anchors, a)
		}
	}
	visit(root)
	return anchors
}

func anchorOf(n node) (anchor, bool) {
	switch n := n.(type) {
	case *comparison:
		if n.operator != opEqual {
			return anchor{}, false
		}
		id, isID := n.left.(*identifier)
		l, isLiteral := n.right.(*literal)
		if !isID {
			id, isID = n.right.(*identifier)
			l, isLiteral = n.left.(*literal)
		}
		if isID && isLiteral && id.subscript < 0 && !l.v.IsNull() {
			return anchor{path: id.path, literals: []message.Value{l.v}}, true
		}
	case *in:
		id, ok := n.operand.(*identifier)
		if ok && id.subscript < 0 && len(n.list) == 0 && n.set.size > 0 && n.set.size <= anchorLiteralsMax {
			return anchor{path: id.path, literals: n.set.all()}, true
		}
	}
	return anchor{}, false
}

// all returns the literals of the set.
func (s *literalSet) all() []message.Value {
	var all []message.Value
	for text := range s.strings {
		all = append(all, message.StringValue([]byte(text)))
	}
	for _, numbers := range s.numbers {
		for _, v := range numbers {
			if v.Kind != message.String {
				all = append(all, v)
			}
		}
	}
	return all
}

// pathIndex finds filters by the value of one path. A string literal in number
// form stands in both tables, since it equals numbers too.
type pathIndex struct {
	slot    uint32
	entries int
	strings map[string][]*entry
	numbers map[uint64][]*entry // by numberKey
}

func newPathIndex(slot uint32) *pathIndex {
	return &pathIndex{slot: slot, strings: map[string][]*entry{}, numbers: map[uint64][]*entry{}}
}

// distinct is how many values the index tells apart.
func (p *pathIndex) distinct() int { return len(p.strings) + len(p.numbers) }

func (p *pathIndex) add(x *entry) {
	p.entries++
	for _, v := range x.anchor.literals {
		if v.Kind == message.String {
			p.strings[string(v.Text)] = append(p.strings[string(v.Text)], x)
		}
		if n := v.Number(); !n.IsNaN() && !slices.Contains(p.numbers[numberKey(n)], x) {
			p.numbers[numberKey(n)] = append(p.numbers[numberKey(n)], x)
		}
	}
}

func (p *pathIndex) remove(x *entry) {
	p.entries--
	for _, v := range x.anchor.literals {
		if v.Kind == message.String {
			takeOut(p.strings, string(v.Text), x)
		}
		if n := v.Number(); !n.IsNaN() {
			takeOut(p.numbers, numberKey(n), x)
		}
	}
}

// takeOut removes x from one list of a table, and the list when it is empty.
func takeOut[K comparable](table map[K][]*entry, key K, x *entry) {
	list := table[key]
	at := slices.Index(list, x)
	if at < 0 {
		return
	}
	if len(list) == 1 {
		delete(table, key)
		return
	}
	last := len(list) - 1
	list[at] = list[last]
	list[last] = nil
	table[key] = list[:last]
}
