package journal

import (
	"fmt"
	"os"
)

// recover opens the files of the instance and finds the log's end
// (07-transaction-log §7).
func (l *Log) recover() error {
	o := &l.options
	names, err := o.System.List(o.Directory)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	var all []*segment
	for _, name := range names {
		number, ok := segmentNumber(o.Instance, name)
		if !ok {
			continue
		}
		if n := len(all); n > 0 && all[n-1].number+1 != number {
			l.segments = all
			return &DamageError{Path: name, Found: fmt.Sprintf("segment %d behind segment %d: the files between are gone", number, all[n-1].number)}
		}
		s, fresh, err := openSegment(o, number)
		if err != nil {
			l.segments = all
			return err
		}
		if fresh && number != lastNumber(o.Instance, names) {
			l.segments = append(all, s)
			return &DamageError{Path: s.path, Found: "an empty file in front of others"}
		}
		if fresh { // a crash came between making the file and its header
			s.file.Close()
			if err := os.Remove(s.path); err != nil {
				l.segments = all
				return fmt.Errorf("journal: %w", err)
			}
			l.report("%s was never used and is made anew", s.path)
			continue
		}
		all = append(all, s)
	}
	l.segments = all
	return l.readAll(all)
}

func lastNumber(instance string, names []string) uint64 {
	last := uint64(0)
	for _, name := range names {
		if n, ok := segmentNumber(instance, name); ok {
			last = n
		}
	}
	return last
}

func (l *Log) report(format string, args ...any) {
	if l.options.Report != nil {
		l.options.Report(fmt.Sprintf(format, args...))
	}
}

// readAll reads every record, and parts the segments into those that were
// written to and spares.
func (l *Log) readAll(all []*segment) error {
	written := 0
	for i, s := range all {
		if !allZero(s.bytes[headerBytes:min(len(s.bytes), 2*headerBytes)]) {
			written = i + 1
		}
	}
	written = max(written, min(1, len(all)))
	var bytes, done int64
	for _, s := range all[:written] {
		bytes += int64(len(s.bytes))
	}
	l.segments, l.spares = all[:written:written], all[written:]
	last := uint64(0)
	for i, s := range l.segments {
		end, err := l.readSegment(s, last, i == written-1)
		if err != nil {
			return err
		}
		last = max(last, end)
		s.closed = i < written-1
		if done += int64(len(s.bytes)); l.options.Progress != nil {
			l.options.Progress(done, bytes)
		}
	}
	l.next = last + 1
	l.visible.Store(last)
	l.durable.Store(last)
	return nil
}

// readSegment reads one segment up to its end and returns the last id.
func (l *Log) readSegment(s *segment, last uint64, final bool) (uint64, error) {
	at := headerBytes
	for {
		var r Record
		size := r.get(s.bytes[at:])
		if size > 0 && r.Txid > last {
			if s.first == 0 {
				s.first = r.Txid
			}
			if last = r.Txid; r.Sequence > l.publishers[r.Publisher] {
				l.publishers[r.Publisher] = r.Sequence
			}
			at += size
			continue
		}
		s.tail = at
		next, id := s.nextRecord(at, last)
		switch {
		case next > 0 && l.options.AcceptDamage:
			l.report("%s, offset %d: %d bytes are damaged and passed over, between transactions %d and %d", s.path, at, next-at, last, id)
			s.gaps = append(s.gaps, gap{at, next})
			at = next
		case next < 0:
			return 0, &DamageError{Path: s.path, Offset: int64(at), Found: "bytes that look like the heads of very many records", Before: last}
		case next > 0:
			return 0, &DamageError{Path: s.path, Offset: int64(at), Found: "bytes that are no record", Before: last, After: id}
		case final:
			return last, l.endAt(s, at)
		case allZero(s.bytes[at:]):
			return last, nil
		case l.options.AcceptDamage:
			l.report("%s, offset %d: what follows transaction %d is damaged and passed over", s.path, at, last)
			return last, nil
		default:
			return 0, &DamageError{Path: s.path, Offset: int64(at), Found: "bytes that are no record, and later segments", Before: last}
		}
	}
}

// checkedTimes bounds what seeking a record may cost: so many times the
// segment's bytes are checked. Bodies come from publishers, who could fill one
// with heads of large records.
const checkedTimes = 8

// nextRecord seeks a good record behind bytes that are none: 0 when there is no
// such record, -1 when that would take too long to find out.
func (s *segment) nextRecord(at int, last uint64) (offset int, id uint64) {
	var r Record
	budget := checkedTimes * len(s.bytes)
	for at += recordAlign; at+recordHead <= len(s.bytes); at += recordAlign {
		size := headSize(s.bytes[at:])
		if size == 0 {
			continue
		}
		if budget -= size; budget < 0 {
			return -1, 0
		}
		if r.get(s.bytes[at:]) > 0 && r.Txid > last {
			return at, r.Txid
		}
	}
	return 0, 0
}

// endAt ends the log: what a crash left behind the last record is zeroed.
// Nothing in it was acknowledged.
func (l *Log) endAt(s *segment, at int) error {
	rest := s.bytes[at:]
	if allZero(rest) {
		return nil
	}
	l.report("%s, offset %d: the log ends here; what a crash left behind it is removed", s.path, at)
	clear(rest)
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("journal: %s: %w", s.path, err)
	}
	return nil
}
