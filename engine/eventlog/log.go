package eventlog

import (
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"time"

	"farad/engine/config"
	"farad/engine/eventlog/level"
)

// TargetsMax bounds the targets of a log.
const TargetsMax = 64

// Target is where lines go and which (10-configuration §7.1). An event passes
// if no pattern of Exclude matches its id, and if one of Include does, or its
// level is at least Threshold or one of Levels. The zero filter lets nothing
// pass.
type Target struct {
	// Writer gets each record in one write. The log never uses it twice at a
	// time. Its errors are ignored: a log that cannot be written does not stop
	// a server.
	Writer io.Writer
	// Threshold is the least level that passes; zero means level.None.
	Threshold level.Level
	// Levels are single levels that pass besides.
	Levels []level.Level
	// Include and Exclude match ids, unanchored.
	Include, Exclude []*regexp.Regexp
}

// passes reports whether an event with this level and id goes to the target.
func (t *Target) passes(l level.Level, id string) bool {
	matches := func(r *regexp.Regexp) bool { return r.MatchString(id) }
	if slices.ContainsFunc(t.Exclude, matches) {
		return false
	}
	return slices.ContainsFunc(t.Include, matches) || l >= t.Threshold || slices.Contains(t.Levels, l)
}

// Log writes events to its targets. It is safe for use by all goroutines; make
// it with New, FromConfig or Discard.
type Log struct {
	handler *handler
}

// New returns a log that writes to the targets. It panics if there are more
// than TargetsMax.
func New(targets ...Target) *Log { return newLog(time.Now, targets) }

func newLog(now func() time.Time, targets []Target) *Log {
	return &Log{handler: newHandler(now, targets)}
}

// Discard returns a log that writes nothing.
func Discard() *Log { return New() }

// FromConfig returns the log that the configuration asks for.
func FromConfig(c *config.Config, stdout, stderr io.Writer) *Log {
	var targets []Target
	for _, t := range c.LogTargets {
		target := Target{Threshold: t.Threshold, Levels: t.Levels, Include: t.Include, Exclude: t.Exclude}
		switch t.Protocol {
		case "stdout":
			target.Writer = stdout
		case "stderr":
			target.Writer = stderr
		default:
			panic(fmt.Sprintf("eventlog: log protocol %q is not one that a configuration can have", t.Protocol))
		}
		targets = append(targets, target)
	}
	return New(targets...)
}

// Enabled reports whether any target takes the event.
func (l *Log) Enabled(e Event) bool { return l.handler.passing[e] != 0 }

// Event logs e. Thread is the number of the event loop, from 1, or of what
// else does the work; 0 for the process as a whole. Format and args are as for
// fmt.Sprintf and make the text, which must not contain the name of a level:
// whoever searches for a level wants to find levels.
func (l *Log) Event(e Event, thread int, format string, args ...any) {
	if l.handler.passing[e] == 0 {
		return
	}
	l.write(e, thread, format, args)
}

func (l *Log) write(e Event, thread int, format string, args []any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	entry := &catalogue[e]
	l.handler.put(l.handler.passing[e], thread, entry.Level, entry.ID, text)
}

// Handler returns the log as a handler of log/slog, for libraries that log by
// it. Their records are LibraryMessage events at the level nearest to theirs.
func (l *Log) Handler() slog.Handler { return l.handler }

// Findings logs what was found about the configuration, one event each.
func (l *Log) Findings(report *config.Report) {
	events := map[config.Severity]Event{
		config.SeverityError:   ConfigurationProblem,
		config.SeverityWarning: ConfigurationWarning,
		config.SeverityNotice:  ConfigurationNotice,
	}
	for _, f := range report.Findings {
		l.Event(events[f.Severity], 1, "%s:%d:%d: %s: %s", f.File, f.Line, f.Column, f.ElementPath, f.Message)
	}
}
