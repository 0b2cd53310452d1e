package client

import (
	"context"
	"io"
	"log/slog"
	"net"
	"time"

	"farad/netio/wire"
)

// ReceiveAll runs the receiver over what a server might send, with two
// handlers and a stream subscribed and acks awaited, and returns how the
// connection ended.
func ReceiveAll(input []byte, handle func(*Message)) error {
	s := settings{writeBuffer: DefaultWriteBuffer, ackTimeout: time.Minute, logger: slog.New(slog.DiscardHandler)}
	gate := make(chan struct{})
	c := newClient(s, URI{}, &recording{input: input, gate: gate})
	for _, id := range []string{"1", "2"} {
		c.addFeed(&Feed{client: c, id: id, code: wire.CodeSubscribe, handle: handle, finish: func(error) {}})
	}
	inbox := newInbox()
	stream := &Stream{inbox: inbox}
	stream.Feed = &Feed{client: c, id: "3", code: wire.CodeSubscribe, finish: inbox.end,
		handle: func(m *Message) { inbox.put(c, m.payload) }}
	c.addFeed(stream.Feed)
	for _, id := range []string{"4", "5"} {
		c.enter(id, &waiter{command: wire.CodePublish, sequence: 9, wanted: wire.AckProcessed | wire.AckPersisted, callback: func(Ack, error) {}})
	}
	close(gate)
	for m := range stream.Messages(context.Background()) {
		if m != nil {
			handle(m)
		}
	}
	<-c.receiverDone
	<-c.writerDone
	return c.Err()
}

// recording is a socket whose other side has sent input and closed.
type recording struct {
	input []byte
	gate  chan struct{}
}

func (r *recording) Read(b []byte) (int, error) {
	<-r.gate
	if len(r.input) == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.input)
	r.input = r.input[n:]
	return n, nil
}

func (r *recording) Write(b []byte) (int, error)      { return len(b), nil }
func (r *recording) Close() error                     { return nil }
func (r *recording) LocalAddr() net.Addr              { return nil }
func (r *recording) RemoteAddr() net.Addr             { return nil }
func (r *recording) SetDeadline(time.Time) error      { return nil }
func (r *recording) SetReadDeadline(time.Time) error  { return nil }
func (r *recording) SetWriteDeadline(time.Time) error { return nil }
