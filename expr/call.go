package expr

import (
	"math"

	"farad/expr/message"
)

// call is a function over scalar values: the first elements of its arguments
// (02-expressions §8.4).
type call struct {
	function  *function
	arguments []node
}

func (n *call) truth(e *environment) truth { return truthOfValue(n.value(e)) }

func (n *call) constant() bool {
	if n.function.volatile || n.function.fresh {
		return false
	}
	for _, argument := range n.arguments {
		if !argument.constant() {
			return false
		}
	}
	return true
}

// value evaluates the arguments from left to right onto the environment's
// stack and applies the function to them. Texts made for the arguments are
// given up unless the result is a text, which may be a part of one.
func (n *call) value(e *environment) message.Value {
	base, mark := len(e.stack), e.mark()
	for _, argument := range n.arguments {
		v := argument.value(e)
		e.stack = append(e.stack, v)
	}
	v := n.apply(e, e.stack[base:])
	e.stack = e.stack[:base]
	if v.Text == nil {
		e.release(mark)
	}
	return v
}

func (n *call) apply(e *environment, arguments []message.Value) message.Value {
	if !n.function.takesNull {
		for _, v := range arguments {
			if v.IsNull() {
				return message.Value{}
			}
		}
	}
	return n.function.apply(e, arguments)
}

// coalesce is the first argument that is not NULL; those behind it are not
// evaluated.
type coalesce struct{ arguments []node }

func (n *coalesce) truth(e *environment) truth { return truthOfValue(n.value(e)) }

func (n *coalesce) value(e *environment) message.Value {
	for _, argument := range n.arguments {
		if v := argument.value(e); !v.IsNull() {
			return v
		}
	}
	return message.Value{}
}

func (n *coalesce) constant() bool {
	for _, argument := range n.arguments {
		if !argument.constant() {
			return false
		}
	}
	return true
}

// notANumber is what a number becomes that cannot be one.
func notANumber() message.Value { return message.FloatValue(math.NaN()) }
