package client

import (
	"errors"
	"fmt"
	"strings"
)

// What the server refuses with. Each stands for a reason text of
// 01-protocol §8; errors.Is finds it in a *CommandError.
var (
	ErrBadFilter            = errors.New("bad filter")
	ErrBadRegex             = errors.New("bad regex")
	ErrInvalidTopic         = errors.New("invalid topic")
	ErrNotEntitled          = errors.New("not entitled")
	ErrAuthFailure          = errors.New("auth failure")
	ErrAlreadyExists        = errors.New("already exists") // a subscription id
	ErrNameInUse            = errors.New("name in use")
	ErrInvalidOptions       = errors.New("invalid options")
	ErrInvalidBookmark      = errors.New("invalid bookmark")
	ErrBookmarkNotFound     = errors.New("bookmark not found")
	ErrInvalidMessageType   = errors.New("invalid message type")
	ErrInvalidSOWKey        = errors.New("invalid sow key")
	ErrParse                = errors.New("parse error")
	ErrLogonRequired        = errors.New("logon required")
	ErrDuplicateLogon       = errors.New("duplicate logon")
	ErrTooManySubscriptions = errors.New("too many subscriptions")
	ErrUnknownCommand       = errors.New("unknown command")
	// ErrNotSupported: the server lacks the capability; the reason names it.
	ErrNotSupported = errors.New("not supported")
)

// What goes wrong on this side, or between the two.
var (
	// ErrDisconnected: the connection is lost. It wraps the cause.
	ErrDisconnected = errors.New("disconnected")
	// ErrClosed: Close was called.
	ErrClosed = errors.New("client is closed")
	// ErrTimedOut: no answer came in time. What the server did with the
	// command is unknown.
	ErrTimedOut = errors.New("timed out")
	// ErrInHandler: a method that waits for the server was called from a
	// message, acknowledgement or error handler. The handler runs on the only
	// goroutine that receives, so the answer could never arrive.
	ErrInHandler = errors.New("called from a handler, which must return before an answer can arrive")
	// ErrTooLarge: a message or its header exceeds what the protocol carries.
	ErrTooLarge = errors.New("too large")
	// ErrProtocol: the peer sent what no correct server sends. The connection
	// is closed.
	ErrProtocol = errors.New("protocol violation by the server")
)

// reasons maps the texts of failure acks to their sentinels.
var reasons = func() map[string]error {
	m := map[string]error{"bad regex topic": ErrBadRegex}
	for _, err := range []error{
		ErrBadFilter, ErrBadRegex, ErrInvalidTopic, ErrNotEntitled, ErrAuthFailure, ErrAlreadyExists,
		ErrNameInUse, ErrInvalidOptions, ErrInvalidBookmark, ErrBookmarkNotFound, ErrInvalidMessageType,
		ErrInvalidSOWKey, ErrParse, ErrLogonRequired, ErrDuplicateLogon, ErrTooManySubscriptions,
		ErrUnknownCommand, ErrNotSupported,
	} {
		m[err.Error()] = err
	}
	return m
}()

// CommandError says that the server refused a command. errors.Is compares it
// with the sentinel of its reason.
type CommandError struct {
	Command string // name of the command: "subscribe"
	Topic   string // of the command; may be empty
	Reason  string // as the server gave it
	Ack     Ack    // the acknowledgement that said so
}

func (e *CommandError) Error() string {
	on := ""
	if e.Topic != "" {
		on = fmt.Sprintf(" on topic %q", e.Topic)
	}
	reason := e.Reason
	if reason == "" {
		reason = "no reason given"
	}
	return fmt.Sprintf("%s%s refused by the server: %s", e.Command, on, reason)
}

// Unwrap returns the sentinel of the reason; nil when it is none of ours.
func (e *CommandError) Unwrap() error {
	if err, known := reasons[e.Reason]; known {
		return err
	}
	if strings.HasPrefix(e.Reason, ErrNotSupported.Error()) {
		return ErrNotSupported
	}
	return nil
}

// URIError says what is wrong with a URI.
type URIError struct {
	URI     string // without the password
	Problem string // what was found and what would have been right
}

func (e *URIError) Error() string { return fmt.Sprintf("uri %q: %s", e.URI, e.Problem) }

// disconnected wraps the cause of a lost connection.
func disconnected(cause error) error { return fmt.Errorf("%w: %w", ErrDisconnected, cause) }
