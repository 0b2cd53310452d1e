package load

import (
	"time"

	"golang.org/x/sys/unix"
)

const (
	// timerSlack is the kernel's default leave to wake a thread late, in ns.
	timerSlack = 50_000
	// sleepMax bounds one sleep, so that a stop is noticed.
	sleepMax = 50 * time.Millisecond
	// leadMax bounds how long before a message's time the alarm aims.
	leadMax = 100 * time.Microsecond
	// leadStep is by how much it learns from each sleep.
	leadStep = 500 * time.Nanosecond
	// spinShare is the part of the time that the alarm may spin, at most.
	spinShare = 0.2
	// sleepMin is the part of the time between two messages that stays for
	// sleeping.
	sleepMin = 20 * time.Microsecond
	// intervalMin is how far apart messages have to be for aiming to make
	// sense: about as far as one sleep takes at least.
	intervalMin = 80 * time.Microsecond
)

// alarm wakes a thread for messages. A machine may take some ten µs to wake an
// idle processor, more than a fast server takes for a message. So the alarm
// learns how late its sleeps end, aims that much earlier, and spins over the
// few µs that are left in about every second case: precise without taking a
// core from the server. At rates that leave no room for that it just sleeps,
// and wakes for several messages at once. It belongs to one thread.
type alarm struct {
	epoch    time.Time
	interval time.Duration // between two messages

	lead time.Duration // how much earlier sleeps aim
	spun time.Duration // in all
}

// wait returns at that time after the epoch, or before, for another call.
func (a *alarm) wait(at time.Duration) {
	now := time.Since(a.epoch)
	if a.interval < intervalMin {
		sleep(at - now)
		return
	}
	if gap := at - now - a.lead; gap > 0 {
		sleep(gap)
		now = time.Since(a.epoch)
		if gap <= sleepMax {
			a.learn(now < at)
		}
	}
	if a.spun.Seconds() > spinShare*now.Seconds() {
		sleep(at - now)
		return
	}
	began := now
	for now < at && at-now <= leadMax {
		unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) // the receiver may be waiting for this processor
		now = time.Since(a.epoch)
	}
	a.spun += now - began
}

// learn moves the lead so that as many sleeps end early as late.
func (a *alarm) learn(early bool) {
	if early {
		a.lead = max(0, a.lead-leadStep)
	} else {
		a.lead = min(leadMax, a.interval-sleepMin, a.lead+leadStep)
	}
}

// preciseTimers makes the kernel wake this thread without slack. The function
// that it returns puts the default back.
func preciseTimers() (restore func()) {
	unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // where it is refused, lag shows it
	return func() { unix.Prctl(unix.PR_SET_TIMERSLACK, timerSlack, 0, 0, 0) }
}

// sleep sleeps on this thread; an interruption ends it early.
func sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	until := unix.NsecToTimespec(int64(min(d, sleepMax)))
	unix.Nanosleep(&until, nil)
}
