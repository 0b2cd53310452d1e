package perf

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"farad/perf/load"
	"farad/perf/relay"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/spf13/cobra"
)

// latencyOptions are the flags of farad perf latency.
type latencyOptions struct {
	target
	load.OpenLoop
	baseline  bool
	histogram string
}

func latencyCommand() *cobra.Command {
	var o latencyOptions
	c := &cobra.Command{
		Use:   "latency",
		Short: "Latency: publish on a schedule and measure from the intended time",
		Long: strings.TrimSpace(`
Publishes at a fixed rate on a schedule that does not wait for the server, and
measures each message from the time at which it was to be sent. A server that
stalls for a second shows it in every message of that second. Publisher and
subscriber are in this process, so there is one clock.

With --baseline the same schedule runs over a bare TCP relay first, a process
that copies bytes and does nothing else, and the report gives the ratio.`),
		Example: `  farad perf latency --rate 10000 --duration 30s --server-pid $(pidof farad)
  farad perf latency --rate 1000 --baseline
  farad perf latency --rate 100000 --histogram latency.hgrm --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c) },
	}
	o.addTo(c)
	f := c.Flags()
	f.IntVar(&o.Publishers, "publishers", 1, "`number` of publishing connections, which share the rate")
	f.IntVar(&o.Subscribers, "subscribers", 1, "`number` of subscribing connections")
	f.Float64Var(&o.Rate, "rate", 10_000, "`messages` a second, all publishers together")
	f.DurationVar(&o.Duration, "duration", durationDefault, "measured `time`")
	f.DurationVar(&o.Warmup, "warmup", time.Second, "`time` of load in front that does not count")
	f.BoolVar(&o.baseline, "baseline", false, "measure a bare TCP relay on the same schedule too; 1 publisher and 1 subscriber")
	f.StringVar(&o.histogram, "histogram", "", "write the percentile distribution in µs to this `file`; a HdrHistogram log if it ends in .hlog")
	return c
}

func (o *latencyOptions) run(c *cobra.Command) error {
	protocol, err := o.protocol()
	if err != nil {
		return err
	}
	l := o.OpenLoop
	l.Protocol, l.Topic, l.Size, l.ServerPID = protocol, o.topic, o.size, o.pid
	if o.baseline && (l.Publishers != 1 || l.Subscribers != 1) {
		return usageError{fmt.Errorf("--baseline with %d publishers and %d subscribers: expected 1 of each", l.Publishers, l.Subscribers)}
	}
	if err := l.Check(); err != nil {
		return err
	}
	defer widen(l.Publishers + l.Subscribers)()
	progress := newProgress(c.ErrOrStderr())
	l.Progress = progress.show
	defer progress.clear()
	var baseline *load.Latency
	if o.baseline {
		if baseline, err = measureBaseline(c.Context(), l); err != nil {
			return fmt.Errorf("baseline: %w", err)
		}
	}
	result, err := l.Run(c.Context())
	progress.clear()
	if result == nil {
		return err
	}
	report := newReport(protocol)
	report.Settings, report.Latency, report.Baseline = describeOpenLoop(&l), result, baseline
	if printErr := report.print(c.OutOrStdout(), o.json); err == nil {
		err = printErr
	}
	if o.histogram != "" && err == nil {
		err = writeHistogram(o.histogram, result.Histogram)
	}
	if err != nil {
		return err
	}
	return verdict(result.Faults, result.Stalled)
}

// widen lets each driver thread run as soon as the kernel wakes it: threads
// come back from blocking calls, and must not queue for one of the two
// processors that the runtime would use by itself. The function that it
// returns puts things back.
func widen(drivers int) (restore func()) {
	before := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(max(before, 2*drivers+2))
	return func() { runtime.GOMAXPROCS(before) }
}

// measureBaseline runs the same schedule over a relay in a process of its own.
func measureBaseline(ctx context.Context, l load.OpenLoop) (*load.Latency, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child, err := relay.Start(program, "perf", "relay")
	if err != nil {
		return nil, err
	}
	defer child.Stop()
	l.Protocol, l.ServerPID = child.Protocol, child.PID
	return l.Run(ctx)
}

// writeHistogram writes the latencies of a run to a file.
func writeHistogram(name string, h *hdrhistogram.Histogram) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	if strings.HasSuffix(name, ".hlog") {
		return writeLog(file, h)
	}
	const ticksPerHalfDistance, microsecond = 5, 1000.0
	_, err = h.PercentilesPrint(file, ticksPerHalfDistance, microsecond)
	return err
}

// writeLog writes a HdrHistogram log with one interval; values are ns.
func writeLog(to io.Writer, h *hdrhistogram.Histogram) error {
	w := hdrhistogram.NewHistogramLogWriter(to)
	for _, step := range []func() error{
		w.OutputLogFormatVersion,
		w.OutputLegend,
		func() error { return w.OutputIntervalHistogram(h) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
