package load

import "io"

// readBytes is how much a subscriber reads at once, 256 KiB.
const readBytes = 256 << 10

// frameOverheadMax is how much of a frame is not body, at most: room for a
// long list of subscription ids.
const frameOverheadMax = 1 << 20

// inbox holds what was read from a connection and is not yet taken apart. It
// belongs to one goroutine.
type inbox struct {
	buffer   []byte
	from, to int // unread part
}

// newInbox makes one with room for a frame around a body of that size.
func newInbox(bodyBytes int) *inbox {
	return &inbox{buffer: make([]byte, readBytes+bodyBytes)}
}

// unread is what has been read and not been taken.
func (b *inbox) unread() []byte { return b.buffer[b.from:b.to] }

// fill reads once, behind what is unread.
func (b *inbox) fill(r io.Reader) error {
	if b.from > 0 {
		b.to = copy(b.buffer, b.unread())
		b.from = 0
	}
	if b.to == len(b.buffer) {
		if len(b.buffer) > readBytes+PayloadBytesMax+frameOverheadMax {
			return errFrameTooLong
		}
		b.buffer = append(b.buffer, make([]byte, len(b.buffer))...)
	}
	n, err := r.Read(b.buffer[b.to:])
	b.to += n
	if n > 0 {
		return nil
	}
	return err
}
