package wire

// Limits of what a Decoder keeps between two headers.
const (
	// repeatBytesMax bounds the header that a Decoder remembers.
	repeatBytesMax = 256
	// scratchKeepMax bounds the memory for unescaped texts that an idle
	// connection holds on to.
	scratchKeepMax = 4 << 10
)

// Decoder turns payloads into Commands. It remembers the last header of a
// publish, since a publisher's next header is mostly the same bytes but for
// the sequence and the command id: then nothing is parsed but those two. The
// zero value is ready. A Decoder belongs to one connection and one goroutine.
type Decoder struct {
	command   Command
	previous  []byte  // the remembered header; empty when there is none
	holes     [2]hole // the values in it that may differ, in byte order
	holeCount int
}

// hole is a value of the remembered header that the next one may replace by
// another of the same length.
type hole struct {
	span
	number bool // the sequence, digits; else the command id, quoted
}

// Decode reads the header of one payload (a frame without its prefix). The
// Command is valid until the next call and as long as payload is. The error
// is a *HeaderError.
func (d *Decoder) Decode(payload []byte) (*Command, error) {
	c := &d.command
	if n := len(d.previous); n > 0 && n <= len(payload) {
		repeat := d.holeCount == 0 && string(payload[:n]) == string(d.previous)
		if repeat || d.holeCount > 0 && d.fits(payload[:n]) {
			c.header = payload[:n:n]
			c.Body = payload[n:]
			c.Repeat, c.Alike = repeat, true
			return c, nil
		}
	}
	d.forget()
	c.Repeat, c.Alike = false, false
	c.Code, c.Acks, c.present = CodeUnknown, AckNone, 0
	if c.scratch = c.scratch[:0]; cap(c.scratch) > scratchKeepMax {
		c.scratch = nil
	}
	end, err := c.parse(payload)
	if err != nil {
		return nil, err
	}
	c.header = payload[:end:end]
	c.Body = payload[end:]
	if c.Code == CodePublish && end <= repeatBytesMax && len(c.scratch) == 0 {
		d.remember()
	}
	return c, nil
}

// remember keeps the header just parsed for the next payload, with its holes.
func (d *Decoder) remember() {
	c := &d.command
	if c.Has(KeySequence) {
		s := c.spans[KeySequence]
		if _, ok := parseUint(c.header[s.start:s.end]); !ok {
			return // white space inside the quotes
		}
		d.holes[0] = hole{s, true}
		d.holeCount = 1
	}
	if c.Has(KeyCommandID) {
		s := c.spans[KeyCommandID]
		if c.header[s.start-1] != '"' {
			return // a bare value ends at more than a quote
		}
		id := hole{s, false}
		if d.holeCount == 1 && s.start < d.holes[0].start {
			d.holes[0], id = id, d.holes[0]
		}
		d.holes[d.holeCount] = id
		d.holeCount++
	}
	d.previous = append(d.previous, c.header...)
}

func (d *Decoder) forget() {
	d.previous = d.previous[:0]
	d.holeCount = 0
}

// fits reports whether header, of the remembered header's length, equals it
// outside the holes and holds values of the same form in them; its sequence
// is then stored. Parsing header would give the same fields: outside the
// holes it reads the same bytes, and no byte admitted in a hole ends a value
// or begins an escape.
func (d *Decoder) fits(header []byte) bool {
	previous := d.previous
	at := uint32(0)
	for i := 0; i < d.holeCount; i++ {
		h := &d.holes[i]
		if string(header[at:h.start]) != string(previous[at:h.start]) {
			return false
		}
		at = h.end
		if h.number {
			n, ok := parseUint(header[h.start:at])
			if !ok {
				return false
			}
			d.command.numbers[KeySequence-firstNumber] = n
			continue
		}
		for _, b := range header[h.start:at] {
			if b == '"' || b == '\\' {
				return false
			}
		}
	}
	return string(header[at:]) == string(previous[at:])
}
