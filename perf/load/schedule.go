package load

import "time"

// schedule is when messages are due: message n at n/rate seconds after the
// start. It is absolute, so a late message makes no other one late.
type schedule struct {
	rate float64 // messages a second, above 0
}

// at is when message n is due, after the start.
func (s schedule) at(n uint64) time.Duration {
	seconds := float64(n) / s.rate
	whole := float64(uint64(seconds))
	return time.Duration(whole)*time.Second + time.Duration((seconds-whole)*1e9)
}

// due is how many messages are due that long after the start.
func (s schedule) due(elapsed time.Duration) uint64 {
	if elapsed < 0 {
		return 0
	}
	n := uint64(elapsed.Seconds() * s.rate)
	for s.at(n) <= elapsed { // rounding may leave n one short
		n++
	}
	for n > 0 && s.at(n-1) > elapsed {
		n--
	}
	return n
}
