package perf

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"farad/perf/amps"
	"farad/perf/host"
	"farad/perf/load"
)

// report is a result with what is needed to judge and repeat it
// (15-performance-anchors §7).
type report struct {
	Date          string             `json:"date"`
	Command       []string           `json:"command"`
	Machine       host.Machine       `json:"machine"`
	Address       string             `json:"address"`
	ServerVersion string             `json:"server_version"`
	Settings      string             `json:"settings"`
	Throughput    *load.Result       `json:"throughput,omitempty"`
	Latency       *load.Latency      `json:"latency,omitempty"`
	Baseline      *load.Latency      `json:"raw_loopback,omitempty"`
	Ratio         map[string]float64 `json:"latency_to_raw_loopback,omitempty"`
}

func newReport(p *amps.Protocol) *report {
	return &report{
		Date:          time.Now().UTC().Format(time.RFC3339),
		Command:       os.Args,
		Machine:       host.Describe(),
		Address:       p.Address(),
		ServerVersion: p.Version(),
	}
}

func describeThroughput(t *load.Throughput) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %d bytes", plural(t.Publishers, "publisher"), plural(t.Subscribers, "subscriber"), t.Size)
	if t.Topics > 1 {
		fmt.Fprintf(&b, ", %d topics", t.Topics)
	}
	if t.Filter != "" {
		fmt.Fprintf(&b, ", filter %s", t.Filter)
	}
	if t.Filters > 0 {
		fmt.Fprintf(&b, ", %d filtered subscriptions of which %d match", t.Filters, t.Match)
	}
	if t.Rate > 0 {
		fmt.Fprintf(&b, ", %s/s", grouped(uint64(t.Rate)))
	} else {
		b.WriteString(", as fast as it can")
	}
	fmt.Fprintf(&b, ", writes of %d bytes", t.BatchBytes)
	switch {
	case t.WindowMessages > 0 && t.WindowBytes > 0:
		fmt.Fprintf(&b, ", window %d messages or %d bytes", t.WindowMessages, t.WindowBytes)
	case t.WindowMessages > 0:
		fmt.Fprintf(&b, ", window %d messages", t.WindowMessages)
	case t.WindowBytes > 0:
		fmt.Fprintf(&b, ", window %d bytes", t.WindowBytes)
	default:
		b.WriteString(", no window")
	}
	return b.String()
}

func describeOpenLoop(o *load.OpenLoop) string {
	return fmt.Sprintf("%s, %s, %d bytes, %s/s for %v after %v of warm-up",
		plural(o.Publishers, "publisher"), plural(o.Subscribers, "subscriber"), o.Size, rateText(o.Rate), o.Duration, o.Warmup)
}

// print writes the report, as JSON or for people.
func (r *report) print(to io.Writer, asJSON bool) error {
	if r.Latency != nil && r.Baseline != nil {
		r.Ratio = map[string]float64{
			"p50": ratio(r.Latency.P50, r.Baseline.P50),
			"p99": ratio(r.Latency.P99, r.Baseline.P99),
		}
	}
	if asJSON {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "server        %s at %s, class V: nothing is stored\n", strings.TrimSpace("farad "+r.ServerVersion), r.Address)
	fmt.Fprintf(&b, "machine       %s\n", r.Machine)
	fmt.Fprintf(&b, "load          %s\n", r.Settings)
	switch {
	case r.Throughput != nil:
		writeThroughput(&b, r.Throughput)
	case r.Latency != nil:
		writeLatency(&b, r.Latency)
		if r.Baseline != nil {
			writeBaseline(&b, r.Baseline, r.Ratio)
		}
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func writeThroughput(b *strings.Builder, t *load.Result) {
	writeEnd(b, t.Interrupted, t.Stalled)
	if t.Offered > 0 {
		fmt.Fprintf(b, "offered       %s/s\n", rateText(t.Offered))
	}
	seconds := t.Elapsed.Seconds()
	fmt.Fprintf(b, "sent          %s in %.2f s, %s/s, %.1f MB/s\n", grouped(t.Sent), seconds, rateText(t.SentRate), t.SentMB)
	fmt.Fprintf(b, "delivered     %s, %s/s, %.1f MB/s\n", grouped(t.Received), rateText(t.Delivered), t.DeliveredMB)
	writeUsage(b, t.Usage)
	if t.ServerCPU > 0 {
		fmt.Fprintf(b, "efficiency    %s sent and %s delivered per server CPU second\n",
			rateText(t.SentPerServerCPU), rateText(t.DeliveredPerServerCPU))
	}
	writeFaults(b, t.Faults, t.LossesKnown)
	writeBottleneck(b, t.Bottleneck)
}

func writeLatency(b *strings.Builder, l *load.Latency) {
	writeEnd(b, l.Interrupted, l.Stalled)
	fmt.Fprintf(b, "offered       %s/s\n", rateText(l.Offered))
	fmt.Fprintf(b, "sent          %s, %s/s\n", grouped(l.Sent), rateText(l.SentRate))
	fmt.Fprintf(b, "received      %s\n", grouped(l.Received))
	fmt.Fprintf(b, "latency       %s\n", percentiles(l))
	fmt.Fprintf(b, "send lag      p50 %s  p99 %s  max %s, part of the latency\n", micros(l.LagP50), micros(l.LagP99), micros(l.LagMax))
	writeUsage(b, l.Usage)
	writeFaults(b, l.Faults, true)
	writeBottleneck(b, l.Bottleneck)
}

func writeBaseline(b *strings.Builder, l *load.Latency, ratios map[string]float64) {
	fmt.Fprintf(b, "raw loopback  %s\n", percentiles(l))
	fmt.Fprintf(b, "ratio to it   p50 %.2f  p99 %.2f\n", ratios["p50"], ratios["p99"])
	if l.Bottleneck != "" {
		fmt.Fprintf(b, "raw loopback: client was the bottleneck: %s\n", l.Bottleneck)
	}
}

func percentiles(l *load.Latency) string {
	return fmt.Sprintf("p50 %s  p90 %s  p99 %s  p99.9 %s  p99.99 %s  max %s",
		micros(l.P50), micros(l.P90), micros(l.P99), micros(l.P999), micros(l.P9999), micros(l.Max))
}

func writeEnd(b *strings.Builder, interrupted, stalled bool) {
	if interrupted {
		b.WriteString("interrupted   the result is of the time until then\n")
	}
	if stalled {
		b.WriteString("stalled       ended because nothing moved any more\n")
	}
}

func writeUsage(b *strings.Builder, u load.Usage) {
	fmt.Fprintf(b, "CPU seconds   client %.2f (%.0f %% of what it could have had)", u.ClientCPU, u.ClientShare*100)
	if u.ServerCPU > 0 {
		fmt.Fprintf(b, ", server %.2f", u.ServerCPU)
	}
	fmt.Fprintf(b, ", others %.2f", u.OtherCPU)
	if u.ServerPeakRSS > 0 {
		fmt.Fprintf(b, "; server's peak memory %d MiB", u.ServerPeakRSS>>20)
	}
	b.WriteByte('\n')
}

func writeFaults(b *strings.Builder, f load.Faults, lossesKnown bool) {
	losses := grouped(f.Losses) + " losses"
	if !lossesKnown {
		losses = "losses not known with this filter"
	}
	fmt.Fprintf(b, "faults        %s, %s duplicates, %s order violations", losses, grouped(f.Duplicates), grouped(f.Disorder))
	if f.Foreign > 0 {
		fmt.Fprintf(b, ", %s messages not of this load", grouped(f.Foreign))
	}
	b.WriteByte('\n')
}

func writeBottleneck(b *strings.Builder, why string) {
	if why != "" {
		fmt.Fprintf(b, "verdict       client was the bottleneck: %s\n", why)
	}
}

func ratio(a, b time.Duration) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func micros(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/1e3, 'f', 1, 64) + " µs"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// rateText is a rate: whole from 100 on, with its fraction below.
func rateText(rate float64) string {
	if rate < 100 {
		return strconv.FormatFloat(rate, 'g', 4, 64)
	}
	return grouped(uint64(rate + 0.5))
}

// grouped writes a number with a comma between groups of three digits.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
