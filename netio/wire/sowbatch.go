package wire

import "fmt"

// SOWRecord is one record of a sow frame (01-protocol §7.2).
type SOWRecord struct {
	Key           []byte // decimal or publisher's SOW key; empty when not sent
	CorrelationID []byte // of the publisher; empty when there is none
	Timestamp     []byte // empty unless asked for
	Data          []byte // the message
}

// fields tells which optional keys a record carries.
func (r *SOWRecord) fields() uint8 {
	var f uint8
	if len(r.Key) > 0 {
		f |= 1
	}
	if len(r.CorrelationID) > 0 {
		f |= 2
	}
	if len(r.Timestamp) > 0 {
		f |= 4
	}
	return f
}

// SOWBatch collects the records of one sow frame. Some clients carry a
// record's fields over to a following record that lacks them, so a batch
// refuses a record with fewer fields than the one before: send the batch,
// reset it and add the record to the next one. The zero value is an empty
// batch.
type SOWBatch struct {
	records []byte
	count   int
	fields  uint8
}

// sowFrameSlack is what a frame needs beside its records: its own header with
// topic and query id at their practical lengths.
const sowFrameSlack = 64 << 10

// Add appends a record; false when the record has to start another batch,
// because of its fields or because the frame would pass FrameBytesMax.
func (b *SOWBatch) Add(r *SOWRecord) bool {
	fields := r.fields()
	if b.count > 0 && (b.fields&^fields != 0 || sowBatchFull(len(b.records), len(r.Data))) {
		return false
	}
	b.fields = fields
	b.count++
	b.records = appendSOWRecord(b.records, r)
	return true
}

// sowBatchFull reports whether a batch of so many bytes of records has no room
// for another with so much data.
func sowBatchFull(held, data int) bool {
	return held+data+HeaderBytesMax > FrameBytesMax-sowFrameSlack
}

// Count is the number of records in the batch.
func (b *SOWBatch) Count() int { return b.count }

// Reset empties the batch and keeps its memory.
func (b *SOWBatch) Reset() { *b = SOWBatch{records: b.records[:0]} }

// AppendFrame appends the batch as one sow frame.
func (b *SOWBatch) AppendFrame(dst, topic, queryID []byte) []byte {
	w := Begin(dst, CodeSOW)
	w.Text(KeyTopic, topic)
	w.TextIf(KeyQueryID, queryID)
	w.Number(KeyBatchSize, uint64(b.count))
	return w.End(b.records)
}

func appendSOWRecord(dst []byte, r *SOWRecord) []byte {
	first := len(dst)
	w := Writer{buffer: dst}
	w.TextIf(KeySOWKey, r.Key)
	w.TextIf(KeyCorrelationID, r.CorrelationID)
	w.TextIf(KeyTimestamp, r.Timestamp)
	w.Number(KeyMessageLength, uint64(len(r.Data)))
	w.buffer[first] = '{' // in place of the comma that keyPrefix begins with
	w.buffer = append(w.buffer, '}')
	return append(w.buffer, r.Data...)
}

// NextSOWRecord splits the first record off the body of a sow frame. The
// record's fields alias body, or d where they had to be unescaped, and are
// valid until d's next use. The error is a *HeaderError.
func (d *Decoder) NextSOWRecord(body []byte) (record SOWRecord, rest []byte, err error) {
	c, err := d.Decode(body)
	if err != nil {
		return SOWRecord{}, nil, err
	}
	if !c.Has(KeyMessageLength) {
		return SOWRecord{}, nil, &HeaderError{
			Found:    fmt.Sprintf("record header %q", clip(c.header)),
			Expected: `the key "l" with the record's length`,
		}
	}
	length := c.MessageLength()
	if length > uint64(len(c.Body)) {
		return SOWRecord{}, nil, &HeaderError{
			Offset:   len(c.header),
			Found:    fmt.Sprintf("%d bytes of data", len(c.Body)),
			Expected: fmt.Sprintf("the record's %d bytes", length),
		}
	}
	record = SOWRecord{
		Key:           c.SOWKey(),
		CorrelationID: c.CorrelationID(),
		Timestamp:     c.Timestamp(),
		Data:          c.Body[:length],
	}
	return record, c.Body[length:], nil
}
