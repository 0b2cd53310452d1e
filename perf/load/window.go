package load

import "sync/atomic"

// wakeup lets one goroutine wait for what others bring about. The waiter
// announces itself, looks once more, and waits; the others change what it
// looks at, and then ring. So no ring is missed, and ringing costs one load
// when nobody waits.
type wakeup struct {
	waiting atomic.Bool
	bell    chan struct{} // holds one ring
}

func newWakeup() wakeup { return wakeup{bell: make(chan struct{}, 1)} }

// ring wakes the waiter, if there is one.
func (w *wakeup) ring() {
	if w.waiting.Load() && w.waiting.Swap(false) {
		select {
		case w.bell <- struct{}{}:
		default:
		}
	}
}

// wait returns when ready does true.
func (w *wakeup) wait(ready func() bool) {
	for !ready() {
		w.waiting.Store(true)
		if ready() {
			w.waiting.Store(false)
			return
		}
		<-w.bell
	}
}

// mark is a counter on a cache line of its own: one goroutine writes, others
// read.
type mark struct {
	atomic.Uint64
	_ [56]byte
}
