package engine

import (
	"farad/expr/message"
)

// shape is what the subscriptions of one topic that have the same select list
// get of its messages: the body of each message is cut once for all of them
// (05-subscriptions §5). Guarded by the topic's mu.
type shape struct {
	text string
	list *message.SelectList
	uses int // subscriptions

	serial uint64 // of the topic's run that bodies is of
	cuts   []cut  // by message of the run; nil while one subscription has the shape
	bodies []byte
}

// cut is where a message's body is in shape.bodies, once it has been made.
type cut struct {
	made       bool
	start, end int
}

// shapeKeptBytes is how much room for bodies a shape keeps between runs.
const shapeKeptBytes = 1 << 20

// takeShape returns the topic's shape for a select list; nil for none.
func (t *topic) takeShape(sub *subscription) *shape {
	if sub.selects == nil {
		return nil
	}
	s := t.shapes[sub.selectText]
	if s == nil {
		if t.shapes == nil {
			t.shapes = map[string]*shape{}
		}
		s = &shape{text: sub.selectText, list: sub.selects}
		t.shapes[s.text] = s
	}
	s.uses++
	return s
}

// giveShape ends one use of a shape.
func (t *topic) giveShape(s *shape) {
	if s == nil {
		return
	}
	if s.uses--; s.uses == 0 {
		delete(t.shapes, s.text)
	}
}

// body is what of a message of the run the shape leaves, valid until the next
// call. A message that cannot be taken apart is what it holds before the fault.
func (s *shape) body(w *Worker, t *topic, index int, m *published) []byte {
	if s.serial != t.serial {
		s.serial = t.serial
		clear(s.cuts)
		if cap(s.bodies) > shapeKeptBytes {
			s.bodies = nil
		}
		s.bodies = s.bodies[:0]
	}
	if s.uses == 1 { // nobody asks a second time
		s.bodies = s.cut(w, t, m, s.bodies[:0])
		return s.bodies
	}
	if s.cuts == nil {
		s.cuts = make([]cut, runMessagesMax)
	}
	c := &s.cuts[index]
	if !c.made {
		c.made, c.start = true, len(s.bodies)
		s.bodies = s.cut(w, t, m, s.bodies)
		c.end = len(s.bodies)
	}
	return s.bodies[c.start:c.end]
}

func (s *shape) cut(w *Worker, t *topic, m *published, dst []byte) []byte {
	_ = w.document.Read(t.space.kind, m.body) // up to the fault
	w.document.Select(s.list)
	return t.space.kind.Write(dst, &w.document, 0)
}
