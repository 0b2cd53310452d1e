package client

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"farad/netio/wire"
)

// waiter waits for the acks of one command. Guarded by Client.mu until it has
// left Client.waiters; then only its owner has it.
type waiter struct {
	command  wire.Code
	topic    string
	sequence uint64           // of the message; 0: none
	wanted   wire.AckSet      // acks that are still to come
	acks     []Ack            // in the order of arrival
	err      error            // a *CommandError ends the wait
	finished chan struct{}    // closed at the end; nil with a callback
	callback func(Ack, error) // called at the end, on the receiver
}

// nextID makes a command id.
func (c *Client) nextID() string { return strconv.FormatUint(c.ids.Add(1), 10) }

// enter registers a waiter before its command is sent.
func (c *Client) enter(id string, w *waiter) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended:
		return c.cause
	case len(c.waiters) >= PendingAcksMax:
		return fmt.Errorf("%d commands wait for acknowledgements, which is the limit", PendingAcksMax)
	case c.waiters[id] != nil:
		return fmt.Errorf("another command with the id %q waits for its acknowledgements", id)
	}
	c.waiters[id] = w
	return nil
}

// leave gives a waiter up; false when it has ended already.
func (c *Client) leave(id string, w *waiter) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiters[id] != w {
		return false
	}
	delete(c.waiters, id)
	return true
}

// await sends a command and waits until all acks that w wants are there.
func (c *Client) await(ctx context.Context, id string, w *waiter, send func(context.Context) error) ([]Ack, error) {
	if c.onReceiver() {
		return nil, fmt.Errorf("%s: %w", w.command, ErrInHandler)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.settings.ackTimeout,
		fmt.Errorf("%w: no answer within %s", ErrTimedOut, c.settings.ackTimeout))
	defer cancel()
	w.finished = make(chan struct{})
	if err := c.enter(id, w); err != nil {
		return nil, fmt.Errorf("%s: %w", w.command, err)
	}
	c.synchronous.Add(1)
	defer c.synchronous.Add(-1)
	signal(c.ackWanted)
	if err := send(ctx); err != nil {
		c.leave(id, w)
		return nil, timedOut(ctx, w.command, err)
	}
	select {
	case <-w.finished:
		return w.acks, w.err
	case <-ctx.Done():
		c.leave(id, w)
		return nil, timedOut(ctx, w.command, context.Cause(ctx))
	case <-c.done:
	}
	select {
	case <-w.finished: // the answer came just before the end
		return w.acks, w.err
	default:
		return nil, fmt.Errorf("%s: %w", w.command, c.cause)
	}
}

// timedOut names the command in an error, and marks every kind of deadline
// with ErrTimedOut.
func timedOut(ctx context.Context, command wire.Code, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && !errors.Is(err, ErrTimedOut) {
		return fmt.Errorf("%s: %w: %w", command, ErrTimedOut, err)
	}
	return fmt.Errorf("%s: %w", command, err)
}

// acknowledged gives an ack to the command that waits for it; false when none
// does. Called by the receiver.
func (c *Client) acknowledged(received *wire.Command) bool {
	id := received.CommandID()
	if len(id) == 0 {
		return c.settled(received)
	}
	c.mu.Lock()
	w := c.waiters[string(id)]
	if w == nil || w.wanted&received.Acks == 0 {
		c.mu.Unlock()
		return false
	}
	ack := ackOf(received)
	ended := w.add(ack)
	if ended {
		delete(c.waiters, ack.CommandID)
	}
	c.mu.Unlock()
	if ended {
		w.finish(ack)
	}
	return true
}

// settled handles a persisted ack that covers all messages up to its sequence
// instead of naming a command (01-protocol §10).
func (c *Client) settled(received *wire.Command) bool {
	if received.Acks != wire.AckPersisted || received.Sequence() == 0 || len(received.SubID()) > 0 {
		return false
	}
	ack := ackOf(received)
	var ended []*waiter
	c.mu.Lock()
	for id, w := range c.waiters {
		if w.sequence == 0 || w.sequence > ack.Sequence || w.wanted&wire.AckPersisted == 0 {
			continue
		}
		if w.add(ack) {
			delete(c.waiters, id)
			ended = append(ended, w)
		}
	}
	c.mu.Unlock()
	for _, w := range ended {
		w.finish(ack)
	}
	return true
}

// add notes an ack and tells whether the wait is over.
func (w *waiter) add(ack Ack) (ended bool) {
	w.acks = append(w.acks, ack)
	w.wanted &^= ack.Type
	if !ack.Success {
		w.err = refusal(w.command, w.topic, ack)
	}
	return w.err != nil || w.wanted == wire.AckNone
}

// finish tells the owner.
func (w *waiter) finish(last Ack) {
	if w.callback != nil {
		w.callback(last, w.err)
		return
	}
	close(w.finished)
}

// refusal makes the error of an ack that is no success.
func refusal(command wire.Code, topic string, ack Ack) error {
	reason := ack.Reason
	if ack.Status == "retry" {
		reason = "another round of authentication is wanted, which this client does not provide: " + reason
	}
	return &CommandError{Command: command.String(), Topic: topic, Reason: reason, Ack: ack}
}

// Send sends a command and does not wait. Acks that it asks for go to the
// subscription that they name; a failure that nobody waits for goes to the
// error handler. The command's texts and body may be reused at once.
func (c *Client) Send(ctx context.Context, command *Command) error {
	return named(command.Code, c.out.send(ctx, command))
}

// named puts a command's name before an error.
func named(command wire.Code, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", command, err)
}

// Do sends a command, waits for all acks that it asks for (processed when it
// asks for none) and returns them in the order of their arrival. The first
// failure ends the wait with a *CommandError. A context that ends, or the
// client's ack timeout, ends the wait too; the command may still take effect.
func (c *Client) Do(ctx context.Context, command *Command) ([]Ack, error) {
	asked := *command
	if asked.Acks == wire.AckNone {
		asked.Acks = wire.AckProcessed
	}
	if asked.ID == "" {
		asked.ID = c.nextID()
	}
	w := &waiter{command: asked.Code, topic: asked.Topic, sequence: asked.Sequence, wanted: asked.Acks}
	return c.await(ctx, asked.ID, w, func(ctx context.Context) error { return c.out.send(ctx, &asked) })
}

// Flush waits until the server has processed everything that this client
// sent before.
func (c *Client) Flush(ctx context.Context) error {
	_, err := c.Do(ctx, &Command{Code: wire.CodeFlush, Acks: wire.AckProcessed})
	return err
}
