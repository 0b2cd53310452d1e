package expr

import (
	"math"
	"time"

	"farad/expr/message"
)

// timeFunctions are those of 02-expressions §10.5. Timestamps are seconds since
// 1970-01-01 UTC, with fractions down to microseconds.
var timeFunctions = map[string]*function{
	"UNIX_TIMESTAMP": {usage: "UNIX_TIMESTAMP()", apply: unixTimestamp, volatile: true},
	"STRFTIME":       {argumentsMin: 2, argumentsMax: 2, usage: "STRFTIME(format, timestamp)", apply: strftime},
	"STRPTIME":       {argumentsMin: 2, argumentsMax: 2, usage: "STRPTIME(text, format)", apply: strptime},
}

const microsecondsPerSecond = 1_000_000

// The timestamps that have a date with a year of four digits, in seconds.
const (
	timestampMin   = -62_167_219_200 // 0000-01-01T00:00:00
	timestampLimit = 253_402_300_800 // 10000-01-01T00:00:00
)

func unixTimestamp(*environment, []message.Value) message.Value {
	return message.FloatValue(float64(time.Now().UnixMicro()) / microsecondsPerSecond)
}

// strftime formats a timestamp in UTC; NULL for one outside of the years 0 to
// 9999. A result longer than timeTextBytesMax is cut.
func strftime(e *environment, a []message.Value) message.Value {
	format, n := e.stringOf(a[0]), a[1].Number()
	t, ok := timeOf(n)
	if !ok {
		if n.IsNaN() {
			return n
		}
		return message.Value{}
	}
	start := len(e.texts)
	f := timeFormatter{t: t, dst: e.texts, start: start}
	f.format(format)
	e.texts = f.dst[:min(len(f.dst), start+timeTextBytesMax)]
	return e.produced(start)
}

// timeOf makes a time of a Number, to the nearest microsecond.
func timeOf(n message.Value) (time.Time, bool) {
	seconds := n.AsFloat()
	if !(seconds >= timestampMin && seconds < timestampLimit) {
		return time.Time{}, false
	}
	if n.Kind != message.Float {
		return time.Unix(n.Int(), 0).UTC(), true
	}
	whole := math.Floor(seconds)
	micros := math.Round((seconds - whole) * microsecondsPerSecond)
	return time.Unix(int64(whole), int64(micros)*int64(time.Microsecond)).UTC(), true
}

// strptime reads a time; NaN for a text that does not follow the format.
func strptime(e *environment, a []message.Value) message.Value {
	p := timeParser{text: e.stringOf(a[0])}
	if !p.parse(e.stringOf(a[1]), 0) {
		return notANumber()
	}
	micros, ok := p.unixMicroseconds()
	if !ok {
		return notANumber()
	}
	return message.FloatValue(float64(micros) / microsecondsPerSecond)
}
