package client

import (
	"context"
	"fmt"
	"time"

	"farad/netio/wire"
)

// Publication is a message to publish, with all that may go with it.
type Publication struct {
	Topic         string // a name, never a pattern
	Body          []byte // at most BodyBytesMax; may be reused once the call returns
	CorrelationID string // a tag for the subscribers, Base64 alphabet
	SOWKey        string // only for topics whose key comes from the publisher
	// Expiration is the record's lifetime in whole seconds, or NeverExpire;
	// 0 leaves it to the topic.
	Expiration time.Duration
	// Sequence numbers the client's messages, rising, so that the server
	// finds duplicates. 0: none.
	Sequence uint64
	// Acks are the acknowledgements to wait for (PublishSync, PublishAck).
	Acks wire.AckSet
	// Delta publishes only the changed fields of a record.
	Delta bool
}

func (p *Publication) command() Command {
	code := wire.CodePublish
	if p.Delta {
		code = wire.CodeDeltaPublish
	}
	return Command{
		Code: code, Topic: p.Topic, Body: p.Body, CorrelationID: p.CorrelationID, SOWKey: p.SOWKey,
		Expiration: p.Expiration, Sequence: p.Sequence,
	}
}

// Publish sends a message without waiting for the server. It copies topic and
// body into the write buffer, from where one goroutine sends as fast as the
// socket takes: a lone message at once, many messages together. When the
// buffer is full Publish blocks. That it returns nil means no more than that
// the message is on its way; Flush, PublishSync and PublishAck tell more.
func (c *Client) Publish(topic string, body []byte) error {
	return c.PublishContext(context.Background(), topic, body)
}

// PublishContext is Publish with a context that ends the wait for room in the
// write buffer.
func (c *Client) PublishContext(ctx context.Context, topic string, body []byte) error {
	switch {
	case topic == "":
		return fmt.Errorf("publish: the topic is empty: %w", ErrInvalidTopic)
	case len(body) > BodyBytesMax:
		return fmt.Errorf("publish: body of %d bytes, at most %d are possible: %w", len(body), BodyBytesMax, ErrTooLarge)
	}
	if err := c.out.acquire(ctx); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	start := len(c.out.pending)
	w := wire.Begin(c.out.pending, wire.CodePublish)
	w.String(wire.KeyTopic, topic)
	c.out.pending = w.End(body)
	return c.out.release(start, len(body))
}

// PublishMessage is PublishContext for a message with more than topic and
// body. It asks for no acknowledgement, whatever p.Acks says.
func (c *Client) PublishMessage(ctx context.Context, p Publication) error {
	command := p.command()
	return named(command.Code, c.out.send(ctx, &command))
}

// PublishSync sends a message and waits for the acks that it asks for
// (processed when it asks for none). It returns the last one; a refusal gives
// a *CommandError.
func (c *Client) PublishSync(ctx context.Context, p Publication) (Ack, error) {
	command := p.command()
	command.Acks = p.Acks
	acks, err := c.Do(ctx, &command)
	if len(acks) == 0 {
		return Ack{}, err
	}
	return acks[len(acks)-1], err
}

// PublishAck sends a message without waiting and calls done once on the
// receiving goroutine: with the last of the acks that p asks for (processed
// when it asks for none), with a *CommandError when the server refuses, or
// with the client's end as its error. When PublishAck itself returns an error
// done is not called. Nothing else ends the wait: a server that sends no ack
// keeps done from being called until the connection ends.
func (c *Client) PublishAck(ctx context.Context, p Publication, done func(Ack, error)) error {
	command := p.command()
	command.Acks = p.Acks
	if command.Acks == wire.AckNone {
		command.Acks = wire.AckProcessed
	}
	command.ID = c.nextID()
	w := &waiter{
		command: command.Code, topic: p.Topic, sequence: p.Sequence, wanted: command.Acks, callback: done,
	}
	if err := c.enter(command.ID, w); err != nil {
		return named(command.Code, err)
	}
	err := c.out.send(ctx, &command)
	if err != nil && !c.leave(command.ID, w) {
		return nil // the end of the connection took w: done gets the error
	}
	return named(command.Code, err)
}
