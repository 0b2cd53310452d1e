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
	// literal is the right side where that is a constant and the left one a
	// whole path: nearly all comparisons are of this form.
	literal *message.Value
	path    int
}

func newComparison(o operator, left, right node) *comparison {
	n := &comparison{operator: o, left: left, right: right}
	if l, ok := right.(*literal); ok {
		if path, whole := wholePath(left); whole {
			n.literal, n.path = &l.v, path
		}
	}
	return n
}

func (n *comparison) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *comparison) constant() bool                     { return n.left.constant() && n.right.constant() }

func (n *comparison) truth(e *environment) truth {
	if n.literal != nil {
		return truthOf(n.anyElement(e))
	}
	mark := e.mark()
	t := truthOf(n.holds(e))
	e.release(mark)
	return t
}

// anyElement compares the elements of a path with a constant.
func (n *comparison) anyElement(e *environment) bool {
	slot := e.slots[n.path]
	first, count := e.values.Peek(slot)
	switch {
	case count == 0:
		return false // NULL
	case n.operator.holds(message.CompareTo(first, n.literal)):
		return true
	case count == 1:
		return false
	}
	for v := range e.values.All(slot) {
		if n.operator.holds(message.Compare(v, *n.literal)) {
			return true
		}
	}
	return false
}

// holds evaluates a side that is no array once, however many elements the
// other one has.
func (n *comparison) holds(e *environment) bool {
	slot, many := array(n.left, e)
	if !many {
		return n.anyRight(e, n.left.value(e))
	}
	if _, manyToo := array(n.right, e); !manyToo {
		right := n.right.value(e)
		for v := range e.values.All(slot) {
			if n.operator.holds(message.Compare(v, right)) {
				return true
			}
		}
		return false
	}
	for v := range e.values.All(slot) {
		if n.anyRight(e, v) {
			return true
		}
	}
	return false
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
	if len(n.set.values) > 0 {
		slot, many := array(n.operand, e)
		if !many {
			mark := e.mark()
			has := n.set.has(n.operand.value(e))
			e.release(mark)
			if has {
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
		if (&comparison{operator: opEqual, left: n.operand, right: entry}).truth(e) == isTrue {
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
		mark := e.mark()
		t := truthOf(n.matches(e, n.operand.value(e)))
		e.release(mark)
		return t
	}
	for v := range e.values.All(slot) {
		if n.matches(e, v) {
			return isTrue
		}
	}
	return isFalse
}

// slowMax bounds the matches of regular expressions that may end at their time
// limit for one message. Once there were as many, what backtracks is no match
// until the next message.
const slowMax = 2

func (n *like) matches(e *environment, v message.Value) bool {
	if v.IsNull() {
		return false
	}
	if !n.pattern.Backtracks() {
		return n.pattern.Match(e.textOf(v))
	}
	if e.slow >= slowMax {
		return false
	}
	before := n.pattern.Strikes()
	matched := n.pattern.Match(e.textOf(v))
	e.slow += n.pattern.Strikes() - before
	return matched
}

// textOf is the string form of a value, valid until the next call.
func (e *environment) textOf(v message.Value) []byte {
	if v.Text != nil {
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
		mark := e.mark()
		found := n.anyEntry(e, entry)
		e.release(mark)
		if found {
			return isTrue
		}
	}
	return isFalse
}

func (n *affix) anyEntry(e *environment, entry node) bool {
	slot, many := array(entry, e)
	if !many {
		return n.anyOperand(e, entry.value(e))
	}
	for v := range e.values.All(slot) {
		if n.anyOperand(e, v) {
			return true
		}
	}
	return false
}

func (n *affix) anyOperand(e *environment, part message.Value) bool {
	slot, many := array(n.operand, e)
	if !many {
		mark := e.mark()
		holds := n.holds(e, n.operand.value(e), part)
		e.release(mark)
		return holds
	}
	for v := range e.values.All(slot) {
		if n.holds(e, v, part) {
			return true
		}
	}
	return false
}

// holds compares two string forms.
func (n *affix) holds(e *environment, whole, part message.Value) bool {
	if whole.IsNull() || part.IsNull() {
		return false
	}
	mark := e.mark()
	defer e.release(mark)
	a, b := e.stringOf(whole), e.stringOf(part)
	if n.suffix {
		return bytes.HasSuffix(a, b)
	}
	return bytes.HasPrefix(a, b)
}
