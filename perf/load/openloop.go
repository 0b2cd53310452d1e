package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Limits of latency recording.
const (
	// LatencyMax is the longest latency that a histogram tells apart; longer
	// ones count as this.
	LatencyMax = 10 * time.Minute
	// latencyDigits is the precision of a histogram, in decimal digits.
	latencyDigits = 3
	// headStart is the time between the start of a schedule and now, so that
	// everyone is ready for the first message.
	headStart = 20 * time.Millisecond
)

// OpenLoop is a load whose schedule does not wait for the server: every
// message has its time, and is sent at that time or, if that has passed, at
// once. Latency counts from that time, so that a stall of the server shows in
// every message that fell into it and not only in those that were lucky
// enough to be sent (14-tools-and-capacity §7).
type OpenLoop struct {
	Protocol    Protocol
	Publishers  int // 1 to ConnectionsMax
	Subscribers int // 1 to ConnectionsMax
	Topic       string
	Size        int           // bytes of a body
	Rate        float64       // messages a second, all publishers together
	Duration    time.Duration // measured, without Warmup
	Warmup      time.Duration // load that does not count
	ServerPID   int           // whose CPU and memory to read; 0: nobody's
	StallLimit  time.Duration // how long to wait for the last messages; 0: StallLimitDefault
	// Progress is told, now and then, how many messages were sent and
	// received so far; nil for nobody.
	Progress func(sent, received uint64, elapsed time.Duration)
}

// Latency is what an OpenLoop found. Times are of the measured messages,
// faults of the whole run.
type Latency struct {
	Server   string        `json:"server"`
	Class    string        `json:"class"` // durability, always V
	Offered  float64       `json:"offered_per_second"`
	Elapsed  time.Duration `json:"elapsed_ns"`
	Sent     uint64        `json:"sent"`
	Received uint64        `json:"received"`
	SentRate float64       `json:"sent_per_second"`

	P50   time.Duration `json:"p50_ns"`
	P90   time.Duration `json:"p90_ns"`
	P99   time.Duration `json:"p99_ns"`
	P999  time.Duration `json:"p99_9_ns"`
	P9999 time.Duration `json:"p99_99_ns"`
	Max   time.Duration `json:"max_ns"`
	// Lag is how late the generator itself had written the messages, at two
	// percentiles and at most: part of the latency, and due to the generator or
	// to a server that did not read.
	LagP50 time.Duration `json:"send_lag_p50_ns"`
	LagP99 time.Duration `json:"send_lag_p99_ns"`
	LagMax time.Duration `json:"send_lag_max_ns"`
	Faults
	Usage
	Stalled     bool   `json:"stalled"`     // the last messages did not come
	Interrupted bool   `json:"interrupted"` // ended by the user
	Bottleneck  string `json:"client_bottleneck,omitempty"`

	// Histogram holds the latencies in ns.
	Histogram *hdrhistogram.Histogram `json:"-"`
}

// Check says what is wrong with the settings; a *SettingError, or nil.
func (o *OpenLoop) Check() error {
	for _, err := range []error{
		requireBetween("publishers", o.Publishers, 1, ConnectionsMax),
		requireBetween("subscribers", o.Subscribers, 1, ConnectionsMax),
		requireDuration("duration", o.Duration, time.Millisecond, DurationMax),
		requireDuration("warmup", o.Warmup, 0, DurationMax),
		requireDuration("stall limit", o.StallLimit, 0, DurationMax),
		requireProcess(o.ServerPID),
	} {
		if err != nil {
			return err
		}
	}
	if o.Topic == "" {
		return &SettingError{"topic", `""`, "a topic name"}
	}
	if !(o.Rate > 0 && o.Rate <= RateMax) { // NaN too
		return &SettingError{"rate", o.Rate, fmt.Sprintf("more than 0, up to %d messages a second", RateMax)}
	}
	if err := o.layout().check(); err != nil {
		return &SettingError{"size", o.Size, fmt.Sprintf("%d to %d bytes", o.layout().sizeMin(), PayloadBytesMax)}
	}
	return nil
}

func (o *OpenLoop) layout() layout { return layout{size: o.Size, timed: true} }

// newHistogram makes an empty one.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(LatencyMax), latencyDigits)
}

// record adds a latency; one outside the range counts as the nearest inside.
func record(h *hdrhistogram.Histogram, latency time.Duration) {
	if err := h.RecordValue(int64(min(max(latency, 1), LatencyMax))); err != nil {
		panic("load: a latency within the range was refused: " + err.Error())
	}
}

// openRun is one OpenLoop in progress.
type openRun struct {
	OpenLoop
	emitters  []*emitter
	listeners []*listener

	epoch    time.Time // all times count from here
	stop     atomic.Bool
	closing  atomic.Bool
	failed   chan struct{} // closed: err is set
	err      error
	failOnce sync.Once
	workers  sync.WaitGroup
}

// fail ends the run with its first error, unless it is ending anyway.
func (r *openRun) fail(role Role, number int, err error) {
	if r.closing.Load() {
		return
	}
	r.failOnce.Do(func() {
		r.err = connectionError(r.Protocol, role, number, err)
		close(r.failed)
	})
}

// Run makes the load and returns what it found. With an error in the middle
// it returns the result so far too. When ctx ends, the schedule stops, what is
// on its way arrives, and the result is marked as interrupted.
func (o OpenLoop) Run(ctx context.Context) (*Latency, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.StallLimit == 0 {
		o.StallLimit = StallLimitDefault
	}
	r := &openRun{OpenLoop: o, failed: make(chan struct{})}
	defer r.close()
	if err := r.connect(ctx); err != nil {
		return nil, err
	}
	return r.measure(ctx)
}

func (r *openRun) connect(ctx context.Context) error {
	for i := range r.Subscribers {
		conn, err := dial(ctx, r.Protocol, Subscriber, i)
		if err != nil {
			return err
		}
		reader, box := r.Protocol.NewReader(r.Size), newInbox(r.Size)
		request := r.Protocol.AppendSubscribe(nil, 0, r.Topic, "")
		if err := subscribe(r.Protocol, conn, reader, box, request); err != nil {
			conn.Close()
			return connectionError(r.Protocol, Subscriber, i, err)
		}
		s, err := takeSocket(conn)
		if err != nil {
			return connectionError(r.Protocol, Subscriber, i, err)
		}
		r.listeners = append(r.listeners, newListener(r, i, s, reader, box))
	}
	for i := range r.Publishers {
		conn, err := dial(ctx, r.Protocol, Publisher, i)
		if err != nil {
			return err
		}
		s, err := takeSocket(conn)
		if err != nil {
			return connectionError(r.Protocol, Publisher, i, err)
		}
		e, err := newEmitter(r, i, s)
		r.emitters = append(r.emitters, e)
		if err != nil {
			return err
		}
	}
	return nil
}

// measure runs the schedule, waits for the last messages, and makes the
// result.
func (r *openRun) measure(ctx context.Context) (*Latency, error) {
	result := &Latency{Server: r.Protocol.Name(), Class: "V", Offered: r.Rate}
	r.epoch = time.Now().Add(headStart)
	for _, l := range r.listeners {
		r.workers.Go(l.receive)
	}
	var emitting sync.WaitGroup
	for _, e := range r.emitters {
		r.workers.Go(e.drain)
		emitting.Go(e.emit)
	}
	sentAll := make(chan struct{})
	r.workers.Go(func() {
		emitting.Wait()
		close(sentAll)
	})
	first, err := r.cpu()
	if err == nil {
		first, err = r.drive(ctx, result, sentAll, first)
	}
	r.stop.Store(true)
	last, lastErr := r.cpu()
	r.close()
	if err == nil {
		err = r.err
	}
	r.tally(result, first, last)
	return result, errors.Join(err, lastErr)
}

// cpu reads the CPU times.
func (r *openRun) cpu() (reading, error) { return readCPU(r.ServerPID, r.epoch) }

func (r *openRun) totals() (sent, received uint64) {
	for _, e := range r.emitters {
		sent += e.sent.Load()
	}
	for _, l := range r.listeners {
		received += l.received.Load()
	}
	return sent, received
}

// drive waits until the schedule is through and every message has arrived, or
// nothing arrives any more. It returns the reading at the end of the warm-up.
func (r *openRun) drive(ctx context.Context, result *Latency, sentAll chan struct{}, first reading) (reading, error) {
	warm := time.NewTimer(time.Until(r.epoch.Add(r.Warmup)))
	defer warm.Stop()
	tick := time.NewTicker(min(watchEvery, r.StallLimit/2+1))
	defer tick.Stop()
	interrupt, complete := ctx.Done(), sentAll
	sent, before := uint64(math.MaxUint64), uint64(0) // sent in all, once known
	moved := time.Now()
	for {
		_, received := r.totals()
		if sent < math.MaxUint64 && received >= sent*uint64(r.Subscribers) {
			return first, nil
		}
		if received != before || sent == math.MaxUint64 {
			before, moved = received, time.Now()
		}
		var err error
		select {
		case <-warm.C:
			if first, err = r.cpu(); err != nil {
				return first, err
			}
		case <-interrupt:
			interrupt, result.Interrupted = nil, true
			r.stop.Store(true)
		case <-complete:
			complete = nil
			sent, _ = r.totals()
			tick.Reset(time.Millisecond) // the last messages come soon
		case <-r.failed:
			return first, r.err
		case now := <-tick.C:
			if r.Progress != nil && complete != nil {
				r.Progress(r.progress(now))
			}
			if now.Sub(moved) > r.StallLimit {
				result.Stalled = true
				return first, nil
			}
		}
	}
}

func (r *openRun) progress(now time.Time) (sent, received uint64, elapsed time.Duration) {
	sent, received = r.totals()
	return sent, received, now.Sub(r.epoch)
}

// close ends all connections and goroutines. It may be called again.
func (r *openRun) close() {
	r.stop.Store(true)
	r.closing.Store(true)
	for _, e := range r.emitters {
		e.socket.shutdown()
	}
	for _, l := range r.listeners {
		l.socket.shutdown()
	}
	r.workers.Wait()
	for _, e := range r.emitters {
		e.socket.close()
	}
	for _, l := range r.listeners {
		l.socket.close()
	}
}

// tally makes the result. All goroutines have ended.
func (r *openRun) tally(result *Latency, first, last reading) {
	result.Histogram = newHistogram()
	lag := newHistogram()
	ended, held := time.Duration(0), time.Duration(0)
	for _, e := range r.emitters {
		ended, held = max(ended, e.ended), held+e.held
		result.Sent += e.measured
		lag.Merge(e.lag)
	}
	for _, l := range r.listeners {
		result.Histogram.Merge(l.latencies)
		result.Faults.add(l.faults())
	}
	result.Received = uint64(result.Histogram.TotalCount())
	result.Elapsed = last.at - first.at
	span := ended - r.Warmup
	if !result.Interrupted {
		span = max(span, r.Duration)
	}
	if span > 0 {
		result.SentRate = float64(result.Sent) / span.Seconds()
	}
	at := func(percentile float64) time.Duration {
		return time.Duration(result.Histogram.ValueAtPercentile(percentile))
	}
	result.P50, result.P90, result.P99 = at(50), at(90), at(99)
	result.P999, result.P9999 = at(99.9), at(99.99)
	result.Max = time.Duration(result.Histogram.Max())
	result.LagP50 = time.Duration(lag.ValueAtPercentile(50))
	result.LagP99, result.LagMax = time.Duration(lag.ValueAtPercentile(99)), time.Duration(lag.Max())
	result.Usage = usage(first, last, r.ServerPID, len(r.emitters)+len(r.listeners))
	result.Bottleneck = bottleneck(result.ClientShare, result.SentRate, result.Offered,
		held.Seconds()/(last.at.Seconds()*float64(len(r.emitters))))
}
