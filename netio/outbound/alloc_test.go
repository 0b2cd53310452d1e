//go:build !race

package outbound_test

import (
	"testing"

	"farad/netio/outbound"
)

// The race detector empties pools at random, so this is for builds without it.
func TestAppendingAllocatesNothing(t *testing.T) {
	b := outbound.New(64 << 20)
	frame := make([]byte, 170)
	allocations := testing.AllocsPerRun(1000, func() {
		for range 300 {
			b.Append(frame)
		}
		for block := b.Take(); block != nil; {
			b.Sent(len(block.Unsent()))
			next := block.Next()
			block.Release()
			block = next
		}
	})
	if allocations > 0.5 {
		t.Fatalf("%v allocations a batch of 300 frames", allocations)
	}
}
