package client

import (
	"fmt"
	"time"

	"farad/netio/wire"
)

// NeverExpire as an Expiration tells the server that the message never
// expires, whatever its topic's default says.
const NeverExpire time.Duration = -1

// ExpirationMax is the longest lifetime that fits the protocol's 32 bits.
const ExpirationMax = (1<<32 - 1) * time.Second

// BodyBytesMax is the largest body of a message in bytes: what a frame holds
// beside a header of any legal size.
const BodyBytesMax = wire.FrameBytesMax - wire.HeaderBytesMax

// Command is any command of the protocol, for what the named methods do not
// cover (Send, Do, Execute). Empty fields are not sent. Which fields a command
// takes: 01-protocol §4.2.
type Command struct {
	Code          wire.Code
	ID            string // the command's id; one is made when an answer is wanted
	Topic         string
	Filter        string
	Options       string      // an option list (01-protocol §5)
	Acks          wire.AckSet // the acknowledgements to ask for
	SubID         string
	QueryID       string
	Bookmark      string
	SOWKey        string
	SOWKeys       string // comma list
	OrderBy       string
	CorrelationID string
	Sequence      uint64        // the publisher's number for a message; 0: none
	Expiration    time.Duration // whole seconds, or NeverExpire; 0: not sent
	BatchSize     uint32        // records per sow frame; 0: not sent
	TopN, SkipN   *uint32       // nil: not sent
	Body          []byte
}

// check says what of the command cannot be sent.
func (c *Command) check() error {
	if len(c.Body) > BodyBytesMax {
		return fmt.Errorf("body of %d bytes, at most %d are possible: %w", len(c.Body), BodyBytesMax, ErrTooLarge)
	}
	if c.Expiration > 0 && (c.Expiration%time.Second != 0 || c.Expiration > ExpirationMax) ||
		c.Expiration < 0 && c.Expiration != NeverExpire {
		return fmt.Errorf("expiration %s, expected whole seconds up to %s or NeverExpire", c.Expiration, ExpirationMax)
	}
	switch c.Code {
	case wire.CodePublish, wire.CodeDeltaPublish:
		if c.Topic == "" {
			return fmt.Errorf("the topic is empty: %w", ErrInvalidTopic)
		}
	}
	if c.Code.String() == "unknown" {
		return fmt.Errorf("command code %d: expected one of the codes of package wire", c.Code)
	}
	return nil
}

// appendTo appends the command as one frame.
func (c *Command) appendTo(dst []byte) []byte {
	w := wire.Begin(dst, c.Code)
	w.StringIf(wire.KeyCommandID, c.ID)
	w.StringIf(wire.KeyTopic, c.Topic)
	if c.Acks != wire.AckNone {
		w.Acks(c.Acks)
	}
	w.StringIf(wire.KeyFilter, c.Filter)
	w.StringIf(wire.KeyOptions, c.Options)
	w.StringIf(wire.KeySubID, c.SubID)
	w.StringIf(wire.KeyQueryID, c.QueryID)
	w.StringIf(wire.KeyBookmark, c.Bookmark)
	w.StringIf(wire.KeySOWKey, c.SOWKey)
	w.StringIf(wire.KeySOWKeys, c.SOWKeys)
	w.StringIf(wire.KeyOrderBy, c.OrderBy)
	w.StringIf(wire.KeyCorrelationID, c.CorrelationID)
	if c.Sequence != 0 {
		w.Number(wire.KeySequence, c.Sequence)
	}
	switch {
	case c.Expiration > 0:
		w.Number(wire.KeyExpiration, uint64(c.Expiration/time.Second))
	case c.Expiration == NeverExpire:
		w.Number(wire.KeyExpiration, 0)
	}
	if c.BatchSize != 0 {
		w.Number(wire.KeyBatchSize, uint64(c.BatchSize))
	}
	if c.TopN != nil {
		w.Number(wire.KeyTopN, uint64(*c.TopN))
	}
	if c.SkipN != nil {
		w.Number(wire.KeySkipN, uint64(*c.SkipN))
	}
	return w.End(c.Body)
}
