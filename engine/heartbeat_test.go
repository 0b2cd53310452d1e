package engine

import (
	"net"
	"testing"
	"time"

	"farad/netio/outbound"
)

// clocked is a connection on which a test looks at what a session's clocks do.
type clocked struct {
	out   *outbound.Buffer
	cause Cause
}

func (c *clocked) Outbound() *outbound.Buffer { return c.out }
func (c *clocked) Flush(*Worker)              {}
func (c *clocked) Disconnect(cause Cause)     { c.cause = cause }
func (c *clocked) RemoteAddr() net.Addr       { return &net.TCPAddr{} }
func (c *clocked) Name() string               { return "clocked" }
func (c *clocked) MessageType() string        { return "" }
func (c *clocked) Thread() int                { return 1 }

// beatsSent empties the buffer and counts the heartbeats in it.
func (c *clocked) beatsSent() int {
	n := 0
	for block := c.out.Take(); block != nil; block = block.Next() {
		n += len(block.Unsent()) / len(heartbeatFrame)
		c.out.Sent(len(block.Unsent()))
	}
	return n
}

// watched makes a session on a pulse whose goroutine does not run, so that the
// test is its clock.
func watched(t *testing.T) (*Session, *clocked, int64) {
	t.Helper()
	c := &clocked{out: outbound.New(1 << 20)}
	e, err := New(Options{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	e.pulse.stop()
	e.pulse = &pulse{wake: make(chan struct{}, 1)}
	s := e.NewSession(c)
	return s, c, s.lastInput.Load()
}

const second = int64(time.Second)

// turnTo moves the clock in steps of a quarter of a second.
func turnTo(s *Session, from, to int64) {
	for now := from + second/4; now <= to; now += second / 4 {
		s.engine.pulse.turn(time.Unix(0, now))
	}
}

// 01-protocol #15: an idle client gets one heartbeat an interval; one that
// answers every second one lives; a silent one is closed after about three.
func TestHeartbeatTimes(t *testing.T) {
	t.Parallel()
	s, c, start := watched(t)
	s.engine.pulse.loggedOn(s)
	s.engine.pulse.beat(s, time.Second)
	now := start
	for beat := 1; beat <= 10; beat++ {
		turnTo(s, now, now+second+second/2)
		now += second
		if n := c.beatsSent(); n != 1 {
			t.Fatalf("interval %d: %d heartbeats, want 1", beat, n)
		}
		if beat%2 == 0 {
			s.lastInput.Store(now + second/2) // the answer
		}
		if c.cause != "" {
			t.Fatalf("interval %d: disconnected, %s", beat, c.cause)
		}
	}
	// From the last answer on nothing comes: asked again within an interval,
	// and given up two intervals later.
	turnTo(s, now, now+2*second)
	if c.cause != "" {
		t.Fatalf("given up too early: %s", c.cause)
	}
	turnTo(s, now+2*second, now+4*second)
	if c.cause != CauseHeartbeat {
		t.Fatalf("cause %q four intervals after the last sign of life", c.cause)
	}
}

// Other traffic counts: who gets messages all the time gets no heartbeats, and
// is not given up for not answering what was not asked.
func TestTrafficReplacesHeartbeats(t *testing.T) {
	t.Parallel()
	s, c, start := watched(t)
	s.engine.pulse.loggedOn(s)
	s.engine.pulse.beat(s, time.Second)
	for now := start; now < start+20*second; now += second / 2 {
		s.lastOutput.Store(now)
		turnTo(s, now, now+second/2)
	}
	if n := c.beatsSent(); n != 0 || c.cause != "" {
		t.Fatalf("%d heartbeats, cause %q", n, c.cause)
	}
}

func TestConnectionThatDoesNotLogOnIsClosed(t *testing.T) {
	t.Parallel()
	s, c, start := watched(t)
	turnTo(s, start, start+int64(LogonWait)-second)
	if c.cause != "" {
		t.Fatalf("closed early: %s", c.cause)
	}
	turnTo(s, start, start+int64(LogonWait)+second)
	if c.cause != CauseAuth {
		t.Fatalf("cause %q", c.cause)
	}
}

func TestStoppedHeartbeatIsSilent(t *testing.T) {
	t.Parallel()
	s, c, start := watched(t)
	s.engine.pulse.loggedOn(s)
	s.engine.pulse.beat(s, time.Second)
	s.engine.pulse.beat(s, 0)
	turnTo(s, start, start+30*second)
	if n := c.beatsSent(); n != 0 || c.cause != "" || len(s.engine.pulse.sessions) != 0 {
		t.Fatalf("%d heartbeats, cause %q, %d sessions watched", n, c.cause, len(s.engine.pulse.sessions))
	}
}
