package outbound_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"farad/netio/outbound"
)

// drain takes everything, as a loop whose socket never blocks would.
func drain(b *outbound.Buffer) []byte {
	var sent []byte
	for block := b.Take(); block != nil; {
		sent = append(sent, block.Unsent()...)
		b.Sent(len(block.Unsent()))
		next := block.Next()
		block.Release()
		block = next
	}
	return sent
}

func TestBytesComeOutInTheOrderTheyWentIn(t *testing.T) {
	b := outbound.New(64 << 20)
	var want []byte
	for i := range 5000 {
		frame := bytes.Repeat([]byte(fmt.Sprintf("%d,", i)), 1+i%97)
		if verdict := b.Append(frame); verdict != outbound.Kept {
			t.Fatalf("append %d: verdict %d", i, verdict)
		}
		want = append(want, frame...)
		if i%1500 == 0 {
			if got := drain(b); !bytes.Equal(got, want) {
				t.Fatalf("after %d frames: got %d bytes, want %d, or other ones", i, len(got), len(want))
			}
			want = want[:0]
		}
	}
	if got := drain(b); !bytes.Equal(got, want) {
		t.Fatalf("got %d bytes, want %d, or other ones", len(got), len(want))
	}
	if b.Waiting() != 0 {
		t.Fatalf("%d bytes wait after everything was sent", b.Waiting())
	}
}

func TestFrameLargerThanABlockStaysWhole(t *testing.T) {
	b := outbound.New(64 << 20)
	frame := bytes.Repeat([]byte("x"), 3*outbound.BlockBytes+17)
	b.Append([]byte("before"))
	b.Append(frame)
	b.Append([]byte("after"))
	want := append(append([]byte("before"), frame...), "after"...)
	if got := drain(b); !bytes.Equal(got, want) {
		t.Fatalf("got %d bytes, want %d, or other ones", len(got), len(want))
	}
}

// 15-performance-anchors #4: what waits for a client that never reads stays
// below the limit.
func TestOverflowIsReportedOnceAndFreesEverything(t *testing.T) {
	before := outbound.BytesInUse()
	const limit = 1 << 20
	b := outbound.New(limit)
	frame := make([]byte, 1000)
	overflows := 0
	for range 3000 {
		switch b.Append(frame) {
		case outbound.Kept:
			if overflows > 0 {
				t.Fatal("bytes were kept after the overflow")
			}
			if b.Waiting() > limit {
				t.Fatalf("%d bytes wait, the limit is %d", b.Waiting(), limit)
			}
		case outbound.Overflowed:
			overflows++
		}
	}
	if overflows != 1 {
		t.Fatalf("%d overflows were reported, want 1", overflows)
	}
	if now := outbound.BytesInUse(); now != before {
		t.Fatalf("%d bytes of blocks in use, %d before", now, before)
	}
}

func TestTakenBlocksCountUntilTheyAreSent(t *testing.T) {
	b := outbound.New(1000)
	b.Append(make([]byte, 800))
	block := b.Take()
	if verdict := b.Append(make([]byte, 300)); verdict != outbound.Overflowed {
		t.Fatalf("verdict %d with 800 bytes taken but not sent, want an overflow", verdict)
	}
	block.Release()
}

func TestClosedBufferRefusesAndHoldsNothing(t *testing.T) {
	before := outbound.BytesInUse()
	b := outbound.New(1 << 20)
	b.Append([]byte("lost"))
	b.Close()
	if verdict := b.Append([]byte("late")); verdict != outbound.Refused {
		t.Fatalf("verdict %d after close, want refused", verdict)
	}
	if b.Take() != nil {
		t.Fatal("a closed buffer gave blocks")
	}
	if now := outbound.BytesInUse(); now != before {
		t.Fatalf("%d bytes of blocks in use, %d before", now, before)
	}
}

func TestConcurrentProducersDoNotMixTheirFrames(t *testing.T) {
	b := outbound.New(64 << 20)
	var producers sync.WaitGroup
	const each = 2000
	for p := range 4 {
		producers.Go(func() {
			for i := range each {
				b.Append([]byte(fmt.Sprintf("<%d:%06d>", p, i)))
			}
		})
	}
	done := make(chan struct{})
	go func() { producers.Wait(); close(done) }()
	var got []byte
	for finished := false; !finished; {
		select {
		case <-done:
			finished = true
		default:
		}
		got = append(got, drain(b)...)
	}
	next := map[byte]int{}
	for len(got) > 0 {
		var p byte
		var i int
		if _, err := fmt.Sscanf(string(got[:10]), "<%c:%06d>", &p, &i); err != nil {
			t.Fatalf("mixed frames: %q", got[:10])
		}
		if i != next[p] {
			t.Fatalf("producer %c: frame %d, want %d", p, i, next[p])
		}
		next[p]++
		got = got[10:]
	}
	if len(next) != 4 || next['0'] != each {
		t.Fatalf("frames a producer: %v", next)
	}
}

func BenchmarkAppend128(b *testing.B) {
	buffer := outbound.New(64 << 20)
	frame := make([]byte, 170)
	b.ReportAllocs()
	for i := range b.N {
		buffer.Append(frame)
		if i%300 == 299 {
			for block := buffer.Take(); block != nil; {
				buffer.Sent(len(block.Unsent()))
				next := block.Next()
				block.Release()
				block = next
			}
		}
	}
}
