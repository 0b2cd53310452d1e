// Package eventlogtest catches what is logged, for tests that ask what the log
// holds.
package eventlogtest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"farad/engine/eventlog"
	"farad/engine/eventlog/level"
)

// waitMax is how long Wait waits before the test fails.
const waitMax = 10 * time.Second

// Recorder keeps the lines of a log. It is safe for use by all goroutines.
type Recorder struct {
	mu      sync.Mutex
	lines   []string
	changed chan struct{} // closed and replaced at each new line
}

// New returns a log whose events from the level on are kept by the Recorder.
func New(from level.Level) (*eventlog.Log, *Recorder) {
	r := &Recorder{changed: make(chan struct{})}
	return eventlog.New(eventlog.Target{Writer: r, Threshold: from}), r
}

// Write takes one record.
func (r *Recorder) Write(record []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, strings.Split(strings.TrimSuffix(string(record), "\n"), "\n")...)
	close(r.changed)
	r.changed = make(chan struct{})
	return len(record), nil
}

// Lines returns the lines so far. The caller owns the slice.
func (r *Recorder) Lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.lines...)
}

// Wait waits for the first line that contains part, such as "07-0013 ", and
// returns it. The test fails if none comes.
func (r *Recorder) Wait(t testing.TB, part string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitMax)
	defer cancel()
	for {
		r.mu.Lock()
		changed := r.changed
		lines := r.lines
		r.mu.Unlock()
		for _, line := range lines {
			if strings.Contains(line, part) {
				return line
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("no line of the log contains %q; it holds\n%s", part, strings.Join(lines, "\n"))
		}
	}
}
