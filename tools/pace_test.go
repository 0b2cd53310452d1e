package tools

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Part of 14-tools-and-capacity #14: the schedule itself, on a clock of its
// own.
func TestPacerKeepsItsScheduleWithoutDrift(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rate     rate
		messages int
		want     time.Duration // between the first and the last
	}{
		{.25, 2, 4 * time.Second},
		{1000, 10_001, 10 * time.Second},
		{3, 301, 100 * time.Second},
		{0, 1000, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := pacer{rate: c.rate}
			start := time.Now()
			for range c.messages {
				if err := p.wait(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if took := time.Since(start).Round(time.Microsecond); took != c.want {
				t.Errorf("%d messages at %v a second took %v, want %v", c.messages, c.rate, took, c.want)
			}
		})
	}
}

func TestPacerForgivesAStallInsteadOfBursting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := pacer{rate: 10}
		wait := func() {
			if err := p.wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		wait()
		time.Sleep(time.Minute) // on the test's own clock: the records stalled
		start := time.Now()
		for range 11 {
			wait()
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("11 messages at 10 a second after a stall took %v, want 1s", took)
		}
	})
}

func TestPacerEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		p := pacer{rate: .25}
		if err := p.wait(ctx); err != nil {
			t.Fatal(err)
		}
		if err := p.wait(ctx); err == nil {
			t.Error("waiting 4 s for the next message outlived a context of 1 s")
		}
	})
}
