package client

import (
	"bytes"

	"farad/netio/wire"
)

// Message is one message from the server, as a handler or an iterator gets
// it. It lives in the client's receive buffer: the Message and every slice
// taken from it are valid only until the handler returns, or until the
// iterator's next step. Clone makes one that lasts. Slices must not be
// written to; a field that the message does not carry is empty.
type Message struct {
	// Body is the payload. In a sow frame it is the run of records as sent;
	// wire.Decoder.NextSOWRecord takes them apart.
	Body []byte

	command *wire.Command
	payload []byte // header and body
	subID   string
}

// Code tells what the message is: wire.CodePublish, wire.CodeOOF,
// wire.CodeGroupBegin, wire.CodeAck and so on.
func (m *Message) Code() wire.Code { return m.command.Code }

// SubID is the id of the subscription that this call of the handler is for.
func (m *Message) SubID() string { return m.subID }

// SubIDs is the comma list of the connection's subscriptions that the message
// is for: it comes once, and each subscription's handler is called with it.
func (m *Message) SubIDs() []byte { return m.command.SubIDs() }

// Topic is the topic that the message was published to, never a pattern.
func (m *Message) Topic() []byte { return m.command.Topic() }

// CorrelationID is the publisher's tag.
func (m *Message) CorrelationID() []byte { return m.command.CorrelationID() }

// Timestamp is the time of the publish, YYYYMMDDTHHMMSS.uuuuuuZ; only with
// the option timestamp.
func (m *Message) Timestamp() []byte { return m.command.Timestamp() }

// UserID is the publisher's user.
func (m *Message) UserID() []byte { return m.command.UserID() }

// SOWKey is the key of the record.
func (m *Message) SOWKey() []byte { return m.command.SOWKey() }

// Bookmark is the position of the message in the transaction log.
func (m *Message) Bookmark() []byte { return m.command.Bookmark() }

// LeasePeriod is when the lease of a queue message ends, in the form of
// Timestamp.
func (m *Message) LeasePeriod() []byte { return m.command.LeasePeriod() }

// QueryID is the id of the query whose result this is part of.
func (m *Message) QueryID() []byte { return m.command.QueryID() }

// Reason is why a record left the subscription's focus.
func (m *Message) Reason() []byte { return m.command.Reason() }

// Header is the message's header as received.
func (m *Message) Header() []byte { return m.command.Header() }

// Ack returns the content of an acknowledgement (Code is wire.CodeAck), such
// as the end of a replay.
func (m *Message) Ack() Ack { return ackOf(m.command) }

// Clone returns a copy that may be kept.
func (m *Message) Clone() *Message {
	payload := bytes.Clone(m.payload)
	command, err := new(wire.Decoder).Decode(payload)
	if err != nil {
		panic("client: a header that was decoded before does not decode: " + err.Error())
	}
	return &Message{Body: command.Body, command: command, payload: payload, subID: m.subID}
}

// route is the text that says which subscriptions a message is for: the list
// of a delivery, or else its query, its subscription or its command
// (01-protocol §7.1).
func route(c *wire.Command) []byte {
	for _, list := range [...][]byte{c.SubIDs(), c.QueryID(), c.SubID(), c.CommandID()} {
		if len(list) > 0 {
			return list
		}
	}
	return nil
}
