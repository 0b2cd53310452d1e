package load

import (
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"golang.org/x/sys/unix"
)

// emitBytesMax bounds one write of an emitter that has fallen behind.
const emitBytesMax = 64 << 10

// emitter is one publishing connection of an open loop. emit has a thread of
// its own, drain reads what the server answers.
type emitter struct {
	run      *openRun
	number   int
	socket   *socket
	block    *block
	schedule schedule
	offset   time.Duration // of this publisher's schedule: they take turns
	messages uint64        // to send
	warm     uint64        // of them, sent before the measured time
	batch    int           // frames of a write, at most

	sent     mark // messages written; by emit
	measured uint64
	lag      *hdrhistogram.Histogram
}

func newEmitter(r *openRun, number int, s *socket) (*emitter, error) {
	rate := r.Rate / float64(r.Publishers)
	e := &emitter{
		run: r, number: number, socket: s,
		schedule: schedule{rate},
		offset:   time.Duration(float64(number) / r.Rate * 1e9),
		lag:      newHistogram(),
	}
	e.messages = max(1, e.schedule.due(r.Warmup+r.Duration-1))
	if r.Warmup > 0 {
		e.warm = e.schedule.due(r.Warmup - 1)
	}
	frame, _ := r.Protocol.AppendPublish(nil, r.Topic, r.layout().body(number, 0))
	e.batch = max(1, emitBytesMax/len(frame))
	var err error
	e.block, err = newBlock(r.Protocol, shape{layout: r.layout(), topics: []string{r.Topic}}, number, e.batch)
	return e, err
}

// at is when a message is to be sent, after the epoch.
func (e *emitter) at(n uint64) time.Duration { return e.schedule.at(n) + e.offset }

// emit sends every message at its time, all that are due at once. A write
// that blocks, because the server does not read, delays messages but takes
// none off the schedule.
func (e *emitter) emit() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer preciseTimers()()
	for sent := uint64(0); sent < e.messages && !e.run.stop.Load(); {
		now := time.Since(e.run.epoch)
		due := min(e.schedule.due(now-e.offset), e.messages)
		if due <= sent {
			sleep(e.at(sent) - now)
			continue
		}
		frames, count := e.block.take(int(min(due-sent, uint64(e.batch))), func(i int) uint64 {
			return uint64(e.at(sent + uint64(i)))
		})
		if _, err := e.socket.Write(frames); err != nil {
			e.run.fail(Publisher, e.number, err)
			return
		}
		e.account(sent, count)
		sent += uint64(count)
		e.sent.Store(sent)
	}
}

// account notes how late messages were written.
func (e *emitter) account(first uint64, count int) {
	now := time.Since(e.run.epoch)
	for n := max(first, e.warm); n < first+uint64(count); n++ {
		record(e.lag, now-e.at(n))
		e.measured++
	}
}

// drain reads and drops what the server answers, until the connection ends.
func (e *emitter) drain() {
	reader, box := e.run.Protocol.NewReader(e.run.Size), newInbox(e.run.Size)
	for {
		if err := box.fill(e.socket); err != nil {
			e.run.fail(Publisher, e.number, err)
			return
		}
		for {
			kind, _, size, err := reader.Next(box.unread())
			if err != nil {
				e.run.fail(Publisher, e.number, err)
				return
			}
			if kind == Incomplete {
				break
			}
			box.from += size
			if kind == Ping {
				e.socket.Write(e.run.Protocol.AppendPong(nil)) // a failure shows at the next read
			}
		}
	}
}

// timerSlackNanoseconds is the kernel's default leave to wake a thread late.
const timerSlackNanoseconds = 50_000

// preciseTimers makes the kernel wake this thread without slack, so that it
// can sleep between messages instead of spinning on a core that the server
// needs. The function that it returns puts the default back.
func preciseTimers() (restore func()) {
	unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // where it is refused, lag shows it
	return func() { unix.Prctl(unix.PR_SET_TIMERSLACK, timerSlackNanoseconds, 0, 0, 0) }
}

// sleepMax bounds one sleep, so that a stop is noticed.
const sleepMax = 50 * time.Millisecond

// sleep sleeps on this thread; an interruption ends it early.
func sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	until := unix.NsecToTimespec(int64(min(d, sleepMax)))
	unix.Nanosleep(&until, nil)
}
