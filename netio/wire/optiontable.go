package wire

import (
	"fmt"
	"time"
)

// optionKind is how the value of an option is read.
type optionKind uint8

const (
	kindWord optionKind = iota // no value
	kindPretty
	kindAckConflation
	kindBookmarkNotFound
	kindConflation
	kindConflationKey
	kindGrouping
	kindProjection
	kindSelect
	kindMaxBacklog
	kindTopN
	kindSkipN
	kindRate
	kindRateMaxGap
)

// optionSpec says how one option is read. Without a bit it is accepted and has
// no effect.
type optionSpec struct {
	bit      OptionSet
	kind     optionKind
	expected string // what a right token looks like
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
	return plainOptions
}

var logonOptions = &optionTable{
	"none":           {},
	"ack_conflation": {OptAckConflation, kindAckConflation, "ack_conflation=<interval>"},
	"pretty":         {OptPretty, kindPretty, "pretty, pretty=true or pretty=false"},
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

// plainOptions serves the commands that define no options of their own.
var plainOptions = &optionTable{"none": {}}

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

	"bookmark_not_found": {OptBookmarkNotFound, kindBookmarkNotFound, "bookmark_not_found=now, epoch or fail"},
	"conflation":         {OptConflation, kindConflation, "conflation=<interval>, auto or none"},
	"conflation_key":     {OptConflationKey, kindConflationKey, "conflation_key=[/field,...]"},
	"grouping":           {OptGrouping, kindGrouping, "grouping=[/field,...]"},
	"projection":         {OptProjection, kindProjection, "projection=[expression AS /field,...] of at most 64 KiB"},
	"select":             {OptSelect, kindSelect, "select=[+/field,-/field,...]"},
	"max_backlog":        {OptMaxBacklog, kindMaxBacklog, "max_backlog=<count>"},
	"top_n":              {OptTopN, kindTopN, "top_n=<count>"},
	"skip_n":             {OptSkipN, kindSkipN, "skip_n=<count>"},
	"rate":               {OptRate, kindRate, "rate=<messages>, <n>KB or <n>X"},
	"rate_max_gap":       {OptRateMaxGap, kindRateMaxGap, "rate_max_gap=<interval>"},
}

// parseValue reads the value of an option into its field; false when it is not
// as the option's kind wants it. A switch rather than a function for each
// option keeps o off the heap.
func (o *Options) parseValue(kind optionKind, v []byte) (ok bool) {
	switch kind {
	case kindPretty:
		o.Pretty = len(v) == 0 || string(v) == "true"
		return o.Pretty || string(v) == "false"
	case kindAckConflation:
		o.AckConflation, ok = ParseInterval(v)
	case kindBookmarkNotFound:
		o.BookmarkNotFound, ok = parseNotFound(v)
	case kindConflation:
		o.Conflation, o.ConflationPeriod, ok = parseConflation(v)
	case kindConflationKey:
		o.ConflationKey, ok = bracketed(v, OptionsBytesMax)
	case kindGrouping:
		o.Grouping, ok = bracketed(v, OptionsBytesMax)
	case kindProjection:
		o.Projection, ok = bracketed(v, ProjectionBytesMax)
	case kindSelect:
		o.Select, ok = bracketed(v, OptionsBytesMax)
	case kindMaxBacklog:
		o.MaxBacklog, ok = parseUint(v)
	case kindTopN:
		o.TopN, ok = parseUint(v)
	case kindSkipN:
		o.SkipN, ok = parseUint(v)
	case kindRate:
		o.Rate, o.RateUnit, ok = parseRate(v)
	case kindRateMaxGap:
		o.RateMaxGap, ok = ParseInterval(v)
	default:
		panic(fmt.Sprintf("wire: option kind %d has no value", kind))
	}
	return ok
}

func parseNotFound(v []byte) (BookmarkNotFound, bool) {
	switch string(v) {
	case "now":
		return NotFoundNow, true
	case "epoch":
		return NotFoundEpoch, true
	case "fail":
		return NotFoundFail, true
	}
	return 0, false
}

func parseConflation(v []byte) (ConflationMode, time.Duration, bool) {
	switch string(v) {
	case "none":
		return ConflationNone, 0, true
	case "auto":
		return ConflationAuto, 0, true
	}
	period, ok := ParseInterval(v)
	return ConflationInterval, period, ok && period > 0
}

// bracketed takes the brackets, which count for the limit, off a list that is
// not empty.
func bracketed(v []byte, limit int) ([]byte, bool) {
	if len(v) < 2 || v[0] != '[' || v[len(v)-1] != ']' || len(v) > limit {
		return nil, false
	}
	list := trimSpace(v[1 : len(v)-1])
	return list, len(list) > 0
}
