package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Version is what the client tells the server in its logon.
const Version = "0.1.0:farad-go"

// How long the end of a connection may take.
const (
	// closeFlushTimeout is how long Close waits for the socket to take what
	// is pending.
	closeFlushTimeout = 5 * time.Second
	// closeLinger is how long Close waits for the server to close its side:
	// a socket closed with unread bytes is reset, and the server would lose
	// what it has not read yet.
	closeLinger = 2 * time.Second
	// failureLinger is how long the receiver reads on when a write failed:
	// the server's reason for closing may be on its way.
	failureLinger = 500 * time.Millisecond
	// closeWait is how long Close waits for handlers to return.
	closeWait = 5 * time.Second
)

// Client is one connection to a server, logged on. All methods may be called
// from several goroutines at a time. A client does not reconnect: once Done
// is closed it is of no more use.
//
// Two goroutines work for it: the writer, which owns sending, and the
// receiver, which owns the receive buffer and runs all handlers one after the
// other. With heartbeats there is a third that watches the clock. mu is never
// held while a handler runs or a socket is used.
type Client struct {
	// Immutable after Dial.
	settings      settings
	uri           URI
	socket        net.Conn
	log           *slog.Logger
	out           *outbox
	serverVersion string

	ids atomic.Uint64 // last id given to a command

	mu      sync.Mutex
	waiters map[string]*waiter // by command id
	feeds   map[string]*Feed   // by subscription id
	ended   bool               // no more waiters and feeds: err is final
	// feedsVersion counts changes of feeds, so that the receiver may keep
	// what it looked up. Written under mu.
	feedsVersion atomic.Uint64

	// synchronous counts calls that wait for an ack: while there are any, the
	// receiver does not stand still for a slow stream (inbox.put). ackWanted
	// tells a receiver that stands still about a new one.
	synchronous atomic.Int64
	ackWanted   chan struct{}

	receiver receiver
	closing  atomic.Bool // Close began: messages go to nobody any more
	loggedOn atomic.Bool

	stopOnce     sync.Once
	cause        error         // why it ends; written before stopping is closed
	stopping     chan struct{} // closed when the end begins
	done         chan struct{} // closed when nothing more will be received
	writerDone   chan struct{}
	receiverDone chan struct{} // done, and the disconnect handler has returned
	writeError   error         // of the writer; before writerDone is closed
	closeOnce    sync.Once
	closeError   error // of closeOnce
}

// Dial connects to the server at uri (see URI) and logs on. The context ends
// the attempt, not the connection. A logon that the server refuses gives a
// *CommandError.
func Dial(ctx context.Context, uri string, options ...Option) (*Client, error) {
	parsed, err := ParseURI(uri)
	if err != nil {
		return nil, err
	}
	s := settings{writeBuffer: DefaultWriteBuffer, ackTimeout: DefaultAckTimeout, messageType: parsed.MessageType}
	for _, option := range options {
		option(&s)
	}
	if !s.credentials {
		s.user, s.password = parsed.User, parsed.Password
	}
	if s.name == "" {
		s.name = inventName()
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", parsed, err)
	}
	socket, err := connect(ctx, parsed, s.ackTimeout)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", parsed, err)
	}
	c := newClient(s, parsed, socket)
	if err := c.begin(ctx); err != nil {
		c.stop(ErrClosed, 0)
		<-c.receiverDone
		<-c.writerDone
		return nil, fmt.Errorf("connect to %s: %w", parsed, err)
	}
	c.log.Info("connected", "server", parsed.String(), "client", s.name, "version", c.serverVersion)
	return c, nil
}

// inventName makes a client name that no other running program has.
func inventName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown-host"
	}
	return fmt.Sprintf("%s-%s-%d-%08x", filepath.Base(os.Args[0]), host, os.Getpid(), rand.Uint32())
}

func connect(ctx context.Context, uri URI, timeout time.Duration) (net.Conn, error) {
	dialer := net.Dialer{Timeout: timeout}
	socket, err := dialer.DialContext(ctx, "tcp", uri.Address)
	if err != nil {
		return nil, err
	}
	tcp := socket.(*net.TCPConn)
	err = tcp.SetNoDelay(uri.NoDelay)
	if uri.SendBuffer > 0 {
		err = errors.Join(err, tcp.SetWriteBuffer(uri.SendBuffer))
	}
	if uri.ReceiveBuffer > 0 {
		err = errors.Join(err, tcp.SetReadBuffer(uri.ReceiveBuffer))
	}
	if err != nil {
		socket.Close()
		return nil, fmt.Errorf("socket options: %w", err)
	}
	return socket, nil
}

// newClient starts the goroutines over a connected socket.
func newClient(s settings, uri URI, socket net.Conn) *Client {
	c := &Client{
		settings:     s,
		uri:          uri,
		socket:       socket,
		log:          s.logger,
		out:          newOutbox(s.writeBuffer),
		waiters:      map[string]*waiter{},
		feeds:        map[string]*Feed{},
		ackWanted:    make(chan struct{}, 1),
		stopping:     make(chan struct{}),
		done:         make(chan struct{}),
		writerDone:   make(chan struct{}),
		receiverDone: make(chan struct{}),
	}
	go c.write()
	go c.receive()
	return c
}

// write is the writer goroutine.
func (c *Client) write() {
	defer close(c.writerDone)
	if err := c.out.run(c.socket); err != nil {
		c.writeError = disconnected(err)
		c.stop(c.writeError, failureLinger)
	}
}

// stop begins the end, once: nothing more is sent, and the receiver reads on
// for at most linger. It never waits.
func (c *Client) stop(cause error, linger time.Duration) {
	c.stopOnce.Do(func() {
		c.cause = cause
		c.out.abort(cause)
		c.socket.SetReadDeadline(time.Now().Add(linger))
		if linger == 0 {
			c.socket.SetWriteDeadline(time.Now()) // frees a writer that is stuck
		}
		close(c.stopping)
	})
}

// end is the receiver's last step: the connection is over, tell everybody.
func (c *Client) end(readError error) {
	c.stop(disconnected(readError), 0)
	c.socket.Close()
	err := c.cause
	c.mu.Lock()
	c.ended = true
	waiters, feeds := c.waiters, c.feeds
	c.waiters, c.feeds = map[string]*waiter{}, map[string]*Feed{}
	c.feedsVersion.Add(1)
	c.mu.Unlock()
	close(c.done)
	for _, f := range feeds {
		f.end(err)
	}
	for _, w := range waiters {
		if w.callback != nil {
			w.callback(Ack{}, err)
		}
	}
	if c.closing.Load() || !c.loggedOn.Load() {
		return
	}
	c.log.Warn("disconnected", "server", c.uri.String(), "client", c.settings.name, "error", err)
	if c.settings.onDisconnect != nil {
		c.settings.onDisconnect(err)
	}
}

// Close sends what is pending, ends the connection and waits until running
// handlers have returned; no handler starts after it was called. Called from
// a handler it does not wait for that handler. The error says that not
// everything could be sent, or that a handler does not return. Further calls
// return the same.
func (c *Client) Close() error {
	if c.onReceiver() && c.closing.Load() {
		return nil // another goroutine closes and waits for this handler
	}
	c.closeOnce.Do(func() { c.closeError = c.close() })
	return c.closeError
}

func (c *Client) close() error {
	c.closing.Store(true)
	signal(c.ackWanted) // frees a receiver that stands still for a stream
	select {
	case <-c.stopping: // lost before: the receiver ends by itself
	default:
		c.socket.SetWriteDeadline(time.Now().Add(closeFlushTimeout))
	}
	c.out.finish(ErrClosed)
	<-c.writerDone
	c.stop(ErrClosed, closeLinger)
	if half, ok := c.socket.(interface{ CloseWrite() error }); ok {
		half.CloseWrite() // an error means that it is closed already
	}
	if c.onReceiver() {
		return c.closeResult()
	}
	timeout := time.NewTimer(closeLinger + closeWait)
	defer timeout.Stop()
	select {
	case <-c.receiverDone:
		return c.closeResult()
	case <-timeout.C:
		c.socket.Close()
		return fmt.Errorf("close: a handler has not returned within %s", closeLinger+closeWait)
	}
}

// closeResult says whether everything was sent. The writer has ended.
func (c *Client) closeResult() error {
	switch {
	case c.writeError == nil && !c.out.unsent():
		return nil
	case c.cause == ErrClosed:
		return fmt.Errorf("close: pending messages were lost: %w", c.writeError)
	default:
		return fmt.Errorf("close: pending messages were lost: %w", c.cause)
	}
}

// Done is closed when the connection is over, by whatever cause.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err is why the connection is over: ErrClosed after Close, otherwise an
// error that wraps ErrDisconnected. nil while the connection is up.
func (c *Client) Err() error {
	select {
	case <-c.done:
		return c.cause
	default:
		return nil
	}
}

// ServerVersion is the version that the server gave at logon.
func (c *Client) ServerVersion() string { return c.serverVersion }

// Name is the name that the client logged on with.
func (c *Client) Name() string { return c.settings.name }

// URI is where the client is connected to.
func (c *Client) URI() URI { return c.uri }
