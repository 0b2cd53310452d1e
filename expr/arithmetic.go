package expr

import (
	"math"
	"math/bits"

	"farad/expr/message"
)

// arithmetic is + - * / % over the first elements (02-expressions §5). NULL
// gives NULL, what is no number gives NaN, integers stay integers while they
// fit.
type arithmetic struct {
	operator    byte
	left, right node
}

func (n *arithmetic) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *arithmetic) constant() bool             { return n.left.constant() && n.right.constant() }

func (n *arithmetic) value(e *environment) message.Value {
	return calculate(n.operator, n.left.value(e).Number(), n.right.value(e).Number())
}

// calculate applies an operator to two Numbers.
func calculate(operator byte, a, b message.Value) message.Value {
	if a.IsNull() || b.IsNull() {
		return message.Value{}
	}
	if a.Kind != message.Float && b.Kind != message.Float {
		if v, ok := integers(operator, a, b); ok {
			return v
		}
	}
	return message.FloatValue(floats(operator, a.AsFloat(), b.AsFloat()))
}

func floats(operator byte, a, b float64) float64 {
	switch operator {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	case '/':
		if b == 0 {
			return math.NaN()
		}
		return a / b
	}
	return math.Mod(a, b)
}

// integers calculates with sign and magnitude, so that signed and unsigned
// mix; false when the result does not fit.
func integers(operator byte, a, b message.Value) (message.Value, bool) {
	x, xNegative := magnitude(a)
	y, yNegative := magnitude(b)
	switch operator {
	case '-':
		return add(x, xNegative, y, !yNegative)
	case '+':
		return add(x, xNegative, y, yNegative)
	case '*':
		high, low := bits.Mul64(x, y)
		if high != 0 {
			return message.Value{}, false
		}
		return signed(low, xNegative != yNegative)
	}
	if y == 0 {
		return message.FloatValue(math.NaN()), true
	}
	if operator == '/' {
		return signed(x/y, xNegative != yNegative)
	}
	return signed(x%y, xNegative)
}

func magnitude(v message.Value) (uint64, bool) {
	if v.Kind == message.Int && v.Int() < 0 {
		return -uint64(v.Int()), true
	}
	return v.Uint(), false
}

func add(x uint64, xNegative bool, y uint64, yNegative bool) (message.Value, bool) {
	if xNegative == yNegative {
		sum, carry := bits.Add64(x, y, 0)
		if carry != 0 {
			return message.Value{}, false
		}
		return signed(sum, xNegative)
	}
	if x >= y {
		return signed(x-y, xNegative)
	}
	return signed(y-x, yNegative)
}

func signed(magnitude uint64, negative bool) (message.Value, bool) {
	if !negative {
		return message.UintValue(magnitude), true
	}
	if magnitude > 1<<63 {
		return message.Value{}, false
	}
	return message.IntValue(-int64(magnitude)), true
}
