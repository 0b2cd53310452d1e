package client

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"farad/netio/wire"
)

// outboxKeep is how many bytes beyond its limit an outbox keeps allocated
// after a large message.
const outboxKeep = 64 << 10

// outbox collects frames for the socket. Callers append under the mutex; one
// writer goroutine takes all that there is and writes it with one call, as
// soon as the previous write is done. So a lone message goes out at once, and
// under load many messages share a write. When more bytes wait than the limit
// allows, callers block.
type outbox struct {
	limit int // bytes; immutable

	mu       sync.Mutex
	work     *sync.Cond // the writer waits for frames or the end
	space    *sync.Cond // callers wait for room or the end
	pending  []byte     // frames not taken yet
	sleeping bool       // the writer waits on work
	blocked  int        // callers waiting on space
	err      error      // no more appends: why; nil while open
	dropped  bool       // do not write what is pending
	sent     outboxCounts
}

// outboxCounts is what an outbox has done so far.
type outboxCounts struct{ frames, bytes, writes uint64 }

func newOutbox(limit int) *outbox {
	o := &outbox{limit: limit}
	o.work = sync.NewCond(&o.mu)
	o.space = sync.NewCond(&o.mu)
	return o
}

// acquire takes the lock and waits until there is room. With a nil error the
// caller holds the lock, appends to pending and calls release.
func (o *outbox) acquire(ctx context.Context) error {
	o.mu.Lock()
	if o.err == nil && len(o.pending) < o.limit {
		return nil
	}
	return o.wait(ctx)
}

// wait is the slow part of acquire; it unlocks on error.
func (o *outbox) wait(ctx context.Context) error {
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.space.Broadcast()
		})
		defer stop()
	}
	for o.err == nil && len(o.pending) >= o.limit && ctx.Err() == nil {
		o.blocked++
		o.space.Wait()
		o.blocked--
	}
	err := o.err
	if err == nil && len(o.pending) >= o.limit {
		err = fmt.Errorf("waiting for room in the write buffer: %w", context.Cause(ctx))
	}
	if err != nil {
		o.mu.Unlock()
	}
	return err
}

// release ends what acquire began: the frame at start of pending, with a body
// of that many bytes, is handed to the writer. A frame whose header is too
// large for the protocol is taken back.
func (o *outbox) release(start, body int) error {
	header := len(o.pending) - start - wire.LengthPrefix - body
	if header > wire.HeaderBytesMax {
		o.pending = o.pending[:start]
		o.mu.Unlock()
		return fmt.Errorf("header of %d bytes, at most %d are possible: %w", header, wire.HeaderBytesMax, ErrTooLarge)
	}
	o.sent.frames++
	wake := o.sleeping
	o.sleeping = false
	o.mu.Unlock()
	if wake {
		o.work.Signal()
	}
	return nil
}

// send appends one command.
func (o *outbox) send(ctx context.Context, c *Command) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := o.acquire(ctx); err != nil {
		return err
	}
	start := len(o.pending)
	o.pending = c.appendTo(o.pending)
	return o.release(start, len(c.Body))
}

// offer appends a ready frame if that needs no waiting. The receiving
// goroutine uses it for signs of life: it must not block on the socket, and
// when frames are waiting anyway they are sign enough.
func (o *outbox) offer(frame []byte) { o.push(frame, o.limit) }

// pushAnyway appends a small ready frame even when the buffer is full, for
// what must neither wait nor get lost. The caller bounds how often.
func (o *outbox) pushAnyway(frame []byte) { o.push(frame, math.MaxInt) }

func (o *outbox) push(frame []byte, limit int) {
	o.mu.Lock()
	if o.err != nil || len(o.pending) >= limit {
		o.mu.Unlock()
		return
	}
	start := len(o.pending)
	o.pending = append(o.pending, frame...)
	o.release(start, 0)
}

// finish lets the writer end once it has written what is there. Appends fail
// with err from now on.
func (o *outbox) finish(err error) { o.end(err, false) }

// abort ends the writer without writing what is pending.
func (o *outbox) abort(err error) { o.end(err, true) }

func (o *outbox) end(err error, drop bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	o.dropped = o.dropped || drop
	o.sleeping = false
	o.work.Broadcast()
	o.space.Broadcast()
}

// run writes until the outbox ends or a write fails. It is the writer
// goroutine.
func (o *outbox) run(socket io.Writer) error {
	var batch []byte
	for {
		if batch = o.take(batch); batch == nil {
			return nil
		}
		if _, err := socket.Write(batch); err != nil {
			return err
		}
	}
}

// take waits for frames and exchanges them for an empty buffer; nil at the
// end.
func (o *outbox) take(empty []byte) []byte {
	if cap(empty) > o.limit+outboxKeep {
		empty = nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) == 0 && o.err == nil {
		o.sleeping = true
		o.work.Wait()
	}
	if len(o.pending) == 0 || o.dropped {
		return nil
	}
	batch := o.pending
	o.pending = empty[:0]
	o.sent.writes++
	o.sent.bytes += uint64(len(batch))
	if o.blocked > 0 {
		o.space.Broadcast()
	}
	return batch
}

// unsent tells whether something was pending when the outbox ended.
func (o *outbox) unsent() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.pending) > 0
}

func (o *outbox) counts() outboxCounts {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sent
}
