package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"farad/perf/host"
)

const (
	// quietLook is over how long it is looked what the machine does.
	quietLook = 500 * time.Millisecond
	// quietShare is the part of the machine that may be busy between runs.
	quietShare = 0.05
	// repeatsMax bounds how often a disturbed run is repeated.
	repeatsMax = 20
)

// quiet keeps runs apart from what else the machine does: a run starts when
// the machine is idle, and one during which others took more than a share of
// it is thrown away, whatever it measured, and repeated.
type quiet struct {
	wait     time.Duration // for an idle machine, at most; 0: not at all
	share    float64       // of the machine that others may take; 1: any
	repeated int
	given    int // runs that were disturbed to the end, and count
}

// await returns when the machine is idle, or the wait is over.
func (q *quiet) await(ctx context.Context) error {
	deadline := time.Now().Add(q.wait)
	for time.Now().Before(deadline) {
		before, err := host.Busy()
		if err != nil {
			return err
		}
		began := time.Now()
		select {
		case <-time.After(quietLook):
		case <-ctx.Done():
			return ctx.Err()
		}
		after, err := host.Busy()
		if err != nil {
			return err
		}
		if (after - before).Seconds() < quietShare*time.Since(began).Seconds()*float64(host.Cores()) {
			return nil
		}
	}
	return ctx.Err()
}

// run calls one until it was undisturbed; one returns the share of the
// machine that others took.
func (q *quiet) run(ctx context.Context, one func() (others float64, err error)) error {
	for attempt := 0; ; attempt++ {
		if err := q.await(ctx); err != nil {
			return err
		}
		others, err := one()
		if err != nil || others <= q.share {
			return err
		}
		if attempt == repeatsMax {
			q.given++
			return nil
		}
		q.repeated++
		fmt.Fprintf(os.Stderr, "    others took %.0f %% of the machine: once more\n", others*100)
	}
}

// text says what was done, for the result.
func (q *quiet) text() string {
	text := fmt.Sprintf("A run during which others took more than %.0f %% of the machine was repeated: %d times", q.share*100, q.repeated)
	if q.given > 0 {
		text += fmt.Sprintf("; %d runs were never undisturbed and count as they are", q.given)
	}
	return text
}
