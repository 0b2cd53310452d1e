package wire

import (
	"math"
	"strconv"
	"time"
)

// rateUnits are the suffixes of rate=, longest first. KB and its kin count
// 1024, as sizes in the configuration do (10-configuration §3).
var rateUnits = [...]struct {
	suffix string
	unit   RateUnit
	factor float64
}{
	{"kb", RateBytes, 1 << 10}, {"mb", RateBytes, 1 << 20}, {"gb", RateBytes, 1 << 30},
	{"b", RateBytes, 1}, {"x", RateMultiple, 1}, {"", RateMessages, 1},
}

// parseRate reads a positive number with an optional unit.
func parseRate(v []byte) (rate float64, unit RateUnit, ok bool) {
	for i := range rateUnits {
		u := &rateUnits[i]
		digits, ok := cutSuffix(v, u.suffix)
		if !ok {
			continue
		}
		n, ok := parseDecimal(digits)
		return n * u.factor, u.unit, ok && n > 0
	}
	return 0, 0, false
}

// intervalUnits are the suffixes of an interval, longest first; without one
// it counts seconds (01-protocol §5).
var intervalUnits = [...]struct {
	suffix string
	unit   time.Duration
}{
	{"ns", time.Nanosecond}, {"us", time.Microsecond}, {"ms", time.Millisecond},
	{"s", time.Second}, {"m", time.Minute}, {"h", time.Hour},
	{"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour}, {"", time.Second},
}

// ParseInterval reads a number with an optional unit (ns us ms s m h d w, any
// case); bare numbers are seconds. It rounds to the nanosecond. False for
// anything else, and above 292 years.
func ParseInterval(text []byte) (time.Duration, bool) {
	for i := range intervalUnits {
		u := &intervalUnits[i]
		digits, ok := cutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, ok := parseDecimal(digits)
		n = math.Round(n * float64(u.unit))
		if !ok || n >= 1<<63 {
			return 0, false
		}
		return time.Duration(n), true
	}
	return 0, false
}

// decimalBytesMax bounds the text of a decimal number. The largest and the
// smallest such numbers are far from those of a float64.
const decimalBytesMax = 32

// parseDecimal reads digits with an optional fraction, as 0.5 or .5
// (05-subscriptions §11); no sign, no exponent.
func parseDecimal(text []byte) (float64, bool) {
	if len(text) == 0 || len(text) > decimalBytesMax || text[len(text)-1] == '.' {
		return 0, false
	}
	point := false
	for _, c := range text {
		switch {
		case c-'0' <= 9:
		case c == '.' && !point:
			point = true
		default:
			return 0, false
		}
	}
	n, err := strconv.ParseFloat(string(text), 64)
	return n, err == nil
}

// cutSuffix takes a lower-case ASCII suffix, in any case, and the white space
// before it off b.
func cutSuffix(b []byte, lower string) ([]byte, bool) {
	rest := len(b) - len(lower)
	if rest < 0 {
		return nil, false
	}
	for i, c := range b[rest:] {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return nil, false
		}
	}
	return trimSpace(b[:rest]), true
}
