package load

import "time"

// watch notices when nothing moves any more, and reports progress.
type watch struct {
	run   *run
	tick  *time.Ticker
	moved time.Time // when the counters last changed
	state uint64    // sum of the counters, which only rise
}

func (r *run) newWatch() *watch {
	return &watch{run: r, tick: time.NewTicker(min(watchEvery, r.StallLimit/2+1)), moved: time.Now()}
}

// stalled says whether nothing has moved for the run's limit.
func (w *watch) stalled() bool {
	sent, received := w.run.totals()
	state := sent + received
	for _, p := range w.run.publishers {
		state += p.replies.Load()
	}
	now := time.Now()
	if state != w.state {
		w.state, w.moved = state, now
	}
	if w.run.Progress != nil {
		w.run.Progress(sent, received, now.Sub(w.run.epoch))
	}
	return now.Sub(w.moved) > w.run.StallLimit
}
