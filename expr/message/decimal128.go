package message

import (
	"math/bits"
	"strconv"
)

// appendDecimal128 writes a decimal of the IEEE 754-2008 binary form with 128
// bits: its digits in full where the exponent is small, else in the notation
// with an exponent.
func appendDecimal128(dst []byte, high, low uint64) []byte {
	if high>>63 != 0 {
		dst = append(dst, '-')
	}
	switch high >> 58 & 31 {
	case 30:
		return append(dst, "Infinity"...)
	case 31:
		return append(dst[:len(dst)-int(high>>63)], "NaN"...)
	}
	const bias = 6176
	exponent := int(high>>49&0x3fff) - bias
	if high>>61&3 == 3 { // a coefficient beyond 34 digits counts as 0
		exponent = int(high>>47&0x3fff) - bias
		high, low = 0, 0
	}
	high &= 1<<49 - 1
	var room [40]byte
	digits := room[:0]
	for high != 0 || low != 0 {
		var rest uint64
		high, rest = high/10, high%10
		low, rest = bits.Div64(rest, low, 10)
		digits = append(digits, '0'+byte(rest))
	}
	if len(digits) == 0 {
		digits = append(digits, '0')
	}
	for i, j := 0, len(digits)-1; i < j; i, j = i+1, j-1 {
		digits[i], digits[j] = digits[j], digits[i]
	}
	adjusted := exponent + len(digits) - 1
	switch {
	case exponent == 0:
		return append(dst, digits...)
	case exponent > 0 || adjusted < -6:
		dst = append(dst, digits[0])
		if len(digits) > 1 {
			dst = append(append(dst, '.'), digits[1:]...)
		}
		dst = append(dst, 'E')
		if adjusted > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(adjusted), 10)
	case adjusted >= 0:
		point := len(digits) + exponent
		return append(append(append(dst, digits[:point]...), '.'), digits[point:]...)
	}
	dst = append(dst, '0', '.')
	for range -exponent - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}
