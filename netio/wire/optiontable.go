package wire

import (
	"strconv"
	"time"
)

// optionSpec says how one option is read. Without parse it is a bare word;
// without a bit it is accepted and has no effect.
type optionSpec struct {
	bit           OptionSet
	parse         func(o *Options, value []byte) bool
	expected      string
	valueOptional bool
}

type optionTable map[string]optionSpec

// optionFamily gives the options that commands of a kind may carry.
func optionFamily(code Code) *optionTable {
	switch code {
	case CodeLogon:
		return logonOptions
	case CodeHeartbeat:
		return heartbeatOptions
	case CodeSOWDelete, CodeAck:
		return deleteOptions
	case CodeSubscribe, CodeDeltaSubscribe, CodeSOW, CodeSOWAndSubscribe, CodeSOWAndDeltaSubscribe:
		return subscribeOptions
	}
	return lenientOptions
}

var logonOptions = &optionTable{
	"none": {},
	"ack_conflation": {bit: OptAckConflation, expected: "ack_conflation=<interval>", parse: func(o *Options, v []byte) (ok bool) {
		o.AckConflation, ok = ParseInterval(v)
		return ok
	}},
	"pretty": {bit: OptPretty, expected: "pretty, pretty=true or pretty=false", valueOptional: true, parse: func(o *Options, v []byte) bool {
		switch string(v) {
		case "", "true":
			o.Pretty = true
		case "false":
			o.Pretty = false
		default:
			return false
		}
		return true
	}},
}

var heartbeatOptions = &optionTable{
	"none":  {},
	"start": {bit: OptStart},
	"beat":  {bit: OptBeat},
	"stop":  {bit: OptStop},
}

var deleteOptions = &optionTable{
	"none":   {},
	"cancel": {bit: OptCancel},
	"expire": {bit: OptExpire},
}

// lenientOptions serves the commands that define no options of their own.
var lenientOptions = &optionTable{"none": {}}

var subscribeOptions = &optionTable{
	"none":            {},
	"bookmark":        {bit: OptBookmark},
	"fully_durable":   {bit: OptFullyDurable},
	"live":            {bit: OptLive},
	"no_empties":      {bit: OptNoEmpties},
	"no_sowkey":       {bit: OptNoSOWKey},
	"non_regex_topic": {bit: OptNonRegexTopic},
	"oof":             {bit: OptOOF},
	"pause":           {bit: OptPause},
	"resume":          {bit: OptResume},
	"replace":         {bit: OptReplace},
	"send_keys":       {bit: OptSendKeys},
	"timestamp":       {bit: OptTimestamp},

	// Words of some clients that ask for nothing (01-protocol §5).
	"data_only":    {},
	"send_empty":   {},
	"send_empties": {},

	"bookmark_not_found": {bit: OptBookmarkNotFound, expected: "bookmark_not_found=now, epoch or fail", parse: parseNotFound},
	"conflation":         {bit: OptConflation, expected: "conflation=<interval>, auto or none", parse: parseConflation},
	"conflation_key":     {bit: OptConflationKey, expected: "conflation_key=[/field,...]", parse: bracketed(func(o *Options) *[]byte { return &o.ConflationKey }, OptionsBytesMax)},
	"grouping":           {bit: OptGrouping, expected: "grouping=[/field,...]", parse: bracketed(func(o *Options) *[]byte { return &o.Grouping }, OptionsBytesMax)},
	"projection":         {bit: OptProjection, expected: "projection=[expression AS /field,...] of at most 64 KiB", parse: bracketed(func(o *Options) *[]byte { return &o.Projection }, ProjectionBytesMax)},
	"select":             {bit: OptSelect, expected: "select=[+/field,-/field,...]", parse: bracketed(func(o *Options) *[]byte { return &o.Select }, OptionsBytesMax)},
	"max_backlog":        {bit: OptMaxBacklog, expected: "max_backlog=<count>", parse: number(func(o *Options) *uint64 { return &o.MaxBacklog })},
	"top_n":              {bit: OptTopN, expected: "top_n=<count>", parse: number(func(o *Options) *uint64 { return &o.TopN })},
	"skip_n":             {bit: OptSkipN, expected: "skip_n=<count>", parse: number(func(o *Options) *uint64 { return &o.SkipN })},
	"rate":               {bit: OptRate, expected: "rate=<messages>, <n>KB or <n>X", parse: parseRate},
	"rate_max_gap": {bit: OptRateMaxGap, expected: "rate_max_gap=<interval>", parse: func(o *Options, v []byte) (ok bool) {
		o.RateMaxGap, ok = ParseInterval(v)
		return ok
	}},
}

func parseNotFound(o *Options, v []byte) bool {
	switch string(v) {
	case "now":
		o.BookmarkNotFound = NotFoundNow
	case "epoch":
		o.BookmarkNotFound = NotFoundEpoch
	case "fail":
		o.BookmarkNotFound = NotFoundFail
	default:
		return false
	}
	return true
}

func parseConflation(o *Options, v []byte) (ok bool) {
	switch string(v) {
	case "none":
		o.Conflation = ConflationNone
		return true
	case "auto":
		o.Conflation = ConflationAuto
		return true
	}
	o.Conflation = ConflationInterval
	o.ConflationPeriod, ok = ParseInterval(v)
	return ok && o.ConflationPeriod > 0
}

// bracketed reads [list] into the field, without the brackets.
func bracketed(field func(*Options) *[]byte, limit int) func(*Options, []byte) bool {
	return func(o *Options, v []byte) bool {
		if len(v) < 2 || v[0] != '[' || v[len(v)-1] != ']' || len(v) > limit {
			return false
		}
		list := trimSpace(v[1 : len(v)-1])
		*field(o) = list
		return len(list) > 0
	}
}

func number(field func(*Options) *uint64) func(*Options, []byte) bool {
	return func(o *Options, v []byte) (ok bool) {
		*field(o), ok = parseUint(v)
		return ok
	}
}

// rateUnits are the suffixes of rate=, longest first. KB and its kin count
// 1024, as sizes in the configuration do (10-configuration §3).
var rateUnits = []struct {
	suffix string
	unit   RateUnit
	factor float64
}{
	{"kb", RateBytes, 1 << 10}, {"mb", RateBytes, 1 << 20}, {"gb", RateBytes, 1 << 30},
	{"b", RateBytes, 1}, {"x", RateMultiple, 1}, {"", RateMessages, 1},
}

func parseRate(o *Options, v []byte) bool {
	for _, u := range rateUnits {
		digits := len(v) - len(u.suffix)
		if digits < 0 || !equalFold(v[digits:], u.suffix) {
			continue
		}
		n, ok := parseDecimal(trimSpace(v[:digits]))
		if !ok || n <= 0 {
			return false
		}
		o.Rate, o.RateUnit = n*u.factor, u.unit
		return true
	}
	return false
}

// intervalUnits are the suffixes of an interval, longest first; without one
// it counts seconds (01-protocol §5).
var intervalUnits = []struct {
	suffix string
	unit   time.Duration
}{
	{"ns", time.Nanosecond}, {"us", time.Microsecond}, {"ms", time.Millisecond},
	{"s", time.Second}, {"m", time.Minute}, {"h", time.Hour},
	{"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour}, {"", time.Second},
}

// ParseInterval reads a number with an optional unit (ns us ms s m h d w, any
// case); bare numbers are seconds. False for anything else, and above 292
// years.
func ParseInterval(text []byte) (time.Duration, bool) {
	for _, u := range intervalUnits {
		digits := len(text) - len(u.suffix)
		if digits < 0 || !equalFold(text[digits:], u.suffix) {
			continue
		}
		n, ok := parseDecimal(trimSpace(text[:digits]))
		if !ok || n*float64(u.unit) >= float64(1<<63) {
			return 0, false
		}
		return time.Duration(n * float64(u.unit)), true
	}
	return 0, false
}

// parseDecimal reads digits with an optional fraction; no sign, no exponent.
func parseDecimal(text []byte) (float64, bool) {
	digits, point := 0, false
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' && !point:
			point = true
		default:
			return 0, false
		}
	}
	if digits == 0 {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(text), 64)
	return n, err == nil
}

// equalFold compares with a lower-case ASCII word.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
