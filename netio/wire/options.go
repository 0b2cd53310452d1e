package wire

import (
	"bytes"
	"fmt"
	"time"
)

// OptionSet tells which options a list carried.
type OptionSet uint64

// The option tokens (01-protocol §5).
const (
	OptBookmark OptionSet = 1 << iota
	OptBookmarkNotFound
	OptConflation
	OptConflationKey
	OptFullyDurable
	OptLive
	OptGrouping
	OptProjection
	OptMaxBacklog
	OptNoEmpties
	OptNoSOWKey
	OptNonRegexTopic
	OptOOF
	OptPause
	OptResume
	OptRate
	OptRateMaxGap
	OptReplace
	OptSelect
	OptSendKeys
	OptTimestamp
	OptTopN
	OptSkipN
	OptAckConflation // logon
	OptPretty        // logon
	OptStart         // heartbeat
	OptBeat          // heartbeat
	OptStop          // heartbeat
	OptCancel        // sow_delete, ack
	OptExpire        // sow_delete, ack
)

// BookmarkNotFound says where a replay starts when none of its bookmarks is
// known.
type BookmarkNotFound uint8

// The places; now is the default.
const (
	NotFoundNow BookmarkNotFound = iota
	NotFoundEpoch
	NotFoundFail
)

// ConflationMode is how the interval of a conflated subscription is chosen.
type ConflationMode uint8

// The modes; none is the default.
const (
	ConflationNone ConflationMode = iota
	ConflationInterval
	ConflationAuto
)

// RateUnit is what a replay rate counts.
type RateUnit uint8

// The units of Options.Rate.
const (
	RateMessages RateUnit = iota // messages a second
	RateBytes                    // bytes a second
	RateMultiple                 // multiple of the original speed
)

// Options is a parsed option list. Texts alias the list.
type Options struct {
	Set              OptionSet
	BookmarkNotFound BookmarkNotFound
	Conflation       ConflationMode
	ConflationPeriod time.Duration // with ConflationInterval
	ConflationKey    []byte        // between the brackets
	Grouping         []byte        // between the brackets
	Projection       []byte        // between the brackets, at most 64 KiB
	Select           []byte        // between the brackets
	MaxBacklog       uint64
	Rate             float64 // in RateUnit
	RateUnit         RateUnit
	RateMaxGap       time.Duration
	TopN             uint64
	SkipN            uint64
	AckConflation    time.Duration // logon
	Pretty           bool          // logon
	Heartbeat        time.Duration // heartbeat start: the interval
}

// Has reports whether the list carried any of the options.
func (o *Options) Has(options OptionSet) bool { return o.Set&options != 0 }

// OptionError reports an option list that cannot be accepted. The ack carries
// only "invalid options"; this is for the log (01-protocol §8).
type OptionError struct {
	Offset   int    // byte offset in the list
	Token    string // the token at fault
	Expected string // what would have been right
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("option %q at byte %d: expected %s", e.Token, e.Offset, e.Expected)
}

// Limits of the option list.
const (
	// OptionsBytesMax bounds the whole list, room for a projection at its
	// limit and a key list beside it.
	OptionsBytesMax = 128 << 10
	// ProjectionBytesMax bounds projection= (01-protocol §1.2).
	ProjectionBytesMax = 64 << 10
)

// ParseOptions reads the option list of a command. Tokens are separated by
// commas outside brackets; empty tokens are ignored, and so are the options
// that name only a client's own habits. Whether an option goes with the
// command at hand and its topic is for the engine to say, except that an
// option unknown to the command's family is an error. The error is an
// *OptionError.
func ParseOptions(list []byte, code Code) (Options, error) {
	var o Options
	if len(list) > OptionsBytesMax {
		return o, &OptionError{Token: string(clip(list)), Expected: fmt.Sprintf("at most %d bytes of options", OptionsBytesMax)}
	}
	family := optionFamily(code)
	for at := 0; at < len(list); {
		end, ok := tokenEnd(list, at)
		if !ok {
			return o, &OptionError{Offset: at, Token: string(clip(list[at:])), Expected: "a closing ']' or quote"}
		}
		if err := o.parseToken(list, at, end, family); err != nil {
			return o, err
		}
		at = end + 1
	}
	if family == heartbeatOptions && o.Has(OptStart) && o.Heartbeat <= 0 {
		return o, &OptionError{Token: "start", Expected: "start,<seconds> with at least one second"}
	}
	return o, nil
}

// tokenEnd finds the comma behind the token at i, or the end of the list;
// false when a bracket stays open. A bracketed list may hold brackets itself:
// the bracketed form of a path ([/Not a name]), and those inside the string
// literals of a projection.
func tokenEnd(list []byte, i int) (int, bool) {
	depth := 0
	for ; i < len(list); i++ {
		switch list[i] {
		case '[':
			depth++
		case ']':
			if depth > 0 {
				depth--
			}
		case '\'', '"':
			if depth == 1 {
				i = literalEnd(list, i)
			}
		case ',':
			if depth == 0 {
				return i, true
			}
		}
	}
	return i, depth == 0
}

// literalEnd finds the closing quote of the string literal that the quote at i
// opens; the end of the list when nothing closes it. A backslash escapes,
// except in a raw literal, r'...' (02-expressions §1).
func literalEnd(list []byte, i int) int {
	raw := i >= 2 && list[i-1]|0x20 == 'r' && !isBare(list[i-2]) && list[i-2] != '_'
	for j := i + 1; j < len(list); j++ {
		switch {
		case list[j] == list[i]:
			return j
		case list[j] == '\\' && !raw:
			j++
		}
	}
	return len(list)
}

func (o *Options) parseToken(list []byte, at, end int, family *optionTable) error {
	token := trimSpace(list[at:end])
	if len(token) == 0 {
		return nil
	}
	name, value, hasValue := bytes.Cut(token, []byte{'='})
	name, value = trimSpace(name), trimSpace(value)
	fail := func(expected string) error {
		return &OptionError{Offset: skipSpace(list, at), Token: string(clip(token)), Expected: expected}
	}
	spec, known := (*family)[string(name)]
	if !known {
		if family == heartbeatOptions && o.Has(OptStart) && o.Heartbeat == 0 && !hasValue {
			if period, ok := ParseInterval(name); ok && period >= time.Second {
				o.Heartbeat = period
				return nil
			}
			return fail("a heartbeat interval of at least one second")
		}
		return fail("an option of this command")
	}
	if spec.kind == kindWord {
		if hasValue && spec.bit != 0 {
			return fail("no value")
		}
		o.Set |= spec.bit
		return nil
	}
	if !hasValue && spec.kind != kindPretty || !o.parseValue(spec.kind, value) {
		return fail(spec.expected)
	}
	o.Set |= spec.bit
	return nil
}
