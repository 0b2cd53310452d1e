package engine

import (
	"farad/engine/eventlog"
	"farad/netio/wire"
)

// run is a sequence of consecutive publishes of one session to one topic.
// They are delivered together, under one lock of the topic, and each
// subscriber's buffer is locked once for all of them. What it holds aliases
// the inbound buffer and lives until the batch ends.
type run struct {
	session  *Session
	topic    *topic
	count    int // of messages
	bytes    int // of their bodies
	acks     []publishAck
	messages [runMessagesMax]published
}

// published is one message of a run.
type published struct {
	body          []byte
	correlationID []byte
}

// publishAck is an acknowledgement owed for a message of a run.
type publishAck struct {
	id       []byte
	acks     wire.AckSet
	sequence uint64
	numbered bool // the command carried a sequence
}

// runMessagesMax bounds a run, so that a topic is not locked for long, and the
// run and the bodies stay in the processor's nearest cache until they are
// copied.
const runMessagesMax = 128

// publish adds one message to the run, or answers why not.
func (w *Worker) publish(s *Session, c *wire.Command) {
	t := s.publishTopic
	if !c.Alike || s.publishEpoch != s.space.epoch.Load() || len(c.Body) > BodyBytesMax {
		name := c.Topic()
		reason, quiet := checkPublishTopic(name)
		if len(c.Body) > BodyBytesMax {
			reason = ReasonTooLarge
		}
		if reason != "" || quiet {
			w.deliver()
			s.publishTopic, s.publishEpoch = nil, 0
			w.answerPublish(s, c, reason)
			return
		}
		s.publishEpoch = s.space.epoch.Load()
		t = w.topics.find(s.space, s.publishEpoch, name)
		s.publishTopic = t
	}
	if w.tracing {
		w.engine.log.Event(eventlog.PublishReceived, s.thread, "client[%s] %s %s, %d bytes", s.Name(), c.Code, quote(c.Topic()), len(c.Body))
	}
	r := &w.run
	if r.count == runMessagesMax || r.topic != t {
		w.deliver()
	}
	r.session, r.topic = s, t
	m := &r.messages[r.count]
	r.count++
	r.bytes += len(c.Body)
	m.body = c.Body
	if m.correlationID != nil || c.Has(wire.KeyCorrelationID) {
		m.correlationID = c.CorrelationID()
	}
	if c.Acks != 0 || c.Has(wire.KeySequence) {
		r.acks = append(r.acks, publishAck{
			id: c.CommandID(), acks: wantedPublishAcks(c), sequence: c.Sequence(), numbered: c.Has(wire.KeySequence),
		})
	}
}

// deliver sends the run to the topic's subscribers, then its acks. A run
// without a topic, nobody being subscribed, only counts.
func (w *Worker) deliver() {
	r := &w.run
	if r.count == 0 {
		return
	}
	messages := r.messages[:r.count]
	w.counted.published += uint64(len(messages))
	w.counted.bytesIn += uint64(r.bytes)
	if r.topic != nil {
		r.topic.deliver(w, messages)
	}
	if len(r.acks) > 0 {
		w.ackRun(r)
		clear(r.acks)
		r.acks = r.acks[:0]
	}
	r.count, r.bytes = 0, 0
}

// wantedPublishAcks are the acks of a publish that somebody asked for. A
// sequence number is a request for persisted, since publish stores send it
// without more and wait for that ack (00-index decision 5).
func wantedPublishAcks(c *wire.Command) wire.AckSet {
	acks := c.Acks &^ wire.AckStats
	if c.Has(wire.KeySequence) {
		acks |= wire.AckPersisted
	}
	return acks
}
