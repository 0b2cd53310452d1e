package expr

import "farad/expr/message"

// extremeFunctions choose among values by the comparison rules of
// 02-expressions §6.
var extremeFunctions = map[string]*function{
	"GREATEST": {argumentsMin: 1, argumentsMax: argumentsUnlimited, usage: "GREATEST(value, ...)", takesNull: true,
		apply: func(_ *environment, a []message.Value) message.Value { return extremeOf(a, message.Greater) }},
	"LEAST": {argumentsMin: 1, argumentsMax: argumentsUnlimited, usage: "LEAST(value, ...)", takesNull: true,
		apply: func(_ *environment, a []message.Value) message.Value { return extremeOf(a, message.Less) }},
}

func extremeOf(values []message.Value, wanted message.Ordering) message.Value {
	var best message.Value
	for _, v := range values {
		best = moreExtreme(best, v, wanted)
	}
	return best
}

// moreExtreme is v if it is greater or less than best, as wanted; the earlier
// one of equals. NULL is skipped, and NaN wherever there is anything else.
func moreExtreme(best, v message.Value, wanted message.Ordering) message.Value {
	switch {
	case v.IsNull():
		return best
	case best.IsNull() || best.IsNaN():
		return v
	}
	if message.Compare(v, best) == wanted {
		return v
	}
	return best
}
