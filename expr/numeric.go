package expr

import (
	"math"

	"farad/expr/message"
)

// numericFunctions are those of 02-expressions §10.4 over integers and floats.
// Integers stay integers where they can.
var numericFunctions = map[string]*function{
	"ABS":     {argumentsMin: 1, argumentsMax: 1, usage: "ABS(number)", apply: absolute},
	"ROUND":   {argumentsMin: 1, argumentsMax: 2, usage: "ROUND(number) or ROUND(number, digits)", apply: round},
	"CEILING": {argumentsMin: 1, argumentsMax: 1, usage: "CEILING(number)", apply: toInteger(math.Ceil)},
	"FLOOR":   {argumentsMin: 1, argumentsMax: 1, usage: "FLOOR(number)", apply: toInteger(math.Floor)},
	"SIGN":    {argumentsMin: 1, argumentsMax: 1, usage: "SIGN(number)", apply: sign},
	"SQRT":    floatFunction("SQRT", math.Sqrt),
	"EXP":     floatFunction("EXP", math.Exp),
	"LN":      floatFunction("LN", math.Log),
	"LOG2":    floatFunction("LOG2", math.Log2),
	"LOG10":   floatFunction("LOG10", math.Log10),
	"POWER":   {argumentsMin: 2, argumentsMax: 2, usage: "POWER(base, exponent)", apply: binaryFloat(math.Pow)},
	"WIDTH_BUCKET": {argumentsMin: 4, argumentsMax: 4, usage: "WIDTH_BUCKET(value, minimum, maximum, count)",
		apply: widthBucket},
}

// trigonometricFunctions take and give radians, but for DEGREES and RADIANS.
var trigonometricFunctions = map[string]*function{
	"SIN":     floatFunction("SIN", math.Sin),
	"COS":     floatFunction("COS", math.Cos),
	"TAN":     floatFunction("TAN", math.Tan),
	"COT":     floatFunction("COT", func(x float64) float64 { return 1 / math.Tan(x) }),
	"ASIN":    floatFunction("ASIN", math.Asin),
	"ACOS":    floatFunction("ACOS", math.Acos),
	"ATAN":    floatFunction("ATAN", math.Atan),
	"SINH":    floatFunction("SINH", math.Sinh),
	"COSH":    floatFunction("COSH", math.Cosh),
	"TANH":    floatFunction("TANH", math.Tanh),
	"RADIANS": floatFunction("RADIANS", radians),
	"DEGREES": floatFunction("DEGREES", func(x float64) float64 { return x / math.Pi * 180 }),
	"ATAN2":   {argumentsMin: 2, argumentsMax: 2, usage: "ATAN2(y, x)", apply: binaryFloat(math.Atan2)},
}

func radians(degrees float64) float64 { return degrees / 180 * math.Pi }

// floatFunction is a function of one number whose result is a float; NaN
// outside of its domain.
func floatFunction(name string, of func(float64) float64) *function {
	return &function{argumentsMin: 1, argumentsMax: 1, usage: name + "(number)",
		apply: func(_ *environment, a []message.Value) message.Value {
			return message.FloatValue(of(a[0].Number().AsFloat()))
		}}
}

func binaryFloat(of func(a, b float64) float64) func(*environment, []message.Value) message.Value {
	return func(_ *environment, a []message.Value) message.Value {
		x, y := a[0].Number().AsFloat(), a[1].Number().AsFloat()
		if math.IsNaN(x) || math.IsNaN(y) { // POWER(1, NaN) would be 1
			return notANumber()
		}
		return message.FloatValue(of(x, y))
	}
}

// absolute keeps integers: the magnitude of the least Int is a Uint.
func absolute(_ *environment, a []message.Value) message.Value {
	n := a[0].Number()
	if n.Kind == message.Float {
		return message.FloatValue(math.Abs(n.Float()))
	}
	size, _ := magnitude(n)
	return message.UintValue(size)
}

func sign(_ *environment, a []message.Value) message.Value {
	n := a[0].Number()
	f := n.AsFloat()
	switch {
	case math.IsNaN(f):
		return n
	case f > 0:
		return message.IntValue(1)
	case f < 0:
		return message.IntValue(-1)
	}
	return message.IntValue(0)
}

// toInteger leaves integers alone and makes one of a float with a whole
// float's function; a float beyond the integers stays a float.
func toInteger(whole func(float64) float64) func(*environment, []message.Value) message.Value {
	return func(_ *environment, a []message.Value) message.Value {
		n := a[0].Number()
		if n.Kind != message.Float {
			return n
		}
		return integerIfFits(whole(n.Float()))
	}
}

// integerIfFits makes an integer of a float that is whole.
func integerIfFits(f float64) message.Value {
	const (
		intMin    = -1 << 63
		uintLimit = 1 << 64
	)
	switch {
	case f >= 0 && f < uintLimit:
		return message.UintValue(uint64(f))
	case f >= intMin && f < 0:
		return message.IntValue(int64(f))
	}
	return message.FloatValue(f)
}

// widthBucketsMax bounds the number of buckets: beyond, a float does not tell
// them apart.
const widthBucketsMax = 1 << 53

// widthBucket numbers the bucket of a value from 1, 0 below all of them,
// count+1 above. Without a range or buckets there is no number.
func widthBucket(_ *environment, a []message.Value) message.Value {
	v, low, high := a[0].Number().AsFloat(), a[1].Number().AsFloat(), a[2].Number().AsFloat()
	count := math.Trunc(a[3].Number().AsFloat())
	if math.IsNaN(v) || !(low < high) || !(count >= 1 && count <= widthBucketsMax) {
		return notANumber()
	}
	switch {
	case v < low:
		return message.IntValue(0)
	case v >= high:
		return message.IntValue(int64(count) + 1)
	}
	f := (v - low) * count / (high - low)
	if math.IsInf(high-low, 0) || math.IsInf((v-low)*count, 0) {
		f = (v/2 - low/2) / (high/2 - low/2) * count
	}
	return message.IntValue(int64(min(f, count-1)) + 1)
}
