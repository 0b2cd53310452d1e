package engine

import (
	"sync/atomic"
	"time"

	"farad/engine/eventlog"
	"farad/expr"
	"farad/expr/message"
	"farad/netio/outbound"
	"farad/netio/wire"
)

// Worker handles the commands that one event loop reads, in batches, to their
// end. It owns the scratch memory that handling needs, so that nothing is
// allocated for a message. Owned by its event loop.
type Worker struct {
	engine  *Engine
	index   int
	tracing bool // publishes are to be logged

	batch uint64    // number of the current batch
	now   time.Time // read once a batch
	nanos int64     // now as Unix nanoseconds

	run     run        // the publishes that wait for a common delivery
	dirty   []*Session // sessions that got bytes in this batch
	matched *expr.Scratch
	hits    []hit    // what the run's messages matched, before it is noted on routes
	marked  []*route // routes with deliveries noted for the current run
	frame   []byte   // scratch for one frame

	document message.Document // scratch for messages that select lists cut

	tail       []byte // the end of a header for a body of tailLength bytes
	tailLength int
	stampText  []byte // the time of stampBatch as deliveries carry it
	stampBatch uint64
	topics     topicCache

	counted counts // since the last batch ended
	totals  totals
}

// counts are what a batch adds to the totals.
type counts struct{ published, delivered, bytesIn, bytesOut uint64 }

// totals are read by other goroutines, once in a while.
type totals struct{ published, delivered, bytesIn, bytesOut atomic.Uint64 }

func newWorker(e *Engine, index int) *Worker {
	return &Worker{
		engine: e, index: index, tracing: e.log.Enabled(eventlog.PublishReceived),
		matched: expr.NewScratch(), topics: newTopicCache(),
	}
}

// BeginBatch starts a batch of commands that one connection sent.
func (w *Worker) BeginBatch(s *Session) {
	w.batch++
	w.now = time.Now()
	w.nanos = w.now.UnixNano()
	s.lastInput.Store(w.nanos)
}

// Handle does one command. c and what it refers to must stay as they are
// until EndBatch. False means that the session is over: end the batch, then
// disconnect with the session's Cause.
func (w *Worker) Handle(s *Session, c *wire.Command) bool {
	if c.Code == wire.CodePublish && s.loggedOn {
		w.publish(s, c)
		return true
	}
	w.deliver()
	return s.handle(w, c)
}

// EndBatch delivers what waits and flushes every session that got bytes.
func (w *Worker) EndBatch() {
	w.deliver()
	for i, s := range w.dirty {
		s.lastOutput.Store(w.nanos)
		s.connection.Flush(w)
		w.dirty[i] = nil
	}
	w.dirty = w.dirty[:0]
	w.count()
	w.engine.reportTimeouts(w.index + 1)
}

// count adds the batch to the totals: four atomic additions a batch.
func (w *Worker) count() {
	if w.counted == (counts{}) {
		return
	}
	w.totals.published.Add(w.counted.published)
	w.totals.delivered.Add(w.counted.delivered)
	w.totals.bytesIn.Add(w.counted.bytesIn)
	w.totals.bytesOut.Add(w.counted.bytesOut)
	w.counted = counts{}
}

// appended takes note that s got bytes, and of what its buffer made of them.
func (w *Worker) appended(s *Session, verdict outbound.Verdict) {
	switch verdict {
	case outbound.Overflowed:
		s.overflowed()
		return
	case outbound.Refused:
		return
	}
	if s.dirtyBatch[w.index] != w.batch {
		s.dirtyBatch[w.index] = w.batch
		w.dirty = append(w.dirty, s)
	}
}
