package config

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
)

// numberBytesMax bounds the digits of a number, so that reading one takes no
// time to speak of.
const numberBytesMax = 64

// unit is a suffix of a number and what it multiplies by.
type unit struct {
	suffix string
	factor int64
}

var (
	intervalUnits = []unit{
		{"ns", 1}, {"us", 1000}, {"ms", 1000_000}, {"s", 1000_000_000},
		{"m", 60 * 1000_000_000}, {"h", 3600 * 1000_000_000},
		{"d", 24 * 3600 * 1000_000_000}, {"w", 7 * 24 * 3600 * 1000_000_000},
	}
	exponents = []unit{{"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}}
	byteUnits = []unit{{"kb", 1 << 10}, {"mb", 1 << 20}, {"gb", 1 << 30}, {"tb", 1 << 40}}
	sizeUnits = append(append([]unit(nil), exponents...), byteUnits...)
)

var (
	errSyntax    = errors.New("syntax")
	errRange     = errors.New("range")
	errNotWhole  = errors.New("not whole")
	errTooDetail = errors.New("too many digits")
)

// ParseInterval reads an interval: a number, seconds without a unit, or ns,
// us, ms, s, m, h, d or w, in any case. Fractions of a nanosecond are cut off.
func ParseInterval(text string) (time.Duration, error) {
	n, err := scaled(text, intervalUnits, 1000_000_000, true)
	if err != nil {
		return 0, valueError(text, "an interval", "a number with an optional unit ns, us, ms, s (the default), m, h, d or w, such as 100ms", err)
	}
	return time.Duration(n), nil
}

// ParseSize reads a number of bytes: k, m, g and t are powers of 1000, kb, mb,
// gb and tb of 1024, in any case. Fractions of a byte are cut off.
func ParseSize(text string) (int64, error) {
	n, err := scaled(text, sizeUnits, 1, true)
	if err != nil {
		return 0, valueError(text, "a size", "a number of bytes with an optional unit k, m, g, t (powers of 1000), kb, mb, gb or tb (powers of 1024), such as 256MB", err)
	}
	return n, nil
}

// ParseCount reads a whole number; k, m, g and t are powers of 1000, in any
// case.
func ParseCount(text string) (int64, error) {
	n, err := scaled(text, exponents, 1, false)
	if err != nil {
		return 0, valueError(text, "a count", "a whole number with an optional unit k, m, g or t (powers of 1000), such as 10k", err)
	}
	return n, nil
}

// ParsePercent reads a percentage from 0 to 100, with or without a percent
// sign.
func ParsePercent(text string) (float64, error) {
	const wanted = "a number from 0 to 100 with an optional %, such as 50%"
	digits, rest := splitNumber(text)
	value, err := exact(digits)
	switch {
	case err != nil:
	case rest != "" && rest != "%":
		err = errSyntax
	case value.Cmp(big.NewRat(100, 1)) > 0:
		err = errRange
	}
	if err != nil {
		return 0, valueError(text, "a percentage", wanted, err)
	}
	percent, _ := value.Float64()
	return percent, nil
}

// scaled reads number [space] [unit]. With space, white space may stand
// before the unit and fractions of the result are cut off; without it, both
// are errors.
func scaled(text string, units []unit, plain int64, space bool) (int64, error) {
	digits, suffix := splitNumber(text)
	value, err := exact(digits)
	if err != nil {
		return 0, err
	}
	if space {
		trimmed := strings.TrimLeft(suffix, xmlSpace)
		if trimmed == "" && suffix != "" {
			return 0, errSyntax
		}
		suffix = trimmed
	}
	factor := plain
	if suffix != "" {
		if factor, err = factorOf(suffix, units); err != nil {
			return 0, err
		}
	}
	value.Mul(value, new(big.Rat).SetInt64(factor))
	if !space && !value.IsInt() {
		return 0, errNotWhole
	}
	whole := new(big.Int).Quo(value.Num(), value.Denom())
	if !whole.IsInt64() {
		return 0, errRange
	}
	return whole.Int64(), nil
}

func factorOf(suffix string, units []unit) (int64, error) {
	for _, u := range units {
		if strings.EqualFold(suffix, u.suffix) {
			return u.factor, nil
		}
	}
	return 0, errSyntax
}

// splitNumber cuts text behind its leading digits and dots.
func splitNumber(text string) (number, rest string) {
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] == '.') {
		end++
	}
	return text[:end], text[end:]
}

// exact is the value of digits [ "." digits ].
func exact(number string) (*big.Rat, error) {
	if len(number) > numberBytesMax {
		return nil, errTooDetail
	}
	whole, fraction, dotted := strings.Cut(number, ".")
	if whole == "" || dotted && fraction == "" || strings.Contains(fraction, ".") {
		return nil, errSyntax
	}
	value, ok := new(big.Rat).SetString(number)
	if !ok {
		return nil, errSyntax
	}
	return value, nil
}

func valueError(text, kind, wanted string, err error) error {
	switch err {
	case errRange:
		return fmt.Errorf("%s is out of range for %s; expected %s, at most %d in the smallest unit", quoted(text), kind, wanted, int64(math.MaxInt64))
	case errTooDetail:
		return fmt.Errorf("%s has more than %d digits; expected %s", quoted(text), numberBytesMax, wanted)
	}
	return fmt.Errorf("%s is not %s; expected %s", quoted(text), kind, wanted)
}
