package wire_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"farad/netio/wire"
)

// subscribing are the commands that take subscription options.
var subscribing = []wire.Code{
	wire.CodeSubscribe, wire.CodeDeltaSubscribe, wire.CodeSOW, wire.CodeSOWAndSubscribe, wire.CodeSOWAndDeltaSubscribe,
}

func wantOptions(t *testing.T, code wire.Code, list string, want wire.Options) {
	t.Helper()
	got, err := wire.ParseOptions([]byte(list), code)
	if err != nil {
		t.Errorf("%v %q: %v", code, list, err)
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v %q: %+v, want %+v", code, list, got, want)
	}
}

func wantOptionError(t *testing.T, code wire.Code, list string, offset int, token, expected string) {
	t.Helper()
	got, err := wire.ParseOptions([]byte(list), code)
	var refusal *wire.OptionError
	if !errors.As(err, &refusal) {
		t.Errorf("%v %.40q: %+v, %v; want an *OptionError", code, list, got, err)
		return
	}
	if refusal.Offset != offset || refusal.Token != token || !strings.Contains(refusal.Expected, expected) || !strings.Contains(err.Error(), refusal.Expected) {
		t.Errorf("%v %.40q: %v; want %q at byte %d, expected %s", code, list, err, token, offset, expected)
	}
}

func TestEveryOptionOfASubscriptionIsRead(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]wire.Options{
		"none":                             {},
		"data_only":                        {},
		"send_empty":                       {},
		"send_empties":                     {},
		"send_empty=false":                 {},
		"bookmark":                         {Set: wire.OptBookmark},
		"bookmark_not_found=now":           {Set: wire.OptBookmarkNotFound, BookmarkNotFound: wire.NotFoundNow},
		"bookmark_not_found=epoch":         {Set: wire.OptBookmarkNotFound, BookmarkNotFound: wire.NotFoundEpoch},
		"bookmark_not_found=fail":          {Set: wire.OptBookmarkNotFound, BookmarkNotFound: wire.NotFoundFail},
		"conflation=100ms":                 {Set: wire.OptConflation, Conflation: wire.ConflationInterval, ConflationPeriod: 100 * time.Millisecond},
		"conflation=auto":                  {Set: wire.OptConflation, Conflation: wire.ConflationAuto},
		"conflation=none":                  {Set: wire.OptConflation, Conflation: wire.ConflationNone},
		"conflation_key=[/a,/b]":           {Set: wire.OptConflationKey, ConflationKey: []byte("/a,/b")},
		"fully_durable":                    {Set: wire.OptFullyDurable},
		"live":                             {Set: wire.OptLive},
		"grouping=[/a]":                    {Set: wire.OptGrouping, Grouping: []byte("/a")},
		"projection=[SUM(/q) AS /q]":       {Set: wire.OptProjection, Projection: []byte("SUM(/q) AS /q")},
		"max_backlog=0":                    {Set: wire.OptMaxBacklog},
		"max_backlog=18446744073709551615": {Set: wire.OptMaxBacklog, MaxBacklog: 18446744073709551615},
		"no_empties":                       {Set: wire.OptNoEmpties},
		"no_sowkey":                        {Set: wire.OptNoSOWKey},
		"non_regex_topic":                  {Set: wire.OptNonRegexTopic},
		"oof":                              {Set: wire.OptOOF},
		"pause":                            {Set: wire.OptPause},
		"resume":                           {Set: wire.OptResume},
		"rate=1000":                        {Set: wire.OptRate, Rate: 1000, RateUnit: wire.RateMessages},
		"rate=100KB":                       {Set: wire.OptRate, Rate: 102400, RateUnit: wire.RateBytes},
		"rate=.5 mb":                       {Set: wire.OptRate, Rate: 524288, RateUnit: wire.RateBytes},
		"rate=1Gb":                         {Set: wire.OptRate, Rate: 1 << 30, RateUnit: wire.RateBytes},
		"rate=500b":                        {Set: wire.OptRate, Rate: 500, RateUnit: wire.RateBytes},
		"rate=2.5X":                        {Set: wire.OptRate, Rate: 2.5, RateUnit: wire.RateMultiple},
		"rate=.5x":                         {Set: wire.OptRate, Rate: 0.5, RateUnit: wire.RateMultiple},
		"rate_max_gap=10s":                 {Set: wire.OptRateMaxGap, RateMaxGap: 10 * time.Second},
		"replace":                          {Set: wire.OptReplace},
		"select=[-/,+/id]":                 {Set: wire.OptSelect, Select: []byte("-/,+/id")},
		"send_keys":                        {Set: wire.OptSendKeys},
		"top_n=10":                         {Set: wire.OptTopN, TopN: 10},
		"skip_n=20":                        {Set: wire.OptSkipN, SkipN: 20},
		"timestamp":                        {Set: wire.OptTimestamp},
	} {
		for _, code := range subscribing {
			wantOptions(t, code, list, want)
		}
	}
}

func TestOptionsOfOtherCommandsAreRead(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]wire.Options{
		"ack_conflation=10ms":    {Set: wire.OptAckConflation, AckConflation: 10 * time.Millisecond},
		"pretty":                 {Set: wire.OptPretty, Pretty: true},
		"pretty=true":            {Set: wire.OptPretty, Pretty: true},
		"pretty=false":           {Set: wire.OptPretty},
		"none,ack_conflation=0,": {Set: wire.OptAckConflation},
	} {
		wantOptions(t, wire.CodeLogon, list, want)
	}
	for list, want := range map[string]wire.Options{
		"start,30":     {Set: wire.OptStart, Heartbeat: 30 * time.Second},
		"start, 5 ,":   {Set: wire.OptStart, Heartbeat: 5 * time.Second},
		"start,2m":     {Set: wire.OptStart, Heartbeat: 2 * time.Minute},
		"start,1.5":    {Set: wire.OptStart, Heartbeat: 1500 * time.Millisecond},
		"start,1000ms": {Set: wire.OptStart, Heartbeat: time.Second},
		"beat":         {Set: wire.OptBeat},
		"stop":         {Set: wire.OptStop},
		"none":         {},
	} {
		wantOptions(t, wire.CodeHeartbeat, list, want)
	}
	for _, code := range []wire.Code{wire.CodeSOWDelete, wire.CodeAck} {
		wantOptions(t, code, "cancel", wire.Options{Set: wire.OptCancel})
		wantOptions(t, code, "expire,", wire.Options{Set: wire.OptExpire})
	}
	for _, code := range []wire.Code{wire.CodePublish, wire.CodeUnsubscribe, wire.CodeFlush} {
		wantOptions(t, code, ",none, ", wire.Options{})
	}
}

// 01-protocol #30 (the options' half; the header's is in key_test.go)
func TestEmptyTokensAndSpacesAreHarmless(t *testing.T) {
	t.Parallel()
	want := wire.Options{
		Set:        wire.OptOOF | wire.OptConflation | wire.OptConflationKey | wire.OptTopN,
		Conflation: wire.ConflationInterval, ConflationPeriod: time.Minute, ConflationKey: []byte("/id"), TopN: 5,
	}
	for _, list := range []string{
		"oof,conflation=1m,conflation_key=[/id],top_n=5", "oof,conflation=1m,conflation_key=[/id],top_n=5,", ",,oof,,conflation=1m,conflation_key=[/id],top_n=5,,,",
		"oof, conflation=1m, conflation_key= [/id] ,\ttop_n = 5 ", "top_n=9,oof,oof,conflation=1M,conflation_key=[ /id ],top_n=5, ",
	} {
		wantOptions(t, wire.CodeSOWAndSubscribe, list, want)
	}
	for _, list := range []string{"", ",", " , ,", "none", "none,"} {
		wantOptions(t, wire.CodeSubscribe, list, wire.Options{})
	}
}

func TestCommasInBracketsAndLiteralsDoNotEndAnOption(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`[/a,/b]`:                                `/a,/b`,
		`[[/Not, a name],/b]`:                    `[/Not, a name],/b`,
		`[CONCAT('a]',/x) AS /y]`:                `CONCAT('a]',/x) AS /y`,
		`[CONCAT("],[",/x) AS /y,'[' AS /z]`:     `CONCAT("],[",/x) AS /y,'[' AS /z`,
		`['it\'s]' AS /y]`:                       `'it\'s]' AS /y`,
		`[r'\' AS /y,/z]`:                        `r'\' AS /y,/z`,
		`[/a OR'\'],' AS /y]`:                    `/a OR'\'],' AS /y`,
		`["'" AS /y]`:                            `"'" AS /y`,
		`[[/trader's name]]`:                     `[/trader's name]`,
		`[IF(/a=1,'x=[1,2]','') AS /b,/c AS /d]`: `IF(/a=1,'x=[1,2]','') AS /b,/c AS /d`,
	} {
		list := "oof,projection=" + value + ",top_n=3"
		wantOptions(t, wire.CodeSOW, list, wire.Options{Set: wire.OptOOF | wire.OptProjection | wire.OptTopN, Projection: []byte(want), TopN: 3})
	}
}

func TestOptionThatCannotBeReadIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	const unknown, noValue = "an option of this command", "no value"
	for _, c := range []struct {
		list     string
		offset   int
		token    string
		expected string
	}{
		{"pull", 0, "pull", unknown},
		{"oof,sync=1", 4, "sync=1", unknown},
		{"oof,  sync ,live", 6, "sync", unknown},
		{"OOF", 0, "OOF", unknown},
		{"=1", 0, "=1", unknown},
		{"start,5", 0, "start", unknown},
		{"cancel", 0, "cancel", unknown},
		{"pretty", 0, "pretty", unknown},
		{"oof=true", 0, "oof=true", noValue},
		{"live,replace=", 5, "replace=", noValue},
		{"bookmark_not_found", 0, "bookmark_not_found", "now, epoch or fail"},
		{"bookmark_not_found=later", 0, "bookmark_not_found=later", "now, epoch or fail"},
		{"conflation", 0, "conflation", "conflation=<interval>"},
		{"conflation=0", 0, "conflation=0", "conflation=<interval>"},
		{"conflation=fast", 0, "conflation=fast", "conflation=<interval>"},
		{"conflation_key=/id", 0, "conflation_key=/id", "conflation_key=[/field,...]"},
		{"conflation_key=[]", 0, "conflation_key=[]", "conflation_key=[/field,...]"},
		{"conflation_key=[", 0, "conflation_key=[", "closing ']'"},
		{"oof,select=[[/a],/b", 4, "select=[[/a],/b", "closing ']'"},
		{"projection=['a] AS /b]", 0, "projection=['a] AS /b]", "closing ']' or quote"},
		{"select", 0, "select", "select=[+/field"},
		{"select=[/a]x", 0, "select=[/a]x", "select=[+/field"},
		{"grouping=[ ]", 0, "grouping=[ ]", "grouping=[/field"},
		{"projection=", 0, "projection=", "projection=["},
		{"max_backlog=-1", 0, "max_backlog=-1", "max_backlog=<count>"},
		{"max_backlog=ten", 0, "max_backlog=ten", "max_backlog=<count>"},
		{"max_backlog=18446744073709551616", 0, "max_backlog=18446744073709551616", "max_backlog=<count>"},
		{"top_n=1.5", 0, "top_n=1.5", "top_n=<count>"},
		{"top_n", 0, "top_n", "top_n=<count>"},
		{"skip_n=", 0, "skip_n=", "skip_n=<count>"},
		{"rate=0", 0, "rate=0", "rate=<messages>"},
		{"rate=-5", 0, "rate=-5", "rate=<messages>"},
		{"rate=5Y", 0, "rate=5Y", "rate=<messages>"},
		{"rate=X", 0, "rate=X", "rate=<messages>"},
		{"rate=1.2.3", 0, "rate=1.2.3", "rate=<messages>"},
		{"rate=inf", 0, "rate=inf", "rate=<messages>"},
		{"rate_max_gap=soon", 0, "rate_max_gap=soon", "rate_max_gap=<interval>"},
	} {
		for _, code := range subscribing {
			wantOptionError(t, code, c.list, c.offset, c.token, c.expected)
		}
	}
	wantOptionError(t, wire.CodeLogon, "ack_conflation", 0, "ack_conflation", "ack_conflation=<interval>")
	wantOptionError(t, wire.CodeLogon, "ack_conflation=1y", 0, "ack_conflation=1y", "ack_conflation=<interval>")
	wantOptionError(t, wire.CodeLogon, "pretty=maybe", 0, "pretty=maybe", "pretty=true")
	wantOptionError(t, wire.CodeLogon, "oof", 0, "oof", unknown)
	wantOptionError(t, wire.CodeSOWDelete, "cancel=1", 0, "cancel=1", noValue)
	wantOptionError(t, wire.CodeFlush, "oof", 0, "oof", unknown)
}

func TestHeartbeatWithoutAWholeIntervalIsRefused(t *testing.T) {
	t.Parallel()
	const second = "at least one second"
	wantOptionError(t, wire.CodeHeartbeat, "start", 0, "start", second)
	wantOptionError(t, wire.CodeHeartbeat, "start,", 0, "start", second)
	wantOptionError(t, wire.CodeHeartbeat, "start,0", 6, "0", second)
	wantOptionError(t, wire.CodeHeartbeat, "start,999ms", 6, "999ms", second)
	wantOptionError(t, wire.CodeHeartbeat, "start,fast", 6, "fast", second)
	wantOptionError(t, wire.CodeHeartbeat, "start,interval=5", 6, "interval=5", "an option of this command")
	wantOptionError(t, wire.CodeHeartbeat, "start,5,6", 8, "6", "an option of this command")
	wantOptionError(t, wire.CodeHeartbeat, "5,start", 0, "5", "an option of this command")
}

func TestOptionListIsLimited(t *testing.T) {
	t.Parallel()
	projection := func(size int) string {
		const frame = len("[/ AS /b]")
		return "[/" + strings.Repeat("a", size-frame) + " AS /b]"
	}
	if _, err := wire.ParseOptions([]byte("projection="+projection(wire.ProjectionBytesMax)), wire.CodeSOW); err != nil {
		t.Errorf("a projection at the limit: %v", err)
	}
	over := "projection=" + projection(wire.ProjectionBytesMax+1)
	wantOptionError(t, wire.CodeSOW, over, 0, over[:32], "at most 64 KiB")
	if _, err := wire.ParseOptions([]byte(strings.Repeat(",", wire.OptionsBytesMax)), wire.CodeSOW); err != nil {
		t.Errorf("a list at the limit: %v", err)
	}
	wantOptionError(t, wire.CodeSOW, strings.Repeat(",", wire.OptionsBytesMax+1), 0, strings.Repeat(",", 32), "at most 131072 bytes of options")
}

func TestHasAsksForAnyOfTheOptions(t *testing.T) {
	t.Parallel()
	o, err := wire.ParseOptions([]byte("oof,live"), wire.CodeSubscribe)
	if err != nil || !o.Has(wire.OptOOF) || !o.Has(wire.OptOOF|wire.OptPause) || o.Has(wire.OptPause|wire.OptResume) {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestIntervalsTakeEveryUnitInAnyCase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0": 0, "5": 5 * time.Second, "1.5": 1500 * time.Millisecond, "7ns": 7, "7US": 7 * time.Microsecond, "7Ms": 7 * time.Millisecond,
		"7s": 7 * time.Second, "7m": 7 * time.Minute, "7M": 7 * time.Minute, "7h": 7 * time.Hour, "1d": 24 * time.Hour, "2W": 14 * 24 * time.Hour,
		"10 s": 10 * time.Second, "0.25ms": 250 * time.Microsecond, "4.35ms": 4350 * time.Microsecond, "0.29": 290 * time.Millisecond,
		".5s": 500 * time.Millisecond, "0.4ns": 0, "0.6ns": 1, "15250w": 15250 * 7 * 24 * time.Hour,
	} {
		if got, ok := wire.ParseInterval([]byte(text)); !ok || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "s", "-1s", "+1s", "1e3", "1.2.3", "5.", ".", "1h30m", "1y", "0x10", "1_000", "1,5", "nan", "inf", "15251w", "9223372037",
		strings.Repeat("9", 33), strings.Repeat("9", 400), "0." + strings.Repeat("0", 40) + "1",
	} {
		if got, ok := wire.ParseInterval([]byte(text)); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}
