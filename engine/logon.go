package engine

import (
	"bytes"
	"fmt"

	"farad/engine/eventlog"
	"farad/expr"
	"farad/netio/wire"

	"github.com/zeebo/xxh3"
)

// logon is the first command of a session (01-protocol §3.1, 12-security §2).
// Who logs on is not verified: that is authentication's work. False ends the
// session.
func (s *Session) logon(w *Worker, c *wire.Command) bool {
	s.received(w, c)
	if s.loggedOn {
		s.refuse(w, c, ReasonDuplicateLogon, "")
		return true
	}
	log := s.engine.log
	if log.Enabled(eventlog.LogonReceived) {
		log.Event(eventlog.LogonReceived, s.thread, "client[%s] logon of client %s, user %s, version %s",
			s.Name(), quote(c.ClientName()), quote(c.UserID()), quote(c.Version()))
	}
	if _, err := wire.ParseOptions(c.Options(), wire.CodeLogon); err != nil {
		return s.refuseLogon(w, c, ReasonInvalidOptions, err.Error())
	}
	messageType := string(c.MessageType())
	only := s.connection.MessageType()
	switch {
	case messageType == "":
		messageType = only
	case only != "" && messageType != only:
		return s.refuseLogon(w, c, ReasonInvalidMessageType,
			fmt.Sprintf("message type %s asked for on a transport for %q", quote(c.MessageType()), only))
	}
	sp := s.engine.spaces[messageType]
	if sp == nil {
		detail := "the transport takes several message types and the logon names none"
		if messageType != "" {
			detail = fmt.Sprintf("message type %s is not known", quote(c.MessageType()))
		}
		return s.refuseLogon(w, c, ReasonInvalidMessageType, detail)
	}
	name := s.Name()
	if len(c.ClientName()) > 0 {
		name = string(c.ClientName())
	}
	s.name.Store(&name)
	s.space = sp
	s.context = expr.Context{
		ClientName: []byte(name), RemoteAddress: []byte(s.connection.RemoteAddr().String()),
		User: bytes.Clone(c.UserID()), ClientVersion: bytes.Clone(c.Version()),
		InstanceName: []byte(s.engine.options.Name), GroupName: []byte(s.engine.options.Group), Leases: -1,
	}
	s.loggedOn = true
	s.engine.pulse.loggedOn(s)
	log.Event(eventlog.ClientLogon, s.thread, "client[%s] logon from %s, message type %s, version %s, correlation id %s",
		name, s.connection.RemoteAddr(), messageType, quote(c.Version()), quote(c.CorrelationID()))
	if c.Acks&wire.AckProcessed != 0 {
		s.ackLogon(w, c, name)
	}
	return true
}

// ackLogon sends the success ack of a logon. Without a transaction log no
// message of any client is recorded, so the sequence is 0.
func (s *Session) ackLogon(w *Worker, c *wire.Command, name string) {
	f := wire.Begin(w.frame[:0], wire.CodeAck)
	f.TextIf(wire.KeyCommandID, c.CommandID())
	f.Number(wire.KeySequence, 0)
	f.String(wire.KeyBookmark, fmt.Sprintf("%d|0|", PublisherID(name)))
	f.String(wire.KeyClientName, name)
	f.Acks(wire.AckProcessed)
	f.String(wire.KeyStatus, "success")
	f.String(wire.KeyReason, "authentication disabled")
	f.String(wire.KeyVersion, Version)
	s.send(w, f.End(nil))
}

func (s *Session) refuseLogon(w *Worker, c *wire.Command, reason Reason, detail string) bool {
	s.engine.log.Event(eventlog.LogonRefused, s.thread, "client[%s] logon from %s refused, %s: %s",
		s.Name(), s.connection.RemoteAddr(), reason, detail)
	if c.Acks&wire.AckProcessed != 0 {
		s.ack(w, c.CommandID(), wire.AckProcessed, ackFields{reason: reason})
	}
	s.cause = CauseAuth
	return false
}

// PublisherID is the number that stands for a client name in bookmarks: the
// same on every instance and after every restart, never 0 (01-protocol §9.2).
func PublisherID(clientName string) uint64 {
	if id := xxh3.HashString(clientName); id != 0 {
		return id
	}
	return 1
}
