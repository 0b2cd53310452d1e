package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"farad/perf/host"
	"farad/perf/load"
	"farad/perf/relay"
)

// comparison is all rounds of all servers. The first server is Farad.
type comparison struct {
	settings *settings
	servers  []*server
	notes    []string

	quiet      quiet
	throughput [][][]*load.Result // by workload, server, round
	latency    [][]*load.Latency  // by server, round
	raw        []*load.Latency    // the relay, by round
}

// measure runs all rounds. In each, every server has its turn with every
// workload; who begins changes from round to round.
func (c *comparison) measure(ctx context.Context, farad string) error {
	workloads := c.settings.workloads()
	c.throughput = make([][][]*load.Result, len(workloads))
	for i := range c.throughput {
		c.throughput[i] = make([][]*load.Result, len(c.servers))
	}
	c.latency = make([][]*load.Latency, len(c.servers))
	for round := range c.settings.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, c.settings.rounds)
		for i, w := range workloads {
			for turn := range c.servers {
				n := (turn + round) % len(c.servers)
				result, err := c.runThroughput(ctx, w, c.servers[n])
				if err != nil {
					return err
				}
				c.throughput[i][n] = append(c.throughput[i][n], result)
			}
		}
		if c.settings.skipLatency {
			continue
		}
		if err := c.latencyRound(ctx, round, farad); err != nil {
			return err
		}
	}
	return nil
}

// latencyRound gives every server, and the bare relay, its turn.
func (c *comparison) latencyRound(ctx context.Context, round int, farad string) error {
	before := runtime.GOMAXPROCS(0)
	const driverThreads = 2
	runtime.GOMAXPROCS(max(before, 2*driverThreads+2)) // so that each driver runs as soon as the kernel wakes it
	defer runtime.GOMAXPROCS(before)
	result, err := c.runRelay(ctx, farad)
	if err != nil {
		return err
	}
	c.raw = append(c.raw, result)
	for turn := range c.servers {
		n := (turn + round) % len(c.servers)
		o := c.settings.openLoop()
		o.Protocol, o.ServerPID = c.servers[n].protocol, c.servers[n].pid()
		result, err := c.runLatency(ctx, o, c.servers[n].name)
		if err != nil {
			return err
		}
		c.latency[n] = append(c.latency[n], result)
	}
	return nil
}

// runThroughput gives one server its turn, undisturbed.
func (c *comparison) runThroughput(ctx context.Context, w load.Throughput, s *server) (result *load.Result, err error) {
	w.Protocol, w.ServerPID = s.protocol, s.pid()
	err = c.quiet.run(ctx, func() (float64, error) {
		if result, err = runThroughput(ctx, w, s.name); err != nil {
			return 0, err
		}
		return othersShare(result.Usage, result.Elapsed), nil
	})
	return result, err
}

// runLatency gives one server, or the relay, its turn, undisturbed.
func (c *comparison) runLatency(ctx context.Context, o load.OpenLoop, name string) (result *load.Latency, err error) {
	err = c.quiet.run(ctx, func() (float64, error) {
		if result, err = runLatency(ctx, o, name); err != nil {
			return 0, err
		}
		return othersShare(result.Usage, result.Elapsed), nil
	})
	return result, err
}

func runThroughput(ctx context.Context, w load.Throughput, name string) (*load.Result, error) {
	result, err := w.Run(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case result.Interrupted:
		return nil, errors.New("interrupted")
	case result.Stalled:
		return nil, fmt.Errorf("%s: nothing moved any more after %d messages", name, result.Sent)
	}
	fmt.Fprintf(os.Stderr, "  %-14s 1:%d %5d B  %10.0f delivered/s  %10.0f per server CPU second  client %.0f %%  others %.2f s\n",
		name, w.Subscribers, w.Size, result.Delivered, result.DeliveredPerServerCPU, result.ClientShare*100, result.OtherCPU)
	return result, nil
}

// runRelay measures the bare path; a relay serves one run, so each attempt
// has its own.
func (c *comparison) runRelay(ctx context.Context, farad string) (result *load.Latency, err error) {
	err = c.quiet.run(ctx, func() (float64, error) {
		child, err := relay.Start(farad, "perf", "relay")
		if err != nil {
			return 0, err
		}
		defer child.Stop()
		o := c.settings.openLoop()
		o.Protocol, o.ServerPID = child.Protocol, child.PID
		if result, err = runLatency(ctx, o, "raw loopback"); err != nil {
			return 0, err
		}
		return othersShare(result.Usage, result.Elapsed), nil
	})
	return result, err
}

// othersShare is the part of the machine that neither server nor client took.
func othersShare(u load.Usage, elapsed time.Duration) float64 {
	return u.OtherCPU / elapsed.Seconds() / float64(host.Cores())
}

func runLatency(ctx context.Context, o load.OpenLoop, name string) (*load.Latency, error) {
	result, err := o.Run(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case result.Interrupted:
		return nil, errors.New("interrupted")
	case result.Stalled:
		return nil, fmt.Errorf("%s: %d of %d messages did not arrive", name, result.Losses, result.Sent)
	}
	fmt.Fprintf(os.Stderr, "  %-14s latency     p50 %v  p99 %v  max %v  send lag p50 %v p99 %v  server %.2f s  client %.0f %%  others %.2f s\n",
		name, result.P50, result.P99, result.Max, result.LagP50, result.LagP99, result.ServerCPU, result.ClientShare*100, result.OtherCPU)
	return result, nil
}
