package netio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"farad/engine"
	"farad/engine/eventlog"
	"farad/netio"
	"farad/netio/wire"
)

// patience is how long a test waits for what must come. It is generous: it
// only passes when something is broken.
const patience = 20 * time.Second

// serverOptions vary what startServer starts.
type serverOptions struct {
	netio.Options
	literalTopics bool // RegexTopicSupport false
	log           *eventlog.Log
}

// startServer runs an instance in this process on a free port.
func startServer(t testing.TB, o serverOptions) (address string, e *engine.Engine) {
	t.Helper()
	e, err := engine.New(engine.Options{
		Name: "test", RegexTopics: !o.literalTopics, Log: o.log,
	})
	if err != nil {
		t.Fatal(err)
	}
	o.Instance = "test"
	if len(o.Transports) == 0 {
		o.Transports = []netio.Transport{{Name: "any", Network: "tcp", Address: "127.0.0.1:0"}}
	}
	if o.EventLoops == 0 {
		o.EventLoops = 2 // so that deliveries cross loops
	}
	s, err := netio.Start(e, o.Options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Errorf("stop: %v", err)
		}
		e.Close()
	})
	return s.Addresses()[0].String(), e
}

// peer is a client that speaks in bytes, so that a test sees what is on the
// wire.
type peer struct {
	t       testing.TB
	socket  net.Conn
	decoder wire.Decoder
	buffer  []byte // received and not yet read
	read    int    // of buffer, by frames handed out
}

// dial connects without logging on.
func dial(t testing.TB, address string) *peer {
	t.Helper()
	socket, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return &peer{t: t, socket: socket}
}

// logon connects and logs on for json.
func logon(t testing.TB, address string) *peer {
	t.Helper()
	p := dial(t, address)
	p.send(`{"c":"logon","cid":"logon","a":"processed","client_name":"`+t.Name()+`","mt":"json"}`, "")
	p.expect(`{"c":"ack","cid":"logon","a":"processed","status":"success"}`)
	return p
}

// frame makes one frame of a header and a body.
func frame(header, body string) []byte {
	f := append(make([]byte, wire.LengthPrefix), header+body...)
	wire.PutLength(f, 0)
	return f
}

func (p *peer) send(header, body string) {
	p.t.Helper()
	p.write(frame(header, body))
}

func (p *peer) write(b []byte) {
	p.t.Helper()
	p.socket.SetWriteDeadline(time.Now().Add(patience))
	if _, err := p.socket.Write(b); err != nil {
		p.t.Fatalf("write: %v", err)
	}
}

// message is a received frame, copied.
type message struct {
	header, body string
	fields       map[string]string
}

func (m message) String() string { return m.header + m.body }

// next returns the next frame; an error when the server closed or nothing
// came.
func (p *peer) next() (message, error) {
	for {
		payload, size, _, err := wire.NextFrame(p.buffer[p.read:])
		if err != nil {
			return message{}, err
		}
		if size > 0 {
			p.read += size
			return p.decode(payload)
		}
		p.buffer = append(p.buffer[:0], p.buffer[p.read:]...)
		p.read = 0
		p.socket.SetReadDeadline(time.Now().Add(patience))
		chunk := make([]byte, 64<<10)
		n, err := p.socket.Read(chunk)
		p.buffer = append(p.buffer, chunk[:n]...)
		if err != nil && n == 0 {
			return message{}, err
		}
	}
}

// decode also checks what holds for every header that the server emits
// (01-protocol #2): compact and flat.
func (p *peer) decode(payload []byte) (message, error) {
	if len(payload) == 0 {
		return message{}, errors.New("a frame of length zero")
	}
	c, err := p.decoder.Decode(payload)
	if err != nil {
		return message{}, err
	}
	m := message{header: string(c.Header()), body: string(c.Body), fields: map[string]string{}}
	if strings.ContainsAny(strings.ReplaceAll(c.Code.String(), "_", ""), " ") || strings.Contains(m.header, `, "`) || strings.Contains(m.header, `": `) {
		return message{}, fmt.Errorf("white space in header %s", m.header)
	}
	return m, nil
}

// field returns one key's value as it stands in the header, without quotes.
func (m message) field(key string) string {
	_, rest, found := strings.Cut(m.header, `"`+key+`":`)
	if !found {
		return ""
	}
	if strings.HasPrefix(rest, `"`) {
		rest = rest[1:]
		for i := 0; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return rest[:i]
			}
		}
		return rest
	}
	end := strings.IndexAny(rest, ",}")
	return rest[:end]
}

// expect reads the next frame and checks that it has the fields of the wanted
// header, which is written as {"key":"value",...}; it may have more. The body
// is checked when given.
func (p *peer) expect(header string, body ...string) message {
	p.t.Helper()
	m, err := p.next()
	if err != nil {
		p.t.Fatalf("expected %s, got error %v", header, err)
	}
	for pair := range strings.SplitSeq(strings.Trim(header, "{}"), `,"`) {
		key, value, _ := strings.Cut(strings.TrimPrefix(pair, `"`), `":`)
		if got := m.field(key); got != strings.Trim(value, `"`) {
			p.t.Fatalf("expected %s, got %s: key %s is %q", header, m, key, got)
		}
	}
	if len(body) > 0 && m.body != body[0] {
		p.t.Fatalf("expected body %q, got %q", body[0], m.body)
	}
	return m
}

// expectClosed reads until the server closes, and returns what came before.
func (p *peer) expectClosed() []message {
	p.t.Helper()
	var before []message
	for {
		m, err := p.next()
		switch {
		case err == nil:
			before = append(before, m)
		case errors.Is(err, os.ErrDeadlineExceeded):
			p.t.Fatal("the server did not close the connection")
		case errors.Is(err, io.EOF) || isReset(err):
			return before
		default:
			p.t.Fatalf("while waiting for the close: %v", err)
		}
	}
}

func isReset(err error) bool {
	return strings.Contains(err.Error(), "connection reset") || strings.Contains(err.Error(), "broken pipe")
}

// nothingMore proves that the server has sent nothing else so far: the ack of
// a flush is the very next frame.
func (p *peer) nothingMore() {
	p.t.Helper()
	p.send(`{"c":"flush","cid":"nothing-more","a":"processed"}`, "")
	p.expect(`{"c":"ack","cid":"nothing-more","a":"processed","status":"success"}`)
}

// subscribe subscribes under an id and waits for the ack.
func (p *peer) subscribe(id, rest string) {
	p.t.Helper()
	p.send(`{"c":"subscribe","cid":"`+id+`","sub_id":"`+id+`","a":"processed",`+rest+`}`, "")
	p.expect(`{"c":"ack","cid":"` + id + `","a":"processed","status":"success"}`)
}

// publish publishes one message.
func (p *peer) publish(topic, body string) {
	p.t.Helper()
	p.send(`{"c":"p","t":"`+topic+`"}`, body)
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
