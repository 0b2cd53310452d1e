package tools

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"farad/client"
)

// unansweredMax bounds the messages that the server has not acknowledged yet.
// It keeps a connection busy over any distance and takes a few megabytes.
const unansweredMax = 8192

// publisher sends messages over one connection and finds out what the server
// did with each: every message asks for an acknowledgement, because a server
// says nothing about a refused message otherwise (01-protocol §4.1). Its
// methods are for one goroutine.
type publisher struct {
	connection *client.Client
	delta      bool
	stderr     io.Writer
	unanswered chan struct{} // holds one for each message without an answer
	sent       uint64

	// Written on the receiving goroutine of the connection.
	processed, refused atomic.Uint64
	firstRefusal       atomic.Pointer[error]
}

func newPublisher(connection *client.Client, delta bool, stderr io.Writer) *publisher {
	return &publisher{
		connection: connection, delta: delta, stderr: stderr, unanswered: make(chan struct{}, unansweredMax),
	}
}

// publish sends one message, which may be reused when it returns. It blocks
// while unansweredMax messages have no answer.
func (p *publisher) publish(ctx context.Context, topic string, body []byte) error {
	select {
	case p.unanswered <- struct{}{}:
	case <-p.connection.Done():
		return p.lost()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.sent++
	number := p.sent
	message := client.Publication{Topic: topic, Body: body, Delta: p.delta}
	err := p.connection.PublishAck(ctx, message, func(_ client.Ack, err error) { p.answered(number, err) })
	if err != nil {
		<-p.unanswered
		return classified(err)
	}
	return nil
}

// answered counts what became of a message. The first refusal is reported at
// once, since the records may never end.
func (p *publisher) answered(number uint64, err error) {
	switch {
	case err == nil:
		p.processed.Add(1)
	case ExitCode(classified(err)) == ExitConnection:
		// The connection's end answers all; finish reports it once.
	default:
		err = fmt.Errorf("message %d: %w", number, err)
		if p.refused.Add(1) == 1 {
			p.firstRefusal.Store(&err)
			fmt.Fprintln(p.stderr, err)
		}
	}
	<-p.unanswered
}

// finish waits until the server has processed everything, as long as it goes
// on answering: a pause of that length, 0 for any, is an error. Refused
// messages are one too.
func (p *publisher) finish(ctx context.Context, pause time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if pause > 0 {
		stop := p.watch(pause, func() {
			cancel(fmt.Errorf("%d messages sent, %d of them processed, and no further answer within %v",
				p.sent, p.processed.Load(), pause))
		})
		defer stop()
	}
	for range cap(p.unanswered) {
		select {
		case p.unanswered <- struct{}{}:
		case <-p.connection.Done():
			return p.lost()
		case <-ctx.Done():
			return connectionf("%w", context.Cause(ctx))
		}
	}
	if err := p.connection.Err(); err != nil {
		return p.lost()
	}
	if err := p.connection.Flush(ctx); err != nil {
		return classified(err)
	}
	if refused := p.refused.Load(); refused > 0 {
		return refusedf("%d of %d messages were refused, the first one: %w", refused, p.sent, *p.firstRefusal.Load())
	}
	return nil
}

// watch calls stuck once neither an answer came nor a byte was written for a
// pause. The returned function ends the watch.
func (p *publisher) watch(pause time.Duration, stuck func()) (stop func()) {
	ended := make(chan struct{})
	go func() {
		tick := time.NewTicker(pause)
		defer tick.Stop()
		last := p.progress()
		for {
			select {
			case <-tick.C:
			case <-ended:
				return
			}
			now := p.progress()
			if now == last {
				stuck()
				return
			}
			last = now
		}
	}()
	return func() { close(ended) }
}

// progress is a number that grows while there is any.
func (p *publisher) progress() uint64 {
	return p.processed.Load() + p.refused.Load() + p.connection.Stats().BytesSent
}

func (p *publisher) lost() error {
	return connectionf("connection to %s lost: %w", p.connection.URI(), p.connection.Err())
}
