package load

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"
)

func TestBodyIsJSONOfExactlyTheSizeAskedFor(t *testing.T) {
	t.Parallel()
	for _, l := range []layout{{}, {timed: true}, {keyed: true}, {timed: true, keyed: true}} {
		for _, extra := range []int{0, 1, 1000} {
			l.size = l.sizeMin() + extra
			body := l.body(17, 23)
			if len(body) != l.size {
				t.Fatalf("%+v: %d bytes, expected %d", l, len(body), l.size)
			}
			putNumber(body, sequenceAt, 42)
			if l.timed {
				putNumber(body, timeAt, 4711)
			}
			var fields struct {
				P, S, T int64
				K       string
			}
			if err := json.Unmarshal(body, &fields); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			if fields.P != publisherBase+17 || fields.S != numberBase+42 || l.keyed && fields.K != "000023" {
				t.Fatalf("%s: wrong fields", body)
			}
			if stamp, ok := readStamp(body); !ok || stamp.publisher != 17 || stamp.sequence != 42 {
				t.Fatalf("%s: read %+v, %v", body, stamp, ok)
			}
			if at, ok := readTime(body); l.timed && (!ok || at != 4711) {
				t.Fatalf("%s: time %d, %v", body, at, ok)
			}
		}
		l.size = l.sizeMin() - 1
		if l.check() == nil {
			t.Fatalf("%+v: a size below the least was accepted", l)
		}
	}
}

func TestNumbersAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var digits [numberDigits]byte
	for range 10_000 {
		n := random.Uint64N(9 * numberBase)
		putNumber(digits[:], 0, n)
		if got, ok := readNumber(digits[:]); !ok || got != n {
			t.Fatalf("%s: read %d, %v, expected %d", digits, got, ok, n)
		}
	}
	for at := range digits {
		for _, b := range []byte{0, '/', ':', ' ', 'x', 0xff} {
			putNumber(digits[:], 0, 123)
			digits[at] = b
			if _, ok := readNumber(digits[:]); ok {
				t.Fatalf("%q was taken for a number", digits)
			}
		}
	}
}

func TestCounterCountsInDecimal(t *testing.T) {
	t.Parallel()
	c := newCounter(0)
	for n := range uint64(12_345) {
		if got, _ := readNumber(c[:]); got != n {
			t.Fatalf("digits %s after %d steps", c, n)
		}
		c.increment()
	}
}

func FuzzReadStamp(f *testing.F) {
	f.Add(layout{size: 128}.body(0, 0))
	f.Add(layout{size: 128, timed: true, keyed: true}.body(8999, 999_999))
	f.Add([]byte(`{"p":0999,"s":1000000000000000}`))
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		stamp, ok := readStamp(body)
		readTime(body)
		if !ok {
			return
		}
		if stamp.publisher < 0 || stamp.publisher >= publisherCount {
			t.Fatalf("%q: publisher %d", body, stamp.publisher)
		}
		again := append([]byte(nil), body...)
		putNumber(again, sequenceAt, stamp.sequence)
		if string(again) != string(body) {
			t.Fatalf("%q read as %d, which is written %q", body, stamp.sequence, again)
		}
	})
}

func TestScheduleNamesTheMessagesDueAtEachMoment(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{0.25, 3, 1000, 9999, 100_000, 1e7} {
		s := schedule{rate}
		for n := uint64(0); n < 5000; n++ {
			at := s.at(n)
			if due := s.due(at); due <= n {
				t.Fatalf("rate %v: message %d is not due at its own time %v", rate, n, at)
			}
			if due := s.due(at - 1); due > n {
				t.Fatalf("rate %v: message %d is due before %v", rate, n, at)
			}
		}
	}
	if due := (schedule{1000}).due(-1); due != 0 {
		t.Fatalf("%d messages are due before the start", due)
	}
}

// The client's share of the CPU time decides whether it was the bottleneck.
func TestClientShareCountsWhatOthersLeave(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name           string
		client, taken  float64 // CPU seconds in a run of one second
		drivers, cores int
		least, most    float64
	}{
		{"one driver, all cores free", 0.9, 0, 1, 4, 0.9, 0.9},
		{"two drivers on four cores", 0.9, 0, 2, 4, 0.45, 0.45},
		{"the server takes one of two cores", 0.9, 1, 2, 2, 0.9, 0.9},
		{"nothing was left", 0.2, 1.9, 2, 2, 1, 1},
		{"no time", 0, 0, 2, 2, 0, 0},
	} {
		const second = 1e9
		got := clientShare(time.Duration(row.client*second), time.Duration(row.taken*second), second, row.drivers, row.cores)
		if got < row.least-0.001 || got > row.most+0.001 {
			t.Errorf("%s: share %v, expected %v", row.name, got, row.least)
		}
	}
}
