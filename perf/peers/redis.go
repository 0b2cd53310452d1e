package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"

	"farad/perf/load"
)

// redisProtocol speaks to Redis in RESP2 (redis.io, serialization protocol).
type redisProtocol struct{ address string }

func (redisProtocol) Name() string { return "Redis" }

// Dial connects; Redis wants no logon.
func (p redisProtocol) Dial(ctx context.Context, _ load.Role, _ int) (*net.TCPConn, error) {
	return dialTCP(ctx, p.address)
}

func (redisProtocol) AppendSubscribe(dst []byte, _ int, topic, filter string) []byte {
	if filter != "" {
		panic("peers: Redis has no content filters")
	}
	return fmt.Appendf(dst, "*2\r\n$9\r\nSUBSCRIBE\r\n$%d\r\n%s\r\n", len(topic), topic)
}

func (redisProtocol) AppendPublish(dst []byte, topic string, body []byte) (frame []byte, bodyAt int) {
	dst = fmt.Appendf(dst, "*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%s\r\n$%d\r\n", len(topic), topic, len(body))
	bodyAt = len(dst)
	dst = append(dst, body...)
	return append(dst, lineEnd...), bodyAt
}

func (redisProtocol) AppendSync(dst []byte) []byte { return append(dst, "*1\r\n$4\r\nPING\r\n"...) }

// AppendPong appends nothing: Redis does not ask.
func (redisProtocol) AppendPong(dst []byte) []byte { return dst }

func (redisProtocol) NewReader(int) load.Reader { return &redisReader{} }

// partsMax bounds the elements of a push: message, topic, body.
const partsMax = 3

// redisReader takes Redis' stream apart. What stands in front of a body is
// mostly what stood in front of the one before, so it is compared before it
// is parsed.
type redisReader struct {
	head []byte // of the last message, up to its body
	body int    // bytes of the last message's body
}

func (r *redisReader) Next(stream []byte) (kind load.Kind, body []byte, size int, err error) {
	if n := len(r.head); n > 0 && len(stream) >= n && string(stream[:n]) == string(r.head) {
		return r.message(stream, n)
	}
	value, size, err := line(stream)
	if size == 0 || err != nil {
		return load.Incomplete, nil, 0, err
	}
	switch stream[0] {
	case ':':
		return load.Other, nil, size, nil
	case '+':
		if string(value) == "PONG" {
			return load.Synced, nil, size, nil
		}
		return load.Other, nil, size, nil
	case '*':
		return r.push(stream)
	}
	return load.Other, nil, 0, fmt.Errorf("Redis sent %.200q", stream[:size])
}

// line returns what stands between the type byte and the end of the first
// line; size 0 where the line is incomplete.
func line(stream []byte) (value []byte, size int, err error) {
	end := bytes.Index(stream[:min(len(stream), lineBytesMax)], lineEnd)
	switch {
	case end > 0:
		return stream[1:end], end + len(lineEnd), nil
	case end == 0 || len(stream) >= lineBytesMax:
		return nil, 0, fmt.Errorf("Redis sent %.20q, expected a line that starts with its type", stream)
	}
	return nil, 0, nil
}

// push reads an array: a message, the reply to a subscribe, or a pong.
func (r *redisReader) push(stream []byte) (load.Kind, []byte, int, error) {
	value, at, err := line(stream)
	if at == 0 || err != nil {
		return load.Incomplete, nil, 0, err
	}
	count, err := strconv.Atoi(string(value))
	if err != nil || count < 1 || count > partsMax {
		return load.Other, nil, 0, fmt.Errorf("Redis sent an array of %q, expected 1 to %d elements", value, partsMax)
	}
	var name []byte
	bodyAt := 0
	for i := range count {
		bodyAt = at
		part, from, size, err := element(stream[at:])
		if size == 0 || err != nil {
			return load.Incomplete, nil, 0, err
		}
		if i == 0 {
			name = part
		}
		bodyAt += from
		at += size
	}
	switch string(name) {
	case "message":
		r.head = append(r.head[:0], stream[:bodyAt]...)
		r.body = at - bodyAt - len(lineEnd)
		return r.message(stream, bodyAt)
	case "pong":
		return load.Synced, nil, at, nil
	}
	return load.Other, nil, at, nil
}

// element reads a bulk string or an integer: its text, where that starts, and
// how many bytes the element takes; 0 where it is incomplete.
func element(stream []byte) (text []byte, from, size int, err error) {
	value, size, err := line(stream)
	if size == 0 || err != nil {
		return nil, 0, 0, err
	}
	switch stream[0] {
	case ':':
		return value, 1, size, nil
	case '$':
		length, err := strconv.ParseUint(string(value), 10, 31)
		if err != nil || length > load.PayloadBytesMax {
			return nil, 0, 0, fmt.Errorf("Redis sent a string of length %q, expected one up to %d", value, load.PayloadBytesMax)
		}
		end := size + int(length)
		if len(stream) < end+len(lineEnd) {
			return nil, 0, 0, nil
		}
		return stream[size:end], size, end + len(lineEnd), nil
	}
	return nil, 0, 0, fmt.Errorf("Redis sent an element %.20q, expected a string or an integer", stream[:size])
}

// message splits off the message whose body stands behind head bytes.
func (r *redisReader) message(stream []byte, head int) (load.Kind, []byte, int, error) {
	size := head + r.body + len(lineEnd)
	if len(stream) < size {
		return load.Incomplete, nil, 0, nil
	}
	return load.Delivery, stream[head : head+r.body], size, nil
}
