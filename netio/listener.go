package netio

import (
	"fmt"
	"net"
	"time"

	"farad/engine/eventlog"
)

// listener accepts connections of one transport and hands each to the event
// loop that has the fewest.
type listener struct {
	net.Listener
	server    *Server
	transport Transport
}

// acceptPause is how long accepting rests after an error such as too many
// open files, which would otherwise repeat at once.
const acceptPause = 50 * time.Millisecond

func (s *Server) listen() error {
	for _, t := range s.options.Transports {
		l, err := net.Listen(t.Network, t.Address)
		if err != nil {
			s.closeListeners()
			return fmt.Errorf("transport %q cannot listen on %s: %w", t.Name, t.Address, err)
		}
		s.listeners = append(s.listeners, &listener{Listener: l, server: s, transport: t})
		s.log.Event(eventlog.Listening, 1, "Transport[%s] listens on %s", t.Name, l.Addr())
	}
	return nil
}

func (s *Server) closeListeners() {
	for _, l := range s.listeners {
		l.Close()
	}
}

func (l *listener) accept() {
	s := l.server
	defer s.accepting.Done()
	for {
		socket, err := l.Accept()
		if isClosed(err) {
			return
		}
		if err != nil {
			s.log.Event(eventlog.AcceptFailed, 1, "Transport[%s] accept on %s: %v", l.transport.Name, l.Addr(), err)
			time.Sleep(acceptPause)
			continue
		}
		c := newConnection(s, l.transport, socket.RemoteAddr())
		// The loop gets a duplicate of the socket; this one is closed.
		if _, err = s.client.EnrollContext(socket, c); err != nil {
			s.log.Event(eventlog.AcceptFailed, 1, "Transport[%s] connection from %s: %v", l.transport.Name, c.remote, err)
		}
	}
}
