package load

import "fmt"

// blockBytesMax bounds the prepared frames of one publisher, 64 MiB.
const blockBytesMax = 64 << 20

// block is a publisher's prepared frames, a ring in which only the digits
// change from one turn to the next. It belongs to one goroutine.
type block struct {
	buffer   []byte
	start    []int // offset of each frame, and the end behind them
	body     []int // offset of each frame's body
	next     int   // frame that the next message takes
	sequence counter
}

// shape is what a block's frames differ in.
type shape struct {
	layout
	topics   []string
	keyFirst int // number of the first key
	keys     int // number of different keys; 0 without
}

// newBlock prepares at least frames frames of one publisher, so many that
// every topic and key has its turn.
func newBlock(p Protocol, s shape, publisher, frames int) (*block, error) {
	turn := leastCommonMultiple(len(s.topics), max(1, s.keys))
	count := (frames + turn - 1) / turn * turn
	if bytes := count * (s.size + 64); bytes > blockBytesMax {
		return nil, fmt.Errorf("%d frames of %d bytes are needed for every topic and key to have its turn, room is for %d MiB: use fewer of them or a smaller size",
			count, s.size, blockBytesMax>>20)
	}
	b := &block{
		buffer:   make([]byte, 0, count*(s.size+64)),
		start:    make([]int, 0, count+1),
		body:     make([]int, 0, count),
		sequence: newCounter(0),
	}
	for i := range count {
		key := 0
		if s.keys > 0 {
			key = s.keyFirst + i%s.keys
		}
		b.start = append(b.start, len(b.buffer))
		var bodyAt int
		b.buffer, bodyAt = p.AppendPublish(b.buffer, s.topics[i%len(s.topics)], s.layout.body(publisher, key))
		b.body = append(b.body, bodyAt)
	}
	b.start = append(b.start, len(b.buffer))
	return b, nil
}

func leastCommonMultiple(a, b int) int {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// take numbers the next frames, at most limit, and returns their bytes and
// how many they are: fewer than limit at the ring's end. intended gives the
// time to write into each, by its place in the run; nil without times. The
// bytes are valid until the next take.
func (b *block) take(limit int, intended func(i int) uint64) (frames []byte, count int) {
	count = min(limit, len(b.body)-b.next)
	first := b.next
	for i, at := range b.body[first : first+count] {
		copy(b.buffer[at+sequenceAt:], b.sequence[:])
		b.sequence.increment()
		if intended != nil {
			putNumber(b.buffer, at+timeAt, intended(i))
		}
	}
	b.next += count
	if b.next == len(b.body) {
		b.next = 0
	}
	return b.buffer[b.start[first]:b.start[first+count]], count
}
