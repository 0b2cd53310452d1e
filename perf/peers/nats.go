package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"farad/perf/load"
)

// lineBytesMax bounds a control line, and so what is searched for its end.
const lineBytesMax = 64 << 10

var lineEnd = []byte("\r\n")

// natsProtocol speaks to nats-server in its own text protocol
// (docs.nats.io, client protocol).
type natsProtocol struct{ address string }

func (natsProtocol) Name() string { return "NATS" }

// Dial reads the server's INFO, sends CONNECT, and waits for the PONG to a
// PING behind it. verbose is off, so that nothing is acknowledged.
func (p natsProtocol) Dial(ctx context.Context, role load.Role, number int) (*net.TCPConn, error) {
	conn, err := dialTCP(ctx, p.address)
	if err != nil {
		return nil, err
	}
	connect := fmt.Sprintf(`CONNECT {"verbose":false,"pedantic":false,"tls_required":false,"name":"perf-%s-%d","lang":"go","version":"1"}`+"\r\nPING\r\n", role, number)
	reader := natsReader{}
	if err := handshake(conn, connect, reader.Next); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

func (natsProtocol) AppendSubscribe(dst []byte, id int, topic, filter string) []byte {
	if filter != "" {
		panic("peers: NATS has no content filters")
	}
	return fmt.Appendf(dst, "SUB %s %d\r\n", topic, id+1)
}

func (natsProtocol) AppendPublish(dst []byte, topic string, body []byte) (frame []byte, bodyAt int) {
	dst = fmt.Appendf(dst, "PUB %s %d\r\n", topic, len(body))
	bodyAt = len(dst)
	dst = append(dst, body...)
	return append(dst, lineEnd...), bodyAt
}

func (natsProtocol) AppendSync(dst []byte) []byte { return append(dst, "PING\r\n"...) }

func (natsProtocol) AppendPong(dst []byte) []byte { return append(dst, "PONG\r\n"...) }

func (natsProtocol) NewReader(int) load.Reader { return &natsReader{} }

// natsReader takes nats-server's stream apart. The control line of one
// message is mostly that of the one before, so it is compared before it is
// parsed.
type natsReader struct {
	line []byte // of the last message, with its end
	body int    // bytes of the last message's body
}

func (r *natsReader) Next(stream []byte) (kind load.Kind, body []byte, size int, err error) {
	if n := len(r.line); n > 0 && len(stream) >= n && string(stream[:n]) == string(r.line) {
		return r.message(stream, n)
	}
	end := bytes.Index(stream[:min(len(stream), lineBytesMax)], lineEnd)
	if end < 0 {
		if len(stream) >= lineBytesMax {
			return load.Other, nil, 0, fmt.Errorf("a line of NATS is longer than %d bytes", lineBytesMax)
		}
		return load.Incomplete, nil, 0, nil
	}
	line, size := stream[:end], end+len(lineEnd)
	switch {
	case bytes.HasPrefix(line, []byte("MSG ")):
		length, err := strconv.ParseUint(string(line[bytes.LastIndexByte(line, ' ')+1:]), 10, 31)
		if err != nil || length > load.PayloadBytesMax {
			return load.Other, nil, 0, fmt.Errorf("NATS sent %q, expected MSG and a length up to %d", line, load.PayloadBytesMax)
		}
		r.line, r.body = append(r.line[:0], stream[:size]...), int(length)
		return r.message(stream, size)
	case string(line) == "PONG":
		return load.Synced, nil, size, nil
	case string(line) == "PING":
		return load.Ping, nil, size, nil
	case string(line) == "+OK", bytes.HasPrefix(line, []byte("INFO ")):
		return load.Other, nil, size, nil
	}
	return load.Other, nil, 0, fmt.Errorf("NATS sent %.200q", line)
}

// message splits off the message whose control line takes head bytes.
func (r *natsReader) message(stream []byte, head int) (load.Kind, []byte, int, error) {
	size := head + r.body + len(lineEnd)
	if len(stream) < size {
		return load.Incomplete, nil, 0, nil
	}
	return load.Delivery, stream[head : head+r.body], size, nil
}

func dialTCP(ctx context.Context, address string) (*net.TCPConn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return conn.(*net.TCPConn), nil
}

// handshake sends a request and reads up to the reply to its sync.
func handshake(conn *net.TCPConn, request string, next func([]byte) (load.Kind, []byte, int, error)) error {
	if _, err := conn.Write([]byte(request)); err != nil {
		return err
	}
	var stream []byte
	chunk := make([]byte, lineBytesMax)
	for {
		n, err := conn.Read(chunk)
		if err != nil {
			return err
		}
		stream = append(stream, chunk[:n]...)
		for {
			kind, _, size, err := next(stream)
			if err != nil {
				return err
			}
			if kind == load.Incomplete {
				break
			}
			stream = stream[size:]
			if kind != load.Synced {
				continue
			}
			if len(stream) > 0 {
				return errors.New("the server sent more than was asked for")
			}
			return nil
		}
	}
}
