package wire

import "fmt"

// HeaderError reports a header that does not follow the grammar of
// 01-protocol §2.1. The connection is closed: what the peer meant, and where
// its next command starts, is unknown.
type HeaderError struct {
	Offset   int    // byte offset in the payload
	Found    string // what stood there
	Expected string // what would have been right
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("malformed header at byte %d: found %s, expected %s", e.Offset, e.Found, e.Expected)
}

// headerError reports what stands at b[i]. It shows one byte only: the text
// behind it may be a password, and errors go to logs.
func headerError(b []byte, i int, expected string) error {
	found := "the end of the frame"
	switch {
	case i < len(b):
		found = fmt.Sprintf("%q", b[i:i+1])
	case len(b) == HeaderBytesMax:
		found = fmt.Sprintf("no end within the limit of %d bytes", HeaderBytesMax)
	}
	return &HeaderError{Offset: min(i, len(b)), Found: found, Expected: expected}
}

// valueError reports a value at offset i that its key's type does not allow.
func valueError(i int, key Key, text []byte, expected string) error {
	return &HeaderError{
		Offset:   i,
		Found:    fmt.Sprintf("%q for key %q", clip(text), key),
		Expected: expected,
	}
}

// clip shortens a peer's bytes for an error text.
func clip(b []byte) []byte {
	const shown = 32
	if len(b) > shown {
		return b[:shown]
	}
	return b
}
