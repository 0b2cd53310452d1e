package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"farad/netio/wire"
)

// Subscription says what to subscribe to.
type Subscription struct {
	Topic    string // a name, or a pattern if it has characters of one
	Filter   string // content filter; empty: every message
	Options  string // option list, such as "timestamp,no_sowkey"
	ID       string // of the subscription; empty: one is made
	Bookmark string // start of a replay; empty: live messages only
	Delta    bool   // only changed fields (delta_subscribe)
}

func (s *Subscription) command() Command {
	code := wire.CodeSubscribe
	if s.Delta {
		code = wire.CodeDeltaSubscribe
	}
	return Command{
		Code: code, Topic: s.Topic, Filter: s.Filter, Options: s.Options, SubID: s.ID, Bookmark: s.Bookmark,
	}
}

// Feed is a subscription that the server has accepted.
type Feed struct {
	client *Client
	id     string
	code   wire.Code
	handle func(*Message) // on the receiver
	finish func(error)    // told once that no more comes; nil error: unsubscribed
	gone   atomic.Bool    // no more calls of handle begin
}

// ID is the subscription's id, as in Message.SubID.
func (f *Feed) ID() string { return f.id }

// Subscribe subscribes and returns once the server has accepted. handle is
// called on the client's receiving goroutine with each message, possibly
// before Subscribe returns; see Message for how long a message lives. While a
// handler runs, nothing else is received, so it must not block for long. It
// may call Publish, Send, Unsubscribe and Close; a method that has to wait
// for the server's answer returns ErrInHandler there.
func (c *Client) Subscribe(ctx context.Context, s Subscription, handle func(*Message)) (*Feed, error) {
	command := s.command()
	return c.Execute(ctx, &command, handle)
}

// Execute sends a command that brings messages (subscribe, sow and their
// kin), returns once the server has accepted it, and has handle called as
// Subscribe does. Beside deliveries, handle gets whatever else names the
// subscription or query: group_begin, sow, group_end, oof, and the acks other
// than processed that the command asks for (Message.Code tells them apart).
// The id is the command's SubID, or QueryID for sow; one is made when it is
// empty.
func (c *Client) Execute(ctx context.Context, command *Command, handle func(*Message)) (*Feed, error) {
	return c.open(ctx, command, handle, func(error) {})
}

// open is Execute, with finish for what has to know about the end.
func (c *Client) open(ctx context.Context, command *Command, handle func(*Message), finish func(error)) (*Feed, error) {
	if handle == nil {
		panic("client: a subscription needs a handler")
	}
	asked := *command
	id := &asked.SubID
	switch asked.Code {
	case wire.CodeSubscribe, wire.CodeDeltaSubscribe, wire.CodeSOWAndSubscribe, wire.CodeSOWAndDeltaSubscribe:
	case wire.CodeSOW:
		id = &asked.QueryID
	default:
		return nil, fmt.Errorf("%s brings no messages: use Do or Send", asked.Code)
	}
	if asked.ID == "" {
		asked.ID = c.nextID()
	}
	if *id == "" {
		*id = asked.ID
	}
	if strings.ContainsRune(*id, ',') || *id == "all" {
		return nil, fmt.Errorf("subscription id %q: expected a text without commas, and not \"all\"", *id)
	}
	f := &Feed{client: c, id: *id, code: asked.Code, handle: handle, finish: finish}
	if err := c.addFeed(f); err != nil {
		return nil, err
	}
	if err := c.accept(ctx, &asked); err != nil {
		c.removeFeed(f)
		var refused *CommandError
		if !errors.As(err, &refused) && !errors.Is(err, ErrInHandler) {
			f.sendUnsubscribe() // it may have been accepted
		}
		return nil, err
	}
	if f.gone.Load() {
		f.sendUnsubscribe() // UnsubscribeAll may have overtaken the command
	}
	return f, nil
}

// accept sends a command and waits for its processed ack only.
func (c *Client) accept(ctx context.Context, asked *Command) error {
	asked.Acks |= wire.AckProcessed
	w := &waiter{command: asked.Code, topic: asked.Topic, wanted: wire.AckProcessed}
	_, err := c.await(ctx, asked.ID, w, func(ctx context.Context) error { return c.out.send(ctx, asked) })
	return err
}

func (c *Client) addFeed(f *Feed) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended:
		return c.cause
	case c.feeds[f.id] != nil:
		return fmt.Errorf("subscription id %q is in use on this client: %w", f.id, ErrAlreadyExists)
	case len(c.feeds) >= FeedsMax:
		return fmt.Errorf("the client has %d subscriptions, which is the limit: %w", FeedsMax, ErrTooManySubscriptions)
	}
	c.feeds[f.id] = f
	c.feedsVersion.Add(1)
	return nil
}

func (c *Client) removeFeed(f *Feed) {
	c.mu.Lock()
	if c.feeds[f.id] == f {
		delete(c.feeds, f.id)
		c.feedsVersion.Add(1)
	}
	c.mu.Unlock()
	f.end(nil)
}

// end makes sure that handle is not called again.
func (f *Feed) end(err error) {
	if !f.gone.Swap(true) {
		f.finish(err)
	}
}

// Replace exchanges topic, filter and options of the subscription atomically:
// no message that both cover is lost or comes twice. The id stays, whatever
// next says. When the server refuses, the old subscription goes on.
func (f *Feed) Replace(ctx context.Context, next Subscription) error {
	if f.gone.Load() {
		return fmt.Errorf("replace: subscription %q has ended", f.id)
	}
	command := next.command()
	command.Code = f.code
	command.ID = f.client.nextID()
	command.SubID = f.id
	command.Options = "replace"
	if next.Options != "" {
		command.Options += "," + next.Options
	}
	return f.client.accept(ctx, &command)
}

// Unsubscribe ends the subscription. No call of its handler begins any more,
// and when Unsubscribe returns nil none is running and the server has
// confirmed; called from a handler it does not wait for that. Further calls
// do nothing.
func (f *Feed) Unsubscribe(ctx context.Context) error {
	if f.gone.Load() {
		return nil
	}
	f.client.removeFeed(f)
	command := f.unsubscribeCommand()
	if f.client.onReceiver() {
		return f.client.Send(ctx, &command)
	}
	_, err := f.client.Do(ctx, &command)
	return err
}

func (f *Feed) unsubscribeCommand() Command {
	if f.code == wire.CodeSOW {
		return Command{Code: wire.CodeUnsubscribe, QueryID: f.id}
	}
	return Command{Code: wire.CodeUnsubscribe, SubID: f.id}
}

// sendUnsubscribe asks for no answer and waits for nothing. It is called at
// most once or twice for each subscription.
func (f *Feed) sendUnsubscribe() {
	command := f.unsubscribeCommand()
	f.client.out.pushAnyway(command.appendTo(nil))
}

// Unsubscribe ends the subscription with that id, as Feed.Unsubscribe does.
// An id that is not there is no error.
func (c *Client) Unsubscribe(ctx context.Context, id string) error {
	c.mu.Lock()
	f := c.feeds[id]
	c.mu.Unlock()
	if f == nil {
		return nil
	}
	return f.Unsubscribe(ctx)
}

// UnsubscribeAll ends all subscriptions of the client, as Feed.Unsubscribe
// does.
func (c *Client) UnsubscribeAll(ctx context.Context) error {
	c.mu.Lock()
	feeds := c.feeds
	c.feeds = map[string]*Feed{}
	c.feedsVersion.Add(1)
	c.mu.Unlock()
	for _, f := range feeds {
		f.end(nil)
	}
	command := Command{Code: wire.CodeUnsubscribe, SubID: "all"}
	if c.onReceiver() {
		return c.Send(ctx, &command)
	}
	_, err := c.Do(ctx, &command)
	return err
}
