package wire

import "strconv"

// Writer appends one frame to a slice: Begin, then the header's fields in the
// order of the calls, then End with the body. It escapes what must be escaped
// and emits no white space (01-protocol §2.1). Its methods do not allocate
// while the slice has room.
type Writer struct {
	buffer []byte
	start  int // of the length prefix
}

// frameStart holds what a frame of each code begins with: room for the length
// and the first field.
var frameStart = func() (table [codeCount]string) {
	for code, name := range codeNames {
		table[code] = "\x00\x00\x00\x00" + `{"c":"` + name + `"`
	}
	return table
}()

// Begin starts a frame behind what dst holds, with code as its first field.
func Begin(dst []byte, code Code) Writer {
	return Writer{buffer: append(dst, frameStart[code]...), start: len(dst)}
}

// Text adds a text field.
func (w *Writer) Text(k Key, value []byte) {
	w.buffer = append(w.buffer, keyPrefix[k]...)
	w.buffer = AppendQuoted(w.buffer, value)
}

// String adds a text field.
func (w *Writer) String(k Key, value string) {
	w.buffer = append(w.buffer, keyPrefix[k]...)
	w.buffer = AppendQuoted(w.buffer, value)
}

// TextIf adds a text field unless it is empty.
func (w *Writer) TextIf(k Key, value []byte) {
	if len(value) > 0 {
		w.Text(k, value)
	}
}

// StringIf adds a text field unless it is empty.
func (w *Writer) StringIf(k Key, value string) {
	if value != "" {
		w.String(k, value)
	}
}

// Number adds a number field, bare digits.
func (w *Writer) Number(k Key, value uint64) {
	w.buffer = append(w.buffer, keyPrefix[k]...)
	w.buffer = strconv.AppendUint(w.buffer, value, 10)
}

// Acks adds the ack types of a command, or the single type of an ack.
func (w *Writer) Acks(set AckSet) {
	w.buffer = append(w.buffer, keyPrefix[KeyAckType]...)
	w.buffer = append(w.buffer, '"')
	w.buffer = set.append(w.buffer)
	w.buffer = append(w.buffer, '"')
}

// End closes the header, appends the body, sets the length and returns the
// slice, grown by the frame.
func (w *Writer) End(body []byte) []byte {
	w.buffer = append(w.buffer, '}')
	w.buffer = append(w.buffer, body...)
	PutLength(w.buffer, w.start)
	return w.buffer
}
