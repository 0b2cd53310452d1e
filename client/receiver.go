package client

import (
	"bytes"
	"fmt"
	"sync/atomic"

	"farad/netio/wire"
)

// The receive buffer, in bytes.
const (
	// receiveBuffer is its usual size, and the largest read at a time.
	receiveBuffer = 64 << 10
	// receiveBufferKeep is the size above which it is given back once a large
	// frame has been handled.
	receiveBufferKeep = 4 << 20
)

// receiver is the state of the receiving goroutine. Only that goroutine
// touches it, but for the atomics.
type receiver struct {
	decoder wire.Decoder
	message Message
	buffer  []byte
	start   int // of what has not been handled
	end     int // of what was read

	// What the previous delivery was for: the next one is mostly for the
	// same.
	route        []byte
	routeFeeds   []*Feed
	routeVersion uint64

	goroutine atomic.Uint64 // its number, to tell calls from handlers
	waiting   atomic.Bool   // it waits for bytes
	counts    receiverCounts
}

type receiverCounts struct{ reads, bytes, frames, unclaimed atomic.Uint64 }

// onReceiver tells whether the caller runs on the receiving goroutine, that
// is, in a handler.
func (c *Client) onReceiver() bool { return goroutineID() == c.receiver.goroutine.Load() }

// receive is the receiving goroutine: it reads, and handles frames one after
// the other, until the connection ends.
func (c *Client) receive() {
	defer close(c.receiverDone)
	r := &c.receiver
	r.goroutine.Store(goroutineID())
	r.buffer = make([]byte, receiveBuffer)
	r.routeVersion = ^uint64(0)
	for {
		need, err := c.handleFrames()
		if err != nil {
			c.end(fmt.Errorf("%w: %w", ErrProtocol, err))
			return
		}
		r.makeRoom(need)
		r.waiting.Store(true)
		n, err := c.socket.Read(r.buffer[r.end:])
		r.waiting.Store(false)
		r.end += n
		r.counts.reads.Add(1)
		r.counts.bytes.Add(uint64(n))
		if n == 0 && err != nil {
			c.end(fmt.Errorf("receive: %w", err))
			return
		}
	}
}

// handleFrames handles all complete frames in the buffer. need is how many
// bytes the incomplete one behind them takes.
func (c *Client) handleFrames() (need int, err error) {
	r := &c.receiver
	var frames uint64
	defer func() { r.counts.frames.Add(frames) }()
	for {
		payload, size, need, err := wire.NextFrame(r.buffer[r.start:r.end])
		if err != nil || size == 0 {
			return need, err
		}
		r.start += size
		frames++
		if len(payload) == 0 || c.closing.Load() {
			continue
		}
		if err := c.handle(payload); err != nil {
			return 0, err
		}
	}
}

// makeRoom moves what has not been handled to the front and makes the buffer
// fit the frame that is coming in. It grows by doubling as the bytes arrive:
// what a length prefix announces is not believed before.
func (r *receiver) makeRoom(need int) {
	rest := r.end - r.start
	switch {
	case rest == 0 && len(r.buffer) > receiveBufferKeep:
		r.buffer = make([]byte, receiveBuffer)
	case rest >= len(r.buffer):
		grown := make([]byte, min(2*len(r.buffer), max(need, receiveBuffer)+receiveBuffer))
		copy(grown, r.buffer[r.start:r.end])
		r.buffer = grown
	case r.start > 0 && (r.start+need > len(r.buffer) || rest == 0):
		copy(r.buffer, r.buffer[r.start:r.end])
	default:
		return
	}
	r.start, r.end = 0, rest
}

// handle handles one frame.
func (c *Client) handle(payload []byte) error {
	r := &c.receiver
	received, err := r.decoder.Decode(payload)
	if err != nil {
		return err
	}
	switch received.Code {
	case wire.CodeHeartbeat:
		c.out.offer(beatFrame)
	case wire.CodeAck:
		c.handleAck(received, payload)
	default:
		if !c.deliver(received, payload) {
			r.counts.unclaimed.Add(1)
		}
	}
	return nil
}

// handleAck gives an ack to who waits for it: a call, a subscription, or in
// the case of a failure the error handler.
func (c *Client) handleAck(received *wire.Command, payload []byte) {
	if c.acknowledged(received) || c.deliver(received, payload) {
		return
	}
	c.receiver.counts.unclaimed.Add(1)
	if string(received.Status()) != "failure" {
		return
	}
	ack := ackOf(received)
	name := "a command"
	if ack.CommandID != "" {
		name = fmt.Sprintf("the command with id %q", ack.CommandID)
	}
	c.report(&CommandError{Command: name, Reason: ack.Reason, Ack: ack})
}

// report hands over an error that no call can return.
func (c *Client) report(err error) {
	if c.settings.onError != nil {
		c.settings.onError(err)
		return
	}
	c.log.Warn("command failed", "client", c.settings.name, "error", err)
}

// deliver calls the handler of each subscription that the message is for;
// false when there is none.
func (c *Client) deliver(received *wire.Command, payload []byte) bool {
	r := &c.receiver
	list := route(received)
	if version := c.feedsVersion.Load(); version != r.routeVersion || string(list) != string(r.route) {
		c.lookUp(list)
	}
	if len(r.routeFeeds) == 0 {
		return false
	}
	m := &r.message
	m.Body, m.command, m.payload = received.Body, received, payload
	for _, f := range r.routeFeeds {
		if f.gone.Load() {
			continue
		}
		m.subID = f.id
		f.handle(m)
		if c.closing.Load() {
			break
		}
	}
	return true
}

// lookUp finds the subscriptions that a list of ids names.
func (c *Client) lookUp(list []byte) {
	r := &c.receiver
	r.route = append(r.route[:0], list...)
	clear(r.routeFeeds)
	r.routeFeeds = r.routeFeeds[:0]
	c.mu.Lock()
	defer c.mu.Unlock()
	r.routeVersion = c.feedsVersion.Load()
	for id := range bytes.SplitSeq(list, []byte{','}) {
		if f := c.feeds[string(id)]; f != nil {
			r.routeFeeds = append(r.routeFeeds, f)
		}
	}
}
