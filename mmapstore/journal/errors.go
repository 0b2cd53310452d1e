package journal

import (
	"errors"
	"fmt"
)

// The errors that callers tell apart.
var (
	// ErrTooLarge: the record fits no segment.
	ErrTooLarge = errors.New("journal: the record is too large")
	// ErrFull: there is no segment to go on in and none can be made. It may
	// pass.
	ErrFull = errors.New("journal: no room for another segment")
	// ErrFailed: a sync has failed. What is durable stays, nothing more becomes
	// so, and nothing more is taken.
	ErrFailed = errors.New("journal: a sync has failed")
	// ErrClosed: the log is closed.
	ErrClosed = errors.New("journal: the log is closed")
)

// DamageError reports what recovery cannot pass over: a file that is no segment,
// a hole in the numbers, or bytes that are no record where records follow.
type DamageError struct {
	Path   string
	Offset int64  // where the bad bytes begin; 0 for the file as a whole
	Found  string // what is wrong
	Before uint64 // id of the last good record before, 0 for none
	After  uint64 // id of the next good record, 0 for none
}

func (e *DamageError) Error() string {
	text := fmt.Sprintf("journal: %s", e.Path)
	if e.Offset > 0 {
		text += fmt.Sprintf(", offset %d", e.Offset)
	}
	text += ": found " + e.Found
	if e.Offset > 0 {
		text += fmt.Sprintf("; last good transaction %d, next good transaction %d", e.Before, e.After)
	}
	return text
}
