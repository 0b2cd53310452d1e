package wire

// Command is one decoded header with its body. Its fields alias the frame it
// was decoded from, so a Command lives no longer than that frame's buffer: a
// receiver that keeps a field copies it. A Command belongs to its Decoder and
// is overwritten by the next Decode.
type Command struct {
	// Code is what the message asks for or says.
	Code Code
	// Acks are the requested acknowledgements, or the single type of an ack.
	Acks AckSet
	// Repeat tells that the header is byte for byte the one decoded just
	// before, so everything derived from it still holds.
	Repeat bool
	// Alike tells that the header differs from the one decoded just before in
	// the values of the sequence and the command id at most, so everything
	// derived from its other fields still holds. A Repeat is Alike too.
	Alike bool
	// Body is the payload behind the header; empty, never nil in meaning.
	Body []byte

	present uint64          // a bit for each Key
	header  []byte          // spans below scratchBase point here
	scratch []byte          // unescaped texts; spans from scratchBase on point here
	spans   [firstBool]span // a number's span serves Decoder.remember
	numbers [numberKeys]uint64
	bools   [keyIgnored - firstBool]bool
}

// span is a half-open range of bytes in header or scratch.
type span struct{ start, end uint32 }

// scratchBase marks spans into scratch. Headers are far shorter.
const scratchBase = 1 << 31

var _ [scratchBase - HeaderBytesMax]struct{}

// Has reports whether the header carried the key.
func (c *Command) Has(k Key) bool { return c.present&(1<<k) != 0 }

// Text returns the value of a text key, unescaped; nil when absent.
func (c *Command) Text(k Key) []byte {
	if c.present&(1<<k) == 0 {
		return nil
	}
	s := c.spans[k]
	if s.start >= scratchBase {
		return c.scratch[s.start-scratchBase : s.end-scratchBase]
	}
	return c.header[s.start:s.end]
}

// Number returns the value of a number key; 0 when absent.
func (c *Command) Number(k Key) uint64 {
	if c.present&(1<<k) == 0 {
		return 0
	}
	return c.numbers[k-firstNumber]
}

// Bool returns the value of a boolean key; fallback when absent.
func (c *Command) Bool(k Key, fallback bool) bool {
	if c.present&(1<<k) == 0 {
		return fallback
	}
	return c.bools[k-firstBool]
}

// Header returns the header's bytes as received, braces included. Those of a
// logon hold the password: keep them out of logs.
func (c *Command) Header() []byte { return c.header }

// The header fields by name (01-protocol §2.2).

// Name is the text of the command as received, for errors about it.
func (c *Command) Name() []byte { return c.Text(KeyCommand) }

// CommandID is the client's id of the command, echoed in its acks.
func (c *Command) CommandID() []byte { return c.Text(KeyCommandID) }

// Topic is the topic or topic pattern.
func (c *Command) Topic() []byte { return c.Text(KeyTopic) }

// Filter is the content filter.
func (c *Command) Filter() []byte { return c.Text(KeyFilter) }

// Options is the option list (ParseOptions reads it).
func (c *Command) Options() []byte { return c.Text(KeyOptions) }

// Bookmark is a start point, a list of queue bookmarks, or a position.
func (c *Command) Bookmark() []byte { return c.Text(KeyBookmark) }

// SOWKey is the key of a record.
func (c *Command) SOWKey() []byte { return c.Text(KeySOWKey) }

// SOWKeys is a comma list of record keys.
func (c *Command) SOWKeys() []byte { return c.Text(KeySOWKeys) }

// SubID is a subscription id or a comma list of them.
func (c *Command) SubID() []byte { return c.Text(KeySubID) }

// SubIDs is the comma list of subscriptions that a delivery is for.
func (c *Command) SubIDs() []byte { return c.Text(KeySubIDs) }

// QueryID is the id of a query.
func (c *Command) QueryID() []byte { return c.Text(KeyQueryID) }

// CorrelationID is the publisher's opaque tag.
func (c *Command) CorrelationID() []byte { return c.Text(KeyCorrelationID) }

// Timestamp is the time of the publish, YYYYMMDDTHHMMSS.uuuuuuZ.
func (c *Command) Timestamp() []byte { return c.Text(KeyTimestamp) }

// LeasePeriod is the end of a queue lease, in the form of Timestamp.
func (c *Command) LeasePeriod() []byte { return c.Text(KeyLeasePeriod) }

// MessageType is the message type asked for at logon.
func (c *Command) MessageType() []byte { return c.Text(KeyMessageType) }

// ClientName is the client's name.
func (c *Command) ClientName() []byte { return c.Text(KeyClientName) }

// UserID is the user's name.
func (c *Command) UserID() []byte { return c.Text(KeyUserID) }

// Password is the user's password or token. It never goes to a log.
func (c *Command) Password() []byte { return c.Text(KeyPassword) }

// Version is the peer's version.
func (c *Command) Version() []byte { return c.Text(KeyVersion) }

// Status is the outcome in an ack: success, failure or retry.
func (c *Command) Status() []byte { return c.Text(KeyStatus) }

// Reason is the cause in a failure ack or an out-of-focus message.
func (c *Command) Reason() []byte { return c.Text(KeyReason) }

// Sequence is the publisher's sequence number; 0 when absent.
func (c *Command) Sequence() uint64 { return c.Number(KeySequence) }

// MessageLength is the announced length of the body in bytes.
func (c *Command) MessageLength() uint64 { return c.Number(KeyMessageLength) }
