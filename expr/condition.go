package expr

import (
	"bytes"

	"farad/expr/message"
	"farad/expr/pattern"
)

// operator is a comparison.
type operator uint8

const (
	opEqual operator = iota
	opUnequal
	opLess
	opNotGreater
	opGreater
	opNotLess
)

var relations = map[string]operator{
	"!=": opUnequal, "<>": opUnequal, "<": opLess, "<=": opNotGreater, ">": opGreater, ">=": opNotLess,
}

// holds reports whether an ordering satisfies the operator. With NULL nothing
// does; NaN is unequal to everything (02-expressions §6).
func (o operator) holds(x message.Ordering) bool {
	switch x {
	case message.Unknown:
		return false
	case message.Unordered:
		return o == opUnequal
	}
	switch o {
	case opEqual:
		return x == message.Equal
	case opUnequal:
		return x != message.Equal
	case opLess:
		return x == message.Less
	case opNotGreater:
		return x != message.Greater
	case opGreater:
		return x == message.Greater
	}
	return x != message.Less
}

// comparison is true if any pair of the two sides' elements satisfies it.
type comparison struct {
	operator    operator
	left, right node
}

func newComparison(o operator, left, right node) *comparison {
	return &comparison{o, left, right}
}

func (n *comparison) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *comparison) constant() bool                     { return n.left.constant() && n.right.constant() }

func (n *comparison) truth(e *environment) truth {
	slot, many := array(n.left, e)
	if !many {
		return truthOf(n.anyRight(e, n.left.value(e)))
	}
	for v := range e.values.All(slot) {
		if n.anyRight(e, v) {
			return isTrue
		}
	}
	return isFalse
}

func (n *comparison) anyRight(e *environment, left message.Value) bool {
	slot, many := array(n.right, e)
	if !many {
		return n.operator.holds(message.Compare(left, n.right.value(e)))
	}
	for v := range e.values.All(slot) {
		if n.operator.holds(message.Compare(left, v)) {
			return true
		}
	}
	return false
}

// in is true if any element of its operand equals any element of any entry.
// Entries that are literals are looked up in a set.
type in struct {
	operand node
	list    []node // the entries that are no literals
	set     *literalSet
}

func newIn(operand node, list []node) *in {
	n := &in{operand: operand, set: &literalSet{}}
	for _, entry := range list {
		if l, ok := entry.(*literal); ok {
			n.set.add(l.v)
		} else {
			n.list = append(n.list, entry)
		}
	}
	return n
}

func (n *in) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *in) constant() bool                     { return len(n.list) == 0 && n.operand.constant() }

func (n *in) truth(e *environment) truth {
	if n.set.size > 0 {
		slot, many := array(n.operand, e)
		if !many {
			if n.set.has(n.operand.value(e)) {
				return isTrue
			}
		} else {
			for v := range e.values.All(slot) {
				if n.set.has(v) {
					return isTrue
				}
			}
		}
	}
	for _, entry := range n.list {
		if (&comparison{opEqual, n.operand, entry}).truth(e) == isTrue {
			return isTrue
		}
	}
	return isFalse
}

// like is true if the pattern matches the string form of any element.
type like struct {
	operand node
	pattern *pattern.Pattern
}

func (n *like) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *like) constant() bool                     { return n.operand.constant() }

func (n *like) truth(e *environment) truth {
	slot, many := array(n.operand, e)
	if !many {
		return truthOf(n.matches(e, n.operand.value(e)))
	}
	for v := range e.values.All(slot) {
		if n.matches(e, v) {
			return isTrue
		}
	}
	return isFalse
}

func (n *like) matches(e *environment, v message.Value) bool {
	return !v.IsNull() && n.pattern.Match(e.textOf(v))
}

// textOf is the string form of a value, valid until the next call.
func (e *environment) textOf(v message.Value) []byte {
	if v.Kind == message.String || v.Kind == message.Numeral {
		return v.Text
	}
	e.text = v.AppendText(e.text[:0])
	return e.text
}

// affix is BEGINS WITH and ENDS WITH.
type affix struct {
	operand node
	list    []node
	suffix  bool
}

func (n *affix) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }

func (n *affix) constant() bool {
	for _, entry := range n.list {
		if !entry.constant() {
			return false
		}
	}
	return n.operand.constant()
}

func (n *affix) truth(e *environment) truth {
	for _, entry := range n.list {
		slot, many := array(entry, e)
		if !many {
			if n.anyOperand(e, entry.value(e)) {
				return isTrue
			}
			continue
		}
		for v := range e.values.All(slot) {
			if n.anyOperand(e, v) {
				return isTrue
			}
		}
	}
	return isFalse
}

func (n *affix) anyOperand(e *environment, part message.Value) bool {
	slot, many := array(n.operand, e)
	if !many {
		return n.holds(n.operand.value(e), part)
	}
	for v := range e.values.All(slot) {
		if n.holds(v, part) {
			return true
		}
	}
	return false
}

// holds compares two string forms. Both are made here when they are numbers
// of no text of their own: rare, and the only place that needs two at once.
func (n *affix) holds(whole, part message.Value) bool {
	if whole.IsNull() || part.IsNull() {
		return false
	}
	a, b := whole.Text, part.Text
	if a == nil {
		a = whole.AppendText(nil)
	}
	if b == nil {
		b = part.AppendText(nil)
	}
	if n.suffix {
		return bytes.HasSuffix(a, b)
	}
	return bytes.HasPrefix(a, b)
}
