package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// BytesMax bounds one record, in bytes: with its header it must fit the largest
// frame that a server accepts, 200 MiB (01-protocol §1.2).
const BytesMax = 199 << 20

// Sizes of the reading buffers, in bytes.
const (
	readBufferBytes = 64 << 10
	keepBufferBytes = 1 << 20 // a longer record's buffer is not kept for the next
)

// Reader takes the records out of a stream, one after the other.
type Reader interface {
	// Next returns a record, valid until the next call. Records without bytes
	// are skipped. The end is io.EOF; a stream that cannot be divided is an
	// *Error.
	Next() ([]byte, error)
	// Number is the place of the last record in its stream, counted from 1,
	// empty ones too.
	Number() uint64
	// Unit is what the records are: "line", "record", "element" or "file".
	Unit() string
}

// Error reports a stream that is not divided as it should be.
type Error struct{ text string }

func (e *Error) Error() string { return e.text }

func errorf(format string, arguments ...any) error {
	return &Error{fmt.Sprintf(format, arguments...)}
}

// NewReader finds out how the stream is divided. A stream whose first byte that
// is no white space is [ is one JSON array, and each of its elements a record,
// if arrays is set; anything else is records with a separator between them.
func NewReader(stream io.Reader, separator byte, arrays bool) (Reader, error) {
	buffered := bufio.NewReaderSize(stream, readBufferBytes)
	if arrays {
		array, err := startsArray(buffered)
		if err != nil {
			return nil, err
		}
		if array {
			return newArrayReader(buffered), nil
		}
	}
	return &separatedReader{stream: buffered, separator: separator, limit: BytesMax}, nil
}

// startsArray looks at the first byte that is no white space without taking
// it. White space beyond the buffer is not an array's beginning.
func startsArray(stream *bufio.Reader) (bool, error) {
	for n := 1; n <= stream.Size(); n++ {
		ahead, err := stream.Peek(n)
		if len(ahead) < n {
			if errors.Is(err, io.EOF) {
				return false, nil
			}
			return false, err
		}
		switch ahead[n-1] {
		case ' ', '\t', '\r', '\n':
		default:
			return ahead[n-1] == '[', nil
		}
	}
	return false, nil
}

// separatedReader reads records with a separator between them; one behind the
// last record is not needed.
type separatedReader struct {
	stream    *bufio.Reader
	separator byte
	limit     int
	record    []byte // of a record that did not fit the stream's buffer
	count     uint64 // of records seen, empty ones too
}

// Number is the number of the last line or record.
func (r *separatedReader) Number() uint64 { return r.count }

// Unit is line when line feeds divide the stream.
func (r *separatedReader) Unit() string {
	if r.separator == '\n' {
		return "line"
	}
	return "record"
}

// Next reads up to the next separator.
func (r *separatedReader) Next() ([]byte, error) {
	for {
		record, err := r.read()
		if len(record) > 0 || err != nil {
			return record, err
		}
	}
}

// read takes the bytes up to the next separator. A record that lies whole in
// the stream's buffer is not copied.
func (r *separatedReader) read() ([]byte, error) {
	r.count++
	part, err := r.stream.ReadSlice(r.separator)
	if err == nil {
		return part[:len(part)-1], nil
	}
	if cap(r.record) > keepBufferBytes {
		r.record = nil
	}
	r.record = append(r.record[:0], part...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(r.record) > r.limit {
			return nil, errorf("record %d is longer than %d bytes; is the delimiter right?", r.count, r.limit)
		}
		part, err = r.stream.ReadSlice(r.separator)
		r.record = append(r.record, part...)
	}
	switch {
	case err == nil:
		return r.record[:len(r.record)-1], nil
	case errors.Is(err, io.EOF) && len(r.record) > 0:
		return r.record, nil
	}
	return nil, err
}

// arrayReader reads the elements of a JSON array as they come; the array is
// never held as a whole. Further arrays may follow the first.
type arrayReader struct {
	source  *allowance
	decoder *json.Decoder
	inside  bool
	element json.RawMessage
	count   uint64 // of elements seen
}

func newArrayReader(stream io.Reader) *arrayReader {
	source := &allowance{stream: stream}
	return &arrayReader{source: source, decoder: json.NewDecoder(source)}
}

// Number is the number of the last element.
func (r *arrayReader) Number() uint64 { return r.count }

// Unit is element.
func (r *arrayReader) Unit() string { return "element" }

// Next reads the next element.
func (r *arrayReader) Next() ([]byte, error) {
	r.source.left = BytesMax
	for {
		if !r.inside {
			if err := r.open(); err != nil {
				return nil, err
			}
		}
		if r.decoder.More() {
			break
		}
		if _, err := r.decoder.Token(); err != nil {
			return nil, r.broken(err)
		}
		r.inside = false
	}
	r.count++
	if cap(r.element) > keepBufferBytes {
		r.element = nil
	}
	r.element = r.element[:0]
	if err := r.decoder.Decode(&r.element); err != nil {
		return nil, r.broken(err)
	}
	return r.element, nil
}

// open reads the bracket that starts an array, or finds the end.
func (r *arrayReader) open() error {
	token, err := r.decoder.Token()
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return r.broken(err)
	case token != json.Delim('['):
		return errorf("JSON array: expected a further array or the end behind element %d, found %v at byte %d",
			r.count, token, r.decoder.InputOffset())
	}
	r.inside = true
	return nil
}

// broken says where the array stops being one.
func (r *arrayReader) broken(err error) error {
	if f, ok := errors.AsType[*Error](err); ok {
		return f
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errorf("JSON array: it ends without its ] behind element %d, byte %d", r.count, r.decoder.InputOffset())
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errorf("JSON array: element %d, behind byte %d: %v", r.count, r.decoder.InputOffset(), err)
	}
	return fmt.Errorf("JSON array: element %d: %w", r.count, err)
}

// allowance passes at most left bytes on before it fails; it bounds what the
// decoder holds of one element.
type allowance struct {
	stream io.Reader
	left   int
}

func (a *allowance) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, errorf("JSON array: an element is longer than %d bytes", BytesMax)
	}
	n, err := a.stream.Read(p[:min(len(p), a.left)])
	a.left -= n
	return n, err
}

// whole is a stream that is one record.
type whole struct {
	stream io.Reader
	limit  int64
	read   bool
}

// Whole makes one record of all that a stream holds.
func Whole(stream io.Reader) Reader { return &whole{stream: stream, limit: BytesMax} }

// Number is 1.
func (w *whole) Number() uint64 { return 1 }

// Unit is file.
func (w *whole) Unit() string { return "file" }

// Next returns the stream, unless it is empty.
func (w *whole) Next() ([]byte, error) {
	if w.read {
		return nil, io.EOF
	}
	w.read = true
	all, err := io.ReadAll(io.LimitReader(w.stream, w.limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(all)) > w.limit:
		return nil, errorf("a file that is one record is longer than %d bytes", w.limit)
	case len(all) == 0:
		return nil, io.EOF
	}
	return all, nil
}
