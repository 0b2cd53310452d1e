package tools

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// How often a meter reports.
const (
	statisticsEvery = time.Second
	progressEvery   = 250 * time.Millisecond
	progressAfter   = time.Second // work over sooner shows no progress
)

// meter counts messages and reports them on standard error while they flow:
// a line a second if statistics is set, else a line that is redrawn if
// progress is set.
type meter struct {
	verb                 string // "published" or "received"
	statistics, progress bool
	out                  io.Writer

	messages atomic.Uint64
	start    time.Time
	stop     chan struct{}
	reporter sync.WaitGroup
}

// run starts the clock and the reports; end stops both.
func (m *meter) run() {
	m.start = time.Now()
	m.stop = make(chan struct{})
	switch {
	case m.statistics:
		m.reporter.Go(m.reportStatistics)
	case m.progress:
		m.reporter.Go(m.reportProgress)
	}
}

// end stops the reports and returns the number of messages and how long they
// took.
func (m *meter) end() (messages uint64, took time.Duration) {
	took = time.Since(m.start)
	close(m.stop)
	m.reporter.Wait()
	return m.messages.Load(), took
}

func (m *meter) reportStatistics() {
	tick := time.NewTicker(statisticsEvery)
	defer tick.Stop()
	last, lastTime := uint64(0), m.start
	for {
		select {
		case now := <-tick.C:
			messages := m.messages.Load()
			fmt.Fprintf(m.out, "%s %d messages (%s)\n", m.verb, messages, perSecond(messages-last, now.Sub(lastTime)))
			last, lastTime = messages, now
		case <-m.stop:
			return
		}
	}
}

// reportProgress redraws one line on a terminal and removes it at the end.
func (m *meter) reportProgress() {
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	drawn := false
	for {
		select {
		case now := <-tick.C:
			if took := now.Sub(m.start); took >= progressAfter {
				drawn = true
				messages := m.messages.Load()
				fmt.Fprintf(m.out, "\r\x1b[K%s %d messages (%s)", m.verb, messages, perSecond(messages, took))
			}
		case <-m.stop:
			if drawn {
				fmt.Fprint(m.out, "\r\x1b[K")
			}
			return
		}
	}
}

// perSecond is a rate for people: 12000.00/s.
func perSecond(messages uint64, took time.Duration) string {
	if took <= 0 {
		return "0.00/s"
	}
	return fmt.Sprintf("%.2f/s", float64(messages)/took.Seconds())
}
