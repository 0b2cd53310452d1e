// Package level names the levels of the event log (10-configuration §7.2).
// It knows nothing of events, targets or configuration, so that both the log
// and the configuration can use it.
package level

import (
	"fmt"
	"strings"
)

// Level is the weight of an event. Levels are ordered: a higher one weighs
// more.
type Level int8

// The levels, ascending. None is above all events: as a threshold it lets
// nothing pass. The zero Level is not valid.
const (
	Developer Level = iota + 1
	Trace
	Stats
	Info
	Warning
	Error
	Critical
	Emergency
	None
)

var names = [...]string{
	Developer: "developer",
	Trace:     "trace",
	Stats:     "stats",
	Info:      "info",
	Warning:   "warning",
	Error:     "error",
	Critical:  "critical",
	Emergency: "emergency",
	None:      "none",
}

// debugName is the old name of info.
const debugName = "debug"

// Names returns the names of all levels, ascending.
func Names() []string { return names[Developer:] }

// String is the level as it stands in a log line.
func (l Level) String() string {
	if l < Developer || l > None {
		return fmt.Sprintf("level(%d)", int8(l))
	}
	return names[l]
}

// Parse reads the name of a level, in any case; debug is info.
func Parse(text string) (Level, error) {
	if strings.EqualFold(text, debugName) {
		return Info, nil
	}
	for l := Developer; l <= None; l++ {
		if strings.EqualFold(text, names[l]) {
			return l, nil
		}
	}
	return 0, fmt.Errorf("%q is not a log level; expected one of %s", text, strings.Join(Names(), ", "))
}
