package journal

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"farad/mmapstore"
)

// Options are what a log is opened with.
type Options struct {
	Directory string // must exist
	Instance  string // begins the names of the files, at most 255 bytes
	// SegmentBytes is the size of the files; default 1 GiB, at least
	// SegmentBytesMin. The files that exist keep theirs.
	SegmentBytes int64
	// Spares is how many empty segments are kept ahead; default 2, at least 1.
	Spares int
	// HandedOver says that a record counts as durable as soon as the operating
	// system has it: it survives the process, but not the machine.
	HandedOver bool
	// AcceptDamage opens a log with damage in it; what is damaged is passed
	// over, and Report is told of it.
	AcceptDamage bool

	System mmapstore.System // default mmapstore.OS
	Now    func() time.Time // default time.Now
	// Durable is called with the id up to which everything is durable whenever
	// that rises, by the log's own goroutine. It must not block.
	Durable func(txid uint64)
	// Progress is called during recovery with the bytes that have been read, of
	// all that there are.
	Progress func(done, all int64)
	// Report is told what recovery found and did, a sentence at a time.
	Report func(text string)
}

// Limits and defaults.
const (
	SegmentBytesMin     = 64 << 10
	SegmentBytesDefault = 1 << 30
	SparesDefault       = 2
	// populateAhead is how far ahead of the tail pages are made ready.
	populateAhead = 16 << 20
)

// txidsPerSecond makes ids of the time of the start, so that they rise over
// restarts whatever became of the files.
const txidsPerSecond = 1_000_000_000

// Log is an open log. Append and the cursors may be used by several goroutines.
//
// Lock order: the callers' own locks, then making, then mu. Nothing is called,
// and nothing waits for a disk, while mu is held.
type Log struct {
	options Options

	making sync.Mutex // held while segments are made

	mu         sync.Mutex
	segments   []*segment // those with records, and the current one, which is last
	spares     []*segment // in the order of their numbers
	unsynced   []*segment // left behind since the last sync
	next       uint64     // id of the next record
	publishers map[uint64]uint64
	closed     bool
	populated  int // how far the current segment's pages are ready, or asked for

	visible atomic.Uint64 // id of the last record that has been copied
	durable atomic.Uint64 // id of the last record that is safe
	failure atomic.Pointer[error]

	waiters atomic.Int32
	changed atomic.Pointer[chan struct{}] // closed when visible or durable rises

	sync    chan struct{} // there is something to make durable
	prepare chan struct{} // a spare or pages are wanted
	stop    context.CancelFunc
	running sync.WaitGroup
}

// Open recovers the log in a directory, or begins one. The error may be a
// *DamageError.
func Open(o Options) (*Log, error) {
	if o.SegmentBytes == 0 {
		o.SegmentBytes = SegmentBytesDefault
	}
	if o.Spares == 0 {
		o.Spares = SparesDefault
	}
	if o.System == nil {
		o.System = mmapstore.OS()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	switch {
	case o.Instance == "" || len(o.Instance) > headerBytes-nameOffset-1 || len(o.Instance) > 255:
		return nil, fmt.Errorf("journal: an instance name of %d bytes, expected 1 to 255", len(o.Instance))
	case o.SegmentBytes < SegmentBytesMin:
		return nil, fmt.Errorf("journal: segments of %d bytes, expected at least %d", o.SegmentBytes, SegmentBytesMin)
	case o.Spares < 1:
		return nil, fmt.Errorf("journal: %d spare segments, expected at least 1", o.Spares)
	}
	o.SegmentBytes = (o.SegmentBytes + headerBytes - 1) &^ (headerBytes - 1)
	l := &Log{options: o, publishers: map[uint64]uint64{}, sync: make(chan struct{}, 1), prepare: make(chan struct{}, 1)}
	changed := make(chan struct{})
	l.changed.Store(&changed)
	if err := l.recover(); err != nil {
		l.unmap()
		return nil, err
	}
	if err := l.makeSpares(); err != nil {
		l.unmap()
		return nil, fmt.Errorf("journal: %w", err)
	}
	if len(l.segments) == 0 {
		l.segments, l.spares = l.spares[:1:1], l.spares[1:]
		if err := l.makeSpares(); err != nil {
			l.unmap()
			return nil, fmt.Errorf("journal: %w", err)
		}
	}
	l.next = max(l.next, uint64(o.Now().Unix())*txidsPerSecond)
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	l.running.Add(2)
	go l.flush(ctx)
	go l.steward(ctx)
	return l, nil
}

// Close makes everything durable and unmaps the files. Cursors must not be used
// any more.
func (l *Log) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	l.mu.Unlock()
	l.stop()
	l.running.Wait()
	err := l.makeDurable()
	return errors.Join(err, l.unmap())
}

func (l *Log) unmap() error {
	var err error
	for _, s := range append(l.segments, l.spares...) {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// Visible is the id of the last record that cursors may read; 0 for none.
func (l *Log) Visible() uint64 { return l.visible.Load() }

// Durable is the id of the last record that is safe; 0 for none.
func (l *Log) Durable() uint64 { return l.durable.Load() }

// Err is why nothing is taken any more, nil while all is well.
func (l *Log) Err() error {
	if err := l.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// Sequence is the highest sequence of a publisher in the log; 0 for none.
func (l *Log) Sequence(publisher uint64) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.publishers[publisher]
}

// Append adds records, in order, and gives each its id. A record whose sequence
// is not 0 and not above the highest of its publisher is a duplicate: it is
// left out and its id is 0. At an error the records from number appended on
// were not taken. The records are copied.
func (l *Log) Append(records []Record) (appended int, err error) {
	if err := l.Err(); err != nil {
		return 0, err
	}
	l.mu.Lock()
	last := uint64(0)
	for i := range records {
		r := &records[i]
		if r.Txid = 0; r.Sequence != 0 && r.Sequence <= l.publishers[r.Publisher] {
			appended++
			continue
		}
		err = l.put(r)
		if errors.Is(err, errNoSpare) {
			err = l.putInNew(r)
		}
		if err != nil {
			break
		}
		if last = r.Txid; r.Sequence != 0 {
			l.publishers[r.Publisher] = max(l.publishers[r.Publisher], r.Sequence)
		}
		appended++
	}
	if last > l.visible.Load() {
		l.visible.Store(last)
		if l.options.HandedOver {
			l.durable.Store(last)
		}
	}
	hungry := l.segments[len(l.segments)-1].tail+populateAhead/2 > l.populated || len(l.spares) < l.options.Spares
	l.mu.Unlock()
	if last != 0 {
		wake(l.sync)
		l.broadcast()
	}
	if hungry {
		wake(l.prepare)
	}
	return appended, err
}

// put copies one record behind the last. Guarded by mu.
func (l *Log) put(r *Record) error {
	if l.closed {
		return ErrClosed
	}
	s := l.segments[len(l.segments)-1]
	if err := r.check(int(l.options.SegmentBytes) - headerBytes); err != nil {
		return err
	}
	if s.tail+r.size() > len(s.bytes) {
		next, err := l.rotate(s)
		if err != nil {
			return err
		}
		s = next
	}
	r.Txid = l.next
	if s.first == 0 {
		s.first = r.Txid
	}
	s.tail += r.put(s.bytes[s.tail:])
	l.next++
	return nil
}

// putInNew makes a spare, because none was ready, and writes the record. mu is
// given up meanwhile: records of others may come in between.
func (l *Log) putInNew(r *Record) error {
	for {
		l.mu.Unlock()
		err := l.makeSpares()
		l.mu.Lock()
		if len(l.spares) == 0 && err != nil {
			return fmt.Errorf("%w: %w", ErrFull, err)
		}
		if err = l.put(r); !errors.Is(err, errNoSpare) {
			return err
		}
	}
}

// errNoSpare: the record needs another segment and none is ready.
var errNoSpare = errors.New("journal: no spare segment")

// rotate goes on in the next segment. Guarded by mu.
func (l *Log) rotate(s *segment) (*segment, error) {
	if len(l.spares) == 0 {
		return nil, errNoSpare
	}
	s.closed = true
	l.unsynced = append(l.unsynced, s)
	next := l.spares[0]
	l.spares = l.spares[1:]
	l.segments = append(l.segments, next)
	l.populated = headerBytes
	return next, nil
}

// wake tells a goroutine that there is work, unless it knows.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// broadcast wakes the cursors that wait, if there are any.
func (l *Log) broadcast() {
	if l.waiters.Load() == 0 {
		return
	}
	fresh := make(chan struct{})
	close(*l.changed.Swap(&fresh))
}

// flush makes durable what was appended, as much at a time as came while the
// last sync ran: a lone record waits for nothing but its own.
func (l *Log) flush(ctx context.Context) {
	defer l.running.Done()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.sync:
		}
		if err := l.makeDurable(); err != nil {
			return
		}
	}
}

// makeDurable syncs the segments that were written to since the last time.
func (l *Log) makeDurable() error {
	if err := l.Err(); err != nil {
		return err
	}
	l.mu.Lock()
	target := l.visible.Load()
	if len(l.segments) == 0 {
		l.mu.Unlock()
		return nil
	}
	dirty := append(l.unsynced[:len(l.unsynced):len(l.unsynced)], l.segments[len(l.segments)-1])
	l.unsynced = nil
	l.mu.Unlock()
	for _, s := range dirty {
		if err := s.file.Sync(); err != nil {
			err = fmt.Errorf("%w: %s: %w", ErrFailed, s.path, err)
			l.failure.Store(&err)
			l.broadcast()
			return err
		}
	}
	if target > l.durable.Load() || l.options.HandedOver && target != 0 {
		l.durable.Store(max(target, l.durable.Load()))
		if l.options.Durable != nil {
			l.options.Durable(target)
		}
		l.broadcast()
	}
	return nil
}

// steward keeps spares and ready pages ahead of the writer. A disk that is full
// shows when a spare is needed and there is none.
func (l *Log) steward(ctx context.Context) {
	defer l.running.Done()
	for {
		l.populate()
		_ = l.makeSpares() // tried again when wanted again
		select {
		case <-ctx.Done():
			return
		case <-l.prepare:
		}
	}
}

// populate makes the pages ahead of the tail ready.
func (l *Log) populate() {
	l.mu.Lock()
	s := l.segments[len(l.segments)-1]
	from := max(l.populated, s.tail)
	to := min(s.tail+populateAhead, len(s.bytes))
	l.populated = to
	l.mu.Unlock()
	if from < to {
		s.file.Populate(from, to)
	}
}

// makeSpares makes empty segments until there are enough.
func (l *Log) makeSpares() error {
	l.making.Lock()
	defer l.making.Unlock()
	for made := false; ; made = true {
		l.mu.Lock()
		missing := len(l.spares) < l.options.Spares
		number := uint64(0)
		if n := len(l.spares); n > 0 {
			number = l.spares[n-1].number + 1
		} else if n := len(l.segments); n > 0 {
			number = l.segments[n-1].number + 1
		}
		l.mu.Unlock()
		if !missing {
			if made {
				return l.options.System.SyncDirectory(l.options.Directory)
			}
			return nil
		}
		s, err := createSegment(&l.options, number)
		if err != nil {
			return err
		}
		l.mu.Lock()
		l.spares = append(l.spares, s)
		l.mu.Unlock()
	}
}
