package expr

import (
	"time"

	"farad/expr/message"
)

// legacyFunctions are those of the legacy messaging compatibility module
// (02-expressions §10.5), always there. Timestamps are seconds since 1970. What
// depends on the present time counts as deterministic all the same (§9).
var legacyFunctions = map[string]*function{
	"TIMEZONEOFFSET": {usage: "TIMEZONEOFFSET()", fresh: true, apply: func(*environment, []message.Value) message.Value {
		_, offset := time.Now().Zone()
		return message.IntValue(int64(offset))
	}},
	"YEAR":  dateFunction("YEAR(timestamp)", func(t time.Time) int64 { return int64(t.Year()) }),
	"MONTH": dateFunction("MONTH(timestamp)", func(t time.Time) int64 { return int64(t.Month()) }),
	"DAY":   dateFunction("DAY(timestamp)", func(t time.Time) int64 { return int64(t.Day()) }),

	"DATE_UTC": dateFunction("DATE_UTC(timestamp)", startOfDay),
	"DATE":     dateFunction("DATE(timestamp)", func(t time.Time) int64 { return startOfDay(t.Local()) }),
	"TODAY_UTC": {usage: "TODAY_UTC()", fresh: true, apply: func(*environment, []message.Value) message.Value {
		return message.IntValue(startOfDay(time.Now().UTC()))
	}},
	"TODAY": {usage: "TODAY()", fresh: true, apply: func(*environment, []message.Value) message.Value { return message.IntValue(startOfDay(time.Now())) }},
}

// startOfDay is the second in which the day of t began, in the zone of t.
func startOfDay(t time.Time) int64 {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, t.Location()).Unix()
}

// dateFunction reads a timestamp as a time in UTC; NaN for what is none, NULL
// outside of the years 0 to 9999.
func dateFunction(usage string, part func(time.Time) int64) *function {
	return &function{argumentsMin: 1, argumentsMax: 1, usage: usage, fresh: usage[:5] == "DATE(", apply: func(_ *environment, a []message.Value) message.Value {
		n := a[0].Number()
		t, ok := timeOf(n)
		switch {
		case ok:
			return message.IntValue(part(t))
		case n.IsNaN():
			return n
		}
		return message.Value{}
	}}
}
