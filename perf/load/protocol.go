package load

import (
	"context"
	"net"
)

// Role is what a connection is for.
type Role uint8

// The roles.
const (
	Publisher Role = iota
	Subscriber
)

func (r Role) String() string {
	if r == Publisher {
		return "publisher"
	}
	return "subscriber"
}

// Protocol is how one kind of server is spoken to. Its methods are called
// from several goroutines at once; the append methods grow dst by one request
// and keep nothing of their arguments.
type Protocol interface {
	// Name names the server in results: "farad".
	Name() string
	// Dial connects and logs on. The connection is at a frame boundary with
	// nothing unread. The caller closes it.
	Dial(ctx context.Context, role Role, number int) (*net.TCPConn, error)
	// AppendSubscribe appends the request for one subscription. id is unique
	// on its connection.
	AppendSubscribe(dst []byte, id int, topic, filter string) []byte
	// AppendPublish appends one publish and tells at which offset of the
	// result the body starts.
	AppendPublish(dst []byte, topic string, body []byte) (frame []byte, bodyAt int)
	// AppendSync appends a request whose reply (Synced) comes after the
	// server has done everything that stood before it on that connection,
	// and, on a subscriber's connection, behind all that was sent to it. A
	// protocol without such a request appends nothing, and is of use to an
	// OpenLoop only.
	AppendSync(dst []byte) []byte
	// AppendPong appends the reply to a Ping of the server.
	AppendPong(dst []byte) []byte
	// NewReader makes the reader of one connection; the bodies that it will
	// see have bodyBytes bytes.
	NewReader(bodyBytes int) Reader
}

// Kind is what a frame from the server means to the load.
type Kind uint8

// The kinds.
const (
	Incomplete Kind = iota // the stream ends inside a frame
	Delivery               // a published message
	Synced                 // the reply to AppendSync
	Ping                   // to be answered with AppendPong
	Other                  // of no interest
)

// Reader takes one connection's incoming stream apart. It belongs to one
// goroutine.
type Reader interface {
	// Next splits the first frame off the stream. size is its length in
	// bytes, 0 with Incomplete. body is the message of a Delivery and aliases
	// stream. An error is a refusal by the server, or bytes that make no
	// sense; the connection is of no use after it.
	Next(stream []byte) (kind Kind, body []byte, size int, err error)
}
