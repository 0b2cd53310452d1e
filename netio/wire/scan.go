package wire

import "math"

// skipSpace returns the offset of the first byte from i on that is no white
// space; len(b) when there is none.
func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// isBare tells the characters of an unquoted value.
func isBare(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' || c == '-' || c == '+'
}

// isNumeral reports whether an unquoted value is written like a number. More
// than digits, a fraction or an exponent, only an ignored key may have.
func isNumeral(bare []byte) bool {
	if len(bare) == 0 || bare[0]-'0' > 9 {
		return false
	}
	for _, c := range bare {
		if c-'0' > 9 && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			return false
		}
	}
	return true
}

// parseUint reads decimal digits; false for anything else or above 64 bits.
func parseUint(text []byte) (uint64, bool) {
	if len(text) == 0 {
		return 0, false
	}
	if len(text) > digitsSafe {
		return parseLongUint(text)
	}
	var n uint64
	for _, c := range text {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return n, true
}

// digitsSafe is the number of decimal digits that can't overflow 64 bits.
const digitsSafe = 19

func parseLongUint(text []byte) (uint64, bool) {
	var n uint64
	for _, c := range text {
		d := uint64(c - '0')
		if d > 9 || n > math.MaxUint64/10 || n*10 > math.MaxUint64-d {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}
