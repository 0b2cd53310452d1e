package client_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"farad/client"
	"farad/netio/wire"
)

// deliver sends a publish for a list of subscriptions.
func deliver(c *peerConn, ids, body string) {
	c.send(`{"c":"p","t":"fx","sids":"`+ids+`"}`, body)
}

// collect subscribes and returns what the handler gets.
func collect(t testing.TB, c *client.Client, s client.Subscription) (*client.Feed, <-chan *client.Message) {
	t.Helper()
	messages := make(chan *client.Message, 1000)
	feed, err := c.Subscribe(testContext(t), s, func(m *client.Message) { messages <- m.Clone() })
	if err != nil {
		t.Fatal(err)
	}
	return feed, messages
}

func TestSubscribeSendsTopicFilterAndOptionsAsTheyAre(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	const topic, filter = `^a"b\\c}$`, "/name = '}\"\\' AND /x = '\n'"
	collect(t, c, client.Subscription{Topic: topic, Filter: filter, Options: "timestamp,no_sowkey", ID: "mine"})
	got := p.next(wire.CodeSubscribe)
	if string(got.Topic()) != topic || string(got.Filter()) != filter || string(got.Options()) != "timestamp,no_sowkey" || string(got.SubID()) != "mine" {
		t.Errorf("got %s", got.header)
	}
	collect(t, c, client.Subscription{Topic: "fx", Delta: true, Bookmark: "0|1|"})
	if got := p.next(wire.CodeDeltaSubscribe); got.header != `{"c":"delta_subscribe","cid":"3","t":"fx","a":"processed","sub_id":"3","bm":"0|1|"}` {
		t.Errorf("got %s", got.header)
	}
}

func TestHandlerGetsEveryFieldOfAMessage(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	feed, messages := collect(t, c, client.Subscription{Topic: "^f", ID: "6"})
	p.next(wire.CodeSubscribe).conn.send(`{"c":"p","t":"fx","sids":"9,6","k":"1203","bm":"15|1|","ts":"20260102T030405.000006Z",`+
		`"x":"YWJj","user_id":"ann","lp":"20260102T030505.000006Z","l":8,"new_key":"of a later version"}`, `{"id":7}`)
	m := within(t, "message", messages)
	for name, pair := range map[string][2]string{
		"code":          {m.Code().String(), "publish"},
		"topic":         {string(m.Topic()), "fx"},
		"body":          {string(m.Body), `{"id":7}`},
		"subscription":  {m.SubID(), feed.ID()},
		"subscriptions": {string(m.SubIDs()), "9,6"},
		"sow key":       {string(m.SOWKey()), "1203"},
		"bookmark":      {string(m.Bookmark()), "15|1|"},
		"timestamp":     {string(m.Timestamp()), "20260102T030405.000006Z"},
		"correlation":   {string(m.CorrelationID()), "YWJj"},
		"user":          {string(m.UserID()), "ann"},
		"lease":         {string(m.LeasePeriod()), "20260102T030505.000006Z"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", name, pair[0], pair[1])
		}
	}
}

func TestOneFrameForSeveralSubscriptionsGoesToEachHandlerOnce(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	a, ofA := collect(t, c, client.Subscription{Topic: "fx"})
	b, ofB := collect(t, c, client.Subscription{Topic: "f."})
	conn := p.next(wire.CodeSubscribe).conn
	deliver(conn, a.ID()+","+b.ID()+",of-nobody", "both")
	deliver(conn, b.ID(), "only b")
	deliver(conn, a.ID(), "only a")
	deliver(conn, "of-nobody", "nobody's")
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"a": {"both", "only a"}, "b": {"both", "only b"}} {
		messages := ofA
		if name == "b" {
			messages = ofB
		}
		var got []string
		for len(messages) > 0 {
			got = append(got, string((<-messages).Body))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s got %q, want %q", name, got, want)
		}
	}
	if got := c.Stats().Unclaimed; got != 1 {
		t.Errorf("%d frames were for nobody, want 1", got)
	}
}

func TestAckOfASubscribeMayBeFollowedByMessagesAtOnce(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeSubscribe, func(r request) {
		batch := frame(`{"c":"ack","cid":"`+r.id()+`","a":"processed","status":"success"}`, "")
		for i := range 100 {
			batch = append(batch, frame(`{"c":"p","t":"fx","sids":"`+string(r.SubID())+`"}`, fmt.Sprint(i))...)
		}
		r.conn.write(batch)
	})
	c := dial(t, p)
	_, messages := collect(t, c, client.Subscription{Topic: "fx"})
	for i := range 100 {
		if got := string(within(t, "message", messages).Body); got != fmt.Sprint(i) {
			t.Fatalf("message %d is %q", i, got)
		}
	}
}

func TestRefusedSubscribeIsATypedErrorAndLeavesNothing(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]error{
		"bad filter": client.ErrBadFilter, "bad regex": client.ErrBadRegex, "bad regex topic": client.ErrBadRegex,
		"invalid topic": client.ErrInvalidTopic, "not entitled": client.ErrNotEntitled,
		"already exists": client.ErrAlreadyExists, "invalid options": client.ErrInvalidOptions,
		"invalid bookmark": client.ErrInvalidBookmark, "bookmark not found": client.ErrBookmarkNotFound,
		"invalid sow key": client.ErrInvalidSOWKey, "parse error": client.ErrParse,
		"logon required": client.ErrLogonRequired, "too many subscriptions": client.ErrTooManySubscriptions,
		"unknown command": client.ErrUnknownCommand, "not supported: conflation": client.ErrNotSupported,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := startPeer(t)
			p.on(wire.CodeSubscribe, refuse(reason))
			c := dial(t, p)
			_, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx"}, func(*client.Message) {})
			wantError(t, err, want)
			if s := c.Stats(); s.Feeds != 0 || s.PendingAcks != 0 {
				t.Errorf("left %d subscriptions and %d pending acks", s.Feeds, s.PendingAcks)
			}
		})
	}
}

func TestAnIDIsUsedOnceAndIsNoList(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	collect(t, c, client.Subscription{Topic: "fx", ID: "mine"})
	_, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx", ID: "mine"}, func(*client.Message) {})
	wantError(t, err, client.ErrAlreadyExists)
	for _, id := range []string{"a,b", "all"} {
		if _, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx", ID: id}, func(*client.Message) {}); err == nil {
			t.Errorf("the id %q was accepted", id)
		}
	}
	if got := p.count(wire.CodeSubscribe); got != 1 {
		t.Errorf("%d subscribes reached the server, want 1", got)
	}
}

func TestReplaceKeepsIDAndHandlerAndAFailedOneChangesNothing(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	feed, messages := collect(t, c, client.Subscription{Topic: "fx"})
	conn := p.next(wire.CodeSubscribe).conn
	if err := feed.Replace(testContext(t), client.Subscription{Topic: "fx", Filter: "/x = 1", Options: "timestamp"}); err != nil {
		t.Fatal(err)
	}
	got := p.next(wire.CodeSubscribe)
	if string(got.Options()) != "replace,timestamp" || string(got.SubID()) != feed.ID() || string(got.Filter()) != "/x = 1" {
		t.Errorf("got %s", got.header)
	}
	p.on(wire.CodeSubscribe, refuse("bad filter"))
	wantError(t, feed.Replace(testContext(t), client.Subscription{Topic: "fx", Filter: "="}), client.ErrBadFilter)
	deliver(conn, feed.ID(), "still here")
	if got := string(within(t, "message", messages).Body); got != "still here" {
		t.Errorf("got %q", got)
	}
}

func TestNothingIsHandledAfterUnsubscribe(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	feed, messages := collect(t, c, client.Subscription{Topic: "fx", ID: "a"})
	collect(t, c, client.Subscription{Topic: "fx", ID: "b"})
	collect(t, c, client.Subscription{Topic: "fx", ID: "c"})
	conn := p.next(wire.CodeSubscribe).conn
	if err := feed.Unsubscribe(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if got := p.next(wire.CodeUnsubscribe); string(got.SubID()) != "a" {
		t.Errorf("got %s", got.header)
	}
	deliver(conn, "a", "late")
	if err := c.Unsubscribe(testContext(t), "b"); err != nil {
		t.Fatal(err)
	}
	if got := p.next(wire.CodeUnsubscribe); string(got.SubID()) != "b" {
		t.Errorf("got %s", got.header)
	}
	if err := c.UnsubscribeAll(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if got := p.next(wire.CodeUnsubscribe); string(got.SubID()) != "all" {
		t.Errorf("got %s", got.header)
	}
	if err := c.Unsubscribe(testContext(t), "b"); err != nil || feed.Unsubscribe(testContext(t)) != nil {
		t.Error("a second unsubscribe is an error")
	}
	if err := feed.Replace(testContext(t), client.Subscription{Topic: "fx"}); err == nil {
		t.Error("an ended subscription could be replaced")
	}
	if got := c.Stats().Feeds; got != 0 || len(messages) != 0 || p.count(wire.CodeUnsubscribe) != 3 {
		t.Errorf("%d subscriptions and %d messages are left", got, len(messages))
	}
}

func TestASubscribeThatTimesOutIsTakenBack(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeSubscribe, silent)
	c := dial(t, p, client.WithAckTimeout(20*time.Millisecond))
	_, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx", ID: "a"}, func(*client.Message) {})
	wantError(t, err, client.ErrTimedOut)
	if got := p.next(wire.CodeUnsubscribe); string(got.SubID()) != "a" {
		t.Errorf("got %s", got.header)
	}
	if s := c.Stats(); s.Feeds != 0 || s.PendingAcks != 0 {
		t.Errorf("left %d subscriptions and %d pending acks", s.Feeds, s.PendingAcks)
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	ctx, cancel := context.WithCancel(context.Background())
	p.on(wire.CodeFlush, func(request) { cancel() })
	c := dial(t, p)
	wantError(t, c.Flush(ctx), context.Canceled)
	wantError(t, c.Flush(ctx), context.Canceled)
}

// inHandler runs a function in a message handler and returns its result.
func inHandler[T any](t *testing.T, p *peer, c *client.Client, f func(*client.Feed) T) T {
	t.Helper()
	result := make(chan T, 1)
	ready := make(chan *client.Feed, 1)
	feed, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx"}, func(*client.Message) { result <- f(<-ready) })
	if err != nil {
		t.Fatal(err)
	}
	ready <- feed
	deliver(p.next(wire.CodeSubscribe).conn, feed.ID(), "go")
	return within(t, "the handler returns", result)
}

func TestWaitingMethodsFailInAHandlerInsteadOfHanging(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	ctx := testContext(t)
	for _, err := range inHandler(t, p, c, func(f *client.Feed) []error {
		_, subscribe := c.Subscribe(ctx, client.Subscription{Topic: "x"}, func(*client.Message) {})
		_, publish := c.PublishSync(ctx, client.Publication{Topic: "x"})
		_, do := c.Do(ctx, &client.Command{Code: wire.CodeFlush})
		return []error{subscribe, publish, do, c.Flush(ctx), f.Replace(ctx, client.Subscription{Topic: "x"})}
	}) {
		wantError(t, err, client.ErrInHandler)
	}
	if got := c.Stats().Feeds; got != 1 {
		t.Errorf("%d subscriptions, want 1", got)
	}
}

func TestHandlersMayPublishUnsubscribeAndClose(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	ctx := testContext(t)
	for _, err := range inHandler(t, p, c, func(f *client.Feed) []error {
		return []error{c.Publish("answer", []byte("1")), f.Unsubscribe(ctx), c.UnsubscribeAll(ctx), c.Close(), c.Close()}
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	within(t, "the end", c.Done())
	if got := p.next(wire.CodePublish); got.body != "1" {
		t.Errorf("got %s", got.body)
	}
	p.next(wire.CodeUnsubscribe)
	if got := p.next(wire.CodeUnsubscribe); string(got.SubID()) != "all" || got.Acks != wire.AckNone {
		t.Errorf("got %s", got.header)
	}
}

func TestExecuteHandsOverEverythingThatNamesTheQuery(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeSOWAndSubscribe, func(r request) {
		id := string(r.SubID())
		r.conn.send(`{"c":"ack","cid":"`+r.id()+`","a":"processed","status":"success"}`, "")
		r.conn.send(`{"c":"group_begin","query_id":"`+id+`"}`, "")
		r.conn.send(`{"c":"group_end","query_id":"`+id+`"}`, "")
		r.conn.send(`{"c":"ack","query_id":"`+id+`","sub_id":"`+id+`","cid":"`+r.id()+`","a":"completed","status":"success","records_returned":0}`, "")
		r.conn.send(`{"c":"oof","t":"fx","reason":"match","k":"1203","sids":"`+id+`","l":2}`, `{}`)
	})
	c := dial(t, p)
	messages := make(chan *client.Message, 10)
	limit := uint32(10)
	command := &client.Command{
		Code: wire.CodeSOWAndSubscribe, Topic: "fx", Options: "oof", Acks: wire.AckCompleted,
		BatchSize: 10, TopN: &limit, SkipN: new(uint32), OrderBy: "/px DESC", SubID: "q",
	}
	feed, err := c.Execute(testContext(t), command, func(m *client.Message) { messages <- m.Clone() })
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"c":"sow_and_subscribe","cid":"2","t":"fx","a":"processed,completed","opts":"oof","sub_id":"q","orderby":"/px DESC","bs":10,"top_n":10,"skip_n":0}`
	if got := p.next(wire.CodeSOWAndSubscribe).header; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, want := range []wire.Code{wire.CodeGroupBegin, wire.CodeGroupEnd, wire.CodeAck, wire.CodeOOF} {
		m := within(t, "message", messages)
		if m.Code() != want || m.SubID() != feed.ID() {
			t.Errorf("got %s for %q, want %s for %q", m.Code(), m.SubID(), want, feed.ID())
		}
		if want == wire.CodeGroupBegin && (string(m.QueryID()) != "q" || string(m.Header()) != `{"c":"group_begin","query_id":"q"}`) {
			t.Errorf("got %s", m.Header())
		}
		if want == wire.CodeAck && (m.Ack().Type != wire.AckCompleted || m.Ack().SubID != "q") {
			t.Errorf("got ack %+v", m.Ack())
		}
		if want == wire.CodeOOF && (string(m.Reason()) != "match" || string(m.SOWKey()) != "1203") {
			t.Errorf("got %s", m.Header())
		}
	}
	if _, err := c.Execute(testContext(t), &client.Command{Code: wire.CodeFlush}, func(*client.Message) {}); err == nil {
		t.Error("flush was accepted as a command that brings messages")
	}
}

func TestAQueryIsNamedAndEndedByItsQueryID(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	feed, err := c.Execute(testContext(t), &client.Command{Code: wire.CodeSOW, Topic: "fx"}, func(*client.Message) {})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.next(wire.CodeSOW); string(got.QueryID()) != feed.ID() || string(got.QueryID()) != got.id() || got.Has(wire.KeySubID) {
		t.Errorf("got %s", got.header)
	}
	if err := feed.Unsubscribe(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if got := p.next(wire.CodeUnsubscribe); string(got.QueryID()) != feed.ID() || got.Has(wire.KeySubID) {
		t.Errorf("got %s", got.header)
	}
}

func TestDoReturnsTheAcksInTheirOrderOfArrival(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeSOWDelete, func(r request) {
		if r.Acks&wire.AckStats != 0 {
			r.conn.ack(r, wire.AckProcessed, "")
			r.conn.send(`{"c":"ack","cid":"`+r.id()+`","a":"stats","status":"success","records_deleted":3,"matches":4,"topic_matches":5,"records_returned":6}`, "")
		}
	})
	c := dial(t, p)
	acks, err := c.Do(testContext(t), &client.Command{
		Code: wire.CodeSOWDelete, Topic: "fx", Filter: "1=1", Acks: wire.AckStats | wire.AckProcessed})
	if err != nil || len(acks) != 2 || acks[0].Type != wire.AckProcessed || acks[1].RecordsDeleted != 3 ||
		acks[1].Matches != 4 || acks[1].TopicMatches != 5 || acks[1].RecordsReturned != 6 {
		t.Errorf("got %+v, %v", acks, err)
	}
	if _, err := c.Do(testContext(t), &client.Command{}); err == nil {
		t.Error("a command without a code was sent")
	}
}

func TestAnIDThatWaitsForItsAcksIsNotUsedTwice(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeFlush, silent)
	c := dial(t, p)
	ctx, cancel := context.WithCancel(context.Background())
	first := make(chan error)
	go func() {
		_, err := c.Do(ctx, &client.Command{Code: wire.CodeFlush, ID: "mine"})
		first <- err
	}()
	p.next(wire.CodeFlush)
	if _, err := c.Do(testContext(t), &client.Command{Code: wire.CodeFlush, ID: "mine"}); err == nil {
		t.Error("the id was used twice")
	}
	cancel()
	wantError(t, <-first, context.Canceled)
}

func TestAFailureThatNobodyWaitsForGoesToTheErrorHandler(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodePublish, refuse("invalid topic"))
	failures := make(chan error, 1)
	c := dial(t, p, client.WithErrorHandler(func(err error) { failures <- err }))
	err := c.Send(testContext(t), &client.Command{Code: wire.CodePublish, Topic: "view", Acks: wire.AckProcessed, ID: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	err = within(t, "failure", failures)
	wantError(t, err, client.ErrInvalidTopic)
	if want := `the command with id "p1" refused by the server: invalid topic`; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}
