package engine

import (
	"net"

	"farad/netio/outbound"
)

// Connection is what the engine sees of a client's connection. Its methods
// may be called from any goroutine.
type Connection interface {
	// Outbound is the buffer of what is to be sent to the client.
	Outbound() *outbound.Buffer
	// Flush sends what the buffer holds: at once if worker belongs to the
	// event loop that owns the connection, otherwise by waking that loop.
	// A nil worker always wakes.
	Flush(worker *Worker)
	// Disconnect sends what the buffer holds, as far as the socket takes it,
	// and closes. The first cause given counts; later calls do nothing.
	Disconnect(cause Cause)
	// RemoteAddr is the client's address.
	RemoteAddr() net.Addr
	// Name identifies the connection in logs until a client name is known
	// (10-configuration §6.3).
	Name() string
	// MessageType is the one message type that the connection's transport
	// accepts; empty when it accepts every type.
	MessageType() string
	// Thread is the number of the owning event loop in log lines, from 1.
	Thread() int
}

// Cause is why a connection ended, as it stands in the log (01-protocol
// §3.4).
type Cause string

// The causes.
const (
	CauseConnectionClosed Cause = "connection closed"
	CauseHeartbeat        Cause = "heartbeat"
	CauseSlowClient       Cause = "slow client"
	CauseUnknownCommand   Cause = "unknown command"
	CauseAuth             Cause = "auth"
	// CauseShutdown has no counterpart in the protocol's list: the server
	// ends.
	CauseShutdown Cause = "shutdown"
)
