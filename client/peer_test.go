package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"farad/client"
	"farad/netio/wire"
)

// patience is how long a test waits for what must come. It is generous: it
// only passes when something is broken.
const patience = 20 * time.Second

// request is a frame that a peer received, copied.
type request struct {
	conn   *peerConn
	header string
	body   string
	code   wire.Code
	*wire.Command
}

func (r request) id() string { return string(r.CommandID()) }

// peer is a server that follows a script: what it answers to each kind of
// command. By default it accepts everything and relays nothing.
type peer struct {
	t        testing.TB
	listener net.Listener

	mu       sync.Mutex
	answers  map[wire.Code]func(request)
	requests []request
	taken    map[wire.Code]int // how many of a code were handed out
	arrived  chan struct{}     // closed and replaced at each arrival
	conns    []*peerConn
	readers  sync.WaitGroup
}

// peerConn is one connection to a peer.
type peerConn struct {
	*peer
	net.Conn
	writing sync.Mutex
}

func startPeer(t testing.TB) *peer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, listener: listener, answers: map[wire.Code]func(request){}, taken: map[wire.Code]int{}, arrived: make(chan struct{})}
	p.on(wire.CodeLogon, func(r request) {
		r.conn.send(fmt.Sprintf(`{"c":"ack","cid":"%s","s":0,"bm":"7|0|","client_name":"%s","a":"processed","status":"success","version":"5.3.5.0"}`,
			r.id(), r.ClientName()), "")
	})
	p.readers.Go(p.accept)
	t.Cleanup(func() {
		listener.Close()
		p.mu.Lock()
		for _, c := range p.conns {
			c.Close()
		}
		p.mu.Unlock()
		p.readers.Wait()
	})
	return p
}

func (p *peer) uri() string { return "tcp://" + p.listener.Addr().String() + "/amps/json" }

// on sets the answer to a kind of command. It runs on the connection's reader.
func (p *peer) on(code wire.Code, answer func(request)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[code] = answer
}

func (p *peer) accept() {
	for {
		socket, err := p.listener.Accept()
		if err != nil {
			return
		}
		c := &peerConn{peer: p, Conn: socket}
		p.mu.Lock()
		p.conns = append(p.conns, c)
		p.mu.Unlock()
		p.readers.Go(c.read)
	}
}

func (c *peerConn) read() {
	defer c.Close()
	var stream []byte
	chunk := make([]byte, 64<<10)
	for {
		n, err := c.Conn.Read(chunk)
		stream = append(stream, chunk[:n]...)
		for {
			payload, size, _, _ := wire.NextFrame(stream)
			if size == 0 {
				break
			}
			stream = stream[size:]
			c.receive(string(payload))
		}
		if err != nil {
			return
		}
	}
}

func (c *peerConn) receive(payload string) {
	command, err := new(wire.Decoder).Decode([]byte(payload))
	if err != nil {
		c.t.Errorf("the client sent %q: %v", payload, err)
		return
	}
	r := request{conn: c, header: string(command.Header()), body: string(command.Body), code: command.Code, Command: command}
	c.mu.Lock()
	c.requests = append(c.requests, r)
	close(c.arrived)
	c.arrived = make(chan struct{})
	answer := c.answers[r.code]
	c.mu.Unlock()
	if answer == nil {
		answer = acknowledge
	}
	answer(r)
}

// acknowledge grants every ack that a command asks for.
func acknowledge(r request) {
	for bit := wire.AckReceived; bit <= wire.AckStats; bit <<= 1 {
		if r.Acks&bit != 0 {
			r.conn.ack(r, bit, "")
		}
	}
}

// refuse answers the first ack that a command asks for with a failure.
func refuse(reason string) func(request) {
	return func(r request) {
		for bit := wire.AckProcessed; bit <= wire.AckStats; bit <<= 1 {
			if r.Acks&bit != 0 {
				r.conn.ack(r, bit, reason)
				return
			}
		}
	}
}

func silent(request) {}

// ack sends one ack; a reason makes it a failure.
func (c *peerConn) ack(r request, kind wire.AckSet, reason string) {
	status := "success"
	if reason != "" {
		status = `failure","reason":"` + reason
	}
	c.send(fmt.Sprintf(`{"c":"ack","cid":"%s","a":"%s","status":"%s"}`, r.id(), kind, status), "")
}

// frame makes one frame of a header and a body.
func frame(header, body string) []byte {
	f := append(make([]byte, wire.LengthPrefix), header+body...)
	wire.PutLength(f, 0)
	return f
}

func (c *peerConn) send(header, body string) { c.write(frame(header, body)) }

// write fails silently: a client may close at any time.
func (c *peerConn) write(b []byte) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.Conn.Write(b)
}

// next waits for the next command of a kind that no call has returned yet.
func (p *peer) next(code wire.Code) request {
	p.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		p.mu.Lock()
		skip := p.taken[code]
		for _, r := range p.requests {
			if r.code != code {
				continue
			}
			if skip--; skip < 0 {
				p.taken[code]++
				p.mu.Unlock()
				return r
			}
		}
		arrived := p.arrived
		p.mu.Unlock()
		select {
		case <-arrived:
		case <-deadline.C:
			p.t.Fatalf("the client did not send a %s", code)
		}
	}
}

// count is how many commands of a kind have come.
func (p *peer) count(code wire.Code) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if r.code == code {
			n++
		}
	}
	return n
}

// bodies are those of all publishes so far.
func (p *peer) bodies() (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if r.code == wire.CodePublish {
			all = append(all, r.body)
		}
	}
	return all
}

// testContext ends long after everything should be done.
func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// dial connects a client and has it closed at the end of the test.
func dial(t testing.TB, p *peer, options ...client.Option) *client.Client {
	t.Helper()
	c, err := client.Dial(testContext(t), p.uri(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// within waits for a channel and fails the test when nothing comes.
func within[T any](t testing.TB, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		t.Fatalf("did not come about: %s", what)
	}
	return v
}

// eventually waits for a condition that other goroutines bring about.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("did not come about: %s", what)
		}
		<-tick.C
	}
}

func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want one that is %q", err, want)
	}
}
