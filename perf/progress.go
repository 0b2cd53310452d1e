package perf

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress redraws one line while a load runs, for a person at a terminal;
// elsewhere it is silent. It belongs to the goroutine of the run.
type progress struct {
	out   io.Writer // nil: silent
	drawn bool

	received uint64 // at the last line
	elapsed  time.Duration
}

func newProgress(to io.Writer) *progress {
	if file, ok := to.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return &progress{out: file}
	}
	return &progress{}
}

// show draws the line: totals, and the rate since the last one.
func (p *progress) show(sent, received uint64, elapsed time.Duration) {
	if p.out == nil || elapsed <= p.elapsed {
		return
	}
	rate := float64(received-min(received, p.received)) / (elapsed - p.elapsed).Seconds()
	p.received, p.elapsed = received, elapsed
	p.text(fmt.Sprintf("%4.0f s  sent %s  delivered %s  (%s/s)",
		elapsed.Seconds(), grouped(sent), grouped(received), grouped(uint64(rate))))
}

// text draws the line with this text.
func (p *progress) text(line string) {
	if p.out == nil {
		return
	}
	p.drawn = true
	fmt.Fprint(p.out, "\r\x1b[K"+line)
}

// clear takes the line away.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.drawn = false
	}
}
