package load

import (
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
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
	held     time.Duration // in writes that blocked, because the server did not read
	ended    time.Duration // after the epoch: when the last write returned
}

// heldMin is from when on a write counts as blocked.
const heldMin = time.Millisecond

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
	alarm := alarm{epoch: e.run.epoch, interval: time.Duration(1e9 / e.schedule.rate)}
	for sent := uint64(0); sent < e.messages && !e.run.stop.Load(); {
		now := time.Since(e.run.epoch)
		due := min(e.schedule.due(now-e.offset), e.messages)
		if due <= sent {
			alarm.wait(e.at(sent))
			continue
		}
		frames, count := e.block.take(int(min(due-sent, uint64(e.batch))), func(i int) uint64 {
			return uint64(e.at(sent + uint64(i)))
		})
		if _, err := e.socket.Write(frames); err != nil {
			e.run.fail(Publisher, e.number, err)
			return
		}
		e.account(sent, count, now)
		sent += uint64(count)
		e.sent.Store(sent)
	}
}

// account notes how late messages were written, and whether the write that
// began at that time blocked.
func (e *emitter) account(first uint64, count int, began time.Duration) {
	e.ended = time.Since(e.run.epoch)
	if took := e.ended - began; took >= heldMin {
		e.held += took
	}
	for n := max(first, e.warm); n < first+uint64(count); n++ {
		record(e.lag, e.ended-e.at(n))
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
