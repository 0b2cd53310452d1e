package tools

import (
	"context"
	"io"
	"os"
)

// readBufferBytes is the size of a reading buffer.
const readBufferBytes = 64 << 10

// interruptible reads a stream that may block for as long as it likes, such
// as a terminal or a pipe, and gives up when ctx ends. A goroutine reads
// ahead by one buffer; after the end of ctx it lives on until the stream lets
// it go, at the latest until the program ends.
type interruptible struct {
	ctx   context.Context
	full  chan chunk
	empty chan []byte
	chunk chunk // what Read takes from
	rest  []byte
}

// chunk is the result of one read.
type chunk struct {
	bytes []byte
	err   error
}

func newInterruptible(ctx context.Context, stream io.Reader) *interruptible {
	r := &interruptible{ctx: ctx, full: make(chan chunk), empty: make(chan []byte, 2)}
	r.empty <- make([]byte, readBufferBytes)
	r.empty <- make([]byte, readBufferBytes)
	go r.fill(stream)
	return r
}

// fill owns the stream, and each buffer between empty and full.
func (r *interruptible) fill(stream io.Reader) {
	for {
		var buffer []byte
		select {
		case buffer = <-r.empty:
		case <-r.ctx.Done():
			return
		}
		n, err := stream.Read(buffer)
		select {
		case r.full <- chunk{buffer[:n], err}:
		case <-r.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (r *interruptible) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.chunk.err != nil {
			return 0, r.chunk.err
		}
		if r.chunk.bytes != nil {
			r.empty <- r.chunk.bytes[:cap(r.chunk.bytes)]
			r.chunk.bytes = nil
		}
		select {
		case r.chunk = <-r.full:
			r.rest = r.chunk.bytes
		case <-r.ctx.Done():
			return 0, context.Cause(r.ctx)
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// openInput is the stream of records: the file of that name, or standard
// input for "" and "-". Closing standard input is the program's business. The
// error begins with what named the file.
func openInput(name, namedBy string, standard io.Reader) (io.Reader, func(), error) {
	if name == "" || name == "-" {
		return standard, func() {}, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, usagef("%s: %w", namedBy, err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, nil, usagef("%s: %s is a directory, expected a file of records", namedBy, name)
	}
	return file, func() { file.Close() }, nil
}
