package engine

import (
	"farad/engine/eventlog"
	"farad/netio/wire"
)

// ackFields are what an acknowledgement may carry beside its type and status.
type ackFields struct {
	reason   Reason
	subID    string
	sequence uint64
	numbered bool // carry sequence, even if it is 0
	counts   bool // carry the counts of a stats ack, all 0
}

// ack appends one acknowledgement for the command with that id.
func (s *Session) ack(w *Worker, id []byte, kind wire.AckSet, fields ackFields) {
	f := wire.Begin(w.frame[:0], wire.CodeAck)
	f.TextIf(wire.KeyCommandID, id)
	f.Acks(kind)
	if fields.reason == "" {
		f.String(wire.KeyStatus, "success")
	} else {
		f.String(wire.KeyStatus, "failure")
		f.String(wire.KeyReason, string(fields.reason))
	}
	f.StringIf(wire.KeySubID, fields.subID)
	if fields.numbered {
		f.Number(wire.KeySequence, fields.sequence)
	}
	if fields.counts {
		f.Number(wire.KeyMatches, 0)
		f.Number(wire.KeyTopicMatches, 0)
		f.Number(wire.KeyRecordsReturned, 0)
	}
	s.send(w, f.End(nil))
}

// send appends one complete frame, made in w.frame.
func (s *Session) send(w *Worker, frame []byte) {
	w.frame = frame[:0]
	if log := s.engine.log; log.Enabled(eventlog.AckSent) {
		log.Event(eventlog.AckSent, s.connection.Thread(), "client[%s] %s", s.Name(), frame[wire.LengthPrefix:])
	}
	w.counted.bytesOut += uint64(len(frame))
	w.appended(s, s.out.Append(frame))
}

// received acknowledges that a command was read, if that was asked for.
func (s *Session) received(w *Worker, c *wire.Command) {
	if c.Acks&wire.AckReceived != 0 {
		s.ack(w, c.CommandID(), wire.AckReceived, ackFields{})
	}
}

// succeed sends those of the acks that the command asked for, in the order in
// which they come about.
func (s *Session) succeed(w *Worker, c *wire.Command, acks wire.AckSet) {
	for _, kind := range [...]wire.AckSet{wire.AckProcessed, wire.AckCompleted, wire.AckPersisted} {
		if c.Acks&acks&kind != 0 {
			s.ack(w, c.CommandID(), kind, ackFields{})
		}
	}
}

// refuse answers a command that cannot be done and logs why. Without a
// processed ack the failure goes out as the first type asked for, so that a
// client that waits for something hears of it (01-protocol §4.1).
func (s *Session) refuse(w *Worker, c *wire.Command, reason Reason, detail string) {
	s.logRefused(c, reason, detail)
	for _, kind := range [...]wire.AckSet{wire.AckProcessed, wire.AckCompleted, wire.AckPersisted, wire.AckStats} {
		if c.Acks&kind != 0 {
			s.ack(w, c.CommandID(), kind, ackFields{reason: reason})
			return
		}
	}
}

// logRefused logs a refused command with the details that its ack may not
// carry.
func (s *Session) logRefused(c *wire.Command, reason Reason, detail string) {
	if detail != "" {
		detail = ": " + detail
	}
	s.engine.log.Event(eventlog.CommandRefused, s.connection.Thread(), "client[%s] %s cid=%q refused, %s%s",
		s.Name(), c.Code, c.CommandID(), reason, detail)
}

// ackRun sends the acks owed for a delivered run. Without a transaction log
// each command has its own, and nothing has to be waited for (01-protocol
// §10).
func (w *Worker) ackRun(r *run) {
	for i := range r.acks {
		a := &r.acks[i]
		for _, kind := range [...]wire.AckSet{wire.AckReceived, wire.AckProcessed, wire.AckCompleted, wire.AckPersisted} {
			if a.acks&kind == 0 {
				continue
			}
			fields := ackFields{}
			if kind == wire.AckPersisted {
				fields.sequence, fields.numbered = a.sequence, a.numbered
			}
			r.session.ack(w, a.id, kind, fields)
		}
	}
}

// answerPublish answers a publish that goes to no topic: refused, or quietly
// discarded when there is no reason. A persisted failure frees the message
// from its publisher's store, so it is sent beside the processed one.
func (w *Worker) answerPublish(s *Session, c *wire.Command, reason Reason) {
	acks := wantedPublishAcks(c)
	if reason != "" {
		s.logRefused(c, reason, "topic "+quote(c.Topic()))
		if acks&(wire.AckProcessed|wire.AckPersisted) == 0 {
			s.received(w, c)
			if acks&wire.AckCompleted != 0 {
				s.ack(w, c.CommandID(), wire.AckCompleted, ackFields{reason: reason})
			}
			return
		}
		acks &^= wire.AckCompleted
	}
	for _, kind := range [...]wire.AckSet{wire.AckReceived, wire.AckProcessed, wire.AckCompleted, wire.AckPersisted} {
		if acks&kind == 0 {
			continue
		}
		fields := ackFields{reason: reason}
		switch kind {
		case wire.AckReceived:
			fields.reason = ""
		case wire.AckPersisted:
			fields.sequence, fields.numbered = c.Sequence(), c.Has(wire.KeySequence)
		}
		s.ack(w, c.CommandID(), kind, fields)
	}
}
