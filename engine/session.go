package engine

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"farad/engine/eventlog"
	"farad/expr"
	"farad/netio/outbound"
	"farad/netio/wire"
)

// Session is one client's stay: who it is and what it is subscribed to. Its
// commands are handled by the worker of the event loop that owns its
// connection, and all fields without a remark belong to that loop.
type Session struct {
	engine     *Engine
	connection Connection
	out        *outbound.Buffer
	thread     int

	loggedOn bool
	name     atomic.Pointer[string] // client name; the connection's until logon
	space    *space                 // of the connection's message type, from logon on
	context  expr.Context           // what filters may ask about this publisher, from logon on
	cause    Cause                  // why the session is over, set when Handle returns false

	subscriptions map[string]*subscription
	// slow are those of the subscriptions whose regular expressions may take
	// long, and gaveUp counts the ones that are gone and had been given up.
	slow   []*subscription
	gaveUp int

	// The topic of the last publish: a publisher mostly stays with one. Valid
	// while the space's epoch is publishEpoch; 0 is never valid.
	publishTopic *topic
	publishEpoch uint64

	// dirtyBatch holds, for each worker, its last batch that appended for
	// this session. Each worker touches its own element.
	dirtyBatch []uint64

	lastInput  atomic.Int64 // Unix nanoseconds
	lastOutput atomic.Int64 // Unix nanoseconds
	beats      beats        // guarded by pulse.mu
}

// NewSession starts a session for a new connection. It expects a logon within
// LogonWait.
func (e *Engine) NewSession(connection Connection) *Session {
	e.mu.Lock()
	workers := len(e.workers)
	e.mu.Unlock()
	s := &Session{
		engine:        e,
		connection:    connection,
		out:           connection.Outbound(),
		thread:        connection.Thread(),
		subscriptions: map[string]*subscription{},
		dirtyBatch:    make([]uint64, workers),
	}
	name := connection.Name()
	s.name.Store(&name)
	e.sessions.Add(1)
	e.pulse.enter(s)
	return s
}

// Name is the client name for logs; the connection's name before logon.
func (s *Session) Name() string { return *s.name.Load() }

// Cause is why Handle returned false.
func (s *Session) Cause() Cause { return s.cause }

// End removes the session and everything it is subscribed to. The connection
// calls it once, on its loop, when it has closed or is about to.
func (s *Session) End(cause Cause, detail string) {
	s.engine.pulse.leave(s)
	if s.space != nil {
		s.space.leave(s)
	}
	s.subscriptions = nil
	s.engine.sessions.Add(-1)
	if detail != "" {
		detail = ": " + detail
	}
	s.engine.log.Event(eventlog.ClientDisconnected, s.thread, "client[%s] disconnected, %s%s", s.Name(), cause, detail)
}

// overflowed disconnects a client that does not read what it asked for.
func (s *Session) overflowed() {
	s.engine.log.Event(eventlog.SlowClientDisconnected, s.thread,
		"client[%s] disconnected, slow client: more than %d bytes wait for it", s.Name(), s.out.Limit())
	s.connection.Disconnect(CauseSlowClient)
}

// handle does one command that is not a publish of a session that has logged
// on. False ends the session.
func (s *Session) handle(w *Worker, c *wire.Command) bool {
	if c.Code == wire.CodeLogon {
		return s.logon(w, c)
	}
	if !s.loggedOn {
		return s.beforeLogon(w, c)
	}
	switch c.Code {
	case wire.CodeDeltaPublish:
		// Without a record to merge into, a delta is the message
		// (01-protocol §4.3).
		w.publish(s, c)
	case wire.CodeSubscribe, wire.CodeDeltaSubscribe:
		s.received(w, c)
		s.subscribe(w, c)
	case wire.CodeUnsubscribe:
		s.received(w, c)
		s.unsubscribe(w, c)
	case wire.CodeFlush:
		// Everything before it is done: commands run to completion.
		s.received(w, c)
		s.succeed(w, c, wire.AckProcessed|wire.AckCompleted|wire.AckPersisted)
	case wire.CodeHeartbeat:
		s.heartbeat(w, c)
	case wire.CodeStartTimer, wire.CodeStopTimer:
		s.received(w, c)
		s.succeed(w, c, wire.AckProcessed)
	case wire.CodeSOW, wire.CodeSOWAndSubscribe, wire.CodeSOWAndDeltaSubscribe, wire.CodeSOWDelete:
		s.received(w, c)
		s.refuse(w, c, ReasonNoSOW, "")
	case wire.CodeAck:
		s.refuse(w, c, ReasonNoQueues, "")
	default:
		return s.unknownCommand(w, c)
	}
	return true
}

// beforeLogon refuses whatever comes before a logon: an implicit logon is not
// allowed (12-security §2).
func (s *Session) beforeLogon(w *Worker, c *wire.Command) bool {
	if c.Code == wire.CodeUnknown {
		return s.unknownCommand(w, c)
	}
	s.refuse(w, c, ReasonLogonRequired, "")
	s.cause = CauseAuth
	return false
}

// unknownCommand ends the session: what else the peer means by its stream
// cannot be known (01-protocol §4.2).
func (s *Session) unknownCommand(w *Worker, c *wire.Command) bool {
	s.refuse(w, c, ReasonUnknownCommand, fmt.Sprintf("command %s", quote(c.Name())))
	s.cause = CauseUnknownCommand
	return false
}

// quote prepares a client's text for a log line.
func quote(text []byte) string {
	const shown = 256
	if len(text) > shown {
		return strconv.Quote(string(text[:shown])) + "..."
	}
	return strconv.Quote(string(text))
}
