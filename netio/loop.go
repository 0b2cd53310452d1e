package netio

import (
	"context"
	"fmt"
	"sync"

	"farad/engine"
	"farad/engine/eventlog"

	"github.com/panjf2000/gnet/v2"
	"github.com/panjf2000/gnet/v2/pkg/logging"
)

// loop is our side of one of gnet's event loops: its worker, and the door
// through which other goroutines ask for something to be done on it.
type loop struct {
	number    int // in logs, from 1
	eventLoop gnet.EventLoop
	worker    *engine.Worker

	mu       sync.Mutex
	asking   []*connection // with requests; each once
	awake    bool          // the loop has been woken and has not looked yet
	handling []*connection // the loop's own side of asking
}

// ask has the loop look at a connection's requests. The loop is woken once,
// however many connections ask before it looks.
func (l *loop) ask(c *connection) {
	l.mu.Lock()
	l.asking = append(l.asking, c)
	wake := !l.awake
	l.awake = true
	l.mu.Unlock()
	if wake {
		// An error means that the loops are being stopped; they close every
		// connection then.
		_ = l.eventLoop.Execute(context.Background(), l)
	}
}

// Run looks at what was asked for. It runs on the loop.
func (l *loop) Run(context.Context) error {
	l.mu.Lock()
	l.asking, l.handling = l.handling[:0], l.asking
	l.awake = false
	l.mu.Unlock()
	for i, c := range l.handling {
		c.serve()
		l.handling[i] = nil
	}
	return nil
}

// loopLogger brings what gnet has to say into the event log.
type loopLogger struct{ log *eventlog.Log }

var _ logging.Logger = loopLogger{}

func (l loopLogger) Debugf(string, ...any) {}
func (l loopLogger) Infof(string, ...any)  {}
func (l loopLogger) Warnf(format string, args ...any) {
	l.log.Event(eventlog.NetworkProblem, 1, "event loop: %s", fmt.Sprintf(format, args...))
}
func (l loopLogger) Errorf(format string, args ...any) { l.Warnf(format, args...) }
func (l loopLogger) Fatalf(format string, args ...any) { l.Warnf(format, args...) }
