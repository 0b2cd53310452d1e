package load

import (
	"runtime"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// listener is one receiving connection of an open loop, with a thread of its
// own.
type listener struct {
	run    *openRun
	number int
	socket *socket
	reader Reader
	box    *inbox

	checks    []check // by publisher
	foreign   uint64
	latencies *hdrhistogram.Histogram
	received  mark // messages
}

func newListener(r *openRun, number int, s *socket, reader Reader, box *inbox) *listener {
	return &listener{
		run: r, number: number, socket: s, reader: reader, box: box,
		checks:    make([]check, r.Publishers),
		latencies: newHistogram(),
	}
}

// receive reads, checks and times until the connection ends. All messages of
// one read arrived when it returned.
func (l *listener) receive() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		if err := l.box.fill(l.socket); err != nil {
			l.run.fail(Subscriber, l.number, err)
			return
		}
		if err := l.scan(time.Since(l.run.epoch)); err != nil {
			l.run.fail(Subscriber, l.number, err)
			return
		}
	}
}

func (l *listener) scan(now time.Duration) error {
	received := l.received.Load()
	defer func() { l.received.Store(received) }()
	for {
		kind, body, size, err := l.reader.Next(l.box.unread())
		if err != nil {
			return err
		}
		l.box.from += size
		switch kind {
		case Incomplete:
			return nil
		case Delivery:
			if l.take(body, now) {
				received++
			}
		case Ping:
			l.socket.Write(l.run.Protocol.AppendPong(nil)) // a failure shows at the next read
		}
	}
}

// take checks and times one message; false if it is not of this load, or has
// arrived before.
func (l *listener) take(body []byte, now time.Duration) bool {
	stamp, ok := readStamp(body)
	intended, timed := readTime(body)
	if !ok || !timed || stamp.publisher >= len(l.checks) || len(body) != l.run.Size {
		l.foreign++
		return false
	}
	check := &l.checks[stamp.publisher]
	duplicates := check.faults.Duplicates
	check.see(stamp.sequence)
	if check.faults.Duplicates != duplicates {
		return false
	}
	if stamp.sequence >= l.run.emitters[stamp.publisher].warm {
		record(l.latencies, now-time.Duration(intended))
	}
	return true
}

// faults sums up what was wrong. receive has returned.
func (l *listener) faults() Faults {
	total := Faults{Foreign: l.foreign}
	for i := range l.checks {
		total.add(l.checks[i].result(l.run.emitters[i].sent.Load()))
	}
	return total
}
