package client

import (
	"context"
	"sync"

	"farad/netio/wire"
)

// Limits of what waits in a stream, in bytes.
const (
	// StreamBytes is how much the client receives ahead of a stream's reader.
	// Beyond it the connection stands still, and the server sees a slow
	// client.
	StreamBytes = 1 << 20
	// StreamOverflowBytes is how much it receives ahead while some call waits
	// for the server's answer: the answer comes behind the messages, and the
	// waiting call may be the stream's reader itself.
	StreamOverflowBytes = 64 << 20
	// inboxKeep is the buffer size above which an inbox gives memory back.
	inboxKeep = 4 * StreamBytes
)

// inbox hands frames from the receiver to one reader on another goroutine.
// The receiver appends to one buffer while the reader works through the
// other; they exchange them when the reader is through.
type inbox struct {
	ready chan struct{} // one token: there is something, or the end
	space chan struct{} // one token: the reader took, or the end

	mu      sync.Mutex
	pending []byte // frames, each with its length prefix
	ended   bool
	err     error // why it ended; nil: unsubscribed
}

func newInbox() *inbox {
	return &inbox{ready: make(chan struct{}, 1), space: make(chan struct{}, 1)}
}

// put appends a frame. It runs on the receiver, and blocks it while the
// reader is too far behind.
func (b *inbox) put(c *Client, payload []byte) {
	for !b.tryPut(payload, c.synchronous.Load() > 0) && !c.closing.Load() {
		select {
		case <-b.space:
		case <-c.ackWanted:
		case <-c.stopping:
			b.tryPut(payload, true)
			return
		}
	}
}

// tryPut appends a frame if it may; true also when nobody wants it any more.
func (b *inbox) tryPut(payload []byte, overflow bool) bool {
	limit := StreamBytes
	if overflow {
		limit = StreamOverflowBytes
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return true
	}
	if len(b.pending) > 0 && len(b.pending)+wire.LengthPrefix+len(payload) > limit {
		return false
	}
	start := len(b.pending)
	b.pending = append(b.pending, 0, 0, 0, 0)
	b.pending = append(b.pending, payload...)
	wire.PutLength(b.pending, start)
	signal(b.ready)
	return true
}

// end lets the reader take what is there and then learn of the end.
func (b *inbox) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended, b.err = true, err
	signal(b.ready)
	signal(b.space)
}

// take waits for frames and exchanges them for an empty buffer. No frames and
// a nil error mean that the subscription has ended.
func (b *inbox) take(ctx context.Context, empty []byte) ([]byte, error) {
	if cap(empty) > inboxKeep {
		empty = nil
	}
	for {
		b.mu.Lock()
		if len(b.pending) > 0 || b.ended {
			frames := b.pending
			b.pending = empty[:0]
			ended, err := b.ended, b.err
			b.mu.Unlock()
			signal(b.space)
			if len(frames) > 0 || !ended {
				return frames, nil
			}
			signal(b.ready) // for a later call
			return nil, err
		}
		b.mu.Unlock()
		select {
		case <-b.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// signal leaves a token, unless one is there.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
