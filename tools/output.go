package tools

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// outputBytesMax bounds what waits to be written, in bytes. Beyond it, append
// blocks, so that a slow reader slows the subscription and not the memory.
const outputBytesMax = 4 << 20

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

// failed is closed when the stream takes no more, or close was called.
func (o *output) failed() <-chan struct{} { return o.done }

// close writes what waits and returns why the stream took no more, if so.
func (o *output) close() error {
	o.mu.Lock()
	o.closing = true
	o.changed.Broadcast()
	o.mu.Unlock()
	<-o.done
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// isClosedPipe says whether nobody reads a stream any longer, which is a
// reader's way of saying that it has seen enough.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
