package netio

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"syscall"

	"farad/engine"
	"farad/engine/eventlog"
	"farad/netio/outbound"
	"farad/netio/wire"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// connection is one client's connection. Owned by its loop; out and requests
// are open to all goroutines, cause is written once.
type connection struct {
	server      *Server
	name        string
	messageType string
	remote      net.Addr
	out         *outbound.Buffer
	requests    atomic.Uint32
	cause       atomic.Pointer[engine.Cause]

	loop    *loop
	socket  gnet.Conn
	fd      int
	session *engine.Session
	decoder wire.Decoder
	partial []byte          // the start of a frame whose rest has not come
	sending *outbound.Block // taken from out, not yet written
	blocked bool            // the socket takes nothing; the drain watches it
	closing bool            // a disconnect was requested; nothing is read any more
	ended   bool            // closed, or about to be
	detail  string          // beside the cause in the log
}

// The requests.
const (
	requestFlush uint32 = 1 << iota
	requestWritable
	requestDisconnect
	requested // the loop has been asked and has not looked yet
)

// partialKept is the largest buffer that a connection keeps between partial
// frames; an idle connection is to be small.
const partialKept = 4 << 10

func newConnection(s *Server, t Transport, remote net.Addr) *connection {
	n := s.counter.Add(1)
	return &connection{
		server:      s,
		name:        fmt.Sprintf("%s-%s-%d-%d", s.options.Instance, t.Name, n, engine.PublisherID(fmt.Sprint(s.options.Instance, n))),
		messageType: t.MessageType,
		remote:      remote,
		out:         outbound.New(s.options.OutboundLimit),
	}
}

// open binds the connection to the loop that owns it from now on.
func (c *connection) open(socket gnet.Conn, l *loop) {
	c.socket, c.fd, c.loop = socket, socket.Fd(), l
	c.session = c.server.engine.NewSession(c)
}

// The engine's view (engine.Connection).

func (c *connection) Outbound() *outbound.Buffer { return c.out }
func (c *connection) RemoteAddr() net.Addr       { return c.remote }
func (c *connection) Name() string               { return c.name }
func (c *connection) MessageType() string        { return c.messageType }
func (c *connection) Thread() int                { return c.loop.number }

// Flush writes at once when called on the connection's own loop.
func (c *connection) Flush(worker *engine.Worker) {
	if worker != nil && worker == c.loop.worker {
		c.flush()
		return
	}
	c.request(requestFlush)
}

// Disconnect closes the connection after a last flush.
func (c *connection) Disconnect(cause engine.Cause) {
	if c.cause.CompareAndSwap(nil, &cause) {
		c.request(requestDisconnect)
	}
}

func (c *connection) request(what uint32) {
	if c.requests.Or(what|requested)&requested == 0 {
		c.loop.ask(c)
	}
}

// serve does what was requested. It runs on the loop.
func (c *connection) serve() {
	requests := c.requests.Swap(0)
	if c.ended {
		return
	}
	if requests&requestWritable != 0 {
		c.blocked = false
	}
	c.flush()
	if requests&requestDisconnect != 0 {
		c.closing = true
	}
	// Only a stop of the server waits for what the socket does not take yet;
	// the server bounds that wait.
	if c.closing && (*c.cause.Load() != engine.CauseShutdown || c.out.Waiting() == 0) {
		c.end()
	}
}

// end closes the socket; closed follows at once.
func (c *connection) end() {
	if !c.ended {
		c.ended = true
		_ = c.loop.eventLoop.Close(c.socket)
	}
}

// closed is told by the loop that the socket is gone or going.
func (c *connection) closed(err error) {
	c.ended = true
	c.server.drain.forget(c)
	c.out.Close()
	for c.sending != nil {
		next := c.sending.Next()
		c.sending.Release()
		c.sending = next
	}
	c.partial = nil
	cause := engine.CauseConnectionClosed
	if given := c.cause.Load(); given != nil {
		cause = *given
	} else if c.server.isStopping() {
		cause = engine.CauseShutdown
	}
	if err != nil && c.detail == "" && !errors.Is(err, io.EOF) {
		c.detail = err.Error()
	}
	c.session.End(cause, c.detail)
}

// receive handles the bytes that have come; false asks gnet to close. data is
// valid until it returns.
func (c *connection) receive(data []byte) bool {
	if len(data) == 0 || c.closing || c.ended {
		return true
	}
	worker := c.loop.worker
	worker.BeginBatch(c.session)
	rest, ok := c.batch(worker, data)
	worker.EndBatch()
	if ok && !c.ended {
		c.keep(rest)
	}
	poison(data)
	return ok
}

// batch cuts data into frames and handles each. It returns the bytes of a
// last, incomplete frame. False ends the connection.
func (c *connection) batch(worker *engine.Worker, data []byte) (rest []byte, ok bool) {
	if len(c.partial) > 0 {
		payload, rest, complete, err := c.complete(data)
		if err != nil {
			return nil, c.protocolError(err)
		}
		if !complete {
			return nil, true
		}
		if !c.handle(worker, payload) {
			return nil, false
		}
		data = rest
	}
	for {
		payload, size, _, err := wire.NextFrame(data)
		if err != nil {
			return nil, c.protocolError(err)
		}
		if size == 0 {
			return data, true
		}
		if !c.handle(worker, payload) {
			return nil, false
		}
		data = data[size:]
	}
}

// complete adds to the partial frame what it lacks. The frame stays in the
// partial buffer until the batch ends.
func (c *connection) complete(data []byte) (payload, rest []byte, complete bool, err error) {
	for {
		payload, size, need, err := wire.NextFrame(c.partial)
		if err != nil || size > 0 {
			return payload, data, err == nil, err
		}
		n := min(need-len(c.partial), len(data))
		if n == 0 {
			return nil, nil, false, nil
		}
		c.partial = append(c.partial, data[:n]...)
		data = data[n:]
	}
}

// keep stores the start of a frame for the next batch. rest is nil when the
// frame in the partial buffer is still incomplete.
func (c *connection) keep(rest []byte) {
	if rest == nil {
		return
	}
	poison(c.partial)
	if cap(c.partial) > partialKept {
		c.partial = nil
	}
	c.partial = append(c.partial[:0], rest...)
}

// handle decodes one payload and has the engine do it.
func (c *connection) handle(worker *engine.Worker, payload []byte) bool {
	if len(payload) == 0 {
		return true
	}
	command, err := c.decoder.Decode(payload)
	if err != nil {
		return c.protocolError(err)
	}
	if worker.Handle(c.session, command) {
		return true
	}
	cause := c.session.Cause()
	c.cause.CompareAndSwap(nil, &cause)
	return false
}

// protocolError ends a connection whose stream cannot be understood. It
// returns false.
func (c *connection) protocolError(err error) bool {
	c.server.log.Event(eventlog.ProtocolError, c.loop.number, "client[%s] from %s: %v", c.session.Name(), c.remote, err)
	cause := engine.CauseUnknownCommand
	c.cause.CompareAndSwap(nil, &cause)
	c.detail = err.Error()
	return false
}

// flush writes what waits until the socket takes no more. It runs on the loop.
// A block is one write: gathering several into one makes fan-out slower, since
// the receivers start later and the bytes have left the near caches by then.
func (c *connection) flush() {
	if c.blocked || c.ended {
		return
	}
	for {
		if c.sending == nil {
			if c.sending = c.out.Take(); c.sending == nil {
				return
			}
		}
		n, err := unix.Write(c.fd, c.sending.Unsent())
		switch {
		case err == nil:
			c.wrote(n)
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			c.blocked = true
			c.server.drain.watch(c)
			return
		default:
			c.writeFailed(err)
			return
		}
	}
}

// wrote moves on by n bytes of the first block.
func (c *connection) wrote(n int) {
	c.out.Sent(n)
	block := c.sending
	block.Sent += n
	if len(block.Unsent()) == 0 {
		c.sending = block.Next()
		block.Release()
	}
}

// writeFailed gives a broken connection up. The socket is closed by a
// request: a flush may run inside another connection's batch.
func (c *connection) writeFailed(err error) {
	c.blocked = true
	if c.detail == "" {
		c.detail = fmt.Sprintf("write: %v", err.(syscall.Errno))
	}
	c.Disconnect(engine.CauseConnectionClosed)
}
