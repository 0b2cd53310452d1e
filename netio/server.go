package netio

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"farad/engine"
	"farad/engine/eventlog"

	"github.com/panjf2000/gnet/v2"
	"github.com/panjf2000/gnet/v2/pkg/logging"
)

// Limits and defaults.
const (
	// EventLoopsMax bounds the number of event loops.
	EventLoopsMax = 64
	// OutboundLimitDefault is how many bytes may wait for one client, 256
	// MiB.
	OutboundLimitDefault = 256 << 20
	// readBufferBytes is what a loop reads at once, and so the largest batch
	// but for a frame that is larger.
	readBufferBytes = 256 << 10
	// closeWait bounds how long a stop waits for clients to take what is
	// still to be sent to them.
	closeWait = 2 * time.Second
)

// Transport is one listening address.
type Transport struct {
	// Name is the transport's name in logs.
	Name string
	// Network and Address are as for net.Listen.
	Network, Address string
	// MessageType restricts the transport to one type; empty: any.
	MessageType string
}

// Options are the server's settings.
type Options struct {
	// Instance is the instance's name, the start of connection names.
	Instance string
	// Transports are the addresses to listen on; none is legal.
	Transports []Transport
	// EventLoops is the number of loops, 1 to EventLoopsMax; 0 chooses half
	// the processors, at least one: clients and the kernel need the others.
	EventLoops int
	// OutboundLimit is how many bytes may wait for one client before it is
	// disconnected; 0 means OutboundLimitDefault.
	OutboundLimit int
}

// Server accepts connections and serves them until it is stopped.
type Server struct {
	gnet.BuiltinEventEngine
	options   Options
	engine    *engine.Engine
	log       *eventlog.Log
	client    *gnet.Client
	drain     *drain
	listeners []*listener
	accepting sync.WaitGroup
	counter   atomic.Uint64 // connections accepted, for their names

	mu          sync.Mutex
	loops       map[gnet.EventLoop]*loop
	workers     []*engine.Worker // not yet given to a loop
	connections map[*connection]struct{}
	stopping    bool
	empty       chan struct{} // closed when stopping and no connection is left
}

// Start listens on all transports and serves them. When one address cannot
// be had, none is kept, and the error names transport and address.
func Start(e *engine.Engine, options Options) (*Server, error) {
	if options.EventLoops == 0 {
		options.EventLoops = min(max(1, runtime.NumCPU()/2), EventLoopsMax)
	}
	if options.EventLoops < 0 || options.EventLoops > EventLoopsMax {
		return nil, fmt.Errorf("netio: %d event loops, 1 to %d are possible", options.EventLoops, EventLoopsMax)
	}
	if options.OutboundLimit == 0 {
		options.OutboundLimit = OutboundLimitDefault
	}
	s := &Server{
		options:     options,
		engine:      e,
		log:         e.Log(),
		loops:       map[gnet.EventLoop]*loop{},
		connections: map[*connection]struct{}{},
		empty:       make(chan struct{}),
	}
	for range options.EventLoops {
		s.workers = append(s.workers, e.NewWorker())
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	if err := s.startLoops(); err != nil {
		s.closeListeners()
		return nil, err
	}
	for _, l := range s.listeners {
		s.accepting.Add(1)
		go l.accept()
	}
	return s, nil
}

func (s *Server) startLoops() (err error) {
	if s.drain, err = startDrain(); err != nil {
		return fmt.Errorf("netio: %w", err)
	}
	s.client, err = gnet.NewClient(s,
		gnet.WithNumEventLoop(s.options.EventLoops),
		gnet.WithReadBufferCap(readBufferBytes),
		gnet.WithTCPNoDelay(gnet.TCPNoDelay),
		gnet.WithLogger(loopLogger{s.log}),
		gnet.WithLogLevel(logging.ErrorLevel))
	if err == nil {
		err = s.client.Start()
	}
	if err != nil {
		s.drain.stop()
		return fmt.Errorf("netio: event loops: %w", err)
	}
	return nil
}

// Addresses returns the addresses listened on, in the order of the
// transports.
func (s *Server) Addresses() []net.Addr {
	var addresses []net.Addr
	for _, l := range s.listeners {
		addresses = append(addresses, l.Addr())
	}
	return addresses
}

// Stop ends the server: it stops accepting, sends what is to be sent, as far
// as clients take it within two seconds or until ctx ends, and closes
// everything.
func (s *Server) Stop(ctx context.Context) error {
	s.closeListeners()
	s.accepting.Wait()
	s.mu.Lock()
	s.stopping = true
	for c := range s.connections {
		c.Disconnect(engine.CauseShutdown)
	}
	if len(s.connections) == 0 {
		close(s.empty)
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, closeWait)
	defer cancel()
	select {
	case <-s.empty:
	case <-ctx.Done():
	}
	// The loops end before the drain, whose wakes they receive.
	err := s.client.Stop()
	s.drain.stop()
	return err
}

// OnOpen runs on the loop that owns a new connection.
func (s *Server) OnOpen(socket gnet.Conn) ([]byte, gnet.Action) {
	c := socket.Context().(*connection)
	c.open(socket, s.loopOf(socket.EventLoop()))
	s.mu.Lock()
	s.connections[c] = struct{}{}
	stopping := s.stopping
	s.mu.Unlock()
	if stopping {
		c.Disconnect(engine.CauseShutdown)
	}
	return nil, gnet.None
}

// OnTraffic runs on the loop when bytes have come.
func (s *Server) OnTraffic(socket gnet.Conn) gnet.Action {
	c := socket.Context().(*connection)
	data, _ := socket.Next(-1)
	if !c.receive(data) {
		return gnet.Close
	}
	return gnet.None
}

// OnClose runs on the loop when the connection is closed, by whomever.
func (s *Server) OnClose(socket gnet.Conn, err error) gnet.Action {
	c := socket.Context().(*connection)
	c.closed(err)
	s.mu.Lock()
	delete(s.connections, c)
	if s.stopping && len(s.connections) == 0 {
		select {
		case <-s.empty:
		default:
			close(s.empty)
		}
	}
	s.mu.Unlock()
	return gnet.None
}

// loopOf returns our side of one of gnet's loops, made at its first sight.
func (s *Server) loopOf(eventLoop gnet.EventLoop) *loop {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.loops[eventLoop]
	if l == nil {
		number := len(s.loops)
		l = &loop{number: number + 1, eventLoop: eventLoop, worker: s.workers[number]}
		s.loops[eventLoop] = l
	}
	return l
}

// isClosed reports whether err only says that a listener was closed.
func isClosed(err error) bool { return errors.Is(err, net.ErrClosed) }

func (s *Server) isStopping() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopping
}
