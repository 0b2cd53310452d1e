package client_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"farad/client"
	"farad/netio/wire"
)

func TestPublishSendsTopicAndBodyAsTheyAre(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	const topic, body = `a"b\c}` + "\n", "{\"x\":\"}\"}\x00\xff"
	if err := c.Publish(topic, []byte(body)); err != nil {
		t.Fatal(err)
	}
	got := p.next(wire.CodePublish)
	if string(got.Topic()) != topic || got.body != body {
		t.Errorf("got topic %q, body %q", got.Topic(), got.body)
	}
	if strings.ContainsAny(got.header, " \n") {
		t.Errorf("white space in the header %q", got.header)
	}
}

func TestPublishMessageSendsEveryField(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	for want, message := range map[string]client.Publication{
		`{"c":"p","t":"fx","k":"7","x":"YWJj","s":42,"e":60}`: {
			Topic: "fx", SOWKey: "7", CorrelationID: "YWJj", Sequence: 42, Expiration: time.Minute},
		`{"c":"p","t":"fx","e":0}`:       {Topic: "fx", Expiration: client.NeverExpire, Acks: wire.AckProcessed},
		`{"c":"delta_publish","t":"fx"}`: {Topic: "fx", Delta: true},
	} {
		message.Body = []byte(`{"id":7}`)
		if err := c.PublishMessage(testContext(t), message); err != nil {
			t.Fatal(err)
		}
		code := wire.CodePublish
		if message.Delta {
			code = wire.CodeDeltaPublish
		}
		if got := p.next(code); got.header != want || got.body != `{"id":7}` {
			t.Errorf("got %s%s, want %s", got.header, got.body, want)
		}
	}
}

func TestMessagesThatCannotBeSentAreRefusedAndTheConnectionGoesOn(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	wantError(t, c.Publish("", nil), client.ErrInvalidTopic)
	wantError(t, c.Publish("fx", make([]byte, client.BodyBytesMax+1)), client.ErrTooLarge)
	wantError(t, c.Publish(strings.Repeat("t", wire.HeaderBytesMax), nil), client.ErrTooLarge)
	for _, lifetime := range []time.Duration{time.Millisecond, -2, math.MaxInt64} {
		err := c.PublishMessage(testContext(t), client.Publication{Topic: "fx", Expiration: lifetime})
		if err == nil || !strings.Contains(err.Error(), "expected whole seconds") {
			t.Errorf("expiration %s: got error %v", lifetime, err)
		}
	}
	if err := c.Publish("fx", []byte("still here")); err != nil {
		t.Fatal(err)
	}
	if got := p.next(wire.CodePublish); got.body != "still here" {
		t.Errorf("got %s%s", got.header, got.body)
	}
}

func TestManyMessagesShareAWriteAndKeepTheirOrder(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	const messages = 20_000
	for i := range messages {
		if err := c.Publish("fx", fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	bodies := p.bodies()
	if len(bodies) != messages {
		t.Fatalf("%d messages arrived before the flush, want %d", len(bodies), messages)
	}
	for i, body := range bodies {
		if body != fmt.Sprint(i) {
			t.Fatalf("message %d is %q", i, body)
		}
	}
	if s := c.Stats(); s.Writes > messages/4 || s.CommandsSent != messages+2 {
		t.Errorf("got %d writes for %d commands", s.Writes, s.CommandsSent)
	}
}

// stuckPeer reads the logon and then nothing more until released.
func stuckPeer(t *testing.T) (p *peer, release func()) {
	p = startPeer(t)
	gate := make(chan struct{})
	released := false
	release = func() {
		if !released {
			released = true
			close(gate)
		}
	}
	t.Cleanup(release)
	p.on(wire.CodePublish, func(request) { <-gate })
	return p, release
}

func TestPublishBlocksWhenTheServerDoesNotReadAndHonoursItsContext(t *testing.T) {
	t.Parallel()
	p, release := stuckPeer(t)
	c := dial(t, p, client.WithWriteBuffer(client.WriteBufferMin))
	body := make([]byte, 64<<10)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	sent := 0
	for ; sent < 10_000; sent++ {
		if err := c.PublishContext(ctx, "fx", body); err != nil {
			wantError(t, err, context.DeadlineExceeded)
			break
		}
	}
	if sent == 10_000 {
		t.Fatal("640 MB went into a socket that nobody reads")
	}
	release()
	if err := c.Publish("fx", body); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if got := p.count(wire.CodePublish); got != sent+1 {
		t.Errorf("%d messages arrived, want %d", got, sent+1)
	}
}

func TestABlockedPublishFailsWhenTheConnectionIsLost(t *testing.T) {
	t.Parallel()
	p, release := stuckPeer(t)
	c := dial(t, p, client.WithWriteBuffer(client.WriteBufferMin))
	failed := make(chan error)
	go func() {
		for {
			if err := c.Publish("fx", make([]byte, 64<<10)); err != nil {
				failed <- err
				return
			}
		}
	}()
	p.next(wire.CodePublish).conn.Close()
	wantError(t, within(t, "publish fails", failed), client.ErrDisconnected)
	release()
}

func TestPublishSyncWaitsForEveryAckItAsksFor(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	ack, err := c.PublishSync(testContext(t), client.Publication{Topic: "fx", Acks: wire.AckProcessed | wire.AckPersisted})
	if err != nil || ack.Type != wire.AckPersisted || !ack.Success {
		t.Errorf("got %+v, %v", ack, err)
	}
	if ack, err = c.PublishSync(testContext(t), client.Publication{Topic: "fx"}); err != nil || ack.Type != wire.AckProcessed {
		t.Errorf("got %+v, %v", ack, err)
	}
}

func TestRefusedPublishIsATypedError(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodePublish, refuse("not entitled"))
	c := dial(t, p)
	_, err := c.PublishSync(testContext(t), client.Publication{Topic: "fx"})
	wantError(t, err, client.ErrNotEntitled)
	if got, want := err.Error(), `publish on topic "fx" refused by the server: not entitled`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A persisted ack without a command id covers all messages up to its sequence.
func TestAConflatedAckSettlesTheMessagesUpToItsSequence(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodePublish, func(r request) {
		if r.Sequence() == 11 {
			r.conn.send(`{"c":"ack","a":"persisted","status":"success","s":11,"bm":"88|11|"}`, "")
		}
	})
	c := dial(t, p)
	type result struct {
		sequence uint64
		ack      client.Ack
		err      error
	}
	results := make(chan result, 3)
	for sequence := uint64(10); sequence <= 12; sequence++ {
		message := client.Publication{Topic: "fx", Sequence: sequence, Acks: wire.AckPersisted}
		err := c.PublishAck(testContext(t), message, func(a client.Ack, err error) { results <- result{sequence, a, err} })
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		r := within(t, "the ack", results)
		if r.sequence > 11 || r.err != nil || r.ack.Bookmark != "88|11|" {
			t.Errorf("got %+v", r)
		}
	}
	if got := c.Stats().PendingAcks; got != 1 {
		t.Errorf("%d messages wait for their ack, want the one above the sequence", got)
	}
	c.Close()
	if r := within(t, "the end", results); r.sequence != 12 || r.err != client.ErrClosed {
		t.Errorf("got %+v", r)
	}
}

func TestPublishAckReportsRefusalAndDisconnection(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodePublish, func(r request) {
		if string(r.Topic()) == "bad" {
			refuse("invalid topic")(r)
			return
		}
		r.conn.Close()
	})
	c := dial(t, p)
	failures := make(chan error, 1)
	done := func(_ client.Ack, err error) { failures <- err }
	if err := c.PublishAck(testContext(t), client.Publication{Topic: "bad"}, done); err != nil {
		t.Fatal(err)
	}
	wantError(t, within(t, "refusal", failures), client.ErrInvalidTopic)
	if err := c.PublishAck(testContext(t), client.Publication{Topic: "fx"}, done); err != nil {
		t.Fatal(err)
	}
	wantError(t, within(t, "disconnection", failures), client.ErrDisconnected)
	wantError(t, c.PublishAck(testContext(t), client.Publication{Topic: "fx"}, done), client.ErrDisconnected)
}

// AllocsPerRun counts for the whole process, so this test is not parallel.
func TestPublishDoesNotAllocate(t *testing.T) {
	address := discardPublishes(t)
	c, err := client.Dial(testContext(t), address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := make([]byte, 128)
	message := client.Publication{Topic: "orders", Body: body, Sequence: 7, CorrelationID: "x"}
	ctx := context.Background()
	publish := func() {
		if err := c.Publish("orders", body); err != nil {
			t.Fatal(err)
		}
		if err := c.PublishMessage(ctx, message); err != nil {
			t.Fatal(err)
		}
	}
	for range 20_000 { // both buffers reach their size
		publish()
	}
	if got := testing.AllocsPerRun(20_000, publish); got != 0 {
		t.Errorf("publishing allocates %v times", got)
	}
}

func BenchmarkPublish(b *testing.B) {
	c, err := client.Dial(testContext(b), discardPublishes(b))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	body := make([]byte, 128)
	b.SetBytes(128)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Publish("orders", body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/float64(c.Stats().Writes), "msgs/write")
}
