package tools

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// yesNo is the value of an option that is on or off. It may stand alone, or
// with one of the words that isYesNo knows.
type yesNo bool

func isYesNo(word string) bool {
	switch strings.ToLower(word) {
	case "true", "yes", "1", "false", "no", "0":
		return true
	}
	return false
}

func (v *yesNo) Set(word string) error {
	if !isYesNo(word) {
		return fmt.Errorf("expected true, yes, 1, false, no or 0")
	}
	switch strings.ToLower(word) {
	case "true", "yes", "1":
		*v = true
	default:
		*v = false
	}
	return nil
}

func (v *yesNo) String() string { return strconv.FormatBool(bool(*v)) }
func (v *yesNo) Type() string   { return "bool" }

// yesNoFlag adds an option that is off unless it is named.
func yesNoFlag(flags *pflag.FlagSet, v *yesNo, name, meaning string) {
	flags.Var(v, name, meaning)
	flags.Lookup(name).NoOptDefVal = "true"
}

// yesNoShorthand adds an option that is off unless it is named, by its name or
// by a letter.
func yesNoShorthand(flags *pflag.FlagSet, v *yesNo, name, letter, meaning string) {
	flags.VarPF(v, name, letter, meaning).NoOptDefVal = "true"
}

// interval is a span of time: a number with a unit, as in 500ms, 5s or 1m, or
// a bare number of seconds. 0 stands for no limit.
type interval time.Duration

// intervalMax bounds an interval, so that adding it to a time cannot overflow.
const intervalMax = 366 * 24 * time.Hour

func (v *interval) Set(text string) error {
	d, err := time.ParseDuration(text)
	if seconds, numberErr := strconv.ParseFloat(text, 64); numberErr == nil && math.Abs(seconds) < intervalMax.Seconds() {
		d, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || d < 0 || d > intervalMax {
		return fmt.Errorf("expected a time of up to %d days such as 500ms, 5s or 1m, or a number of seconds", intervalMax/(24*time.Hour))
	}
	*v = interval(d)
	return nil
}

func (v *interval) String() string {
	if *v == 0 {
		return ""
	}
	return time.Duration(*v).String()
}
func (v *interval) Type() string { return "time" }

// separator is the byte between two records, given as a decimal number of
// the ASCII table.
type separator struct {
	value byte
	given bool
}

func (v *separator) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil {
		return fmt.Errorf("expected the decimal ASCII value of a byte, 0 to 255, such as 10 for a line feed or 1 for SOH")
	}
	v.value, v.given = byte(n), true
	return nil
}

func (v *separator) String() string { return strconv.Itoa(int(v.value)) }
func (v *separator) Type() string   { return "ascii" }

// rate is a number of messages a second; 0 stands for as fast as possible.
type rate float64

// Bounds of a rate: below the lowest one message takes longer than a day,
// above the highest the pause between two is under a nanosecond.
const (
	rateMin rate = 1.0 / 86_400
	rateMax rate = 1e9
)

func (v *rate) Set(text string) error {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(rate(f) >= rateMin && rate(f) <= rateMax) {
		return fmt.Errorf("expected messages a second as a decimal number, such as 1000 or .25 for one in 4 seconds")
	}
	*v = rate(f)
	return nil
}

func (v *rate) String() string {
	if *v == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*v), 'g', -1, 64)
}
func (v *rate) Type() string { return "number" }

// count is a number of messages; 0 stands for no limit.
type count uint64

func (v *count) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n == 0 {
		return fmt.Errorf("expected a number of messages, 1 or more")
	}
	*v = count(n)
	return nil
}

func (v *count) String() string {
	if *v == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*v), 10)
}
func (v *count) Type() string { return "number" }
