package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// setupWait is how long connecting, logging on and subscribing of one
	// connection may take.
	setupWait = 30 * time.Second
	// watchEvery is how often a run looks whether anything moves.
	watchEvery = 250 * time.Millisecond
)

// run is one Throughput in progress. Its phases are connect, drive, settle
// and finish, in this order, on the goroutine of Run; publishers and
// subscribers have goroutines of their own.
type run struct {
	Throughput
	publishers  []*publisher
	subscribers []*subscriber

	epoch    time.Time     // all times count from here; set before any goroutine starts
	start    chan struct{} // closed: publishers begin
	stopped  chan struct{} // closed: publishers come to their end
	failed   chan struct{} // closed: err is set
	err      error
	failOnce sync.Once

	stopOnce  sync.Once
	abandoned atomic.Bool // replies are no longer waited for
	closing   atomic.Bool // connections end on purpose
	workers   sync.WaitGroup
}

// Run makes the load and returns what it found. With an error in the middle
// it returns the result so far too. When ctx ends, publishers stop, what is on
// its way arrives, and the result is marked as interrupted.
func (t Throughput) Run(ctx context.Context) (*Result, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	if t.StallLimit == 0 {
		t.StallLimit = StallLimitDefault
	}
	if t.BatchBytes == 0 {
		t.BatchBytes = BatchBytesDefault
	}
	r := &run{
		Throughput: t,
		start:      make(chan struct{}),
		stopped:    make(chan struct{}),
		failed:     make(chan struct{}),
	}
	defer r.close()
	if err := r.connect(ctx); err != nil {
		return nil, err
	}
	return r.measure(ctx)
}

// stopping says whether publishers are to come to their end.
func (r *run) stopping() bool {
	select {
	case <-r.stopped:
		return true
	default:
		return false
	}
}

// over says whether nobody waits for replies any more.
func (r *run) over() bool { return r.abandoned.Load() }

// stopPublishers makes publishers come to their end.
func (r *run) stopPublishers() {
	r.stopOnce.Do(func() { close(r.stopped) })
	for _, p := range r.publishers {
		p.wake.ring()
	}
}

// abandon makes everyone give up waiting.
func (r *run) abandon() {
	r.abandoned.Store(true)
	r.stopPublishers()
}

// fail ends the run with its first error.
func (r *run) fail(err error) {
	r.failOnce.Do(func() {
		r.err = err
		close(r.failed)
	})
}

// connect makes all connections, subscribers first.
func (r *run) connect(ctx context.Context) error {
	for i := range r.Subscribers {
		conn, err := dial(ctx, r.Protocol, Subscriber, i)
		if err != nil {
			return err
		}
		s, err := r.connectSubscriber(conn, i)
		r.subscribers = append(r.subscribers, s)
		if err != nil {
			return connectionError(r.Protocol, Subscriber, i, err)
		}
	}
	for i := range r.Publishers {
		conn, err := dial(ctx, r.Protocol, Publisher, i)
		if err != nil {
			return err
		}
		p, err := r.newPublisher(conn, i)
		if err != nil {
			conn.Close()
			return err
		}
		r.publishers = append(r.publishers, p)
	}
	return nil
}

func dial(ctx context.Context, p Protocol, role Role, number int) (*net.TCPConn, error) {
	ctx, cancel := context.WithTimeout(ctx, setupWait)
	defer cancel()
	conn, err := p.Dial(ctx, role, number)
	if err != nil {
		return nil, connectionError(p, role, number, err)
	}
	return conn, nil
}

// newPublisher prepares the frames and the share of the limits of one
// publisher.
func (r *run) newPublisher(conn *net.TCPConn, number int) (*publisher, error) {
	frame, _ := r.Protocol.AppendPublish(nil, r.shape().topics[0], r.shape().body(number, 0))
	p := &publisher{
		run: r, number: number, conn: conn,
		rate:    r.Rate / float64(r.Publishers),
		batch:   max(1, (r.BatchBytes+len(frame)-1)/len(frame)),
		request: r.Protocol.AppendSync(nil),
		wake:    newWakeup(),
	}
	if r.Messages > 0 {
		p.limit = r.Messages / uint64(r.Publishers)
		if uint64(number) < r.Messages%uint64(r.Publishers) {
			p.limit++
		}
		if p.limit == 0 {
			return nil, &SettingError{"messages", r.Messages, fmt.Sprintf("at least one for each of %d publishers", r.Publishers)}
		}
	}
	p.window = windowShare(r.WindowMessages, r.WindowBytes, len(frame), r.Publishers)
	if p.window > 0 {
		p.batch = int(min(uint64(p.batch), max(1, p.window/4)))
		if !r.windowByDelivery() {
			p.pulse = max(1, p.window/2)
			p.window = max(p.window, 2*p.pulse)
		}
	}
	var err error
	p.block, err = newBlock(r.Protocol, r.shape(), number, p.batch)
	return p, err
}

// windowShare is one publisher's part of the window, in messages; 0 for no
// limit.
func windowShare(messages, bytes, frame, publishers int) uint64 {
	share := messages
	if bytes > 0 && (share == 0 || bytes/frame < share) {
		share = max(1, bytes/frame)
	}
	if share == 0 {
		return 0
	}
	return uint64(max(1, share/publishers))
}

// totals counts what all publishers and subscribers have done.
func (r *run) totals() (sent, received uint64) {
	for _, p := range r.publishers {
		sent += p.sent.Load()
	}
	for _, s := range r.subscribers {
		received += s.received.Load()
	}
	return sent, received
}

// read reads all counters.
func (r *run) read() (reading, error) {
	now, err := readCPU(r.ServerPID, r.epoch)
	now.sent, now.received = r.totals()
	return now, err
}

// measure drives the load, lets it settle, and makes the result.
func (r *run) measure(ctx context.Context) (*Result, error) {
	result := &Result{Server: r.Protocol.Name(), Class: "V", Offered: r.Rate, LossesKnown: r.reach() != reachSome}
	r.epoch = time.Now()
	publishing := r.begin()
	var measured interval
	var err error
	measured.first, err = r.read()
	close(r.start)
	if err == nil {
		err = r.drive(ctx, result, publishing, &measured)
	}
	r.stopPublishers()
	if err == nil {
		err = r.settle(result, publishing)
	}
	var lastErr error
	if !measured.closed {
		measured.last, lastErr = r.read()
		measured.last.at = r.endedAt(measured.last.at)
	}
	r.close()
	if err == nil {
		err = r.err // of a connection that ended when all seemed to be done
	}
	r.tally(result, &measured)
	return result, errors.Join(err, lastErr)
}

// interval is the measured time. Without a warm-up it goes from the first
// message to the last arrival, so that as many have arrived as were sent.
// With one, both of its ends lie in the middle of the load, and what is on its
// way at one of them balances what is at the other; an end behind the last
// arrival would count a window of messages that were sent before the start.
type interval struct {
	first, last reading
	warmed      bool // first is the end of the warm-up
	closed      bool // last has been read, in the middle of the load
}

// end reads the end of an interval whose start was in the middle of the load.
func (r *run) end(i *interval) (err error) {
	if i.warmed {
		i.last, err = r.read()
		i.closed = true
	}
	return err
}

// begin starts all goroutines; publishers wait for the start. The channel is
// closed when all publishers have come to their end.
func (r *run) begin() (publishing chan struct{}) {
	for _, s := range r.subscribers {
		r.workers.Go(s.receive)
	}
	var publishers sync.WaitGroup
	for _, p := range r.publishers {
		r.workers.Go(p.listen)
		publishers.Go(p.publish)
	}
	publishing = make(chan struct{})
	r.workers.Go(func() {
		publishers.Wait()
		close(publishing)
	})
	return publishing
}

// drive waits until the publishers are through, the time is over, or the user
// or a failure ends the run, and reads the ends of the interval that lie in
// the middle of the load.
func (r *run) drive(ctx context.Context, result *Result, publishing chan struct{}, measured *interval) error {
	var warm, end <-chan time.Time
	if r.Warmup > 0 {
		warm = time.After(r.Warmup)
	}
	if r.Duration > 0 {
		end = time.After(r.Warmup + r.Duration)
	}
	watch := r.newWatch()
	defer watch.tick.Stop()
	for {
		select {
		case <-warm:
			var err error
			if measured.first, err = r.read(); err != nil {
				return err
			}
			measured.warmed = true
		case <-end:
			return r.end(measured)
		case <-publishing:
			return nil
		case <-ctx.Done():
			result.Interrupted = true
			return r.end(measured)
		case <-r.failed:
			return r.err
		case <-watch.tick.C:
			if result.Stalled = watch.stalled(); result.Stalled {
				return nil
			}
		}
	}
}

// settle waits until the publishers' last sync is answered and everything has
// come to the subscribers: a sync on their own connections tells.
func (r *run) settle(result *Result, publishing chan struct{}) error {
	watch := r.newWatch()
	defer watch.tick.Stop()
	if err := r.await(publishing, watch, result); err != nil {
		return err
	}
	for _, s := range r.subscribers {
		if result.Stalled {
			break
		}
		if _, err := s.conn.Write(r.Protocol.AppendSync(nil)); err != nil {
			return connectionError(r.Protocol, Subscriber, s.number, err)
		}
	}
	for _, s := range r.subscribers {
		if err := r.await(s.synced, watch, result); err != nil {
			return err
		}
	}
	return nil
}

// await waits for one event of settling; a stall ends it without an error.
func (r *run) await(event chan struct{}, watch *watch, result *Result) error {
	for !result.Stalled {
		select {
		case <-event:
			return nil
		case <-r.failed:
			return r.err
		case <-watch.tick.C:
			result.Stalled = watch.stalled()
		}
	}
	r.abandon()
	return nil
}

// endedAt is when the last message had arrived and the last sync was
// answered; otherwise, where nothing did, now.
func (r *run) endedAt(now time.Duration) time.Duration {
	ended := time.Duration(0)
	for _, p := range r.publishers {
		ended = max(ended, time.Duration(p.ended.Load()))
	}
	for _, s := range r.subscribers {
		ended = max(ended, time.Duration(s.last.Load()))
	}
	if ended == 0 {
		return now
	}
	return ended
}

// close ends all connections and goroutines. It may be called again.
func (r *run) close() {
	r.closing.Store(true)
	r.abandon()
	for _, p := range r.publishers {
		p.conn.Close()
	}
	for _, s := range r.subscribers {
		s.conn.Close()
	}
	r.workers.Wait()
}

// tally makes the result. All goroutines have ended.
func (r *run) tally(result *Result, measured *interval) {
	first, last := measured.first, measured.last
	if !measured.closed {
		last.sent, last.received = r.totals()
	}
	result.Elapsed = last.at - first.at
	result.Sent, result.Received = last.sent-first.sent, last.received-first.received
	result.Usage = usage(first, last, r.ServerPID, r.Publishers+r.Subscribers)
	waited := time.Duration(0)
	for _, p := range r.publishers {
		waited += time.Duration(p.waited.Load())
	}
	result.WindowWait = min(1, waited.Seconds()/max(last.at.Seconds()*float64(r.Publishers), 1e-9))
	for _, s := range r.subscribers {
		f := s.faults()
		if r.reach() == reachNone {
			f = Faults{Foreign: s.received.Load()} // none was to come
		}
		result.Faults.add(f)
	}
	result.complete(r.Size)
}
