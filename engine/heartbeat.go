package engine

import (
	"container/heap"
	"sync"
	"time"

	"farad/engine/eventlog"
	"farad/netio/wire"
)

// heartbeatFrame is what an idle client gets (01-protocol §7.5).
var heartbeatFrame = func() []byte {
	f := wire.Begin(nil, wire.CodeHeartbeat)
	return f.End(nil)
}()

// beats is one session's part in the pulse. Guarded by pulse.mu.
type beats struct {
	index    int           // in the heap; -1 when not in it
	due      int64         // next look at the session, Unix nanoseconds
	logonBy  int64         // when the logon is due; 0 once it came
	interval time.Duration // of heartbeats; 0: none wanted
	asked    int64         // first heartbeat since the last input; 0: none
}

// pulse watches the clocks of all sessions: heartbeats and late logons. It
// looks at each session when something of it may be due, on a goroutine of
// its own that sleeps in between, and sends through the session's buffer like
// any other producer.
type pulse struct {
	wake chan struct{}
	done chan struct{}

	mu       sync.Mutex
	sessions sessionHeap
	stopping bool
}

func startPulse() *pulse {
	p := &pulse{wake: make(chan struct{}, 1), done: make(chan struct{})}
	go p.watch()
	return p
}

// stop ends the goroutine and waits for it.
func (p *pulse) stop() {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	p.nudge()
	<-p.done
}

func (p *pulse) nudge() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// enter watches a new session for its logon.
func (p *pulse) enter(s *Session) {
	now := time.Now().UnixNano()
	s.lastInput.Store(now)
	s.lastOutput.Store(now)
	p.mu.Lock()
	defer p.mu.Unlock()
	s.beats = beats{index: -1, logonBy: now + int64(LogonWait)}
	p.schedule(s, s.beats.logonBy)
}

// loggedOn ends the watch for the logon.
func (p *pulse) loggedOn(s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.beats.logonBy = 0
	p.schedule(s, 0)
}

// leave ends the watch.
func (p *pulse) leave(s *Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.beats.interval, s.beats.logonBy = 0, 0
	p.schedule(s, 0)
}

// beat starts, changes or, with 0, ends a session's heartbeat.
func (p *pulse) beat(s *Session, interval time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.beats.interval, s.beats.asked = interval, 0
	if interval == 0 {
		p.schedule(s, 0)
		return
	}
	p.schedule(s, time.Now().UnixNano()+int64(interval))
}

// schedule sets when to look at a session next; 0 takes it out.
func (p *pulse) schedule(s *Session, due int64) {
	s.beats.due = due
	switch {
	case due == 0:
		if s.beats.index >= 0 {
			heap.Remove(&p.sessions, s.beats.index)
		}
		return
	case s.beats.index >= 0:
		heap.Fix(&p.sessions, s.beats.index)
	default:
		heap.Push(&p.sessions, s)
	}
	if s.beats.index == 0 {
		p.nudge()
	}
}

func (p *pulse) watch() {
	defer close(p.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		wait, stop := p.turn(time.Now())
		if stop {
			return
		}
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-p.wake:
		}
	}
}

// turn looks at every session that is due and returns how long none will be.
func (p *pulse) turn(now time.Time) (wait time.Duration, stop bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	nanos := now.UnixNano()
	for len(p.sessions) > 0 && p.sessions[0].beats.due <= nanos {
		s := p.sessions[0]
		p.schedule(s, s.look(nanos))
	}
	wait = time.Hour
	if len(p.sessions) > 0 {
		wait = time.Duration(p.sessions[0].beats.due - nanos)
	}
	return wait, p.stopping
}

// look does what is due for a session and returns when to look again; 0 for
// never. Guarded by pulse.mu.
func (s *Session) look(now int64) (due int64) {
	b := &s.beats
	if b.logonBy > 0 {
		s.connection.Disconnect(CauseAuth)
		return 0
	}
	interval := int64(b.interval)
	if interval == 0 {
		return 0
	}
	if b.asked > 0 && s.lastInput.Load() >= b.asked {
		b.asked = 0
	}
	if b.asked > 0 && now-b.asked >= 2*interval {
		s.engine.log.Event(eventlog.HeartbeatDisconnect, s.thread, "client[%s] sent nothing for two heartbeat intervals of %s",
			s.Name(), b.interval)
		s.connection.Disconnect(CauseHeartbeat)
		return 0
	}
	if idle := now - s.lastOutput.Load(); idle < interval {
		return min(now-idle+interval, deadline(b, now+interval))
	}
	if b.asked == 0 {
		b.asked = now
	}
	s.lastOutput.Store(now)
	s.out.Append(heartbeatFrame)
	s.connection.Flush(nil)
	return min(now+interval, deadline(b, now+interval))
}

// deadline is when a client that was asked for a sign is given up.
func deadline(b *beats, otherwise int64) int64 {
	if b.asked == 0 {
		return otherwise
	}
	return b.asked + 2*int64(b.interval)
}

// heartbeat does the client's heartbeat command (01-protocol §11). A beat is
// an answer and gets none.
func (s *Session) heartbeat(w *Worker, c *wire.Command) {
	options, err := wire.ParseOptions(c.Options(), wire.CodeHeartbeat)
	if err == nil && options.Has(wire.OptBeat) {
		return
	}
	s.received(w, c)
	switch {
	case err != nil:
		s.refuse(w, c, ReasonInvalidOptions, err.Error())
		return
	case options.Has(wire.OptStart):
		s.engine.pulse.beat(s, options.Heartbeat)
	case options.Has(wire.OptStop):
		s.engine.pulse.beat(s, 0)
	default:
		s.refuse(w, c, ReasonInvalidOptions, "a heartbeat needs the option start, beat or stop")
		return
	}
	s.succeed(w, c, wire.AckProcessed)
}

// sessionHeap orders sessions by when they are due.
type sessionHeap []*Session

func (h sessionHeap) Len() int           { return len(h) }
func (h sessionHeap) Less(i, j int) bool { return h[i].beats.due < h[j].beats.due }
func (h sessionHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].beats.index, h[j].beats.index = i, j
}
func (h *sessionHeap) Push(x any) {
	s := x.(*Session)
	s.beats.index = len(*h)
	*h = append(*h, s)
}
func (h *sessionHeap) Pop() any {
	old := *h
	s := old[len(old)-1]
	old[len(old)-1] = nil
	s.beats.index = -1
	*h = old[:len(old)-1]
	return s
}
