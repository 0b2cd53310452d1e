package perf_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"farad/perf/amps"
	"farad/perf/load"
	"farad/perf/loadtest"
)

// throughput is a load for a server with faults: defaults that tests change.
func throughput(t *testing.T, options loadtest.Options) load.Throughput {
	t.Helper()
	protocol, err := amps.New(loadtest.Start(t, options).URI())
	if err != nil {
		t.Fatal(err)
	}
	return load.Throughput{
		Protocol: protocol, Publishers: 1, Subscribers: 1, Topic: "x", Topics: 1, Size: 128, Match: 1,
		Messages: 10_000, WindowMessages: 1000, StallLimit: time.Minute,
	}
}

func run(t *testing.T, l load.Throughput) *load.Result {
	t.Helper()
	result, err := l.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// 14-tools-and-capacity #19: losses, duplicates and order violations.
func TestLossesDuplicatesAndDisorderAreEachCountedExactly(t *testing.T) {
	t.Parallel()
	result := run(t, throughput(t, loadtest.Options{Fate: func(n uint64) loadtest.Fate {
		switch n % 100 {
		case 7, 8:
			return loadtest.Drop
		case 23:
			return loadtest.Double
		case 51, 61, 71:
			return loadtest.Behind
		}
		return loadtest.Pass
	}}))
	if want := (load.Faults{Losses: 200, Duplicates: 100, Disorder: 300}); result.Faults != want {
		t.Fatalf("found %+v, expected %+v", result.Faults, want)
	}
	if result.Sent != 10_000 || result.Received != 9_900 {
		t.Fatalf("sent %d, received %d, expected 10000 and 9900", result.Sent, result.Received)
	}
}

// 14-tools-and-capacity #19: each 0 in a correct run.
func TestACorrectRunHasNoFaults(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*load.Throughput){
		"several of each":      func(l *load.Throughput) { l.Publishers, l.Subscribers = 3, 4 },
		"many topics":          func(l *load.Throughput) { l.Topics = 7 },
		"a window of one":      func(l *load.Throughput) { l.WindowMessages, l.Messages = 1, 200 },
		"no window":            func(l *load.Throughput) { l.WindowMessages = 0 },
		"a rate":               func(l *load.Throughput) { l.Rate, l.Messages = 20_000, 2_000 },
		"large messages":       func(l *load.Throughput) { l.Size, l.Messages = 500_000, 100 },
		"one of many filters":  func(l *load.Throughput) { l.Filters = 50 },
		"some of many filters": func(l *load.Throughput) { l.Filters, l.Match = 50, 7 },
		"a filter that passes": func(l *load.Throughput) { l.Filter, l.FilterPassesAll = "1 = 1", true },
		"a duration and warmup": func(l *load.Throughput) {
			l.Messages, l.Warmup, l.Duration = 0, 50*time.Millisecond, 100*time.Millisecond
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := throughput(t, loadtest.Options{})
			change(&l)
			result := run(t, l)
			if result.Any() || result.Stalled || !result.LossesKnown {
				t.Fatalf("faults in a correct run: %+v", result)
			}
			if l.Warmup == 0 && (result.Sent != l.Messages || result.Received != l.Messages*uint64(l.Subscribers)) {
				t.Fatalf("sent %d, received %d of %d messages", result.Sent, result.Received, l.Messages)
			}
			if result.Sent == 0 || result.SentRate <= 0 || result.Elapsed <= 0 {
				t.Fatalf("nothing measured: %+v", result)
			}
		})
	}
}

// What is on its way when the warm-up ends must not be counted on top of what
// is delivered afterwards: with a window as large as the whole measured part
// it would show.
func TestDeliveriesOfTheWarmupDoNotRaiseTheMeasuredRate(t *testing.T) {
	t.Parallel()
	const rate = 2000
	held := make(chan struct{})
	var release sync.Once
	l := throughput(t, loadtest.Options{Before: func(n uint64) {
		if n >= 1 { // behind the first batch, nothing is delivered until the measured time is over
			<-held
		}
	}})
	l.Rate, l.Messages, l.WindowMessages = rate, 0, 0
	l.Warmup, l.Duration = 500*time.Millisecond, 300*time.Millisecond
	l.Progress = func(_, _ uint64, elapsed time.Duration) {
		if elapsed > l.Warmup+l.Duration {
			release.Do(func() { close(held) })
		}
	}
	result := run(t, l)
	if result.Any() || result.Sent == 0 {
		t.Fatalf("unexpected result %+v", result)
	}
	if result.Received != 0 {
		t.Fatalf("%d deliveries are counted in a time in which there were none", result.Received)
	}
}

func TestARunWithoutDeliveriesIsWindowedByAcknowledgements(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*load.Throughput){
		"no subscriber":               func(l *load.Throughput) { l.Subscribers = 0 },
		"no filter matches":           func(l *load.Throughput) { l.Filters, l.Match = 50, 0 },
		"a filter that may not match": func(l *load.Throughput) { l.Filter = "/k = 'none'" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := throughput(t, loadtest.Options{})
			change(&l)
			result := run(t, l)
			if result.Sent != l.Messages || result.Received != 0 || result.Any() || result.Stalled {
				t.Fatalf("unexpected result %+v", result)
			}
			if known := l.Filter == ""; result.LossesKnown != known {
				t.Fatalf("losses known: %v, expected %v", result.LossesKnown, known)
			}
		})
	}
}

func TestPublishersStayWithinTheWindowWhenDeliveriesStop(t *testing.T) {
	t.Parallel()
	const delivered = 50
	l := throughput(t, loadtest.Options{Fate: func(n uint64) loadtest.Fate {
		if n >= delivered {
			return loadtest.Drop
		}
		return loadtest.Pass
	}})
	l.StallLimit = 200 * time.Millisecond
	result := run(t, l)
	if !result.Stalled || result.Sent > delivered+uint64(l.WindowMessages) {
		t.Fatalf("stalled: %v, %d sent with a window of %d", result.Stalled, result.Sent, l.WindowMessages)
	}
	if want := result.Sent - delivered; result.Losses != want {
		t.Fatalf("%d losses, expected %d", result.Losses, want)
	}
}

func TestAConnectionThatEndsGivesAnErrorAndTheResultSoFar(t *testing.T) {
	t.Parallel()
	l := throughput(t, loadtest.Options{CutAfter: 500})
	result, err := l.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "publisher 0") {
		t.Fatalf("error %v does not name the connection", err)
	}
	if result == nil || result.Sent == 0 {
		t.Fatalf("no result so far: %+v", result)
	}
}

// 14-tools-and-capacity #19: the client is named when it was the bottleneck.
// Here it was offered to send more than any client can.
func TestAResultNamesTheClientAsBottleneckWhenItMissesTheOfferedRate(t *testing.T) {
	t.Parallel()
	l := throughput(t, loadtest.Options{})
	l.Rate, l.Messages, l.WindowMessages = load.RateMax, 1000, 0
	result := run(t, l)
	if result.Bottleneck == "" {
		t.Fatalf("%.0f of %d messages a second were sent, and nobody was to blame", result.SentRate, load.RateMax)
	}
}

// 14-tools-and-capacity #18: the schedule goes on while the server stalls for
// a second, and every message that fell into the stall shows it.
func TestScheduleKeepsItsPaceWhenTheServerStallsAndPercentilesShowIt(t *testing.T) {
	t.Parallel()
	const (
		rate    = 2000
		seconds = 4
		stallAt = 2000 // message from which on the server does not read
		resume  = stallAt + rate
	)
	var sent, stalledAt atomic.Uint64
	ahead := make(chan struct{})
	protocol, err := amps.New(loadtest.Start(t, loadtest.Options{Before: func(n uint64) {
		if n >= stallAt && stalledAt.CompareAndSwap(0, n) {
			<-ahead // a second of schedule later
		}
	}}).URI())
	if err != nil {
		t.Fatal(err)
	}
	result, err := load.OpenLoop{
		Protocol: protocol, Publishers: 1, Subscribers: 1, Topic: "x", Size: 128,
		Rate: rate, Duration: seconds * time.Second, StallLimit: time.Minute,
		Progress: func(n, _ uint64, _ time.Duration) {
			if sent.Swap(n) < resume && n >= resume {
				close(ahead)
			}
		},
	}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(rate * seconds); result.Sent != want || result.Received != want || result.Any() {
		t.Fatalf("sent %d, received %d of %d, faults %+v", result.Sent, result.Received, want, result.Faults)
	}
	// Message stalledAt was due a stall before message resume was, and
	// arrived after that one was sent; the others follow in a straight line.
	stall := time.Duration(resume-stalledAt.Load()-1) * time.Second / rate
	if least := stall * 99 / 100; result.Max < least {
		t.Errorf("the longest latency is %v, the stall was %v", result.Max, stall)
	}
	// A quarter of all messages fell into the stall, so a tenth waited for
	// more than half of it.
	if result.P90 < stall/2 {
		t.Errorf("the 90th percentile is %v, the stall was %v", result.P90, stall)
	}
}

func TestOpenLoopCountsFaultsAndSharesTheRate(t *testing.T) {
	t.Parallel()
	protocol, err := amps.New(loadtest.Start(t, loadtest.Options{Fate: func(n uint64) loadtest.Fate {
		if n == 100 {
			return loadtest.Double
		}
		return loadtest.Pass
	}}).URI())
	if err != nil {
		t.Fatal(err)
	}
	result, err := load.OpenLoop{
		Protocol: protocol, Publishers: 3, Subscribers: 2, Topic: "x", Size: 100,
		Rate: 3000, Warmup: 100 * time.Millisecond, Duration: 200 * time.Millisecond, StallLimit: time.Minute,
	}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := (load.Faults{Duplicates: 2}); result.Faults != want {
		t.Errorf("found %+v, expected %+v", result.Faults, want)
	}
	if result.Sent != 600 || result.Received != 1200 {
		t.Errorf("measured %d sent and %d received, expected 600 and 1200", result.Sent, result.Received)
	}
}
