package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"
)

// outputBytesMax bounds what waits to be written, in bytes. Beyond it, append
// blocks, so that a slow reader slows the subscription and not the memory.
const outputBytesMax = 4 << 20

// drainTimeout is how long an interrupted command tries to finish.
const drainTimeout = 2 * time.Second

// output writes payloads to a stream from a goroutine of its own: a lone one
// at once, and as many as came meanwhile with each further write.
type output struct {
	stream io.Writer

	mu      sync.Mutex
	changed sync.Cond // of the fields below
	waiting []byte
	closing bool
	err     error // why the stream takes no more

	done chan struct{} // closed when the goroutine has ended
}

func newOutput(stream io.Writer) *output {
	o := &output{stream: stream, done: make(chan struct{})}
	o.changed.L = &o.mu
	go o.run()
	return o
}

// append adds what render appends to the bytes that wait. It blocks while too
// many wait and returns why the stream takes no more.
func (o *output) append(render func(waiting []byte) []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) >= outputBytesMax && o.err == nil {
		o.changed.Wait()
	}
	if o.err != nil {
		return o.err
	}
	o.waiting = render(o.waiting)
	o.changed.Broadcast()
	return nil
}

// run swaps the bytes that wait for an empty buffer and writes them without
// the lock.
func (o *output) run() {
	defer close(o.done)
	var writing []byte
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.waiting) == 0 && !o.closing {
			o.changed.Wait()
		}
		if len(o.waiting) == 0 || o.err != nil {
			return
		}
		writing, o.waiting = o.waiting, writing[:0]
		o.changed.Broadcast()
		o.mu.Unlock()
		_, err := o.stream.Write(writing)
		if cap(writing) > outputBytesMax {
			writing = nil
		}
		o.mu.Lock()
		if err != nil {
			o.err = err
			o.changed.Broadcast()
			return
		}
	}
}

// ended is closed when the stream takes no more, or all was written after
// close.
func (o *output) ended() <-chan struct{} { return o.done }

// close writes what waits and returns why the stream took no more, if so. It
// waits for a slow reader as long as it takes, but once ctx has ended only for
// drainTimeout.
func (o *output) close(ctx context.Context) error {
	o.mu.Lock()
	o.closing = true
	o.changed.Broadcast()
	o.mu.Unlock()
	patience, cancel := outlive(ctx, drainTimeout)
	defer cancel()
	select {
	case <-o.done:
	case <-patience.Done():
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case <-o.done:
	default:
		o.err = fmt.Errorf("standard output takes no more, at least %d bytes are not printed", len(o.waiting))
		o.changed.Broadcast()
	}
	return o.err
}

// isClosedPipe says whether nobody reads a stream any longer, which is a
// reader's way of saying that it has seen enough.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// outlive makes a context that ends a while after its parent.
func outlive(ctx context.Context, while time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(while, cancel)
		context.AfterFunc(longer, func() { timer.Stop() })
	})
	return longer, func() { stop(); cancel() }
}
