package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"farad/client"
)

// connect connects and logs on within a time, 0 for no limit. Its errors have
// the exit code of what went wrong.
func connect(ctx context.Context, uri string, timeout time.Duration) (*client.Client, error) {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v", timeout))
		defer cancel()
	}
	connection, err := client.Dial(ctx, uri)
	if err != nil {
		return nil, classified(err)
	}
	return connection, nil
}

// classified gives an error of the client library its exit code. A message
// type that the server does not have is a wrong option rather than a server's
// refusal, and so is a message that cannot be sent to any server.
func classified(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	code := ExitConnection
	if _, refused := errors.AsType[*client.CommandError](err); refused {
		code = ExitRefused
	}
	if _, malformed := errors.AsType[*client.URIError](err); malformed ||
		errors.Is(err, client.ErrInvalidMessageType) || errors.Is(err, client.ErrTooLarge) {
		code = ExitUsage
	}
	return &failure{code, err}
}
