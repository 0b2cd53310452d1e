package client_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"farad/client"
	"farad/netio/wire"
)

func TestCloseSendsEverythingThatWasPublished(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	_, messages := collect(t, c, client.Subscription{Topic: "fx", ID: "a"})
	conn := p.next(wire.CodeSubscribe).conn
	for range 100 { // unread bytes at the close must not cost what was sent
		deliver(conn, "a", "x")
	}
	const published = 5000
	for i := range published {
		if err := c.Publish("fx", fmt.Append(nil, i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	handled := len(messages)
	eventually(t, "all messages arrive", func() bool { return p.count(wire.CodePublish) == published })
	if len(messages) != handled {
		t.Error("a handler was called after Close")
	}
}

func TestAClosedClientSaysSo(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p, client.WithDisconnectHandler(func(error) { t.Error("the disconnect handler was called") }))
	var closing sync.WaitGroup
	for range 4 {
		closing.Go(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	closing.Wait()
	within(t, "the end", c.Done())
	_, subscribe := c.Subscribe(testContext(t), client.Subscription{Topic: "fx"}, func(*client.Message) {})
	for _, err := range []error{c.Err(), c.Publish("fx", nil), c.Flush(testContext(t)), subscribe} {
		wantError(t, err, client.ErrClosed)
	}
}

func TestCloseEndsCallsThatWait(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeFlush, silent)
	c := dial(t, p)
	flushed := make(chan error, 1)
	go func() { flushed <- c.Flush(testContext(t)) }()
	p.next(wire.CodeFlush)
	c.Close()
	wantError(t, within(t, "flush returns", flushed), client.ErrClosed)
}

func TestCloseWaitsForARunningHandler(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	entered, leave, closed := make(chan struct{}), make(chan struct{}), make(chan struct{})
	feed, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx"}, func(*client.Message) {
		close(entered)
		<-leave
	})
	if err != nil {
		t.Fatal(err)
	}
	deliver(p.next(wire.CodeSubscribe).conn, feed.ID(), "1")
	within(t, "the handler runs", entered)
	go func() {
		defer close(closed)
		c.Close()
	}()
	p.readers.Go(func() { close(leave) })
	within(t, "close returns", closed)
	select {
	case <-leave:
	default:
		t.Error("Close returned while a handler ran")
	}
}

func TestALostConnectionReachesEveryWaitingCallAndTheHandlerOnce(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeFlush, silent)
	lost := make(chan error, 2)
	var log lockedBuffer
	c := dial(t, p, client.WithDisconnectHandler(func(err error) { lost <- err }),
		client.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	flushed := make(chan error, 1)
	go func() { flushed <- c.Flush(testContext(t)) }()
	p.next(wire.CodeFlush).conn.Close()
	wantError(t, within(t, "flush returns", flushed), client.ErrDisconnected)
	wantError(t, within(t, "disconnect handler", lost), client.ErrDisconnected)
	within(t, "the end", c.Done())
	wantError(t, c.Err(), client.ErrDisconnected)
	wantError(t, c.Publish("fx", nil), client.ErrDisconnected)
	c.Close()
	if len(lost) != 0 {
		t.Error("the disconnect handler was called twice")
	}
	if text := log.String(); !strings.Contains(text, "msg=connected") || !strings.Contains(text, "level=WARN msg=disconnected") {
		t.Errorf("logged %s", text)
	}
}

func TestTheDisconnectHandlerMayCloseAndConnectAgain(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	again := make(chan *client.Client, 1)
	var c *client.Client
	ready := make(chan struct{})
	c = dial(t, p, client.WithDisconnectHandler(func(error) {
		<-ready
		c.Close()
		next, err := client.Dial(testContext(t), p.uri())
		if err != nil {
			t.Error(err)
		}
		again <- next
	}))
	close(ready)
	p.next(wire.CodeLogon).conn.Close()
	next := within(t, "the second connection", again)
	if err := next.Flush(testContext(t)); err != nil {
		t.Error(err)
	}
	next.Close()
}

func TestCloseReportsMessagesThatWereLost(t *testing.T) {
	t.Parallel()
	p, release := stuckPeer(t)
	c := dial(t, p, client.WithWriteBuffer(1<<20))
	// Publish until nothing has moved for a while: then the peer's socket is
	// full, the writer is in the middle of a write and messages wait behind it.
	body := make([]byte, 1<<20)
	for full := false; !full; {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		err := c.PublishContext(ctx, "fx", body)
		if full = errors.Is(err, context.DeadlineExceeded); err != nil && !full {
			t.Fatal(err)
		}
		cancel()
	}
	p.next(wire.CodePublish).conn.Close()
	within(t, "the end", c.Done())
	wantError(t, c.Close(), client.ErrDisconnected)
	release()
}

// lockedBuffer takes what several goroutines log.
type lockedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}
