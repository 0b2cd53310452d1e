package netio_test

import (
	"fmt"
	"strings"
	"testing"
)

// 01-protocol #16: acks on request only, one message a type, in the order in
// which they come about, with the command's id.
func TestAcksComeOnRequestOneByOne(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"p","cid":"1","t":"x"}`, "a")
	p.send(`{"c":"p","cid":"2","t":"x","a":"none"}`, "a")
	p.send(`{"c":"p","cid":"3","t":"x","a":"parsed"}`, "a")
	p.nothingMore()
	p.send(`{"c":"p","cid":"4","t":"x","a":"completed, processed,received,stats,persisted"}`, "a")
	for _, kind := range []string{"received", "processed", "completed", "persisted"} {
		p.expect(`{"c":"ack","cid":"4","a":"` + kind + `","status":"success"}`)
	}
	p.send(`{"c":"subscribe","cid":"5","t":"x","a":"received,processed,completed,persisted"}`, "")
	p.expect(`{"c":"ack","cid":"5","a":"received","status":"success"}`)
	p.expect(`{"c":"ack","cid":"5","a":"processed","status":"success"}`)
	p.nothingMore()
}

// 01-protocol §10: without a transaction log every command with a sequence
// has its own persisted ack, with its id and number, asked for or not.
func TestSequencedPublishIsAcknowledgedAsPersisted(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	for i := 1; i <= 300; i++ {
		p.send(fmt.Sprintf(`{"c":"p","cid":"c%d","t":"x","s":%d}`, i, i), "a")
	}
	for i := 1; i <= 300; i++ {
		p.expect(fmt.Sprintf(`{"c":"ack","cid":"c%d","a":"persisted","status":"success","s":%d}`, i, i))
	}
	p.nothingMore()
}

// 01-protocol #28: flush follows everything before it.
func TestFlushFollowsEarlierCommands(t *testing.T) {
	t.Parallel()
	address, e := startServer(t, serverOptions{})
	p, publisher := logon(t, address), logon(t, address)
	p.subscribe("s", `"t":"x"`)
	for range 1000 {
		publisher.publish("x", "m")
	}
	publisher.send(`{"c":"flush","cid":"f","a":"received,processed,completed,persisted"}`, "")
	for _, kind := range []string{"received", "processed", "completed", "persisted"} {
		publisher.expect(`{"c":"ack","cid":"f","a":"` + kind + `","status":"success"}`)
	}
	eventually(t, "1,000 messages are counted", func() bool { return e.Statistics().Delivered == 1000 })
	for range 1000 {
		p.expect(`{"c":"p","t":"x"}`, "m")
	}
}

func TestPublishToReservedOrMissingTopicIsRefused(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("s", `"t":".*"`)
	p.send(`{"c":"p","cid":"1","a":"processed","t":""}`, "x")
	p.expect(`{"c":"ack","cid":"1","a":"processed","status":"failure","reason":"invalid topic"}`)
	p.send(`{"c":"p","cid":"2","a":"processed,persisted"}`, "x")
	p.expect(`{"c":"ack","cid":"2","a":"processed","status":"failure","reason":"invalid topic"}`)
	p.expect(`{"c":"ack","cid":"2","a":"persisted","status":"failure","reason":"invalid topic"}`)
	p.send(`{"c":"p","cid":"3","s":3,"t":"/AMPS/ClientStatus"}`, "x")
	p.expect(`{"c":"ack","cid":"3","a":"persisted","status":"failure","reason":"invalid topic","s":3}`)
	p.send(`{"c":"p","cid":"4","a":"completed","t":"/AMPS/other"}`, "x")
	p.expect(`{"c":"ack","cid":"4","a":"completed","status":"failure","reason":"invalid topic"}`)
	p.send(`{"c":"p","cid":"5","a":"processed","t":"/AMPS/devnull"}`, "x")
	p.expect(`{"c":"ack","cid":"5","a":"processed","status":"success"}`)
	p.send(`{"c":"p","cid":"6","t":"^regex.*in a publish is literal"}`, "x")
	p.expect(`{"c":"p","t":"^regex.*in a publish is literal"}`, "x")
	p.nothingMore()
}

// Commands and options of capabilities that are not there yet say what is
// missing; nothing is silent, and the connection stays.
func TestMissingCapabilitiesAreNamed(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	for command, reason := range map[string]string{
		`"c":"sow","t":"x"`:                                       "not supported: State of the World",
		`"c":"sow_and_subscribe","t":"x"`:                         "not supported: State of the World",
		`"c":"sow_and_delta_subscribe","t":"x"`:                   "not supported: State of the World",
		`"c":"sow_delete","t":"x","filter":"1=1"`:                 "not supported: State of the World",
		`"c":"subscribe","t":"x","bm":"0"`:                        "not supported: transaction log",
		`"c":"ack","t":"q","bm":"1|2|"`:                           "not supported: queues",
		`"c":"subscribe","t":"x","opts":"oof"`:                    "not supported: State of the World",
		`"c":"subscribe","t":"x","send_oof":"true"`:               "not supported: State of the World",
		`"c":"subscribe","t":"x","opts":"conflation=1s"`:          "not supported: conflation",
		`"c":"subscribe","t":"x","opts":"select=[-/,/a]"`:         "invalid options",
		`"c":"subscribe","t":"x","opts":"select=[+/a[0]]"`:        "invalid options",
		`"c":"subscribe","t":"x","opts":"conflation_key=[/a]"`:    "invalid options",
		`"c":"subscribe","t":"x","opts":"pause"`:                  "invalid options",
		`"c":"subscribe","t":"x","opts":"rate=100"`:               "invalid options",
		`"c":"subscribe","t":"x","opts":"surprise"`:               "invalid options",
		`"c":"subscribe","t":"x","top_n":3`:                       "invalid options",
		`"c":"subscribe","t":"x","opts":"projection=[/a]"`:        "invalid options",
		`"c":"subscribe","t":"x","sub_id":"a,b"`:                  "invalid options",
		`"c":"subscribe"`:                                         "invalid topic",
		`"c":"heartbeat"`:                                         "invalid options",
		`"c":"heartbeat","opts":"start,0"`:                        "invalid options",
		`"c":"heartbeat","opts":"start,soon"`:                     "invalid options",
		`"c":"subscribe","t":"x","filter":"` + deep(300) + `"`:    "bad filter",
		`"c":"subscribe","t":"x","opts":"conflation=tomorrow"`:    "invalid options",
		`"c":"subscribe","t":"` + strings.Repeat("t", 5000) + `"`: "invalid topic",
	} {
		p.send(`{"cid":"1","a":"processed",`+command+`}`, "")
		p.expect(`{"c":"ack","cid":"1","a":"processed","status":"failure","reason":"` + reason + `"}`)
	}
	p.nothingMore()
}

func deep(levels int) string {
	return strings.Repeat("(", levels) + "1 = 1" + strings.Repeat(")", levels)
}

// 01-protocol §4.1: a failure without a processed ack goes out as the first
// type that was asked for.
func TestFailureWithoutProcessedTakesAnotherAck(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"sow_delete","cid":"1","t":"x","filter":"1=1","a":"stats"}`, "")
	p.expect(`{"c":"ack","cid":"1","a":"stats","status":"failure"}`)
	p.send(`{"c":"subscribe","cid":"2","t":"x","filter":"=","a":"completed,persisted"}`, "")
	p.expect(`{"c":"ack","cid":"2","a":"completed","status":"failure","reason":"bad filter"}`)
	p.send(`{"c":"subscribe","cid":"3","t":"x","filter":"=","a":"received"}`, "")
	p.expect(`{"c":"ack","cid":"3","a":"received","status":"success"}`)
	p.send(`{"c":"subscribe","cid":"4","t":"x","filter":"="}`, "")
	p.nothingMore()
}

func TestTimersAreAcknowledgedAndDoNothing(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"start_timer","cid":"1","t":"x","opts":"interval=500ms","a":"processed"}`, "")
	p.expect(`{"c":"ack","cid":"1","status":"success"}`)
	p.send(`{"c":"stop_timer","cid":"2","t":"x","a":"processed"}`, "")
	p.expect(`{"c":"ack","cid":"2","status":"success"}`)
}

// 01-protocol #5: both spellings of keys and the long form of publish.
func TestShortAndLongSpellingsAreEquivalent(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := dial(t, address)
	p.send(`{ "cmd" : "logon" , "cmd_id":"1","ack_type":"processed","client_name":"n","message_type":"json","v":"1"}`, "")
	p.expect(`{"c":"ack","cid":"1","status":"success"}`)
	p.send(`{"cmd":"subscribe","cmd_id":"2","ack_type":"processed","topic":"x","f":"/a = 1","o":"timestamp,,"}`, "")
	p.expect(`{"c":"ack","cid":"2","status":"success"}`)
	p.send(`{"cmd":"publish","topic":"x","unknown_key":"ignored","another":17}`, `{"a":1}`)
	p.expect(`{"c":"p","t":"x","sids":"2"}`, `{"a":1}`)
}

// 01-protocol #4: quotes, backslashes, braces and control bytes in filters and
// topics survive.
func TestEscapedTopicsAndFiltersSurvive(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"subscribe","cid":"1","a":"processed","t":"a \"b\" \\ \u0001}","opts":"non_regex_topic","filter":"/n = '}\"\\\\'"}`, "")
	p.expect(`{"c":"ack","cid":"1","status":"success"}`)
	p.send(`{"c":"p","t":"a \"b\" \\ \u0001}"}`, `{"n":"}\"\\"}`)
	m := p.expect(`{"c":"p","sids":"1"}`, `{"n":"}\"\\"}`)
	if topic := m.field("t"); topic != `a \"b\" \\ \u0001}` {
		t.Errorf("topic %s", topic)
	}
}
