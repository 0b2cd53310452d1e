// Package loadtest is a small server of the amps protocol for the tests of the
// load generators. It relays publishes to the subscribers of their topic, as
// a server does, and on demand it loses, doubles, swaps and delays them, as a
// server must not. In come the faults to make, out goes an address. It knows
// of filters only the form that loads by key use, /k = 'KEY'.
package loadtest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"farad/netio/wire"
)

// Fate is what happens to a message on its way to the subscribers.
type Fate uint8

// The fates.
const (
	Pass   Fate = iota
	Drop        // it is lost
	Double      // it is sent twice
	Behind      // it is sent behind the one that follows it
)

// Options are the faults of a Server. The zero value has none.
type Options struct {
	// Fate decides about the nth message of all, from 0; nil passes all. It is
	// called under the server's lock.
	Fate func(n uint64) Fate
	// Before is called before a publisher's batch that starts with the nth
	// message is handled, without a lock: it may block, and then that
	// publisher is not read; nil for nothing.
	Before func(n uint64)
	// RefuseLogon and RefuseSubscribe are reasons for failure; "" for success.
	RefuseLogon, RefuseSubscribe string
	// CutAfter ends every connection at that message; 0 never.
	CutAfter uint64
}

// Server is a running server.
type Server struct {
	options  Options
	listener net.Listener
	handlers sync.WaitGroup

	mu          sync.Mutex // guards all below
	connections map[*connection]struct{}
	published   uint64
	held        []byte // body of a message with fate Behind
	heldTopic   string
}

// connection is one client. out is guarded by the server's mu, as is writing
// to the socket.
type connection struct {
	socket        net.Conn
	subscriptions []subscription
	out           []byte
}

type subscription struct{ id, topic, key string }

// Start runs a server until the test ends and returns it.
func Start(t testing.TB, options Options) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{options: options, listener: listener, connections: map[*connection]struct{}{}}
	s.handlers.Go(s.accept)
	t.Cleanup(func() {
		listener.Close()
		s.cut()
		s.handlers.Wait()
	})
	return s
}

// URI is where the server is.
func (s *Server) URI() string { return "tcp://" + s.listener.Addr().String() + "/amps/json" }

// Published is how many messages have been handled.
func (s *Server) Published() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.published
}

func (s *Server) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.connections {
		c.socket.Close()
	}
}

func (s *Server) accept() {
	for {
		socket, err := s.listener.Accept()
		if err != nil {
			return
		}
		c := &connection{socket: socket}
		s.mu.Lock()
		s.connections[c] = struct{}{}
		s.mu.Unlock()
		s.handlers.Go(func() { s.serve(c) })
	}
}

// serve handles one client until it or the server ends the connection.
func (s *Server) serve(c *connection) {
	defer func() {
		s.mu.Lock()
		delete(s.connections, c)
		s.mu.Unlock()
		c.socket.Close()
	}()
	var decoder wire.Decoder
	buffer, filled := make([]byte, 1<<20), 0
	for {
		n, err := c.socket.Read(buffer[filled:])
		if err != nil {
			return
		}
		filled += n
		if s.options.Before != nil {
			s.options.Before(s.Published())
		}
		rest, err := s.handle(c, &decoder, buffer[:filled])
		if err != nil {
			return
		}
		filled = copy(buffer, rest)
	}
}

// handle takes all complete frames and writes what they cause.
func (s *Server) handle(c *connection, decoder *wire.Decoder, stream []byte) (rest []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		payload, size, _, err := wire.NextFrame(stream)
		if err != nil {
			return nil, err
		}
		if size == 0 {
			break
		}
		stream = stream[size:]
		command, err := decoder.Decode(payload)
		if err != nil {
			return nil, err
		}
		if err := s.obey(c, command); err != nil {
			return nil, err
		}
	}
	for other := range s.connections {
		if len(other.out) > 0 {
			other.socket.Write(other.out) // a client that has gone is noticed by its reader
			other.out = other.out[:0]
		}
	}
	return stream, nil
}

func (s *Server) obey(c *connection, command *wire.Command) error {
	switch command.Code {
	case wire.CodeLogon:
		c.ack(command, s.options.RefuseLogon)
	case wire.CodeSubscribe:
		if s.options.RefuseSubscribe == "" {
			_, key, _ := strings.Cut(string(command.Filter()), "'")
			c.subscriptions = append(c.subscriptions,
				subscription{string(command.CommandID()), string(command.Topic()), strings.TrimSuffix(key, "'")})
		}
		c.ack(command, s.options.RefuseSubscribe)
	case wire.CodeFlush:
		c.ack(command, "")
	case wire.CodePublish:
		return s.publish(string(command.Topic()), command.Body)
	default:
		return errors.New("a command that no load sends")
	}
	return nil
}

// publish sends a message to the subscribers, or does what its fate says.
func (s *Server) publish(topic string, body []byte) error {
	fate := Pass
	if s.options.Fate != nil {
		fate = s.options.Fate(s.published)
	}
	s.published++
	if s.published == s.options.CutAfter {
		return io.ErrUnexpectedEOF
	}
	switch fate {
	case Drop:
		return nil
	case Behind:
		s.held, s.heldTopic = bytes.Clone(body), topic
		return nil
	case Double:
		s.deliver(topic, body)
	}
	s.deliver(topic, body)
	if s.held != nil {
		s.deliver(s.heldTopic, s.held)
		s.held = nil
	}
	return nil
}

func (s *Server) deliver(topic string, body []byte) {
	for c := range s.connections {
		var ids []string
		for _, sub := range c.subscriptions {
			if sub.topic == topic && (sub.key == "" || bytes.Contains(body, []byte(`"k":"`+sub.key+`"`))) {
				ids = append(ids, sub.id)
			}
		}
		if len(ids) == 0 {
			continue
		}
		w := wire.Begin(c.out, wire.CodePublish)
		w.String(wire.KeyTopic, topic)
		w.String(wire.KeySubIDs, strings.Join(ids, ","))
		c.out = w.End(body)
	}
}

// ack answers a command; a reason makes it a failure.
func (c *connection) ack(command *wire.Command, reason string) {
	w := wire.Begin(c.out, wire.CodeAck)
	w.Text(wire.KeyCommandID, command.CommandID())
	w.Acks(wire.AckProcessed)
	if reason == "" {
		w.String(wire.KeyStatus, "success")
	} else {
		w.String(wire.KeyStatus, "failure")
		w.String(wire.KeyReason, reason)
	}
	w.String(wire.KeyVersion, "5.0.0.0")
	c.out = w.End(nil)
}
