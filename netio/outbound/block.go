package outbound

import (
	"sync"
	"sync/atomic"
)

// BlockBytes is the size of the largest pooled block, and so of a write at
// saturation: with less, system calls take over; with more, the bytes leave
// the processor's near caches between the copy in and the copy out.
const BlockBytes = 128 << 10

// blockSizes are those of the pooled blocks, ascending. With many clients and
// few messages for each, most buffers need little.
var blockSizes = [...]int{4 << 10, 32 << 10, BlockBytes}

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

// blockPools hold the idle blocks, by size.
var blockPools [len(blockSizes)]sync.Pool

func init() {
	for i, size := range blockSizes {
		pool := &blockPools[i]
		pool.New = func() any { return &Block{Bytes: make([]byte, 0, size), pool: pool} }
	}
}

// bytesInUse counts the capacity of all blocks that are out of the pool.
var bytesInUse atomic.Int64

// BytesInUse is the memory, in bytes, that outbound blocks of all clients of
// this process take at the moment.
func BytesInUse() int64 { return bytesInUse.Load() }

// newBlock returns an empty block with room for at least size bytes. A frame
// larger than every pooled block gets one of its own.
func newBlock(size int) *Block {
	b := pooledBlock(size)
	if b == nil {
		b = &Block{Bytes: make([]byte, 0, size)}
	}
	bytesInUse.Add(int64(cap(b.Bytes)))
	return b
}

func pooledBlock(size int) *Block {
	for i := range blockSizes {
		if size <= blockSizes[i] {
			return blockPools[i].Get().(*Block)
		}
	}
	return nil
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
