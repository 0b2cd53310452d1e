package load

import "slices"

// gapsMax bounds the ranges of missing messages that one publisher's check
// remembers. Beyond it a gap still counts as lost, but a late arrival from it
// can't be told from a duplicate.
const gapsMax = 1 << 16

// Faults is what was wrong with what a subscriber received.
type Faults struct {
	Losses     uint64 `json:"losses"`     // never arrived
	Duplicates uint64 `json:"duplicates"` // arrived before
	Disorder   uint64 `json:"disorder"`   // arrived behind a later message of the same publisher
	Foreign    uint64 `json:"foreign"`    // not made by this load
}

// Any says whether there was any.
func (f Faults) Any() bool { return f != Faults{} }

func (f *Faults) add(g Faults) {
	f.Losses += g.Losses
	f.Duplicates += g.Duplicates
	f.Disorder += g.Disorder
	f.Foreign += g.Foreign
}

// span is a range of sequences that have not arrived, end excluded.
type span struct{ from, end uint64 }

// check follows one publisher's messages at one subscriber. The zero value is
// ready. It belongs to the subscriber's goroutine.
//
// Invariant: a sequence below next has arrived, or lies in exactly one of
// gaps, or in the lost count that forgotten gaps left behind.
type check struct {
	next      uint64 // one behind the highest sequence seen
	gaps      []span // in order, apart from each other
	forgotten uint64 // messages in gaps that found no room
	sparse    bool   // a filter takes messages out, so a gap is no fault
	faults    Faults // without losses
}

// see takes one message.
func (c *check) see(sequence uint64) {
	if sequence == c.next {
		c.next++
		return
	}
	c.unusual(sequence)
}

func (c *check) unusual(sequence uint64) {
	if sequence > c.next {
		switch {
		case c.sparse:
		case len(c.gaps) < gapsMax:
			c.gaps = append(c.gaps, span{c.next, sequence})
		default:
			c.forgotten += sequence - c.next
		}
		c.next = sequence + 1
		return
	}
	if c.sparse && sequence+1 < c.next || c.fill(sequence) {
		c.faults.Disorder++
		return
	}
	c.faults.Duplicates++
}

// fill takes a sequence out of the gaps; false if it is in none.
func (c *check) fill(sequence uint64) bool {
	i, found := slices.BinarySearchFunc(c.gaps, sequence, func(g span, s uint64) int {
		switch {
		case g.end <= s:
			return -1
		case g.from > s:
			return 1
		}
		return 0
	})
	if !found {
		return false
	}
	g := c.gaps[i]
	switch {
	case g.from+1 == g.end:
		c.gaps = slices.Delete(c.gaps, i, i+1)
	case sequence == g.from:
		c.gaps[i].from++
	case sequence+1 == g.end:
		c.gaps[i].end--
	default:
		c.gaps[i].end = sequence
		c.gaps = slices.Insert(c.gaps, i+1, span{sequence + 1, g.end})
	}
	return true
}

// result is what was wrong, given how many messages the publisher sent.
func (c *check) result(sent uint64) Faults {
	f := c.faults
	if c.sparse {
		return f
	}
	f.Losses = c.forgotten
	for _, g := range c.gaps {
		f.Losses += g.end - g.from
	}
	if sent > c.next {
		f.Losses += sent - c.next
	}
	return f
}
