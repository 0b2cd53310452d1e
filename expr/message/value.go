package message

import (
	"bytes"
	"math"
	"strconv"
)

// Kind is the dynamic type of a Value (02-expressions §5).
type Kind uint8

// The kinds. A Numeral is a number from a text format whose text has not been
// read yet: most numbers of a message are never compared.
const (
	Null Kind = iota
	Bool
	Int
	Uint // above the range of Int only
	Float
	Numeral
	String
)

// Value is one scalar. Text is that of strings, and of numbers that were read
// from a text, and aliases the message; for other numbers it is nil.
type Value struct {
	Text []byte
	bits uint64
	Kind Kind
}

// Constructors.

// BoolValue makes a Boolean.
func BoolValue(b bool) Value {
	if b {
		return Value{Kind: Bool, bits: 1}
	}
	return Value{Kind: Bool}
}

// IntValue makes an integer.
func IntValue(i int64) Value { return Value{Kind: Int, bits: uint64(i)} }

// UintValue makes an integer; one that fits becomes an Int.
func UintValue(u uint64) Value {
	if u <= math.MaxInt64 {
		return IntValue(int64(u))
	}
	return Value{Kind: Uint, bits: u}
}

// FloatValue makes a float; infinities become NaN, as every result that is no
// number does (02-expressions §5).
func FloatValue(f float64) Value {
	if math.IsInf(f, 0) {
		f = math.NaN()
	}
	return Value{Kind: Float, bits: math.Float64bits(f)}
}

// StringValue makes a string; an empty one is NULL (02-expressions 1.7).
func StringValue(text []byte) Value {
	if len(text) == 0 {
		return Value{}
	}
	return Value{Kind: String, Text: text}
}

// NumeralValue makes a number of its text, which must be in the form of a
// literal number.
func NumeralValue(text []byte) Value { return Value{Kind: Numeral, Text: text} }

// TextValue makes a value of a text of a format in which numbers have no form of
// their own: a text of exactly the form of a literal number, which may have a
// minus, is a number (02-expressions §5).
func TextValue(text []byte) Value {
	if len(text) == 0 {
		return Value{}
	}
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) > 0 && (digits[0]-'0' <= 9 || digits[0] == '.') {
		if _, ok := literalForm(digits); ok {
			return NumeralValue(text)
		}
	}
	return StringValue(text)
}

// Parsed reads a Numeral, once for all who look at it, and keeps its text.
// Other values are returned as they are.
func (v Value) Parsed() Value {
	if v.Kind != Numeral {
		return v
	}
	n := parseNumber(v.Text)
	n.Text = v.Text
	return n
}

// Int returns the integer of an Int or Bool.
func (v Value) Int() int64 { return int64(v.bits) }

// Uint returns the integer of a Uint.
func (v Value) Uint() uint64 { return v.bits }

// Float returns the float of a Float.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// IsNull reports whether the value is NULL.
func (v Value) IsNull() bool { return v.Kind == Null }

// Number converts to Null, Int, Uint or Float, by the table of 02-expressions
// §5: a string that is no number becomes NaN.
func (v Value) Number() Value {
	switch v.Kind {
	case Bool:
		return IntValue(int64(v.bits))
	case Numeral, String:
		return parseNumber(v.Text)
	}
	v.Text = nil
	return v
}

// IsNaN reports whether a Number is NaN.
func (v Value) IsNaN() bool {
	return v.Kind == Float && math.IsNaN(math.Float64frombits(v.bits))
}

// AsFloat returns a Number that is not Null as a float.
func (v Value) AsFloat() float64 {
	switch v.Kind {
	case Int:
		return float64(int64(v.bits))
	case Uint:
		return float64(v.bits)
	}
	return math.Float64frombits(v.bits)
}

// AppendText appends the string form: a string itself, a numeral's original
// text, true or false, digits, or the shortest form of a float with at least
// one decimal. NULL appends nothing.
func (v Value) AppendText(dst []byte) []byte {
	if v.Text != nil {
		return append(dst, v.Text...)
	}
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(dst, v.bits != 0)
	case Int:
		return strconv.AppendInt(dst, int64(v.bits), 10)
	case Uint:
		return strconv.AppendUint(dst, v.bits, 10)
	case Float:
		dst = appendFloat(dst, v.Float())
	}
	return dst
}

// appendFloat writes the shortest form that reads back as the same float: with
// at least one decimal, and in ordinary notation for magnitudes that people
// write so.
func appendFloat(dst []byte, f float64) []byte {
	const plainMin, plainLimit = 1e-7, 1e21
	format := byte('g')
	if magnitude := math.Abs(f); magnitude == 0 || magnitude >= plainMin && magnitude < plainLimit {
		format = 'f'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if !bytes.ContainsAny(dst[start:], ".eN") {
		dst = append(dst, '.', '0')
	}
	return dst
}

// parseNumber reads a text of the form of a literal number, with an optional
// sign; NaN for anything else.
func parseNumber(text []byte) Value {
	digits, negative := text, false
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		negative = digits[0] == '-'
		digits = digits[1:]
	}
	var n uint64
	i := 0
	for ; i < len(digits) && digits[i]-'0' <= 9; i++ {
		n = n*10 + uint64(digits[i]-'0')
	}
	if i == len(digits) && i > 0 && i <= 18 {
		if negative {
			return IntValue(-int64(n))
		}
		return IntValue(int64(n))
	}
	if i < len(digits) && digits[i] == '.' {
		if v, ok := parseShortDecimal(digits, i, n, negative); ok {
			return v
		}
	}
	return parseLongNumber(text, digits, negative)
}

// powersOfTen are exact as floats.
var powersOfTen = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseShortDecimal reads digits with a point at dot, when all of them fit 15
// digits: then the quotient of two exact floats is correctly rounded.
func parseShortDecimal(digits []byte, dot int, n uint64, negative bool) (Value, bool) {
	if len(digits) > 16 || len(digits) == 1 {
		return Value{}, false
	}
	for _, c := range digits[dot+1:] {
		if c-'0' > 9 {
			return Value{}, false
		}
		n = n*10 + uint64(c-'0')
	}
	f := float64(n) / powersOfTen[len(digits)-dot-1]
	if negative {
		f = -f
	}
	return FloatValue(f), true
}

// parseLongNumber reads what the fast ways do not.
func parseLongNumber(text, digits []byte, negative bool) Value {
	integer, ok := literalForm(digits)
	if !ok {
		return FloatValue(math.NaN())
	}
	if integer {
		if u, err := strconv.ParseUint(string(digits), 10, 64); err == nil {
			if !negative {
				return UintValue(u)
			}
			if u <= 1<<63 {
				return IntValue(-int64(u))
			}
		}
	}
	f, _ := strconv.ParseFloat(string(text), 64)
	return FloatValue(f)
}

// literalForm reports whether digits, without sign, are a literal number:
// digits, an optional point, an optional exponent (02-expressions §2).
func literalForm(digits []byte) (integer, ok bool) {
	i, n := 0, 0
	for i < len(digits) && digits[i]-'0' <= 9 {
		i++
		n++
	}
	integer = i == len(digits)
	if i < len(digits) && digits[i] == '.' {
		for i++; i < len(digits) && digits[i]-'0' <= 9; i++ {
			n++
		}
	}
	if n == 0 {
		return false, false
	}
	if i < len(digits) && digits[i]|0x20 == 'e' {
		i++
		if i < len(digits) && (digits[i] == '-' || digits[i] == '+') {
			i++
		}
		start := i
		for i < len(digits) && digits[i]-'0' <= 9 {
			i++
		}
		if i == start {
			return false, false
		}
	}
	return integer, i == len(digits)
}
