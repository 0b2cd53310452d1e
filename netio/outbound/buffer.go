package outbound

import "sync"

// Verdict tells what became of appended bytes.
type Verdict uint8

// The verdicts of Unlock.
const (
	// Kept: the bytes wait to be sent; the producer sees to a flush.
	Kept Verdict = iota
	// Overflowed: the limit was passed just now. The buffer is closed and
	// empty; the client has to be disconnected.
	Overflowed
	// Refused: the buffer is closed; the bytes are gone.
	Refused
)

// Buffer collects frames for one client.
//
// Producers append between Lock and Unlock, any number of frames at a time:
//
//	buffer.Lock(expected)
//	frame := append(buffer.Reserve(size), ...)  // at most size bytes
//	buffer.Commit(frame)
//	verdict := buffer.Unlock()
//
// The event loop that owns the socket takes blocks with Take, reports what the
// socket took with Sent, and is the only one to do so. Lock order: last, after
// every lock of the engine.
type Buffer struct {
	limit int // bytes that may wait; immutable

	mu      sync.Mutex
	first   *Block // oldest block that the loop has not taken
	last    *Block // the block being filled
	waiting int    // bytes appended and not yet sent, those taken included
	added   int    // bytes appended since Lock
	hint    int    // bytes that this turn is expected to append
	closed  bool
}

// New returns an empty buffer that holds at most limit bytes.
func New(limit int) *Buffer { return &Buffer{limit: limit} }

// Lock starts a turn of appending about expected bytes; it chooses the size of
// the blocks by that.
func (b *Buffer) Lock(expected int) {
	b.mu.Lock()
	b.added, b.hint = 0, expected
}

// Reserve returns an empty slice with room for size bytes. The caller appends
// at most size bytes and hands the slice to Commit before it reserves again.
func (b *Buffer) Reserve(size int) []byte {
	last := b.last
	if last != nil {
		if n := len(last.Bytes); cap(last.Bytes)-n >= size {
			return last.Bytes[n:n:cap(last.Bytes)]
		}
	}
	return b.grow(size).Bytes
}

func (b *Buffer) grow(size int) *Block {
	if b.last == nil {
		block := newBlock(max(size, min(b.hint, BlockBytes)))
		b.first, b.last = block, block
		return block
	}
	// What did not fit the first block is more than little.
	block := newBlock(max(size, BlockBytes))
	b.last.next, b.last = block, block
	return block
}

// Commit adds what was appended to the last reserved slice.
func (b *Buffer) Commit(frame []byte) {
	b.last.Bytes = b.last.Bytes[:len(b.last.Bytes)+len(frame)]
	b.added += len(frame)
}

// Unlock ends the turn and says what became of its bytes.
func (b *Buffer) Unlock() Verdict {
	verdict := Kept
	switch {
	case b.closed:
		b.drop()
		verdict = Refused
	case b.waiting+b.added > b.limit:
		b.closed = true
		b.drop()
		verdict = Overflowed
	default:
		b.waiting += b.added
	}
	b.mu.Unlock()
	return verdict
}

// Append adds one complete frame.
func (b *Buffer) Append(frame []byte) Verdict {
	b.Lock(len(frame))
	b.Commit(append(b.Reserve(len(frame)), frame...))
	return b.Unlock()
}

// Take hands all waiting blocks to the loop, oldest first, as a chain to be
// walked with Next; nil when there are none. Their bytes still count as
// waiting until Sent says otherwise.
func (b *Buffer) Take() *Block {
	b.mu.Lock()
	first := b.first
	b.first, b.last = nil, nil
	b.mu.Unlock()
	return first
}

// Next returns the block behind b in a chain given by Take.
func (b *Block) Next() *Block { return b.next }

// SetNext links a chain behind b. Only the loop that took b calls it.
func (b *Block) SetNext(chain *Block) { b.next = chain }

// Sent tells the buffer that the socket took n bytes.
func (b *Buffer) Sent(n int) {
	b.mu.Lock()
	if b.waiting -= n; b.waiting < 0 {
		b.waiting = 0
	}
	b.mu.Unlock()
}

// Waiting is the number of bytes that were appended and not yet sent.
func (b *Buffer) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting
}

// Close empties the buffer and refuses everything from now on. Blocks already
// taken stay with the loop, which releases them.
func (b *Buffer) Close() {
	b.mu.Lock()
	b.closed = true
	b.drop()
	b.mu.Unlock()
}

// drop releases the blocks that the loop has not taken.
func (b *Buffer) drop() {
	for block := b.first; block != nil; {
		next := block.next
		block.Release()
		block = next
	}
	b.first, b.last, b.waiting = nil, nil, 0
}

// Limit is the most bytes that may wait.
func (b *Buffer) Limit() int { return b.limit }
