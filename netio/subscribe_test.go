package netio_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"farad/engine"
	"farad/expr/pattern"
)

// 05-subscriptions #1: content filters.
func TestSubscribersGetWhatTheirFiltersSayInPublishOrder(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	one, two, publisher := logon(t, address), logon(t, address), logon(t, address)
	one.subscribe("s", `"t":"T","filter":"/x = 1"`)
	two.subscribe("s", `"t":"T","filter":"/x = 2"`)
	const messages = 500
	for i := range messages {
		publisher.publish("T", fmt.Sprintf(`{"id":%d,"x":%d}`, i, i%3))
	}
	for i := range messages {
		body := fmt.Sprintf(`{"id":%d,"x":%d}`, i, i%3)
		switch i % 3 {
		case 1:
			one.expect(`{"c":"p","t":"T","sids":"s"}`, body)
		case 2:
			two.expect(`{"c":"p","t":"T","sids":"s"}`, body)
		}
	}
	one.nothingMore()
	two.nothingMore()
}

// 05-subscriptions #2: ad hoc topics.
func TestUnknownTopicReachesLiveSubscribersOnly(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, early := logon(t, address), logon(t, address)
	early.subscribe("s", `"t":"never configured"`)
	p.publish("never configured", `first`)
	early.expect(`{"c":"p","t":"never configured","sids":"s"}`, `first`)
	late := logon(t, address)
	late.subscribe("s", `"t":"never configured"`)
	late.nothingMore()
}

// 05-subscriptions #3, #6: patterns, also for topics first published later.
func TestPatternsMatchAsDocumented(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	publisher := logon(t, address)
	topics := []string{"trade", "trades", "client-7", "a client", "my trade here", "a/trade-info", "trade.info", "trade"}
	for pattern, want := range map[string][]string{
		"^trade$":    {"trade", "trade"},
		"^client.*":  {"client-7"},
		".*trade.*":  {"trade", "trades", "my trade here", "a/trade-info", "trade.info", "trade"},
		"trade.info": {"a/trade-info", "trade.info"},
		"trade":      {"trade", "trade"},
		"[0-9]$":     {"client-7"},
	} {
		p := logon(t, address)
		p.subscribe("s", `"t":"`+pattern+`"`)
		for _, topic := range topics {
			publisher.publish(topic, pattern)
		}
		for _, topic := range want {
			p.expect(`{"c":"p","t":"`+topic+`","sids":"s"}`, pattern)
		}
		publisher.nothingMore()
		p.nothingMore()
		p.socket.Close()
	}
}

// 05-subscriptions #4: non_regex_topic.
func TestNonRegexTopicTakesTheNameLiterally(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	literal, pattern, publisher := logon(t, address), logon(t, address), logon(t, address)
	literal.subscribe("s", `"t":"a.b","opts":"non_regex_topic"`)
	pattern.subscribe("s", `"t":"a.b"`)
	publisher.publish("axb", "1")
	publisher.publish("a.b", "2")
	literal.expect(`{"c":"p","t":"a.b"}`, "2")
	pattern.expect(`{"c":"p","t":"axb"}`, "1")
	pattern.expect(`{"c":"p","t":"a.b"}`, "2")
	literal.nothingMore()
}

// 05-subscriptions #5, 10-configuration #46: RegexTopicSupport false.
func TestWithoutRegexSupportEveryTopicIsAName(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{literalTopics: true})
	p, publisher := logon(t, address), logon(t, address)
	p.subscribe("s", `"t":"a.*"`)
	publisher.publish("a.b", "1")
	publisher.publish("a.*", "2")
	p.expect(`{"c":"p","t":"a.*"}`, "2")
	p.nothingMore()
}

// 05-subscriptions #7: one order across topics.
func TestAlternatingTopicsArriveInOrderOnOneSubscription(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, publisher := logon(t, address), logon(t, address)
	p.subscribe("s", `"t":"^(orders|marks)$"`)
	const messages = 2000
	for i := range messages {
		publisher.publish([]string{"orders", "marks"}[i%2], fmt.Sprint(i))
	}
	for i := range messages {
		p.expect(`{"c":"p","t":"`+[]string{"orders", "marks"}[i%2]+`"}`, fmt.Sprint(i))
	}
}

// 05-subscriptions #8, 01-protocol #19, #20: one frame, all ids.
func TestSeveralMatchingSubscriptionsOfAConnectionShareOneFrame(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, publisher := logon(t, address), logon(t, address)
	p.subscribe("all", `"t":"fx"`)
	p.subscribe("big", `"t":"fx","filter":"/px > 10"`)
	p.subscribe("usd", `"t":"^f","filter":"/ccy = 'USD'"`)
	publisher.publish("fx", `{"px":1,"ccy":"EUR"}`)
	p.expect(`{"c":"p","t":"fx","sids":"all"}`)
	publisher.publish("fx", `{"px":11,"ccy":"EUR"}`)
	p.expect(`{"c":"p","t":"fx","sids":"all,big"}`)
	publisher.publish("fx", `{"px":11,"ccy":"USD"}`)
	m := p.expect(`{"c":"p","t":"fx","sids":"all,big,usd"}`, `{"px":11,"ccy":"USD"}`)
	if m.field("l") != fmt.Sprint(len(m.body)) {
		t.Errorf("l is %q for a body of %d bytes", m.field("l"), len(m.body))
	}
	p.nothingMore()
}

// 01-protocol #19: sids hold the given sub_id verbatim, or the cid.
func TestSubscriptionIDs(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"subscribe","cid":"c1","sub_id":"a \"quoted\\ id}","a":"processed","t":"x"}`, "")
	ack := p.expect(`{"c":"ack","cid":"c1","status":"success"}`)
	if ack.field("sub_id") != "" {
		t.Errorf("the ack carries sub_id, which only an invented one may: %s", ack)
	}
	p.publish("x", "")
	if ids := p.expect(`{"c":"p","t":"x"}`).field("sids"); ids != `a \"quoted\\ id}` {
		t.Errorf("sids %s", ids)
	}
	p.send(`{"c":"unsubscribe","sub_id":"all"}`, "")
	p.send(`{"c":"subscribe","cid":"c2","a":"processed","t":"x"}`, "")
	p.expect(`{"c":"ack","cid":"c2","status":"success"}`)
	p.publish("x", "")
	p.expect(`{"c":"p","t":"x","sids":"c2"}`)
	p.send(`{"c":"unsubscribe","sub_id":"c2"}`, "")
	p.send(`{"c":"subscribe","a":"processed","t":"x"}`, "")
	invented := p.expect(`{"c":"ack","a":"processed","status":"success"}`).field("sub_id")
	if !strings.HasPrefix(invented, "FARAD-") {
		t.Errorf("invented id %q", invented)
	}
	p.publish("x", "")
	p.expect(`{"c":"p","t":"x","sids":"` + invented + `"}`)
}

// 05-subscriptions #9, 01-protocol #26: unsubscribe, with no ack asked for.
func TestUnsubscribeEndsOneSeveralOrAll(t *testing.T) {
	t.Parallel()
	address, e := startServer(t, serverOptions{})
	p := logon(t, address)
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		p.subscribe(id, `"t":"x"`)
	}
	p.publish("x", "a")
	p.expect(`{"c":"p","sids":"1,2,3,4,5"}`, "a")
	p.send(`{"c":"unsubscribe","sub_id":"2"}`, "")
	p.publish("x", "b")
	p.expect(`{"c":"p","sids":"1,3,4,5"}`, "b")
	p.send(`{"c":"unsubscribe","sub_id":"1, 4,unknown","cid":"u","a":"processed"}`, "")
	p.expect(`{"c":"ack","cid":"u","status":"success"}`)
	p.publish("x", "c")
	p.expect(`{"c":"p","sids":"3,5"}`, "c")
	p.send(`{"c":"unsubscribe","sub_id":"all"}`, "")
	p.publish("x", "d")
	p.nothingMore()
	if s := e.Statistics(); s.Subscriptions != 0 || s.Topics != 0 {
		t.Errorf("%d subscriptions and %d topics are left", s.Subscriptions, s.Topics)
	}
	p.send(`{"c":"unsubscribe","cid":"n","a":"processed"}`, "")
	p.expect(`{"c":"ack","cid":"n","status":"failure","reason":"invalid options"}`)
	p.send(`{"c":"unsubscribe","cid":"q","query_id":"9","a":"processed"}`, "")
	p.expect(`{"c":"ack","cid":"q","status":"success"}`)
}

// 05-subscriptions #10, 01-protocol #29: replace.
func TestSecondSubscribeNeedsReplace(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("s", `"t":"x"`)
	p.send(`{"c":"subscribe","cid":"c","sub_id":"s","a":"processed","t":"y"}`, "")
	p.expect(`{"c":"ack","cid":"c","status":"failure","reason":"already exists"}`)
	p.publish("y", "no")
	p.publish("x", "yes")
	p.expect(`{"c":"p","t":"x","sids":"s"}`, "yes")
	p.subscribe("s", `"t":"y","opts":"replace"`)
	p.publish("x", "no")
	p.publish("y", "yes")
	p.expect(`{"c":"p","t":"y","sids":"s"}`, "yes")
	p.subscribe("new", `"t":"z","opts":"replace"`)
	p.publish("z", "yes")
	p.expect(`{"c":"p","t":"z","sids":"new"}`, "yes")
	p.subscribe("s", `"t":"^z","opts":"replace"`)
	p.publish("y", "no")
	p.publish("z", "both")
	p.expect(`{"c":"p","t":"z","sids":"new,s"}`, "both")
}

// 05-subscriptions #11: a replace under load neither loses nor doubles.
func TestReplaceUnderLoadIsAtomic(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, publisher := logon(t, address), logon(t, address)
	p.subscribe("s", `"t":"T","filter":"/r = 'a'"`)
	stop := make(chan struct{})
	var load sync.WaitGroup
	load.Go(func() {
		for n := 0; ; {
			var batch []byte
			for range 100 {
				batch = append(batch, frame(`{"c":"p","t":"T"}`, fmt.Sprintf(`{"r":"%s","n":%d}`, []string{"a", "b"}[n%2], n))...)
				n++
			}
			select {
			case <-stop:
				return
			default:
				publisher.write(batch)
			}
		}
	})
	defer load.Wait()
	defer close(stop)
	// Before the first b only the even numbers come, from then on all do.
	last, replaced, sawB := -2, false, 0
	for received := 0; sawB < 2000; received++ {
		if received == 1000 {
			p.send(`{"c":"subscribe","cid":"r","sub_id":"s","a":"processed","t":"T","filter":"/r IN ('a','b')","opts":"replace"}`, "")
		}
		m, err := p.next()
		if err != nil {
			t.Fatal(err)
		}
		if m.field("c") == "ack" {
			replaced = m.field("status") == "success"
			continue
		}
		var n int
		if _, err := fmt.Sscanf(m.body[len(`{"r":"a",`):], `"n":%d}`, &n); err != nil {
			t.Fatalf("body %q: %v", m.body, err)
		}
		switch {
		case n == last+1 && n%2 == 1 && replaced:
			sawB++
		case n == last+2 && n%2 == 0 && sawB == 0:
		case n == last+1 && sawB > 0:
		default:
			t.Fatalf("message %d came behind %d, replaced %t, %d of the new scope seen", n, last, replaced, sawB)
		}
		last = n
	}
}

// 05-subscriptions #15: a failed replace changes nothing.
func TestFailedReplaceLeavesTheOldSubscription(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("s", `"t":"x","filter":"/a = 1"`)
	for rest, reason := range map[string]string{
		`"t":"x","filter":"/a = "`:              "bad filter",
		`"t":"(("`:                              "bad regex",
		`"t":""`:                                "invalid topic",
		`"t":"x","bm":"0"`:                      "not supported: transaction log",
		`"t":"x","filter":"NOSUCH(/a) = 1"`:     "bad filter",
		`"t":"x","filter":"/a LIKE '('"`:        "bad filter",
		`"t":"x","filter":"/a LIKE /b"`:         "bad filter",
		`"t":"x","filter":"/a = 1 AND"`:         "bad filter",
		`"t":"^[a-z","filter":"/a = 1"`:         "bad regex",
		`"t":"x","filter":"/a = 'unterminated"`: "bad filter",
	} {
		p.send(`{"c":"subscribe","cid":"r","sub_id":"s","a":"processed","opts":"replace",`+rest+`}`, "")
		p.expect(`{"c":"ack","cid":"r","status":"failure","reason":"` + reason + `"}`)
		p.publish("x", `{"a":2}`)
		p.publish("x", `{"a":1}`)
		p.expect(`{"c":"p","t":"x","sids":"s"}`, `{"a":1}`)
	}
	p.nothingMore()
}

// 05-subscriptions #28: a delta to an ad hoc topic is the message.
func TestDeltaPublishToAnAdHocTopicIsLiteral(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("s", `"t":"x"`)
	p.send(`{"c":"delta_publish","cid":"d","t":"x","a":"processed"}`, `{"part":1}`)
	p.expect(`{"c":"p","t":"x","sids":"s"}`, `{"part":1}`)
	p.expect(`{"c":"ack","cid":"d","a":"processed","status":"success"}`)
}

// Delta subscriptions to ad hoc topics get full
// messages, together with full ones.
func TestDeltaSubscribeToAnAdHocTopicGetsFullMessages(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"delta_subscribe","cid":"d","a":"processed,stats","t":"x"}`, "")
	p.expect(`{"c":"ack","cid":"d","a":"processed","status":"success"}`)
	p.expect(`{"c":"ack","cid":"d","a":"stats","status":"success","matches":0,"topic_matches":0,"records_returned":0}`)
	p.subscribe("f", `"t":"x"`)
	p.publish("x", `{"a":1}`)
	p.expect(`{"c":"p","sids":"d,f"}`, `{"a":1}`)
}

// What others ask for changes nothing for a plain
// subscriber.
func TestPlainSubscriberSeesThePublishersBytes(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, other := logon(t, address), logon(t, address)
	p.subscribe("s", `"t":"x"`)
	other.subscribe("s", `"t":"x","opts":"timestamp","filter":"/a > 0"`)
	other.send(`{"c":"delta_subscribe","cid":"d","t":".*"}`, "")
	bodies := []string{`{"a":1}`, ``, "\x00\x01\xff", `}{"c":"p"}`, strings.Repeat("long ", 50000), `{"a":2}`}
	for _, body := range bodies {
		p.publish("x", body)
	}
	for _, body := range bodies {
		p.expect(`{"c":"p","t":"x","sids":"s"}`, body)
	}
	p.nothingMore()
}

func TestTimestampOptionAddsTheTime(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("s", `"t":"x","opts":"timestamp"`)
	p.publish("x", "b")
	m := p.expect(`{"c":"p","t":"x","sids":"s"}`, "b")
	ts := m.field("ts")
	if len(ts) != len("20161108T225452.280650Z") || ts[8] != 'T' || ts[15] != '.' || ts[22] != 'Z' {
		t.Errorf("ts %q, want the form YYYYMMDDTHHMMSS.uuuuuuZ", ts)
	}
}

func TestCorrelationIDTravelsToSubscribersOnly(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("s", `"t":"x"`)
	p.write(append(frame(`{"c":"p","t":"x","x":"YWJj","s":7,"e":5,"k":"9"}`, "1"), frame(`{"c":"publish","t":"x"}`, "2")...))
	m := p.expect(`{"c":"p","t":"x","x":"YWJj"}`, "1")
	for _, key := range []string{"s", "e", "mt"} {
		if m.field(key) != "" {
			t.Errorf("the delivery carries %s: %s", key, m)
		}
	}
	if m = p.expect(`{"c":"p","t":"x"}`, "2"); m.field("x") != "" {
		t.Errorf("the correlation id of another message: %s", m)
	}
	p.expect(`{"c":"ack","a":"persisted","s":7}`)
}

// 01-protocol #17, #18: the ack is prompt and comes before the first message,
// even while another client publishes at full speed.
func TestSubscribeAckPrecedesTheFirstMessage(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	publisher := logon(t, address)
	stop := make(chan struct{})
	var load sync.WaitGroup
	load.Go(func() {
		block := []byte{}
		for range 100 {
			block = append(block, frame(`{"c":"p","t":"busy"}`, "x")...)
		}
		for {
			select {
			case <-stop:
				return
			default:
				publisher.write(block)
			}
		}
	})
	for range 50 {
		p := logon(t, address)
		p.send(`{"c":"subscribe","cid":"s","a":"processed","t":"busy"}`, "")
		p.expect(`{"c":"ack","cid":"s","a":"processed","status":"success"}`)
		p.expect(`{"c":"p","t":"busy","sids":"s"}`, "x")
		p.socket.Close()
	}
	close(stop)
	load.Wait()
}

// 05-subscriptions #16-18: select lists, after the filter.
func TestSelectListsCutWhatIsDelivered(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	publisher := logon(t, address)
	const body = `{"a":1,"id":7,"p":{"l":"twine","r":"towel"},"n":{"a":2,"b":3}}`
	for list, want := range map[string]string{
		"-/,+/id,+/p/l":        `{"id":7,"p":{"l":"twine"}}`,
		"-/p":                  `{"a":1,"id":7,"n":{"a":2,"b":3}}`,
		"+/,-/a":               `{"id":7,"p":{"l":"twine","r":"towel"},"n":{"a":2,"b":3}}`,
		"-/n,+/n/b":            `{"a":1,"id":7,"p":{"l":"twine","r":"towel"},"n":{"b":3}}`,
		"-/,+/id,-/id":         `{"id":7}`,
		"-/":                   `{}`,
		"-/,+/a,+/none,-/none": `{"a":1}`,
	} {
		p := logon(t, address)
		p.subscribe("s", `"t":"T","filter":"/a = 1","opts":"select=[`+list+`]"`)
		publisher.publish("T", body)
		publisher.publish("T", `{"a":2}`)
		p.expect(`{"c":"p","t":"T","sids":"s"}`, want)
		p.nothingMore()
		p.socket.Close()
	}
}

// 05-subscriptions #54 for select lists: each list has a frame of its own, and
// nobody else's message is changed by it.
func TestSelectListsLeaveOtherSubscriptionsAlone(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, plain, other, publisher := logon(t, address), logon(t, address), logon(t, address), logon(t, address)
	plain.subscribe("s", `"t":"T"`)
	other.subscribe("o", `"t":"T","opts":"select=[-/,+/b]"`)
	p.subscribe("1", `"t":"T","opts":"select=[-/,+/a]"`)
	p.subscribe("2", `"t":"T"`)
	p.subscribe("3", `"t":"T","filter":"/a > 1","opts":"select=[-/,+/a]"`)
	p.subscribe("4", `"t":"T","opts":"select=[-/,+/b]"`)
	p.subscribe("5", `"t":"T","filter":"/b = 2"`)
	for a := range 3 {
		publisher.publish("T", fmt.Sprintf(`{"a":%d, "b":2}`, a))
	}
	for a := range 3 {
		plain.expect(`{"c":"p","t":"T","sids":"s"}`, fmt.Sprintf(`{"a":%d, "b":2}`, a))
		other.expect(`{"c":"p","t":"T","sids":"o"}`, `{"b":2}`)
		ids := "1"
		if a > 1 {
			ids = "1,3"
		}
		p.expect(`{"c":"p","t":"T","sids":"`+ids+`"}`, fmt.Sprintf(`{"a":%d}`, a))
		p.expect(`{"c":"p","t":"T","sids":"2,5"}`, fmt.Sprintf(`{"a":%d, "b":2}`, a))
		p.expect(`{"c":"p","t":"T","sids":"4"}`, `{"b":2}`)
	}
	p.nothingMore()
}

// A message that breaks off is delivered with what stands before the fault.
func TestSelectListOfABrokenMessage(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, publisher := logon(t, address), logon(t, address)
	p.subscribe("s", `"t":"T","opts":"select=[-/,+/a,+/c]"`)
	publisher.publish("T", `{"a":1,"b":2,"c":`)
	publisher.publish("T", `not json`)
	publisher.publish("T", `{"c":3}`)
	p.expect(`{"c":"p","t":"T","sids":"s"}`, `{"a":1}`)
	p.expect(`{"c":"p","t":"T","sids":"s"}`, `{}`)
	p.expect(`{"c":"p","t":"T","sids":"s"}`, `{"c":3}`)
	p.nothingMore()
}

// Filters on who published, and where.
func TestFiltersKnowThePublisherAndTheTopic(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.subscribe("1", `"t":"^T","filter":"CLIENT_NAME() = 'pricer' AND TOPIC_NAME() = 'T1'"`)
	p.subscribe("2", `"t":"^T","filter":"CORRELATION_ID() = 'c' AND MESSAGE_SIZE() = 7"`)
	p.subscribe("3", `"t":"^T","filter":"USER() = 'ann' AND AMPS_INSTANCE_NAME() = 'test' AND REMOTE_ADDRESS() BEGINS WITH ('127.0.0.1:') AND SOW_KEY() IS NULL"`)
	publisher := dial(t, address)
	publisher.send(`{"c":"logon","cid":"1","a":"processed","client_name":"pricer","user_id":"ann","mt":"json"}`, "")
	publisher.expect(`{"c":"ack","cid":"1","status":"success"}`)
	publisher.send(`{"c":"p","t":"T1","x":"c"}`, `{"a":1}`)
	publisher.send(`{"c":"p","t":"T2"}`, `{"a":1}`)
	p.expect(`{"c":"p","t":"T1","sids":"1,2,3"}`, `{"a":1}`)
	p.expect(`{"c":"p","t":"T2","sids":"3"}`, `{"a":1}`)
	p.nothingMore()
}

// A connection holds a bounded number of filters that may take long, and they
// keep nobody else from their messages.
func TestSlowRegularExpressionsAreBounded(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	slow, quick, publisher := logon(t, address), logon(t, address), logon(t, address)
	for i := range engine.BacktrackingMax {
		slow.subscribe(fmt.Sprint(i), `"t":"T","filter":"/a LIKE '^(a+)+\\1$' OR /n = `+fmt.Sprint(i)+`"`)
	}
	const refused = `"c":"subscribe","a":"processed","sub_id":"more","t":"T","filter":"REGEXP_MATCH(/a, /b) = 'x'"}`
	slow.send(`{"cid":"r",`+refused, "")
	slow.expect(`{"c":"ack","cid":"r","status":"failure","reason":"bad filter"}`)
	slow.send(`{"cid":"u","c":"unsubscribe","a":"processed","sub_id":"7"}`, "")
	slow.expect(`{"c":"ack","cid":"u","status":"success"}`)
	slow.send(`{"cid":"r",`+refused, "")
	slow.expect(`{"c":"ack","cid":"r","status":"success"}`)
	quick.subscribe("q", `"t":"T","filter":"/a LIKE 'b$'"`)
	publisher.publish("T", `{"a":"`+strings.Repeat("a", 3000)+`b"}`)
	quick.expect(`{"c":"p","t":"T","sids":"q"}`, `{"a":"`+strings.Repeat("a", 3000)+`b"}`)
}

// 02-expressions #125: outcomes must repeat where leaving the focus is told.
func TestOutOfFocusNeedsADeterministicFilter(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	for filter, answer := range map[string]string{
		"UNIX_TIMESTAMP() > 1": `"status":"failure","reason":"bad filter"`,
		"TODAY() > 1":          `"status":"success"`,
	} {
		p.send(`{"cid":"1","c":"subscribe","a":"processed","sub_id":"`+filter+`","t":"^T","opts":"oof","filter":"`+filter+`"}`, "")
		p.expect(`{"c":"ack","cid":"1",` + answer + `}`)
	}
}

// A connection whose patterns were given up gets no more of the kind.
func TestConnectionsLoseSlowPatterns(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p, publisher := logon(t, address), logon(t, address)
	slow := strings.Repeat("a", 3000) + "b"
	for i := range engine.GivenUpMax {
		p.subscribe("s", `"t":"T","opts":"replace","filter":"/a LIKE '^(a+)+\\1$' OR /n = `+fmt.Sprint(i)+`"`)
		for range pattern.StrikesMax {
			publisher.publish("T", `{"n":`+fmt.Sprint(i)+`,"a":"`+slow+`"}`)
			p.expect(`{"c":"p","t":"T","sids":"s"}`, `{"n":`+fmt.Sprint(i)+`,"a":"`+slow+`"}`)
		}
	}
	p.send(`{"cid":"r","c":"subscribe","a":"processed","sub_id":"s","opts":"replace","t":"T","filter":"/a LIKE '(x)\\1'"}`, "")
	p.expect(`{"c":"ack","cid":"r","status":"failure","reason":"bad filter"}`)
	p.subscribe("s", `"t":"T","opts":"replace","filter":"/a LIKE 'x+'"`)
	publisher.publish("T", `{"a":"xx"}`)
	p.expect(`{"c":"p","t":"T","sids":"s"}`, `{"a":"xx"}`)
}
