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

// Begin starts a frame behind what dst holds, with code as its first field.
func Begin(dst []byte, code Code) Writer {
	w := Writer{start: len(dst)}
	dst = append(dst, 0, 0, 0, 0)
	dst = append(dst, `{"c":"`...)
	dst = append(dst, codeNames[code]...)
	w.buffer = append(dst, '"')
	return w
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
func (w *Writer) Acks(set AckSet) { w.String(KeyAckType, set.String()) }

// End closes the header, appends the body, sets the length and returns the
// slice, grown by the frame.
func (w *Writer) End(body []byte) []byte {
	w.buffer = append(w.buffer, '}')
	w.buffer = append(w.buffer, body...)
	PutLength(w.buffer, w.start)
	return w.buffer
}

// AppendQuoted appends value as a quoted header text.
func AppendQuoted[T ~string | ~[]byte](dst []byte, value T) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, value)
	return append(dst, '"')
}

// AppendEscaped appends value with quotes, backslashes and control bytes
// escaped; all other bytes stay as they are.
func AppendEscaped[T ~string | ~[]byte](dst []byte, value T) []byte {
	from := 0
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, value[from:i]...)
		dst = appendEscape(dst, c)
		from = i + 1
	}
	return append(dst, value[from:]...)
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\t':
		return append(dst, '\\', 't')
	case '\n':
		return append(dst, '\\', 'n')
	case '\f':
		return append(dst, '\\', 'f')
	case '\r':
		return append(dst, '\\', 'r')
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
