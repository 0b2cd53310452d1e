package engine

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"farad/engine/eventlog"
	"farad/expr/message"
	"farad/expr/pattern"
	"farad/netio/wire"
)

// Version is the protocol level in the logon ack: clients turn features on by
// its leading digits (01-protocol §3.1).
const Version = "5.3.5.0"

// Limits of one connection.
const (
	// SubscriptionsMax is how many subscriptions a connection may hold.
	SubscriptionsMax = 100_000
	// BacktrackingMax bounds the subscriptions of a connection whose regular
	// expressions may each hold the loop for pattern.TimeLimit.
	BacktrackingMax = 100
	// GivenUpMax bounds how many of these a connection may lose because they
	// took too long; from then on it gets no more of them.
	GivenUpMax = 10
	// SubIDBytesMax bounds the id that a client gives a subscription.
	SubIDBytesMax = 1 << 10
	// TopicBytesMax bounds a topic name or topic pattern.
	TopicBytesMax = 4 << 10
	// BodyBytesMax bounds a message: with any header it fits a frame for its
	// subscribers.
	BodyBytesMax = wire.FrameBytesMax - wire.HeaderBytesMax
	// LogonWait is how long a connection may stay without a logon
	// (12-security §2).
	LogonWait = 10 * time.Second
)

// Options are the instance's settings that the engine needs.
type Options struct {
	// Name is the instance's name.
	Name string
	// Group is the group of interchangeable instances; empty for one of its
	// own, under the instance's name.
	Group string
	// Types are the message types that a logon may ask for; nil for the
	// built-in ones.
	Types *message.Types
	// RegexTopics makes a topic with regular-expression characters a pattern
	// (05-subscriptions §2.6).
	RegexTopics bool
	// Log receives the engine's events; nil discards them.
	Log *eventlog.Log
}

// Engine is one running instance. Make it with New, end it with Close.
type Engine struct {
	options  Options
	log      *eventlog.Log
	spaces   map[string]*space // by message type; immutable
	pulse    *pulse
	sessions atomic.Int64 // connected, logged on or not
	ids      atomic.Uint64
	timeouts atomic.Uint64 // of regular expressions, as far as logged

	mu      sync.Mutex
	workers []*Worker
}

// New starts an engine.
func New(options Options) (*Engine, error) {
	if options.Name == "" {
		return nil, fmt.Errorf("engine: the instance has no name")
	}
	if options.Log == nil {
		options.Log = eventlog.Discard()
	}
	e := &Engine{options: options, log: options.Log, spaces: map[string]*space{}}
	if options.Group == "" {
		options.Group = options.Name
	}
	if options.Types == nil {
		options.Types = message.NewTypes()
	}
	for _, name := range options.Types.Names() {
		kind, _ := options.Types.ByName(name)
		e.spaces[name] = newSpace(name, kind)
	}
	e.pulse = startPulse()
	return e, nil
}

// Close ends the engine's goroutine. Connections are to be closed before.
func (e *Engine) Close() { e.pulse.stop() }

// Log is the instance's event log.
func (e *Engine) Log() *eventlog.Log { return e.log }

// NewWorker adds a worker for one event loop. All of them are to be made
// before the first session is.
func (e *Engine) NewWorker() *Worker {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := newWorker(e, len(e.workers))
	e.workers = append(e.workers, w)
	return w
}

// Statistics are what is there now and totals since the start.
type Statistics struct {
	// RegexTimeouts is how many matches of regular expressions ended at their
	// time limit, in the process.
	RegexTimeouts uint64
	Sessions      int64  // connected now
	Subscriptions int    // held now
	Topics        int    // that somebody listens to now
	Published     uint64 // messages accepted from publishers
	Delivered     uint64 // messages appended for subscribers
	BytesIn       uint64 // of published message bodies
	BytesOut      uint64 // of frames appended for clients
}

// Statistics returns the totals. They lag by at most the batches in progress.
func (e *Engine) Statistics() Statistics {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := Statistics{Sessions: e.sessions.Load(), RegexTimeouts: pattern.Timeouts()}
	for _, sp := range e.spaces {
		subscriptions, topics := sp.size()
		s.Subscriptions += subscriptions
		s.Topics += topics
	}
	for _, w := range e.workers {
		s.Published += w.totals.published.Load()
		s.Delivered += w.totals.delivered.Load()
		s.BytesIn += w.totals.bytesIn.Load()
		s.BytesOut += w.totals.bytesOut.Load()
	}
	return s
}

// reportTimeouts logs that matches of regular expressions ended at their time
// limit since the last report. It costs two loads when none did.
func (e *Engine) reportTimeouts(thread int) {
	now, before := pattern.Timeouts(), e.timeouts.Load()
	if now == before || !e.timeouts.CompareAndSwap(before, now) {
		return
	}
	e.log.Event(eventlog.RegexTimeout, thread, "%d matches ended at the limit of %s and count as no match, the last one of %q; a pattern is given up after %d",
		now-before, pattern.TimeLimit, pattern.LatestTimeout(), pattern.StrikesMax)
}
