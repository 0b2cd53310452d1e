package tools

import (
	"errors"
	"fmt"
)

// Exit codes of the commands (14-tools-and-capacity §1, §3).
const (
	ExitOK         = 0
	ExitRefused    = 1 // the server refused, or what was waited for did not come
	ExitNothing    = 1 // nothing was found
	ExitUsage      = 2 // the command line, or what was to be sent, cannot be used
	ExitConnection = 3 // no connection, or it was lost
)

// failure is an error with the exit code that it ends the program with. One
// without words is for the code alone.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// usagef reports a command line or an input that cannot be used.
func usagef(format string, arguments ...any) error {
	return &failure{ExitUsage, fmt.Errorf(format, arguments...)}
}

// refusedf reports that the server said no.
func refusedf(format string, arguments ...any) error {
	return &failure{ExitRefused, fmt.Errorf(format, arguments...)}
}

// connectionf reports that there is no connection, or no longer.
func connectionf(format string, arguments ...any) error {
	return &failure{ExitConnection, fmt.Errorf(format, arguments...)}
}

// ExitCode is the exit code for what a command of this package returned: 0
// for nil, and 1 for an error that names no code of its own.
func ExitCode(err error) int {
	if err == nil {
		return ExitOK
	}
	if f, ok := errors.AsType[*failure](err); ok {
		return f.code
	}
	return ExitRefused
}
