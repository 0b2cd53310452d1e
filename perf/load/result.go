package load

import (
	"fmt"
	"time"
)

// clientShareMax is the part of the CPU time it could have had above which a
// client is called the bottleneck (15-performance-anchors §6, rule 3).
const clientShareMax = 0.80

// offeredShareMin is the part of the offered rate that has to be sent for a
// result to be about the server.
const offeredShareMin = 0.99

// heldShareMin is the part of the time from which on it was the server that
// kept the client from sending what was offered.
const heldShareMin = 0.05

// Result is what a throughput run found. Counts are of the measured time,
// faults of the whole run.
type Result struct {
	Server      string        `json:"server"`
	Class       string        `json:"class"`              // durability, always V
	Offered     float64       `json:"offered_per_second"` // 0: as fast as it can
	Elapsed     time.Duration `json:"elapsed_ns"`
	Sent        uint64        `json:"sent"`
	Received    uint64        `json:"received"`
	SentRate    float64       `json:"sent_per_second"`
	Delivered   float64       `json:"delivered_per_second"`
	SentMB      float64       `json:"sent_megabytes_per_second"` // of bodies, 10^6 bytes
	DeliveredMB float64       `json:"delivered_megabytes_per_second"`
	Faults
	LossesKnown bool `json:"losses_known"` // false where a filter takes messages out
	Usage
	SentPerServerCPU      float64 `json:"sent_per_server_cpu_second,omitempty"`
	DeliveredPerServerCPU float64 `json:"delivered_per_server_cpu_second,omitempty"`
	// WindowWait is the part of the time that publishers waited for room in
	// the window, 0 to 1.
	WindowWait  float64 `json:"window_wait_share"`
	Stalled     bool    `json:"stalled"`                     // ended because nothing moved any more
	Interrupted bool    `json:"interrupted"`                 // ended by the user
	Bottleneck  string  `json:"client_bottleneck,omitempty"` // why the client was it
}

// complete derives the figures from the counts.
func (r *Result) complete(size int) {
	seconds := r.Elapsed.Seconds()
	if seconds > 0 {
		r.SentRate, r.Delivered = float64(r.Sent)/seconds, float64(r.Received)/seconds
	}
	r.SentMB, r.DeliveredMB = r.SentRate*float64(size)/1e6, r.Delivered*float64(size)/1e6
	if r.ServerCPU > 0 {
		r.SentPerServerCPU = float64(r.Sent) / r.ServerCPU
		r.DeliveredPerServerCPU = float64(r.Received) / r.ServerCPU
	}
	r.Bottleneck = bottleneck(r.ClientShare, r.SentRate, r.Offered, r.WindowWait)
}

// bottleneck says why the client was the bottleneck; "" when it was not.
// held is the part of the time that the server kept the client from sending.
func bottleneck(share, sent, offered, held float64) string {
	switch {
	case share > clientShareMax:
		return fmt.Sprintf("it used %.0f %% of the CPU time that it could have had", share*100)
	case offered > 0 && sent < offered*offeredShareMin && held < heldShareMin:
		return fmt.Sprintf("it sent %.0f messages a second of the %.0f offered", sent, offered)
	}
	return ""
}
