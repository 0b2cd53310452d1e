package journal

import (
	"context"
	"sort"
)

// gap is a range of damaged bytes that is passed over.
type gap struct{ from, to int }

// Cursor reads the log in order, from a position on. It is used by one
// goroutine at a time; any number of cursors may read while records are
// appended.
type Cursor struct {
	log     *Log
	segment *segment
	index   int // of the segment in the log
	at      int // offset of the next record
	last    uint64
}

// CursorAfter returns a cursor whose first record is the first one with an id
// above txid; 0 for the oldest record.
func (l *Log) CursorAfter(txid uint64) *Cursor {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := sort.Search(len(l.segments), func(i int) bool { return l.segments[i].first == 0 || l.segments[i].first > txid })
	i = max(i-1, 0)
	return &Cursor{log: l, segment: l.segments[i], index: i, at: headerBytes, last: txid}
}

// Position is the id of the last record that was read, or the one that the
// cursor was placed behind.
func (c *Cursor) Position() uint64 { return c.last }

// Next reads the next record into r, which aliases the log until it is closed.
// It is false when there is none with an id up to limit yet. The error is a
// *DamageError.
func (c *Cursor) Next(limit uint64, r *Record) (bool, error) {
	for c.last < limit {
		if to := c.segment.skip(c.at); to > c.at {
			c.at = to
			continue
		}
		before := c.at
		size := 0
		if c.at < len(c.segment.bytes) {
			size = r.get(c.segment.bytes[c.at:])
		}
		switch {
		case size > 0:
			if r.Txid > limit {
				return false, nil
			}
			c.at += size
			if r.Txid > c.last {
				c.last = r.Txid
				return true, nil
			}
		case size < 0:
			return false, &DamageError{Path: c.segment.path, Offset: int64(before), Found: "bytes that are no record", Before: c.last}
		default:
			if !c.advance() {
				return false, nil
			}
		}
	}
	return false, nil
}

// skip is the end of the gap that begins at an offset, or the offset.
func (s *segment) skip(at int) int {
	for _, g := range s.gaps {
		if g.from == at {
			return g.to
		}
	}
	return at
}

// advance goes to the next segment; false when there is none.
func (c *Cursor) advance() bool {
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	if c.index+1 >= len(c.log.segments) {
		return false
	}
	c.index++
	c.segment, c.at = c.log.segments[c.index], headerBytes
	return true
}

// Wait returns when there may be a record behind the cursor: a durable one, or
// with visible any. It returns the context's error, or why the log takes
// nothing any more.
func (c *Cursor) Wait(ctx context.Context, visible bool) error {
	l := c.log
	l.waiters.Add(1)
	defer l.waiters.Add(-1)
	for {
		changed := *l.changed.Load()
		limit := l.durable.Load()
		if visible {
			limit = l.visible.Load()
		}
		if limit > c.last {
			return nil
		}
		if err := l.Err(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}
