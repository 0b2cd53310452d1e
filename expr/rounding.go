package expr

import (
	"math"
	"strconv"

	"farad/expr/message"
)

// round rounds to a number of decimals, halves away from zero. It works on the
// decimal form, so that 2.345 becomes 2.35 although the float is a little
// less. Integers stay integers, and a float becomes one when no decimals are
// left and it fits.
func round(_ *environment, a []message.Value) message.Value {
	n, digits := a[0].Number(), 0
	if len(a) == 2 {
		var ok bool
		if digits, ok = wholeOf(a[1].Number()); !ok {
			return notANumber()
		}
	}
	if n.Kind != message.Float {
		return roundInteger(n, digits)
	}
	f := roundFloat(n.Float(), digits)
	if digits > 0 {
		return message.FloatValue(f)
	}
	return integerIfFits(f)
}

// roundInteger rounds to a power of ten when digits is negative.
func roundInteger(n message.Value, digits int) message.Value {
	const digitsOfUint = 20
	if digits >= 0 {
		return n
	}
	if digits < -digitsOfUint {
		return message.IntValue(0)
	}
	size, negative := magnitude(n)
	if digits == -digitsOfUint { // 10^20 is no uint64; its half is above 2^64-1
		return message.IntValue(0)
	}
	unit := uint64(1)
	for range -digits {
		unit *= 10
	}
	rest := size % unit
	size -= rest
	if rest >= unit-rest {
		if size > math.MaxUint64-unit {
			return signedFloat(float64(size)+float64(unit), negative)
		}
		size += unit
	}
	if v, ok := signed(size, negative); ok {
		return v
	}
	return signedFloat(float64(size), negative)
}

func signedFloat(f float64, negative bool) message.Value {
	if negative {
		f = -f
	}
	return message.FloatValue(f)
}

// roundFloat rounds the shortest decimal form of f.
func roundFloat(f float64, digits int) float64 {
	const decimalsMax, decimalsMin = 400, -400 // beyond what a float has
	if math.IsNaN(f) || digits > decimalsMax {
		return f
	}
	digits = max(digits, decimalsMin)
	var buffer [32]byte
	text := strconv.AppendFloat(buffer[:0], math.Abs(f), 'e', -1, 64) // d.dddde±xx
	mark := len(text) - 1
	for text[mark] != 'e' {
		mark--
	}
	exponent := exponentOf(text[mark+1:])
	significant := text[:mark]
	if len(significant) > 1 { // d.ddd becomes dddd
		significant[1] = significant[0]
		significant = significant[1:]
	}
	keep := exponent + 1 + digits // how many of the digits stay
	if keep >= len(significant) {
		return f
	}
	size := 0.0
	if keep >= 0 {
		var whole uint64 // at most 17 digits
		for _, c := range significant[:keep] {
			whole = whole*10 + uint64(c-'0')
		}
		if significant[keep] >= '5' {
			whole++
		}
		size = scaled(whole, -digits)
	}
	if f < 0 && size != 0 {
		return -size
	}
	return size
}

func exponentOf(text []byte) int {
	n := 0
	for _, c := range text[1:] {
		n = n*10 + int(c-'0')
	}
	if text[0] == '-' {
		return -n
	}
	return n
}

// scaled is whole times ten to a power, correctly rounded.
func scaled(whole uint64, power int) float64 {
	var buffer [32]byte
	text := strconv.AppendUint(buffer[:0], whole, 10)
	text = append(text, 'e')
	text = strconv.AppendInt(text, int64(power), 10)
	f, _ := strconv.ParseFloat(string(text), 64)
	return f
}
