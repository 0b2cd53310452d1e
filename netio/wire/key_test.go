package wire_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"farad/netio/wire"
)

// spellings lists the keys of 01-protocol §2.2: first as emitted, then what
// else is accepted.
var spellings = map[wire.Key][]string{
	wire.KeyCommand:         {"c", "cmd"},
	wire.KeyCommandID:       {"cid", "cmd_id"},
	wire.KeyAckType:         {"a", "ack_type"},
	wire.KeyTopic:           {"t", "topic"},
	wire.KeyFilter:          {"filter", "f"},
	wire.KeyOptions:         {"opts", "o"},
	wire.KeySequence:        {"s", "seq"},
	wire.KeyBookmark:        {"bm", "bookmark"},
	wire.KeySOWKey:          {"k", "sow_key"},
	wire.KeySOWKeys:         {"sow_keys"},
	wire.KeySubID:           {"sub_id"},
	wire.KeySubIDs:          {"sids"},
	wire.KeyQueryID:         {"query_id"},
	wire.KeyBatchSize:       {"bs", "batch_size"},
	wire.KeyTopN:            {"top_n"},
	wire.KeySkipN:           {"skip_n"},
	wire.KeyOrderBy:         {"orderby", "order_by"},
	wire.KeyExpiration:      {"e", "expiration"},
	wire.KeyCorrelationID:   {"x", "correlation_id"},
	wire.KeyMessageLength:   {"l", "msg_len"},
	wire.KeyTimestamp:       {"ts", "timestamp"},
	wire.KeyLeasePeriod:     {"lp", "leaseperiod", "lease_period"},
	wire.KeyMessageType:     {"mt", "message_type"},
	wire.KeyClientName:      {"client_name"},
	wire.KeyUserID:          {"user_id"},
	wire.KeyPassword:        {"pw", "password"},
	wire.KeyVersion:         {"version", "v"},
	wire.KeyStatus:          {"status"},
	wire.KeyReason:          {"reason"},
	wire.KeyMatches:         {"matches"},
	wire.KeyTopicMatches:    {"topic_matches"},
	wire.KeyRecordsReturned: {"records_returned"},
	wire.KeyRecordsDeleted:  {"records_deleted"},
	wire.KeyRecordsInserted: {"records_inserted"},
	wire.KeyRecordsUpdated:  {"records_updated"},
	wire.KeyGroupSequence:   {"gseq", "group_sequence_number"},
	wire.KeySendOOF:         {"send_oof"},
	wire.KeySendKeys:        {"send_keys"},
	wire.KeySendEmpty:       {"send_empty"},
}

func TestTableOfSpellingsIsComplete(t *testing.T) {
	t.Parallel()
	for k := wire.KeyCommand; k <= wire.KeySendEmpty; k++ {
		if len(spellings[k]) == 0 {
			t.Errorf("key %d (%s) is not tested", k, k)
		}
	}
}

// 01-protocol #3
func TestKeysAreEmittedAsTheProtocolSpellsThem(t *testing.T) {
	t.Parallel()
	for key, spelling := range spellings {
		if key.String() != spelling[0] {
			t.Errorf("key %d is named %q, want %q", key, key, spelling[0])
		}
		if key == wire.KeyCommand {
			continue // Begin writes it
		}
		w := wire.Begin(nil, wire.CodeAck)
		want := `{"c":"ack","` + spelling[0] + `":`
		if key >= wire.KeySequence {
			w.Number(key, 18446744073709551615)
			want += `18446744073709551615}`
		} else {
			w.String(key, "v")
			want += `"v"}`
		}
		if got := frames(t, w.End(nil))[0]; got != want {
			t.Errorf("emitted %s, want %s", got, want)
		}
	}
}

// 01-protocol #5
func TestKeysAreAcceptedInEverySpellingQuotedAndBare(t *testing.T) {
	t.Parallel()
	for key, names := range spellings {
		for _, name := range names {
			switch {
			case key >= wire.KeySendOOF:
				for _, value := range []string{`true`, `"true"`, `1`, `"1"`, `" true "`} {
					c := decode(t, `{"`+name+`":`+value+`}`)
					if !c.Has(key) || !c.Bool(key, false) {
						t.Errorf("%s:%s is not true", name, value)
					}
				}
				for _, value := range []string{`false`, `"false"`, `0`, `"0"`} {
					if c := decode(t, `{"`+name+`":`+value+`}`); c.Bool(key, true) {
						t.Errorf("%s:%s is not false", name, value)
					}
				}
			case key >= wire.KeySequence:
				for _, n := range []uint64{0, 7, 4294967295, 9999999999999999999, 10000000000000000000, 18446744073709551615} {
					for _, form := range []string{`%d`, `"%d"`, `" %d"`, `"0%d"`, `0%d`} {
						text := fmt.Sprintf(form, n)
						if c := decode(t, `{"`+name+`":`+text+`}`); !c.Has(key) || c.Number(key) != n {
							t.Errorf("%s:%s read as %d", name, text, c.Number(key))
						}
					}
				}
			default:
				for _, form := range []string{`"42"`, `42`} {
					if c := decode(t, `{"`+name+`":`+form+`}`); string(c.Text(key)) != "42" {
						t.Errorf("%s:%s read as %q", name, form, c.Text(key))
					}
				}
			}
		}
	}
}

// 01-protocol #5
func TestCodesAreAcceptedInEverySpelling(t *testing.T) {
	t.Parallel()
	codes := map[string]wire.Code{
		"p": wire.CodePublish, "publish": wire.CodePublish, "delta_publish": wire.CodeDeltaPublish,
		"subscribe": wire.CodeSubscribe, "delta_subscribe": wire.CodeDeltaSubscribe, "sow": wire.CodeSOW,
		"sow_and_subscribe": wire.CodeSOWAndSubscribe, "sow_and_delta_subscribe": wire.CodeSOWAndDeltaSubscribe,
		"unsubscribe": wire.CodeUnsubscribe, "sow_delete": wire.CodeSOWDelete, "flush": wire.CodeFlush,
		"heartbeat": wire.CodeHeartbeat, "logon": wire.CodeLogon, "ack": wire.CodeAck, "oof": wire.CodeOOF,
		"start_timer": wire.CodeStartTimer, "stop_timer": wire.CodeStopTimer,
		"group_begin": wire.CodeGroupBegin, "group_end": wire.CodeGroupEnd,
	}
	for name, code := range codes {
		c := decode(t, `{"c":"`+name+`"}`)
		if c.Code != code || string(c.Name()) != name {
			t.Errorf("%q is %v, want %v", name, c.Code, code)
		}
		want := name
		if name == "publish" {
			want = "p"
		}
		w := wire.Begin(nil, code)
		if got := frames(t, w.End(nil))[0]; got != `{"c":"`+want+`"}` {
			t.Errorf("%v is emitted as %s", code, got)
		}
		if name != "p" && code.String() != name {
			t.Errorf("%v is named %q", name, code)
		}
	}
	for _, name := range []string{"", "P", "Publish", "redirect", "pp", " p"} {
		if c := decode(t, `{"c":"`+name+`"}`); c.Code != wire.CodeUnknown || string(c.Name()) != name {
			t.Errorf("%q is %v under the name %q", name, c.Code, c.Name())
		}
	}
	if wire.CodeUnknown.String() != "unknown" || wire.Code(200).String() != "unknown" || wire.Key(200).String() != "unknown" {
		t.Error("what is unknown is not named so")
	}
}

func TestAcksAreReadFromAListAndWrittenInOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]wire.AckSet{
		"":                                     wire.AckNone,
		"none":                                 wire.AckNone,
		"parsed":                               wire.AckNone,
		"processed":                            wire.AckProcessed,
		"stats,received":                       wire.AckReceived | wire.AckStats,
		" processed , completed":               wire.AckProcessed | wire.AckCompleted,
		"processed,sync,,persisted,processed,": wire.AckProcessed | wire.AckPersisted,
		"received,processed,completed,persisted,stats": wire.AckReceived | wire.AckProcessed | wire.AckCompleted |
			wire.AckPersisted | wire.AckStats,
	} {
		c := decode(t, `{"a":"`+text+`"}`)
		if c.Acks != want {
			t.Errorf("%q is %v, want %v", text, c.Acks, want)
		}
		w := wire.Begin(nil, wire.CodeFlush)
		w.Acks(want)
		again := decode(t, frames(t, w.End(nil))[0])
		if again.Acks != want || string(again.Text(wire.KeyAckType)) != want.String() {
			t.Errorf("%v is emitted as %s", want, again.Header())
		}
	}
	if got := (wire.AckPersisted | wire.AckReceived).String(); got != "received,persisted" {
		t.Errorf("a set is written %q", got)
	}
}

// 01-protocol #30 (the header's half; the options' is in options_test.go)
func TestUnknownKeysAreIgnored(t *testing.T) {
	t.Parallel()
	unknown := []string{`"zz":"1"`, `"z":1`, `"":""`, `"data_only":true`, `"send_matching_ids":"false"`, `"max_msgs":5`,
		`"maximum_messages":5`, `"timeout_interval":1.5`, `"grace_period":2e3`, `"heartbeat":"x}y"`, `"use_ns":false`, `"src":"a\"b"`,
		`"C":"flush"`, `"T":"no"`, `"t\"":"no"`, `"\"":"no"`, `"\\":"no"`, `"\":":"no"`, `"` + strings.Repeat("k", 5000) + `":"` + strings.Repeat("v", 5000) + `"`}
	for _, pair := range unknown {
		for _, header := range []string{`{` + pair + `,"c":"p","t":"fx"}`, `{"c":"p",` + pair + `,"t":"fx"}`, `{"c":"p","t":"fx",` + pair + `}`} {
			c := decode(t, header+"body")
			if len(fields(c)) != 2 || c.Code != wire.CodePublish || string(c.Topic()) != "fx" || string(c.Body) != "body" {
				t.Errorf("%.80s: %v %q, body %q", header, c.Code, fields(c), c.Body)
			}
		}
	}
}

func TestAbsentKeysReadAsNothing(t *testing.T) {
	t.Parallel()
	c := decode(t, `{}`)
	if len(fields(c)) != 0 || c.Topic() != nil || c.Sequence() != 0 || !c.Bool(wire.KeySendOOF, true) || c.Bool(wire.KeySendOOF, false) {
		t.Errorf("an empty header has %q", fields(c))
	}
	c = decode(t, `{"t":"","s":"","send_oof":""}`)
	if !c.Has(wire.KeyTopic) || len(c.Topic()) != 0 || c.Has(wire.KeySequence) || c.Has(wire.KeySendOOF) {
		t.Errorf("empty values read as %q", fields(c))
	}
}

func TestNamedFieldsReadTheirKeys(t *testing.T) {
	t.Parallel()
	texts := map[wire.Key]func(*wire.Command) []byte{
		wire.KeyCommand: (*wire.Command).Name, wire.KeyCommandID: (*wire.Command).CommandID, wire.KeyTopic: (*wire.Command).Topic,
		wire.KeyFilter: (*wire.Command).Filter, wire.KeyOptions: (*wire.Command).Options, wire.KeyBookmark: (*wire.Command).Bookmark,
		wire.KeySOWKey: (*wire.Command).SOWKey, wire.KeySOWKeys: (*wire.Command).SOWKeys, wire.KeySubID: (*wire.Command).SubID,
		wire.KeySubIDs: (*wire.Command).SubIDs, wire.KeyQueryID: (*wire.Command).QueryID,
		wire.KeyCorrelationID: (*wire.Command).CorrelationID, wire.KeyTimestamp: (*wire.Command).Timestamp,
		wire.KeyLeasePeriod: (*wire.Command).LeasePeriod, wire.KeyMessageType: (*wire.Command).MessageType,
		wire.KeyClientName: (*wire.Command).ClientName, wire.KeyUserID: (*wire.Command).UserID, wire.KeyPassword: (*wire.Command).Password,
		wire.KeyVersion: (*wire.Command).Version, wire.KeyStatus: (*wire.Command).Status, wire.KeyReason: (*wire.Command).Reason,
	}
	var pairs []string
	for key := range texts {
		pairs = append(pairs, fmt.Sprintf(`"%s":"value of %s"`, key, key))
	}
	c := decode(t, `{`+strings.Join(pairs, ",")+`,"s":11,"l":12}`)
	for key, read := range texts {
		if got := string(read(c)); got != "value of "+key.String() {
			t.Errorf("%s reads %s", key, strconv.Quote(got))
		}
	}
	if c.Sequence() != 11 || c.MessageLength() != 12 {
		t.Errorf("s %d, l %d", c.Sequence(), c.MessageLength())
	}
}
