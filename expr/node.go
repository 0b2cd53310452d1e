package expr

import (
	"math"

	"farad/expr/message"
)

// truth is the three-valued outcome of a condition.
type truth uint8

const (
	isFalse truth = iota
	isTrue
	isUnknown // NULL
)

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

// node is a part of an expression.
//
// Every node has a scalar value and a truth; a node that is a condition has
// its value made from its truth, any other one its truth made from its value.
// An identifier may stand for an array, which the conditions look at whole
// (02-expressions §8); to everything else it is its first element.
type node interface {
	// value is the scalar.
	value(e *environment) message.Value
	// truth is the outcome as a condition.
	truth(e *environment) truth
	// constant reports whether the outcome depends on no message.
	constant() bool
}

// environment is what an expression is evaluated over. Owned by one goroutine.
type environment struct {
	values *message.Values
	slots  []uint32 // of the filter's paths in values
	text   []byte   // scratch for the string forms of numbers

	aggregates []message.Value // of the group
	slow       int             // matches that ended at their time limit, for this message

	context *Context // nil: unknown
	size    int      // bytes of the message

	texts    []byte          // made by functions in this evaluation, one behind the other
	stack    []message.Value // arguments of the calls being evaluated
	patterns patternCache    // of regular expressions that are no literals
}

// fold replaces a constant part by its outcome.
func fold(n node) node {
	if _, done := n.(*literal); done || !n.constant() {
		return n
	}
	e := environment{}
	switch n.(type) {
	case *and, *or, *not, *comparison, *in, *like, *affix, *isNull, *isNaN:
		switch n.truth(&e) {
		case isTrue:
			return &literal{message.BoolValue(true)}
		case isFalse:
			return &literal{message.BoolValue(false)}
		}
		return &literal{}
	}
	v := n.value(&e)
	if len(v.Text) > foldedBytesMax {
		return &unfolded{n}
	}
	v.Text = append([]byte(nil), v.Text...)
	return &literal{v}
}

// foldedBytesMax bounds the text of a constant part that is kept as a literal.
// An expression of few bytes can make many long texts of constants.
const foldedBytesMax = 4 << 10

// unfolded is a constant part with an outcome too long to keep; parts that
// hold it are not tried to be folded again.
type unfolded struct{ node }

func (n *unfolded) constant() bool { return false }

// truthOfValue converts a value to a condition (02-expressions §5): NULL and
// what is no number are unknown, other numbers true unless they are 0.
func truthOfValue(v message.Value) truth {
	n := v.Number()
	switch {
	case n.IsNull() || n.IsNaN():
		return isUnknown
	case n.Kind == message.Float:
		return truthOf(n.Float() != 0)
	}
	return truthOf(n.Uint() != 0)
}

func valueOfTruth(t truth) message.Value {
	switch t {
	case isTrue:
		return message.BoolValue(true)
	case isFalse:
		return message.BoolValue(false)
	}
	return message.Value{}
}

// literal is a constant.
type literal struct{ v message.Value }

func (n *literal) value(*environment) message.Value { return n.v }
func (n *literal) truth(*environment) truth         { return truthOfValue(n.v) }
func (n *literal) constant() bool                   { return true }

// identifier is a place in the message.
type identifier struct {
	path      int // number of the path in the filter
	subscript int // -1 for the whole array
}

func (n *identifier) value(e *environment) message.Value {
	if n.subscript > 0 {
		return e.values.At(e.slots[n.path], n.subscript)
	}
	return e.values.First(e.slots[n.path])
}

func (n *identifier) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *identifier) constant() bool             { return false }

// array returns the slot of a node that stands for several values; false for
// a node that stands for one or none.
func array(n node, e *environment) (slot uint32, ok bool) {
	if i, isIdentifier := n.(*identifier); isIdentifier && i.subscript < 0 {
		slot = e.slots[i.path]
		return slot, e.values.Count(slot) > 1
	}
	return 0, false
}

// and and or follow the tables of 02-expressions §6, which are not SQL's: an
// unknown left side makes the whole unknown.
type and struct{ left, right node }

func (n *and) truth(e *environment) truth {
	if t := n.left.truth(e); t != isTrue {
		return t
	}
	return n.right.truth(e)
}
func (n *and) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *and) constant() bool                     { return n.left.constant() && n.right.constant() }

type or struct{ left, right node }

func (n *or) truth(e *environment) truth {
	if t := n.left.truth(e); t != isFalse {
		return t
	}
	return n.right.truth(e)
}
func (n *or) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *or) constant() bool                     { return n.left.constant() && n.right.constant() }

type not struct{ operand node }

func (n *not) truth(e *environment) truth {
	switch n.operand.truth(e) {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	}
	return isUnknown
}
func (n *not) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *not) constant() bool                     { return n.operand.constant() }

// isNull looks at the first element of an array.
type isNull struct{ operand node }

func (n *isNull) truth(e *environment) truth         { return truthOf(n.operand.value(e).IsNull()) }
func (n *isNull) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *isNull) constant() bool                     { return n.operand.constant() }

type isNaN struct{ operand node }

func (n *isNaN) truth(e *environment) truth         { return truthOf(n.operand.value(e).Number().IsNaN()) }
func (n *isNaN) value(e *environment) message.Value { return valueOfTruth(n.truth(e)) }
func (n *isNaN) constant() bool                     { return n.operand.constant() }

// conditional is IF: only the chosen branch is evaluated.
type conditional struct{ condition, then, otherwise node }

func (n *conditional) chosen(e *environment) node {
	if n.condition.truth(e) == isTrue {
		return n.then
	}
	return n.otherwise
}
func (n *conditional) value(e *environment) message.Value { return n.chosen(e).value(e) }
func (n *conditional) truth(e *environment) truth         { return n.chosen(e).truth(e) }
func (n *conditional) constant() bool {
	return n.condition.constant() && n.then.constant() && n.otherwise.constant()
}

// positive converts to a number and changes nothing else.
type positive struct{ operand node }

func (n *positive) value(e *environment) message.Value {
	v := n.operand.value(e)
	if v.Kind == message.String || v.Kind == message.Bool {
		return v.Number()
	}
	return v
}
func (n *positive) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *positive) constant() bool             { return n.operand.constant() }

type negative struct{ operand node }

func (n *negative) value(e *environment) message.Value {
	v := n.operand.value(e).Number()
	switch v.Kind {
	case message.Null:
		return v
	case message.Int:
		if v.Int() != math.MinInt64 {
			return message.IntValue(-v.Int())
		}
		return message.UintValue(1 << 63)
	case message.Uint:
		if v.Uint() == 1<<63 {
			return message.IntValue(math.MinInt64)
		}
	}
	return message.FloatValue(-v.AsFloat())
}
func (n *negative) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *negative) constant() bool             { return n.operand.constant() }
