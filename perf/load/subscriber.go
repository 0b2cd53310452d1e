package load

import (
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// subscriber is one receiving connection with one goroutine, receive. The
// checks are that goroutine's; the marks are for others to read.
type subscriber struct {
	run    *run
	number int
	conn   *net.TCPConn
	reader Reader
	box    *inbox
	checks []check // by publisher

	foreign  uint64
	progress []mark // by publisher: one behind the highest sequence seen
	received mark   // messages
	last     atomic.Int64
	synced   chan struct{} // closed when everything sent to it has arrived
	settled  bool          // synced is closed; receive's own
}

// connectSubscriber dials and subscribes.
func (r *run) connectSubscriber(conn *net.TCPConn, number int) (*subscriber, error) {
	s := &subscriber{
		run: r, number: number, conn: conn,
		reader:   r.Protocol.NewReader(r.Size),
		box:      newInbox(r.Size),
		checks:   make([]check, r.Publishers),
		progress: make([]mark, r.Publishers),
		synced:   make(chan struct{}),
	}
	for i := range s.checks {
		s.checks[i].sparse = r.reach() != reachAll
	}
	var requests []byte
	for i, of := range r.subscriptions() {
		requests = r.Protocol.AppendSubscribe(requests, i, of[0], of[1])
	}
	return s, subscribe(r.Protocol, conn, s.reader, s.box, requests)
}

// subscribe sends the requests and reads until the server has taken them all.
// Where the protocol has neither requests nor syncs, there is nothing to do.
func subscribe(p Protocol, conn *net.TCPConn, reader Reader, box *inbox, requests []byte) error {
	if requests = p.AppendSync(requests); len(requests) == 0 {
		return nil
	}
	conn.SetDeadline(time.Now().Add(setupWait))
	defer conn.SetDeadline(time.Time{})
	written := make(chan error, 1) // beside the reading, since answers come meanwhile
	go func() {
		_, err := conn.Write(requests)
		written <- err
	}()
	err := awaitSync(reader, box, conn)
	if err != nil {
		conn.Close() // so that the write ends too
		<-written
		return err
	}
	return <-written
}

// awaitSync reads up to the reply to a sync.
func awaitSync(reader Reader, box *inbox, from io.Reader) error {
	for {
		kind, _, size, err := reader.Next(box.unread())
		if err != nil {
			return err
		}
		box.from += size
		switch kind {
		case Synced:
			return nil
		case Incomplete:
			if err := box.fill(from); err != nil {
				return fmt.Errorf("%w: %w", errNoReply, err)
			}
		}
	}
}

// receive reads and checks until the connection is closed.
func (s *subscriber) receive() {
	for {
		if err := s.scan(); err != nil {
			s.fail(err)
			return
		}
		s.publishProgress()
		if err := s.box.fill(s.conn); err != nil {
			s.fail(fmt.Errorf("the server ended the connection: %w", err))
			return
		}
	}
}

// fail ends the run, unless it is the run that ended the connection.
func (s *subscriber) fail(err error) {
	if !s.run.closing.Load() {
		s.run.fail(connectionError(s.run.Protocol, Subscriber, s.number, err))
	}
}

// scan takes all complete frames out of the inbox.
func (s *subscriber) scan() error {
	deliveries := uint64(0)
	defer func() {
		if deliveries > 0 {
			s.received.Store(s.received.Load() + deliveries)
			s.last.Store(int64(time.Since(s.run.epoch)))
		}
	}()
	for {
		kind, body, size, err := s.reader.Next(s.box.unread())
		if err != nil {
			return err
		}
		s.box.from += size
		switch kind {
		case Incomplete:
			return nil
		case Delivery:
			deliveries++
			stamp, ok := readStamp(body)
			if !ok || stamp.publisher >= len(s.checks) || len(body) != s.run.Size {
				s.foreign++
				continue
			}
			s.checks[stamp.publisher].see(stamp.sequence)
		case Synced:
			if !s.settled {
				s.settled = true
				close(s.synced)
			}
		case Ping:
			s.conn.Write(s.run.Protocol.AppendPong(nil)) // a failure shows at the next read
		}
	}
}

// publishProgress tells the publishers how far their messages have come.
func (s *subscriber) publishProgress() {
	for i := range s.checks {
		next := s.checks[i].next
		if s.progress[i].Load() != next {
			s.progress[i].Store(next)
			s.run.publishers[i].wake.ring()
		}
	}
}

// faults sums up what was wrong, given what each publisher sent. receive has
// returned.
func (s *subscriber) faults() Faults {
	total := Faults{Foreign: s.foreign}
	for i := range s.checks {
		total.add(s.checks[i].result(s.run.publishers[i].sent.Load()))
	}
	return total
}
