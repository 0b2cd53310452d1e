package load

import (
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

// publisher is one publishing connection: a goroutine that writes (publish)
// and one that reads what the server answers (listen).
type publisher struct {
	run    *run
	number int
	conn   *net.TCPConn
	block  *block
	limit  uint64 // messages to send; 0: until stopped
	rate   float64
	batch  int    // frames of a write, at most
	window uint64 // messages on their way, at most; 0: no limit
	pulse  uint64 // messages between two syncs that keep the window; 0: none

	request []byte // the sync request
	wake    wakeup
	sent    mark // messages written; by publish
	asked   atomic.Uint64
	replies atomic.Uint64 // syncs answered; by listen
	waited  atomic.Int64  // ns spent waiting for room in the window
	ended   atomic.Int64  // ns after the epoch: when the last sync was answered
}

// publish sends until the limit, or until the run is stopped, and waits until
// the server has answered the sync behind the last message.
func (p *publisher) publish() {
	<-p.run.start
	for {
		frames, count := p.next()
		if count == 0 {
			break
		}
		if !p.write(frames) {
			return
		}
		before := p.sent.Load()
		p.sent.Store(before + uint64(count))
		if p.pulse > 0 && before/p.pulse != (before+uint64(count))/p.pulse {
			p.sync()
		}
	}
	p.sync()
	asked := p.asked.Load()
	p.wake.wait(func() bool { return p.replies.Load() >= asked || p.run.over() })
	p.ended.Store(int64(time.Since(p.run.epoch)))
}

func (p *publisher) sync() {
	p.asked.Add(1)
	p.write(p.request)
}

// write writes all of the frames; false when the connection is of no use any
// more.
func (p *publisher) write(frames []byte) bool {
	_, err := p.conn.Write(frames)
	if err != nil {
		p.fail(err)
	}
	return err == nil
}

// fail ends the run, unless it is the run that ended the connection.
func (p *publisher) fail(err error) {
	if !p.run.closing.Load() {
		p.run.fail(connectionError(p.run.Protocol, Publisher, p.number, err))
	}
}

// next waits for its turn and returns the frames to write; none at the end.
func (p *publisher) next() (frames []byte, count int) {
	sent := p.sent.Load()
	count = p.batch
	if p.limit > 0 {
		count = int(min(uint64(count), p.limit-sent))
	}
	if p.rate > 0 && count > 0 {
		count = min(count, p.due(sent))
	}
	if p.window > 0 && count > 0 {
		count = min(count, int(p.window))
		target := sent + uint64(count)
		p.waitForRoom(target)
	}
	if count == 0 || p.run.stopping() {
		return nil, 0
	}
	return p.block.take(count, nil)
}

// waitForRoom waits until the window has room for messages up to target.
func (p *publisher) waitForRoom(target uint64) {
	room := func() bool { return target <= p.settled()+p.window || p.run.stopping() }
	if room() {
		return
	}
	began := time.Now()
	p.wake.wait(room)
	p.waited.Add(int64(time.Since(began)))
}

// due waits until a message is due and returns how many are.
func (p *publisher) due(sent uint64) int {
	s := schedule{p.rate}
	for {
		elapsed := time.Since(p.run.epoch)
		if due := s.due(elapsed); due > sent {
			return int(min(due-sent, uint64(p.batch)))
		}
		timer := time.NewTimer(s.at(sent) - elapsed)
		select {
		case <-timer.C:
		case <-p.run.stopped:
			timer.Stop()
			return 0
		}
	}
}

// settled is how many messages no longer count in the window: those that
// have reached the slowest subscriber, or, where syncs keep it, those before
// the last answered one.
func (p *publisher) settled() uint64 {
	if p.pulse > 0 {
		return p.replies.Load() * p.pulse
	}
	least := p.sent.Load()
	for _, s := range p.run.subscribers {
		least = min(least, s.progress[p.number].Load())
	}
	return least
}

// listen reads what the server sends to a publisher until the connection is
// closed.
func (p *publisher) listen() {
	reader, box := p.run.Protocol.NewReader(p.run.Size), newInbox(p.run.Size)
	for {
		for {
			kind, _, size, err := reader.Next(box.unread())
			if err != nil {
				p.fail(err)
				return
			}
			if kind == Incomplete {
				break
			}
			box.from += size
			switch kind {
			case Synced:
				p.replies.Add(1)
				p.wake.ring()
			case Ping:
				p.conn.Write(p.run.Protocol.AppendPong(nil)) // a failure shows at the next read
			}
		}
		if err := box.fill(p.conn); err != nil {
			p.fail(fmt.Errorf("the server ended the connection: %w", err))
			return
		}
	}
}
