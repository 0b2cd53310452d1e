package netio_test

import (
	"strings"
	"testing"

	"farad/engine"
	"farad/engine/eventlog/eventlogtest"
	"farad/engine/eventlog/level"
	"farad/netio"
)

// 01-protocol #9, #10: the logon ack.
func TestLogonIsAcknowledgedWithEverythingAClientReads(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := dial(t, address)
	p.send(`{"c":"logon","cid":"0","x":"YWJj","a":"processed","client_name":"n","user_id":"u","pw":"p","version":"0.8.18","mt":"json"}`, "")
	m := p.expect(`{"c":"ack","cid":"0","s":0,"client_name":"n","a":"processed","status":"success","reason":"authentication disabled"}`)
	if !strings.HasPrefix(m.field("version"), "5.") {
		t.Errorf("version %q, want 5.something", m.field("version"))
	}
	id, rest, _ := strings.Cut(m.field("bm"), "|")
	if rest != "0|" || strings.Trim(id, "0123456789") != "" || id == "" || id == "0" {
		t.Errorf("bookmark %q, want <number>|0|", m.field("bm"))
	}
	again := dial(t, address)
	again.send(`{"c":"logon","cid":"1","a":"processed","client_name":"n","mt":"json"}`, "")
	if b := again.expect(`{"c":"ack","cid":"1"}`).field("bm"); b != m.field("bm") {
		t.Errorf("the same name has bookmark %q, then %q", m.field("bm"), b)
	}
}

func TestLogonSendsNothingBeforeItsAck(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := dial(t, address)
	p.send(`{"c":"logon","a":"received,processed","client_name":"n","mt":"json"}`, "")
	p.expect(`{"c":"ack","a":"received","status":"success"}`)
	p.expect(`{"c":"ack","a":"processed","status":"success"}`)
	p.nothingMore()
}

func TestLogonWithoutAckIsSilentAndCounts(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := dial(t, address)
	p.send(`{"c":"logon","client_name":"n","mt":"json"}`, "")
	p.nothingMore()
}

// 01-protocol #14: a command before logon closes.
func TestCommandBeforeLogonCloses(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	for _, command := range []string{
		`{"c":"subscribe","cid":"1","t":"x","a":"processed"}`,
		`{"c":"heartbeat","cid":"1","opts":"start,30","a":"processed"}`,
		`{"c":"p","cid":"1","t":"x","a":"processed"}`,
		`{"c":"flush","cid":"1","a":"processed"}`,
	} {
		p := dial(t, address)
		p.send(command, "")
		before := p.expectClosed()
		if len(before) != 1 || before[0].field("reason") != "logon required" || before[0].field("status") != "failure" {
			t.Errorf("%s: got %v before the close, want one failure ack", command, before)
		}
	}
}

func TestSecondLogonFailsAndKeepsTheSession(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"logon","cid":"2","a":"processed","client_name":"other","mt":"json"}`, "")
	p.expect(`{"c":"ack","cid":"2","a":"processed","status":"failure","reason":"duplicate logon"}`)
	p.nothingMore()
}

// 10-configuration #26: the message type of a transport and of a logon.
func TestMessageTypeOfTransportAndLogon(t *testing.T) {
	t.Parallel()
	anyType, _ := startServer(t, serverOptions{})
	onlyJSON, _ := startServer(t, serverOptions{Options: netio.Options{
		Transports: []netio.Transport{{Name: "json", Network: "tcp", Address: "127.0.0.1:0", MessageType: "json"}},
	}})
	for _, c := range []struct {
		name, address, mt string
		ok                bool
	}{
		{"any type, json", anyType, `,"mt":"json"`, true},
		{"any type, fix", anyType, `,"mt":"fix"`, true},
		{"any type, none", anyType, ``, false},
		{"any type, unknown", anyType, `,"mt":"yaml"`, false},
		{"json only, json", onlyJSON, `,"mt":"json"`, true},
		{"json only, none", onlyJSON, ``, true},
		{"json only, xml", onlyJSON, `,"mt":"xml"`, false},
	} {
		p := dial(t, c.address)
		p.send(`{"c":"logon","cid":"1","a":"processed","client_name":"n"`+c.mt+`}`, "")
		if c.ok {
			p.expect(`{"c":"ack","cid":"1","a":"processed","status":"success"}`)
			continue
		}
		p.expect(`{"c":"ack","cid":"1","a":"processed","status":"failure","reason":"invalid message type"}`)
		if more := p.expectClosed(); len(more) > 0 {
			t.Errorf("%s: got %v after the refusal", c.name, more)
		}
	}
}

func TestLogonWithUnknownOptionIsRefused(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := dial(t, address)
	p.send(`{"c":"logon","cid":"1","a":"processed","client_name":"n","mt":"json","opts":"ack_conflation=2s,pretty,surprise"}`, "")
	p.expect(`{"c":"ack","cid":"1","status":"failure","reason":"invalid options"}`)
	p.expectClosed()
	p = dial(t, address)
	p.send(`{"c":"logon","cid":"1","a":"processed","client_name":"n","mt":"json","opts":"ack_conflation=2s,pretty,"}`, "")
	p.expect(`{"c":"ack","cid":"1","status":"success"}`)
}

// Topics of different message types are different topics (03-message-types
// §1.2): a message of one type never reaches a subscriber of another.
func TestMessageTypesDoNotMix(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	fix := dial(t, address)
	fix.send(`{"c":"logon","cid":"1","a":"processed","client_name":"fix","mt":"fix"}`, "")
	fix.expect(`{"c":"ack","cid":"1","status":"success"}`)
	fix.subscribe("s", `"t":"quotes"`)
	json := logon(t, address)
	json.subscribe("s", `"t":"quotes"`)
	json.publish("quotes", `{"px":1}`)
	json.expect(`{"c":"p","t":"quotes","sids":"s"}`, `{"px":1}`)
	fix.publish("quotes", "55=IBM\x01")
	fix.expect(`{"c":"p","t":"quotes","sids":"s"}`, "55=IBM\x01")
	fix.nothingMore()
	json.nothingMore()
}

// Every path of a message that cannot be parsed is NULL; bytes of any kind pass.
// 03-message-types #1
func TestBinaryMessagesPassAndHaveNoFields(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := dial(t, address)
	p.send(`{"c":"logon","cid":"1","a":"processed","client_name":"b","mt":"binary"}`, "")
	p.expect(`{"c":"ack","cid":"1","status":"success"}`)
	p.subscribe("3", `"t":"x"`)
	p.subscribe("4", `"t":"x","filter":"/a = 1"`)
	p.subscribe("5", `"t":"x","filter":"/a IS NULL"`)
	p.send(`{"cid":"6","a":"processed","c":"subscribe","t":"x","opts":"select=[-/a]"}`, "")
	p.expect(`{"c":"ack","cid":"6","status":"failure","reason":"invalid options"}`)
	p.publish("x", "{\"a\":1}\x00\xff")
	p.expect(`{"c":"p","t":"x","sids":"3,5"}`, "{\"a\":1}\x00\xff")
	p.nothingMore()
}

// 05-subscriptions #9: after a disconnect the server holds no
// subscription of the client.
func TestDisconnectLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	address, e := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("a", `"t":"one"`)
	p.subscribe("b", `"t":"^t.*"`)
	p.subscribe("c", `"t":"one","filter":"/x = 1"`)
	p.publish("two", `{}`)
	p.expect(`{"c":"p","t":"two","sids":"b"}`)
	if n := e.Statistics().Subscriptions; n != 3 {
		t.Fatalf("%d subscriptions, want 3", n)
	}
	p.socket.Close()
	eventually(t, "no session, subscription or topic is left", func() bool {
		s := e.Statistics()
		return s == engine.Statistics{Published: s.Published, Delivered: s.Delivered, BytesIn: s.BytesIn, BytesOut: s.BytesOut, RegexTimeouts: s.RegexTimeouts}
	})
}

// A filter with an expensive regular expression is stopped at its limit, and
// the log names it; the neighbours only wait that long.
func TestExpensivePatternIsStoppedAndLogged(t *testing.T) {
	t.Parallel()
	log, lines := eventlogtest.New(level.Info)
	address, _ := startServer(t, serverOptions{log: log})
	p, n := logon(t, address), newNeighbour(t, address)
	p.subscribe("s", `"t":"x","filter":"/a LIKE '^(a+)+\\1$'"`)
	p.publish("x", `{"a":"`+strings.Repeat("a", 3000)+`!"}`)
	n.check()
	p.nothingMore()
	if line := lines.Wait(t, "ended at the limit of 100ms"); !strings.Contains(line, `(a+)+`) {
		t.Errorf("the log does not name the expression: %s", line)
	}
}

// What the log says of a client's stay (01-protocol §3.4, 10-configuration
// §6.3, §7.3).
func TestLogTellsOfLogonRefusalAndDisconnect(t *testing.T) {
	t.Parallel()
	log, lines := eventlogtest.New(level.Trace)
	address, _ := startServer(t, serverOptions{log: log})
	lines.Wait(t, "Transport[any] listens on "+address)
	p := dial(t, address)
	p.send(`{"c":"logon","cid":"1","a":"processed","client_name":"pricer","pw":"secret","x":"YQ==","version":"1.2","mt":"json"}`, "")
	p.expect(`{"c":"ack","cid":"1","status":"success"}`)
	lines.Wait(t, "client[pricer] logon from 127.0.0.1:")
	p.send(`{"c":"subscribe","cid":"2","t":"x","filter":"/a = "}`, "")
	lines.Wait(t, `client[pricer] subscribe cid="2" refused, bad filter: filter "/a = ": at byte 5: found the end, expected `)
	p.publish("x", "abc")
	lines.Wait(t, `12-0001 client[pricer] publish "x", 3 bytes`)
	p.send(`{"c":"what?","cid":"3"}`, "")
	lines.Wait(t, `07-0013 client[pricer] disconnected, unknown command`)
	dial(t, address).write(frame(`{"c":"logon","pw":"secret"`, ""))
	lines.Wait(t, `malformed header at byte `)
	if text := strings.Join(lines.Lines(), "\n"); strings.Contains(text, "secret") {
		t.Errorf("the log holds a password:\n%s", text)
	}
}
