package tools

import (
	"context"
	"time"
)

// paceLagMax is how far a pacer that fell behind its schedule catches up. A
// longer stall, for instance of a person typing the records, is forgiven, so
// that no burst follows it.
const paceLagMax = time.Second

// pacer spreads messages evenly over time: the first at once, message k at
// k/rate seconds after it. The schedule is absolute, so small delays do not
// add up.
type pacer struct {
	rate  rate      // 0: no pace
	start time.Time // of the schedule
	sent  uint64    // messages since start
	timer *time.Timer
}

// wait returns when the next message is due, or ctx ends.
func (p *pacer) wait(ctx context.Context) error {
	if p.rate == 0 {
		return ctx.Err()
	}
	now := time.Now()
	if p.start.IsZero() {
		p.start = now
	}
	ahead := p.due().Sub(now)
	if ahead < -paceLagMax {
		p.start, p.sent, ahead = now, 0, 0
	}
	p.sent++
	if ahead <= 0 {
		return ctx.Err()
	}
	if p.timer == nil {
		p.timer = time.NewTimer(ahead)
	} else {
		p.timer.Reset(ahead)
	}
	select {
	case <-p.timer.C:
		return nil
	case <-ctx.Done():
		p.timer.Stop()
		return ctx.Err()
	}
}

// due is when the next message is to be sent. Whole seconds are taken apart
// from the rest, so that a long run at a high rate loses no precision.
func (p *pacer) due() time.Time {
	seconds := float64(p.sent) / float64(p.rate)
	whole := time.Duration(seconds)
	rest := time.Duration((seconds - float64(whole)) * float64(time.Second))
	return p.start.Add(whole*time.Second + rest)
}
