package client_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"farad/client"
	"farad/netio/wire"
)

// stream opens one and returns the server's side of its connection.
func stream(t testing.TB, p *peer, c *client.Client) (*client.Stream, *peerConn) {
	t.Helper()
	s, err := c.Stream(testContext(t), client.Subscription{Topic: "fx"})
	if err != nil {
		t.Fatal(err)
	}
	return s, p.next(wire.CodeSubscribe).conn
}

func TestStreamYieldsMessagesInOrderAndGoesOnAfterABreak(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	s, conn := stream(t, p, dial(t, p))
	for i := range 100 {
		deliver(conn, s.ID(), fmt.Sprint(i))
	}
	next := 0
	for next < 100 {
		for m, err := range s.Messages(testContext(t)) {
			if err != nil {
				t.Fatal(err)
			}
			if string(m.Body) != fmt.Sprint(next) || m.SubID() != s.ID() || string(m.Topic()) != "fx" {
				t.Fatalf("message %d is %s%s", next, m.Header(), m.Body)
			}
			if next++; next%7 == 0 || next == 100 {
				break
			}
		}
	}
}

// fill sends messages of 16 KiB until the client takes no more, and returns
// how many there are: three times what a stream holds.
func fill(conn *peerConn, id string) (messages int, done <-chan struct{}) {
	messages = 3 * client.StreamBytes >> 14
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for i := range messages {
			deliver(conn, id, fmt.Sprintf("%06d%s", i, strings.Repeat("x", 1<<14)))
		}
	}()
	return messages, sent
}

// drain reads that many messages and checks their order.
func drain(t *testing.T, s *client.Stream, messages int) {
	t.Helper()
	next := 0
	for m, err := range s.Messages(testContext(t)) {
		if err != nil {
			t.Fatal(err)
		}
		if got := string(m.Body[:6]); got != fmt.Sprintf("%06d", next) {
			t.Fatalf("message %d is %s", next, got)
		}
		if next++; next == messages {
			return
		}
	}
}

func TestASlowReaderStopsTheReceiverAndLosesNothing(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	s, conn := stream(t, p, c)
	messages, _ := fill(conn, s.ID())
	eventually(t, "the stream is full", func() bool { return c.Stats().BytesReceived > client.StreamBytes })
	drain(t, s, messages)
}

func TestAStreamHoldsNoMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	s, conn := stream(t, p, c)
	messages, sent := fill(conn, s.ID())
	// The kernel's buffers may take the rest; the client stands still.
	var received uint64
	still := 0
	eventually(t, "the receiver stands still", func() bool {
		now := c.Stats().BytesReceived
		if still++; now != received {
			received, still = now, 0
		}
		return received > client.StreamBytes && still == 25
	})
	const slack = 128 << 10 // what is read but not yet in the stream
	if got := c.Stats().BytesReceived; got > client.StreamBytes+slack {
		t.Errorf("received %d bytes ahead of the reader, limit %d", got, client.StreamBytes+slack)
	}
	drain(t, s, messages)
	within(t, "everything sent", sent)
}

func TestTheReaderOfAFullStreamMayWaitForTheServer(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	s, conn := stream(t, p, c)
	messages, sent := fill(conn, s.ID())
	eventually(t, "the stream is full", func() bool { return c.Stats().BytesReceived > client.StreamBytes })
	// The answer comes behind more than a stream holds.
	p.on(wire.CodeFlush, func(r request) {
		<-sent
		acknowledge(r)
	})
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	drain(t, s, messages)
}

func TestAStreamEndsSilentlyAfterUnsubscribe(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	s, conn := stream(t, p, c)
	deliver(conn, s.ID(), "last")
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if err := s.Unsubscribe(testContext(t)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got := ""
		for m, err := range s.Messages(testContext(t)) {
			if err != nil {
				t.Fatal(err)
			}
			got += string(m.Body)
		}
		if got != "last" && got != "" {
			t.Errorf("got %q", got)
		}
	}
}

func TestAStreamYieldsWhatHadArrivedAndThenTheDisconnection(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	s, conn := stream(t, p, c)
	deliver(conn, s.ID(), "last")
	conn.Close()
	within(t, "the end", c.Done())
	var bodies []string
	var failures []error
	for m, err := range s.Messages(testContext(t)) {
		if err != nil {
			failures = append(failures, err)
			continue
		}
		bodies = append(bodies, string(m.Body))
	}
	if len(bodies) != 1 || bodies[0] != "last" || len(failures) != 1 {
		t.Fatalf("got messages %q, errors %v", bodies, failures)
	}
	wantError(t, failures[0], client.ErrDisconnected)
}

func TestIteratingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	s, _ := stream(t, p, dial(t, p))
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	for _, err := range s.Messages(ctx) {
		wantError(t, err, context.Canceled)
	}
}

func TestMessagesSubscribesAndUnsubscribesAroundTheLoop(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeSubscribe, func(r request) {
		acknowledge(r)
		deliver(r.conn, string(r.SubID()), "1")
	})
	c := dial(t, p)
	for m, err := range c.Messages(testContext(t), client.Subscription{Topic: "fx", ID: "a"}) {
		if err != nil || string(m.Body) != "1" {
			t.Fatalf("got %v, %v", m, err)
		}
		break
	}
	if got := p.next(wire.CodeUnsubscribe); string(got.SubID()) != "a" {
		t.Errorf("got %s", got.header)
	}
	p.on(wire.CodeSubscribe, refuse("bad filter"))
	values := 0
	for m, err := range c.Messages(testContext(t), client.Subscription{Topic: "fx", Filter: "="}) {
		values++
		wantError(t, err, client.ErrBadFilter)
		if m != nil {
			t.Error("a message beside the error")
		}
	}
	if values != 1 {
		t.Errorf("%d values, want the error alone", values)
	}
}

func TestCloseFreesAReceiverThatStandsStillForAStream(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	s, conn := stream(t, p, c)
	_, sent := fill(conn, s.ID())
	eventually(t, "the stream is full", func() bool { return c.Stats().BytesReceived > client.StreamBytes })
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	within(t, "everything sent", sent)
}

// A receiver that stands still does not see that the connection is lost; the
// writer does, and the stream keeps what it had.
func TestAFailedWriteFreesAReceiverThatStandsStillForAStream(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	s, conn := stream(t, p, c)
	fill(conn, s.ID())
	eventually(t, "the stream is full", func() bool { return c.Stats().BytesReceived > client.StreamBytes })
	conn.Close()
	eventually(t, "publish fails", func() bool { return c.Publish("fx", make([]byte, 1<<16)) != nil })
	within(t, "the end", c.Done())
	read := 0
	for _, err := range s.Messages(testContext(t)) {
		if err != nil {
			wantError(t, err, client.ErrDisconnected)
			break
		}
		read++
	}
	if read < 60 {
		t.Errorf("read %d messages of what had arrived, want at least the 60 that the stream held", read)
	}
}
