package client

import (
	"fmt"
	"log/slog"
	"time"
)

// Limits and defaults of a client.
const (
	// DefaultWriteBuffer is how many bytes may wait for the socket before
	// Publish blocks.
	DefaultWriteBuffer = 1 << 20
	// WriteBufferMin and WriteBufferMax bound WithWriteBuffer.
	WriteBufferMin = 4 << 10
	WriteBufferMax = 1 << 30
	// DefaultAckTimeout is how long a call waits for the server's answer.
	DefaultAckTimeout = 30 * time.Second
	// HeartbeatMin and HeartbeatMax bound WithHeartbeat. The protocol counts
	// whole seconds.
	HeartbeatMin = time.Second
	HeartbeatMax = 24 * time.Hour
	// PendingAcksMax bounds the commands of one client that wait for
	// acknowledgements at a time.
	PendingAcksMax = 1 << 20
	// FeedsMax bounds the subscriptions of one client.
	FeedsMax = 1 << 20
)

// settings is what the options set.
type settings struct {
	name           string
	correlationID  string
	user, password string
	credentials    bool // user and password come from WithCredentials
	messageType    string
	logonOptions   string
	heartbeat      time.Duration // 0: none
	onError        func(error)
	onDisconnect   func(error)
	logger         *slog.Logger
	writeBuffer    int // bytes
	ackTimeout     time.Duration
}

// Option changes how Dial connects and how the client works.
type Option func(*settings)

// WithName names the client. The name should be unique per running program:
// the server knows a returning publisher by it. Default: the program's name,
// host, process id and a random number.
func WithName(name string) Option { return func(s *settings) { s.name = name } }

// WithCorrelationID tags the logon; the server logs the tag.
func WithCorrelationID(id string) Option { return func(s *settings) { s.correlationID = id } }

// WithCredentials sets user and password, whatever the URI says.
func WithCredentials(user, password string) Option {
	return func(s *settings) { s.user, s.password, s.credentials = user, password, true }
}

// WithMessageType sets the message type of the connection, whatever the URI
// says.
func WithMessageType(name string) Option { return func(s *settings) { s.messageType = name } }

// WithLogonOptions sets the option list of the logon, such as
// "ack_conflation=100ms".
func WithLogonOptions(list string) Option { return func(s *settings) { s.logonOptions = list } }

// WithHeartbeat asks the server for a sign of life in every interval of
// silence, and gives the connection up after two intervals without one. Whole
// seconds, HeartbeatMin to HeartbeatMax. Default: no heartbeats.
func WithHeartbeat(interval time.Duration) Option {
	return func(s *settings) { s.heartbeat = interval }
}

// WithErrorHandler sets what is called with failures that no call waits for,
// such as the refusal of a command given to Send. It runs on the receiving
// goroutine, like a message handler. Default: they are logged as warnings.
func WithErrorHandler(handle func(error)) Option { return func(s *settings) { s.onError = handle } }

// WithDisconnectHandler sets what is called once when the connection is lost,
// after the last message handler has returned. The error wraps
// ErrDisconnected. It is not called after Close.
func WithDisconnectHandler(handle func(error)) Option {
	return func(s *settings) { s.onDisconnect = handle }
}

// WithLogger sets the logger for what happens behind the scenes: connections
// at Info, lost connections and failures nobody handles at Warn. Default:
// nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(s *settings) { s.logger = logger } }

// WithWriteBuffer sets how many bytes may wait for the socket before Publish
// blocks, WriteBufferMin to WriteBufferMax. Default DefaultWriteBuffer. One
// message may exceed it.
func WithWriteBuffer(bytes int) Option { return func(s *settings) { s.writeBuffer = bytes } }

// WithAckTimeout sets how long a call waits for the server's answer; the
// call's context may end the wait earlier. Default DefaultAckTimeout.
func WithAckTimeout(d time.Duration) Option { return func(s *settings) { s.ackTimeout = d } }

// check says which setting is outside its limits.
func (s *settings) check() error {
	if s.heartbeat != 0 && (s.heartbeat < HeartbeatMin || s.heartbeat > HeartbeatMax || s.heartbeat%time.Second != 0) {
		return fmt.Errorf("heartbeat interval %s: expected whole seconds from %s to %s", s.heartbeat, HeartbeatMin, HeartbeatMax)
	}
	if s.writeBuffer < WriteBufferMin || s.writeBuffer > WriteBufferMax {
		return fmt.Errorf("write buffer of %d bytes: expected %d to %d", s.writeBuffer, WriteBufferMin, WriteBufferMax)
	}
	if s.ackTimeout <= 0 {
		return fmt.Errorf("ack timeout %s: expected more than 0", s.ackTimeout)
	}
	return nil
}
