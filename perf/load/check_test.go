package load

import (
	"math/rand/v2"
	"testing"
)

// model follows messages with a map, the plain way.
type model struct {
	seen   map[uint64]bool
	next   uint64
	faults Faults
}

func (m *model) see(sequence uint64) {
	switch {
	case m.seen[sequence]:
		m.faults.Duplicates++
	case sequence < m.next:
		m.faults.Disorder++
	}
	m.seen[sequence] = true
	m.next = max(m.next, sequence+1)
}

func TestCheckCountsFaultsLikeAMapDoes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		const sent = 400
		m, c := model{seen: map[uint64]bool{}}, check{}
		for n := range uint64(sent) {
			sequence := n
			if random.IntN(4) == 0 { // somewhere near: lost here, doubled or late there
				sequence = min(sent-1, n+uint64(random.IntN(20)))
				sequence -= min(sequence, uint64(random.IntN(20)))
			}
			m.see(sequence)
			c.see(sequence)
		}
		want := m.faults
		want.Losses = uint64(sent - len(m.seen))
		if got := c.result(sent); got != want {
			t.Fatalf("seed %d: found %+v, expected %+v", seed, got, want)
		}
	}
}

func TestCheckStaysExactAboutLossesWhenGapsFindNoRoom(t *testing.T) {
	t.Parallel()
	const gaps = gapsMax + 1000
	var c check
	for n := range uint64(gaps) {
		c.see(2*n + 1)
	}
	if got := c.result(2 * gaps); got != (Faults{Losses: gaps}) {
		t.Fatalf("found %+v, expected %d losses", got, gaps)
	}
	if len(c.gaps) > gapsMax {
		t.Fatalf("%d gaps are remembered, the limit is %d", len(c.gaps), gapsMax)
	}
}

func TestCheckOfAFilteredStreamTakesGapsForTheFilter(t *testing.T) {
	t.Parallel()
	c := check{sparse: true}
	for _, sequence := range []uint64{3, 7, 7, 5, 9} {
		c.see(sequence)
	}
	if got, want := c.result(100), (Faults{Duplicates: 1, Disorder: 1}); got != want {
		t.Fatalf("found %+v, expected %+v", got, want)
	}
}

// quick is a protocol of bare bodies, for measuring the drivers alone.
type quick struct{ Protocol }

func (quick) AppendPublish(dst []byte, topic string, body []byte) ([]byte, int) {
	return append(dst, body...), len(dst)
}

func TestHotPathsAllocateNothing(t *testing.T) {
	b, err := newBlock(quick{}, shape{layout: layout{size: 128, timed: true}, topics: []string{"x"}}, 0, 512)
	if err != nil {
		t.Fatal(err)
	}
	var c check
	start := uint64(7)
	if n := testing.AllocsPerRun(100, func() {
		frames, count := b.take(512, func(i int) uint64 { return start + uint64(i) })
		for i := range count {
			stamp, _ := readStamp(frames[i*128 : (i+1)*128])
			c.see(stamp.sequence)
		}
	}); n != 0 {
		t.Errorf("%v allocations a batch, expected none", n)
	}
	if f := c.result(c.next); f.Any() {
		t.Errorf("the block's sequences have faults: %+v", f)
	}
}

func BenchmarkBlockTake(b *testing.B) {
	block, err := newBlock(quick{}, shape{layout: layout{size: 128}, topics: []string{"x"}}, 0, 512)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for n := 0; n < b.N; {
		_, count := block.take(512, nil)
		n += count
	}
}

func BenchmarkReadAndCheck(b *testing.B) {
	body := layout{size: 128}.body(0, 0)
	var c check
	b.ReportAllocs()
	for n := range b.N {
		stamp, ok := readStamp(body)
		if !ok {
			b.Fatal("not a body")
		}
		c.see(stamp.sequence + uint64(n))
	}
}
