package relay

import (
	"context"
	"fmt"
	"net"
	"strings"

	"farad/perf/amps"
	"farad/perf/load"
)

// Protocol sends a load through a relay: frames of the amps protocol, which
// come out as they went in, without logon and subscription.
type Protocol struct {
	amps.Protocol
	in, out string // host:port of both sides
}

// New makes the protocol for a relay that announced itself with that line.
func New(announced string) (*Protocol, error) {
	fields := strings.Fields(announced)
	if len(fields) != 2 {
		return nil, fmt.Errorf("relay announced %q, expected two addresses", announced)
	}
	return &Protocol{in: fields[0], out: fields[1]}, nil
}

// Name is "raw loopback".
func (p *Protocol) Name() string { return "raw loopback" }

// Dial connects to the side for the role; there is one connection for each.
func (p *Protocol) Dial(ctx context.Context, role load.Role, number int) (*net.TCPConn, error) {
	if number > 0 {
		return nil, fmt.Errorf("a relay takes one publisher and one subscriber")
	}
	address := p.out
	if role == load.Publisher {
		address = p.in
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), nil
}

// AppendSubscribe appends nothing: everything is passed on.
func (p *Protocol) AppendSubscribe(dst []byte, id int, topic, filter string) []byte { return dst }

// AppendSync appends nothing: a relay does not answer.
func (p *Protocol) AppendSync(dst []byte) []byte { return dst }
