package amps

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"farad/netio/wire"
	"farad/perf/load"
)

const (
	logonID     = "logon"
	syncID      = "sync"
	subscribeID = "s" // and a number

	// logonBytesMax bounds the answer to a logon.
	logonBytesMax = 64 << 10
)

// Protocol speaks to one Farad server. Make it with New.
type Protocol struct {
	address     string // host:port
	messageType string // "" to send none
	user        string
	password    string
	version     atomic.Pointer[string] // of the server, from its logon ack
}

// New makes the protocol for a server at tcp://[user[:password]@]host:port,
// with the path /amps/TYPE or none, which means /amps/json (01-protocol §1.4).
func New(address string) (*Protocol, error) {
	const expected = "tcp://[user[:password]@]host:port/amps/TYPE, such as tcp://127.0.0.1:9007/amps/json"
	if !strings.Contains(address, "://") {
		address = "tcp://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "tcp" || u.Hostname() == "" || u.Port() == "" || u.RawQuery != "" {
		return nil, fmt.Errorf("server %q: expected %s", withoutPassword(u, address), expected)
	}
	p := &Protocol{address: u.Host, user: u.User.Username()}
	p.password, _ = u.User.Password()
	switch parts := strings.Split(strings.Trim(u.Path, "/"), "/"); {
	case parts[0] == "":
		p.messageType = "json"
	case parts[0] == "amps" && len(parts) == 1:
	case parts[0] == "amps" && len(parts) == 2:
		p.messageType = parts[1]
	default:
		return nil, fmt.Errorf("server path %q: expected %s", u.Path, expected)
	}
	return p, nil
}

func withoutPassword(u *url.URL, address string) string {
	if u != nil {
		return u.Redacted()
	}
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return "..." + address[at:]
	}
	return address
}

// Name is "farad".
func (p *Protocol) Name() string { return "farad" }

// Address is the server's host:port.
func (p *Protocol) Address() string { return p.address }

// Version is the server's version from its last logon ack; "" before.
func (p *Protocol) Version() string {
	if v := p.version.Load(); v != nil {
		return *v
	}
	return ""
}

// Dial connects and logs on.
func (p *Protocol) Dial(ctx context.Context, role load.Role, number int) (*net.TCPConn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", p.address)
	if err != nil {
		return nil, err
	}
	tcp := conn.(*net.TCPConn)
	if deadline, ok := ctx.Deadline(); ok {
		tcp.SetDeadline(deadline)
	}
	name := fmt.Sprintf("perf-%d-%s-%d", os.Getpid(), role, number)
	if err := p.logon(tcp, name); err != nil {
		tcp.Close()
		return nil, fmt.Errorf("logon: %w", err)
	}
	tcp.SetDeadline(time.Time{})
	return tcp, nil
}

// logon sends the logon and reads its ack, which the server sends before
// anything else (01-protocol §3.1).
func (p *Protocol) logon(conn net.Conn, name string) error {
	w := wire.Begin(nil, wire.CodeLogon)
	w.String(wire.KeyCommandID, logonID)
	w.Acks(wire.AckProcessed)
	w.String(wire.KeyClientName, name)
	w.StringIf(wire.KeyUserID, p.user)
	w.StringIf(wire.KeyPassword, p.password)
	w.StringIf(wire.KeyMessageType, p.messageType)
	if _, err := conn.Write(w.End(nil)); err != nil {
		return err
	}
	payload, err := readFrame(conn)
	if err != nil {
		return err
	}
	var decoder wire.Decoder
	command, err := decoder.Decode(payload)
	if err != nil {
		return err
	}
	if command.Code != wire.CodeAck || string(command.CommandID()) != logonID {
		return fmt.Errorf("the server answered %s, expected the ack of the logon", command.Header())
	}
	if status := string(command.Status()); status != "success" {
		return fmt.Errorf("%s: %s", status, command.Reason())
	}
	version := string(command.Version())
	p.version.Store(&version)
	return nil
}

// AppendSubscribe appends a subscribe that asks for its processed ack, so
// that a refusal is noticed.
func (p *Protocol) AppendSubscribe(dst []byte, id int, topic, filter string) []byte {
	w := wire.Begin(dst, wire.CodeSubscribe)
	w.String(wire.KeyCommandID, subscribeID+strconv.Itoa(id))
	w.String(wire.KeyTopic, topic)
	w.StringIf(wire.KeyFilter, filter)
	w.Acks(wire.AckProcessed)
	return w.End(nil)
}

// AppendPublish appends a publish without an ack.
func (p *Protocol) AppendPublish(dst []byte, topic string, body []byte) (frame []byte, bodyAt int) {
	w := wire.Begin(dst, wire.CodePublish)
	w.String(wire.KeyTopic, topic)
	frame = w.End(body)
	return frame, len(frame) - len(body)
}

// AppendSync appends a flush: its ack says that all earlier commands of the
// connection have taken effect (01-protocol §4.9).
func (p *Protocol) AppendSync(dst []byte) []byte {
	w := wire.Begin(dst, wire.CodeFlush)
	w.String(wire.KeyCommandID, syncID)
	w.Acks(wire.AckProcessed)
	return w.End(nil)
}

// AppendPong appends nothing: heartbeats are off.
func (p *Protocol) AppendPong(dst []byte) []byte { return dst }

// NewReader makes the reader of one connection.
func (p *Protocol) NewReader(bodyBytes int) load.Reader { return &Reader{bodyBytes: bodyBytes} }
