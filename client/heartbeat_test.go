package client_test

import (
	"strings"
	"testing"
	"time"

	"farad/client"
	"farad/netio/wire"
)

func TestHeartbeatsAreStartedAndAnswered(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	dial(t, p, client.WithHeartbeat(30*time.Second))
	start := p.next(wire.CodeHeartbeat)
	if string(start.Options()) != "start,30" || start.Acks != wire.AckProcessed {
		t.Errorf("got %s", start.header)
	}
	start.conn.send(`{"c":"heartbeat"}`, "")
	if got := p.next(wire.CodeHeartbeat).header; got != `{"c":"heartbeat","opts":"beat"}` {
		t.Errorf("got %s", got)
	}
}

func TestAServerThatRefusesHeartbeatsIsAFailedDial(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeHeartbeat, refuse("invalid options"))
	_, err := client.Dial(testContext(t), p.uri(), client.WithHeartbeat(time.Second))
	wantError(t, err, client.ErrInvalidOptions)
}

func TestASilentServerIsGivenUpAfterTwoIntervals(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	lost := make(chan error, 1)
	started := time.Now()
	c := dial(t, p, client.WithHeartbeat(time.Second), client.WithDisconnectHandler(func(err error) { lost <- err }))
	err := within(t, "the client gives up", lost)
	wantError(t, err, client.ErrDisconnected)
	if !strings.Contains(err.Error(), "silent for 2 heartbeat intervals of 1s") {
		t.Errorf("got error %v", err)
	}
	if took := time.Since(started); took < 1900*time.Millisecond {
		t.Errorf("given up after %s", took)
	}
	within(t, "the end", c.Done())
}

// A client whose handler is busy reads nothing: that is not the server's
// silence, and the server must not take it for the client's.
func TestABusyHandlerNeitherLosesTheConnectionNorFallsSilent(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p, client.WithHeartbeat(time.Second))
	p.next(wire.CodeHeartbeat) // start
	leave := make(chan struct{})
	feed, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx"}, func(*client.Message) { <-leave })
	if err != nil {
		t.Fatal(err)
	}
	deliver(p.next(wire.CodeSubscribe).conn, feed.ID(), "1")
	for range 3 { // three beats take more than two intervals
		if got := string(p.next(wire.CodeHeartbeat).Options()); got != "beat" {
			t.Errorf("got a heartbeat with the options %q", got)
		}
	}
	close(leave)
	if err := c.Flush(testContext(t)); err != nil {
		t.Error(err)
	}
}
