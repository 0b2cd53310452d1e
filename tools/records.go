package tools

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// recordBytesMax bounds one record, in bytes: with its header it must fit the
// largest frame that a server accepts, 200 MiB (01-protocol §1.2).
const recordBytesMax = 199 << 20

// Sizes of the reading buffers, in bytes.
const (
	readBufferBytes = 64 << 10
	keepBufferBytes = 1 << 20 // a longer record's buffer is not kept for the next
)

// recordReader takes the records to publish out of a stream, one after the
// other. Records without bytes are skipped. A record is valid until the next
// call. The end is io.EOF.
type recordReader interface {
	next() ([]byte, error)
}

// newRecordReader finds out how the stream is divided. A stream whose first
// byte that is no white space is [ is one JSON array, and each of its elements
// a record, if arrays is set; anything else is records with a separator
// between them.
func newRecordReader(stream io.Reader, separator byte, arrays bool) (recordReader, error) {
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
	return &separatedReader{stream: buffered, separator: separator, limit: recordBytesMax}, nil
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

func (r *separatedReader) next() ([]byte, error) {
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
			return nil, usagef("record %d is longer than %d bytes; is the delimiter right?", r.count, r.limit)
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

func (r *arrayReader) next() ([]byte, error) {
	r.source.left = recordBytesMax
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
		return usagef("JSON array: expected a further array or the end behind element %d, found %v at byte %d",
			r.count, token, r.decoder.InputOffset())
	}
	r.inside = true
	return nil
}

// broken says where the array stops being one.
func (r *arrayReader) broken(err error) error {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return usagef("JSON array: it ends without its ] behind element %d, byte %d", r.count, r.decoder.InputOffset())
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return usagef("JSON array: element %d, behind byte %d: %w", r.count, r.decoder.InputOffset(), err)
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
		return 0, usagef("JSON array: an element is longer than %d bytes", recordBytesMax)
	}
	n, err := a.stream.Read(p[:min(len(p), a.left)])
	a.left -= n
	return n, err
}
