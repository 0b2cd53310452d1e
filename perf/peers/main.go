package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"farad/perf/load"

	"github.com/spf13/cobra"
)

// Limits of the settings.
const (
	roundsMax = 100
	roundsMin = 5 // below it, medians say little (15-performance-anchors §6, rule 1)
)

// settings are the flags.
type settings struct {
	rounds             int
	duration, warmup   time.Duration
	window, windowByte int
	batch              int
	rate               float64
	sizes              []int
	fanOut             []int
	latencySize        int
	farad              string // program; "" to build it
	skipThroughput     bool
	skipLatency        bool
	only               []string
	quietWait          time.Duration
	othersMax          float64
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "peers: "+err.Error())
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var s settings
	c := &cobra.Command{
		Use:   "peers",
		Short: "Compare Farad with nats-server and Redis on this machine",
		Long: strings.TrimSpace(`
Builds Farad and nats-server, starts them and redis-server (if it is installed)
on 127.0.0.1, and gives all of them the same load in turns. Prints Markdown on
standard output, and its progress on standard error. Run it in its folder, on
an otherwise quiet machine.`),
		Example:       "  go run . > result.md\n  go run . --rounds 9 --duration 5s",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return s.run(c.Context()) },
	}
	f := c.Flags()
	f.IntVar(&s.rounds, "rounds", roundsMin, "`number` of rounds, 5 or more for a result to publish")
	f.DurationVar(&s.duration, "duration", 3*time.Second, "measured `time` of each run")
	f.DurationVar(&s.warmup, "warmup", 500*time.Millisecond, "`time` of load in front of each that does not count")
	f.IntVar(&s.window, "window", load.WindowMessagesDefault, "`messages` on their way to the slowest subscriber, at most")
	f.IntVar(&s.windowByte, "window-bytes", load.WindowBytesDefault, "`bytes` on their way to the slowest subscriber, at most")
	f.IntVar(&s.batch, "batch", load.BatchBytesDefault, "`bytes` a publisher writes at once")
	f.IntSliceVar(&s.sizes, "sizes", []int{128, 1024}, "`bytes` of a body, a list")
	f.IntSliceVar(&s.fanOut, "subscribers", []int{1, 8}, "`numbers` of subscribers, a list")
	f.Float64Var(&s.rate, "rate", 10_000, "`messages` a second of the latency runs")
	f.IntVar(&s.latencySize, "latency-size", 128, "`bytes` of a body in the latency runs")
	f.StringVar(&s.farad, "farad", "", "Farad's `program`; built from ../.. when not given")
	f.BoolVar(&s.skipThroughput, "no-throughput", false, "leave the throughput runs out")
	f.BoolVar(&s.skipLatency, "no-latency", false, "leave the latency runs out")
	f.StringSliceVar(&s.only, "only", nil, "compare with these `peers` alone: nats, redis")
	f.DurationVar(&s.quietWait, "quiet-wait", 30*time.Second, "longest `time` to wait for an idle machine before each run")
	f.Float64Var(&s.othersMax, "others", 0.10, "repeat a run during which others took more than this `share` of the machine; 1 for never")
	return c
}

func (s *settings) check() error {
	if s.rounds < 1 || s.rounds > roundsMax {
		return fmt.Errorf("--rounds %d: expected 1 to %d", s.rounds, roundsMax)
	}
	if !(s.othersMax > 0 && s.othersMax <= 1) {
		return fmt.Errorf("--others %v: expected more than 0, up to 1", s.othersMax)
	}
	for _, name := range s.only {
		if name != "nats" && name != "redis" {
			return fmt.Errorf("--only %s: expected nats or redis", name)
		}
	}
	for _, w := range s.workloads() {
		w.Protocol = natsProtocol{}
		if err := w.Check(); err != nil {
			return err
		}
	}
	o := s.openLoop()
	return o.Check()
}

// workloads are the throughput runs of a round, without server.
func (s *settings) workloads() (all []load.Throughput) {
	if s.skipThroughput {
		return nil
	}
	for _, subscribers := range s.fanOut {
		for _, size := range s.sizes {
			all = append(all, load.Throughput{
				Publishers: 1, Subscribers: subscribers, Topic: "perf", Topics: 1, Size: size,
				Duration: s.duration, Warmup: s.warmup, BatchBytes: s.batch,
				WindowMessages: s.window, WindowBytes: s.windowByte,
			})
		}
	}
	return all
}

// openLoop is the latency run of a round, without server.
func (s *settings) openLoop() load.OpenLoop {
	return load.OpenLoop{
		Publishers: 1, Subscribers: 1, Topic: "perf", Size: s.latencySize,
		Rate: s.rate, Duration: s.duration, Warmup: s.warmup,
	}
}

func (s *settings) run(ctx context.Context) error {
	if err := s.check(); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "farad-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	servers, notes, err := s.startAll(ctx, folder)
	defer func() {
		for _, server := range servers {
			server.stop()
		}
	}()
	if err != nil {
		return err
	}
	c := comparison{settings: s, servers: servers, notes: notes, quiet: quiet{wait: s.quietWait, share: s.othersMax}}
	if err := c.measure(ctx, servers[0].program); err != nil {
		return err
	}
	return c.write(os.Stdout)
}
