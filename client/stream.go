package client

import (
	"context"
	"iter"

	"farad/netio/wire"
)

// Stream is a subscription whose messages are read instead of handed to a
// handler. The client receives at most StreamBytes ahead of the reader; then
// the connection's receiver stands still, and with it every subscription of
// the client, until the reader catches up. While a call of this client waits
// for an answer of the server the limit is StreamOverflowBytes, so that the
// reader itself may call Flush, Unsubscribe and the like.
type Stream struct {
	*Feed
	inbox *inbox

	// Owned by the reading goroutine.
	decoder wire.Decoder
	message Message
	frames  []byte // taken from the inbox
	read    int    // of frames
}

// Stream subscribes and returns once the server has accepted.
func (c *Client) Stream(ctx context.Context, s Subscription) (*Stream, error) {
	stream := &Stream{inbox: newInbox()}
	command := s.command()
	put := func(m *Message) { stream.inbox.put(c, m.payload) }
	feed, err := c.open(ctx, &command, put, stream.inbox.end)
	if err != nil {
		return nil, err
	}
	stream.Feed = feed
	return stream, nil
}

// Messages iterates over the stream's messages, from one goroutine at a time.
// A message is valid until the next step. The iteration ends silently after
// Unsubscribe, once what had arrived is read; with an error as its last value
// when ctx ends or the connection is lost, in that case too after what had
// arrived. Breaking off leaves the stream as it is: another iteration goes on
// behind the last message.
func (s *Stream) Messages(ctx context.Context) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		for {
			m, err := s.next(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			if m == nil || !yield(m, nil) {
				return
			}
		}
	}
}

// next returns the next message; nil at the end.
func (s *Stream) next(ctx context.Context) (*Message, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if s.read == len(s.frames) {
		frames, err := s.inbox.take(ctx, s.frames)
		if err != nil {
			return nil, err
		}
		s.frames, s.read = frames, 0
		if len(frames) == 0 {
			return nil, nil
		}
	}
	payload, size, _, err := wire.NextFrame(s.frames[s.read:])
	if err != nil || size == 0 {
		panic("client: an inbox holds an incomplete frame")
	}
	s.read += size
	command, err := s.decoder.Decode(payload)
	if err != nil {
		panic("client: a header that was decoded before does not decode: " + err.Error())
	}
	s.message = Message{Body: command.Body, command: command, payload: payload, subID: s.id}
	return &s.message, nil
}

// Messages subscribes, iterates over the messages and unsubscribes when the
// loop is left. A subscription that fails is the iteration's only value.
func (c *Client) Messages(ctx context.Context, s Subscription) iter.Seq2[*Message, error] {
	return func(yield func(*Message, error) bool) {
		stream, err := c.Stream(ctx, s)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() {
			c.removeFeed(stream.Feed)
			stream.sendUnsubscribe()
		}()
		stream.Messages(ctx)(yield)
	}
}
