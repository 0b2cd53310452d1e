package outbound

import (
	"sync"
	"sync/atomic"
)

// BlockBytes is the size of a large block: some hundred messages, and small
// enough to stay in the processor's cache between the copy in and the copy
// out. SmallBlockBytes is the size of a small one, for a buffer that is empty
// and gets little: with many clients and few messages most are.
const (
	BlockBytes      = 64 << 10
	SmallBlockBytes = 4 << 10
)

// Block is a run of bytes on its way to a socket. Sent counts what the socket
// has taken already; the owner of the socket moves it.
type Block struct {
	Bytes []byte
	Sent  int

	next *Block
	pool *sync.Pool // where it goes back to; nil when it is of an odd size
}

// Unsent is what is left to write.
func (b *Block) Unsent() []byte { return b.Bytes[b.Sent:] }

var smallBlocks, largeBlocks sync.Pool

func init() {
	smallBlocks.New = func() any {
		return &Block{Bytes: make([]byte, 0, SmallBlockBytes), pool: &smallBlocks}
	}
	largeBlocks.New = func() any {
		return &Block{Bytes: make([]byte, 0, BlockBytes), pool: &largeBlocks}
	}
}

// bytesInUse counts the capacity of all blocks that are out of the pool.
var bytesInUse atomic.Int64

// BytesInUse is the memory, in bytes, that outbound blocks of all clients of
// this process take at the moment.
func BytesInUse() int64 { return bytesInUse.Load() }

// newBlock returns an empty block with room for at least size bytes. A frame
// larger than a large block gets one of its own.
func newBlock(size int) *Block {
	var b *Block
	switch {
	case size <= SmallBlockBytes:
		b = smallBlocks.Get().(*Block)
	case size <= BlockBytes:
		b = largeBlocks.Get().(*Block)
	default:
		b = &Block{Bytes: make([]byte, 0, size)}
	}
	bytesInUse.Add(int64(cap(b.Bytes)))
	return b
}

// Release gives the block back. The caller must not touch it afterwards.
func (b *Block) Release() {
	bytesInUse.Add(-int64(cap(b.Bytes)))
	if b.pool == nil {
		return
	}
	b.Bytes, b.Sent, b.next = b.Bytes[:0], 0, nil
	b.pool.Put(b)
}
