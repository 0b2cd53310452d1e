package eventlog

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"farad/engine/eventlog/level"
)

// libraryThread is the thread of the records of libraries.
const libraryThread = 0

// handler writes the lines of a log, and is the slog.Handler through which
// libraries reach it. Handlers made of it with
// attributes or groups share its targets and lock.
type handler struct {
	*output
	// group is the prefix of keys, with a dot at its end; attributes are
	// rendered as they end a text. Both are of libraries.
	group, attributes string
}

// output is what all handlers of a log share.
type output struct {
	targets []Target // immutable
	// passing holds, for each event, a bit for each target that takes it.
	// Immutable.
	passing [eventCount]uint64
	// library holds the same for LibraryMessage by level, which differs from
	// record to record. Immutable.
	library [level.None]uint64

	mu sync.Mutex // guards the following, and writing
	// now is read under the lock, so that the lines of a target are in the
	// order of their times.
	now  func() time.Time
	line []byte
}

func newHandler(now func() time.Time, targets []Target) *handler {
	if len(targets) > TargetsMax {
		panic(fmt.Sprintf("eventlog: %d targets; at most %d are possible", len(targets), TargetsMax))
	}
	o := &output{targets: append([]Target(nil), targets...), now: now}
	for i := range o.targets {
		t := &o.targets[i]
		if t.Threshold == 0 {
			t.Threshold = level.None
		}
		for event, entry := range catalogue {
			if t.passes(entry.Level, entry.ID) {
				o.passing[event] |= 1 << i
			}
		}
		for l := level.Developer; l < level.None; l++ {
			if t.passes(l, catalogue[LibraryMessage].ID) {
				o.library[l] |= 1 << i
			}
		}
	}
	return &handler{output: o}
}

// levelOf is the level of a library's record.
func levelOf(l slog.Level) level.Level {
	switch {
	case l < slog.LevelDebug:
		return level.Developer
	case l < slog.LevelInfo:
		return level.Trace
	case l < slog.LevelWarn:
		return level.Info
	case l < slog.LevelError:
		return level.Warning
	}
	return level.Error
}

// Enabled reports whether any target takes a library's records of the level.
func (h *handler) Enabled(_ context.Context, l slog.Level) bool {
	return h.library[levelOf(l)] != 0
}

// Handle writes a library's record to each target that takes it.
func (h *handler) Handle(_ context.Context, r slog.Record) error {
	l := levelOf(r.Level)
	targets := h.library[l]
	if targets == 0 {
		return nil
	}
	var text strings.Builder
	text.WriteString(r.Message)
	text.WriteString(h.attributes)
	r.Attrs(func(a slog.Attr) bool {
		appendAttribute(&text, h.group, a)
		return true
	})
	h.put(targets, libraryThread, l, catalogue[LibraryMessage].ID, text.String())
	return nil
}

// WithAttrs returns a handler that ends its texts with the attributes.
func (h *handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	var text strings.Builder
	text.WriteString(h.attributes)
	for _, a := range attributes {
		appendAttribute(&text, h.group, a)
	}
	return &handler{output: h.output, group: h.group, attributes: text.String()}
}

// WithGroup returns a handler that puts the name before the keys of further
// attributes.
func (h *handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	return &handler{output: h.output, group: h.group + name + ".", attributes: h.attributes}
}

// appendAttribute appends " key=value".
func appendAttribute(text *strings.Builder, group string, a slog.Attr) {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, inner := range value.Group() {
			appendAttribute(text, group, inner)
		}
		return
	}
	if a.Equal(slog.Attr{}) {
		return
	}
	shown := value.String()
	if shown == "" || strings.ContainsAny(shown, " =\"\n") {
		shown = strconv.Quote(shown)
	}
	text.WriteString(" " + group + a.Key + "=" + shown)
}

// put writes one record to the targets whose bits are set.
func (o *output) put(targets uint64, thread int, l level.Level, id, text string) {
	if targets == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.line = appendRecord(o.line[:0], o.now(), thread, l, id, text)
	for i := range o.targets {
		if targets&(1<<i) != 0 {
			_, _ = o.targets[i].Writer.Write(o.line)
		}
	}
	if cap(o.line) > keptBytes {
		o.line = nil
	}
}
