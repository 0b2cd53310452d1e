package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"farad/perf/host"
	"farad/perf/load"
)

// sample is one figure over all rounds.
type sample []float64

// of takes one figure out of each round's result.
func of[R any](results []R, figure func(R) float64) sample {
	var s sample
	for _, r := range results {
		s = append(s, figure(r))
	}
	return s
}

// median is the middle value; the mean of both where there are two.
func (s sample) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	if len(sorted) == 0 {
		return 0
	}
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// over divides round by round: what drifts with the machine hits both.
func (s sample) over(t sample) sample {
	var ratios sample
	for i := range min(len(s), len(t)) {
		if t[i] > 0 {
			ratios = append(ratios, s[i]/t[i])
		}
	}
	return ratios
}

// text is the median with the range behind it.
func (s sample) text(format func(float64) string) string {
	if len(s) == 0 {
		return "not known"
	}
	return fmt.Sprintf("%s (%s–%s)", format(s.median()), format(slices.Min(s)), format(slices.Max(s)))
}

func thousands(v float64) string { return fmt.Sprintf("%.0f k", v/1e3) }
func micros(v float64) string    { return fmt.Sprintf("%.0f", v/1e3) }
func times(v float64) string     { return fmt.Sprintf("%.2f", v) }
func percent(v float64) string   { return fmt.Sprintf("%.0f %%", v*100) }

// write writes the whole result.
func (c *comparison) write(to io.Writer) error {
	var b strings.Builder
	c.writeConditions(&b)
	if len(c.throughput) > 0 {
		c.writeThroughput(&b)
	}
	if len(c.raw) > 0 {
		c.writeLatency(&b)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func (c *comparison) writeConditions(b *strings.Builder) {
	s := c.settings
	fmt.Fprintf(b, "- Command: `%s` in `perf/peers`, %s\n", strings.Join(append([]string{"go run ."}, os.Args[1:]...), " "), time.Now().UTC().Format("2006-01-02"))
	fmt.Fprintf(b, "- Machine: %s; server and load on the same host, loopback\n", host.Describe())
	for _, server := range c.servers {
		fmt.Fprintf(b, "- %s %s: %s\n", server.name, server.version, server.settings)
	}
	if revision := faradRevision(); revision != "" {
		fmt.Fprintf(b, "- Farad's revision: %s\n", revision)
	}
	fmt.Fprintf(b, "- Class V: nothing is stored. %d interleaved rounds of %v after %v of warm-up; median (minimum–maximum)\n", s.rounds, s.duration, s.warmup)
	fmt.Fprintf(b, "- Drivers: the same for all; writes of %d KiB; at most %d messages or %d MiB between publisher and slowest subscriber\n",
		s.batch>>10, s.window, s.windowByte>>20)
	if c.quiet.share < 1 {
		fmt.Fprintf(b, "- %s\n", c.quiet.text())
	}
	for _, note := range c.notes {
		fmt.Fprintf(b, "- %s\n", note)
	}
	b.WriteByte('\n')
}

// faradRevision is the commit that was measured; "" where git can't tell.
func faradRevision() string {
	text, err := exec.Command("git", "-C", "../..", "describe", "--always", "--dirty").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func (c *comparison) writeThroughput(b *strings.Builder) {
	b.WriteString("| publishers : subscribers, body | server | delivered/s | delivered per server CPU second | Farad ÷ it: rate | Farad ÷ it: per CPU second | driver CPU s | of what it could have had | others' CPU | faults |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	rate := func(r *load.Result) float64 { return r.Delivered }
	perCPU := func(r *load.Result) float64 { return r.DeliveredPerServerCPU }
	limited := false
	for i, w := range c.settings.workloads() {
		for n, server := range c.servers {
			own, farad := c.throughput[i][n], c.throughput[i][0]
			share := of(own, func(r *load.Result) float64 { return r.ClientShare })
			mark := ""
			if slices.ContainsFunc(own, func(r *load.Result) bool { return r.Bottleneck != "" }) {
				mark, limited = "*", true
			}
			fmt.Fprintf(b, "| 1 : %d, %d B | %s%s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
				w.Subscribers, w.Size, server.name, mark,
				of(own, rate).text(thousands), of(own, perCPU).text(thousands),
				of(farad, rate).over(of(own, rate)).text(times), of(farad, perCPU).over(of(own, perCPU)).text(times),
				of(own, func(r *load.Result) float64 { return r.ClientCPU }).text(times), share.text(percent),
				of(own, func(r *load.Result) float64 { return othersShare(r.Usage, r.Elapsed) }).text(percent),
				faultText(own, func(r *load.Result) load.Faults { return r.Faults }))
		}
	}
	if limited {
		b.WriteString("\n\\* In at least one round the client was the bottleneck: the server could do more than this rate. Compare the column per CPU second.\n")
	}
	b.WriteByte('\n')
}

func (c *comparison) writeLatency(b *strings.Builder) {
	s := c.settings
	fmt.Fprintf(b, "Latency in µs, %.0f/s of %d B on an open schedule, from the intended send time, 1 : 1:\n\n", s.rate, s.latencySize)
	b.WriteString("| server | p50 | p99 | p99.9 | max | Farad ÷ it: p50 | Farad ÷ it: p99 | it ÷ raw loopback: p50 | p99 | send lag p50 | p99 | server CPU s | driver CPU | others' CPU | faults |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for n, server := range c.servers {
		c.latencyRow(b, server.name, c.latency[n])
	}
	c.latencyRow(b, "raw loopback", c.raw)
	b.WriteByte('\n')
}

func (c *comparison) latencyRow(b *strings.Builder, name string, own []*load.Latency) {
	figure := func(take func(*load.Latency) time.Duration) func(*load.Latency) float64 {
		return func(l *load.Latency) float64 { return float64(take(l)) }
	}
	p50 := figure(func(l *load.Latency) time.Duration { return l.P50 })
	p99 := figure(func(l *load.Latency) time.Duration { return l.P99 })
	farad := c.latency[0]
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name,
		of(own, p50).text(micros), of(own, p99).text(micros),
		of(own, figure(func(l *load.Latency) time.Duration { return l.P999 })).text(micros),
		of(own, figure(func(l *load.Latency) time.Duration { return l.Max })).text(micros),
		of(farad, p50).over(of(own, p50)).text(times), of(farad, p99).over(of(own, p99)).text(times),
		of(own, p50).over(of(c.raw, p50)).text(times), of(own, p99).over(of(c.raw, p99)).text(times),
		of(own, figure(func(l *load.Latency) time.Duration { return l.LagP50 })).text(micros),
		of(own, figure(func(l *load.Latency) time.Duration { return l.LagP99 })).text(micros),
		of(own, func(l *load.Latency) float64 { return l.ServerCPU }).text(times),
		of(own, func(l *load.Latency) float64 { return l.ClientShare }).text(percent),
		of(own, func(l *load.Latency) float64 { return othersShare(l.Usage, l.Elapsed) }).text(percent),
		faultText(own, func(l *load.Latency) load.Faults { return l.Faults }))
}

// faultText sums up the faults of all rounds.
func faultText[R any](results []R, faults func(R) load.Faults) string {
	var losses, duplicates, disorder uint64
	for _, r := range results {
		f := faults(r)
		losses, duplicates, disorder = losses+f.Losses, duplicates+f.Duplicates, disorder+f.Disorder
	}
	if losses+duplicates+disorder == 0 {
		return "0"
	}
	return fmt.Sprintf("%d lost, %d doubled, %d out of order", losses, duplicates, disorder)
}
