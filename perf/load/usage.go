package load

import (
	"time"

	"farad/perf/host"
)

// Usage is what a run took of the machine while it was measured.
type Usage struct {
	ClientCPU     float64 `json:"client_cpu_seconds"`
	ServerCPU     float64 `json:"server_cpu_seconds,omitempty"` // 0: not known
	ServerPeakRSS uint64  `json:"server_peak_rss_bytes,omitempty"`
	// OtherCPU is what the rest of the machine took, the server too where its
	// process is not known, and a hypervisor.
	OtherCPU float64 `json:"other_cpu_seconds"`
	// ClientShare is the part of the CPU time that the client could have had
	// which it took, 0 to 1.
	ClientShare float64 `json:"client_cpu_share"`
}

// reading is the state of all counters at one moment.
type reading struct {
	at                    time.Duration // after the epoch
	sent, received        uint64
	client, server, whole time.Duration // CPU: both sides, and the machine with them
}

// readCPU reads the clocks; the server's where its process is known.
func readCPU(serverPID int, epoch time.Time) (now reading, err error) {
	if serverPID != 0 {
		if now.server, err = host.ProcessCPU(serverPID); err != nil {
			return now, err
		}
	}
	if now.whole, err = host.Busy(); err != nil {
		return now, err
	}
	now.client = host.OwnCPU()
	now.at = time.Since(epoch)
	return now, nil
}

// usage is the difference of two readings. A client could have one core for
// each connection that works at once, as far as the machine has that many and
// others leave them.
func usage(first, last reading, serverPID, drivers int) Usage {
	client, server := last.client-first.client, last.server-first.server
	others := max(0, last.whole-first.whole-client-server)
	u := Usage{ClientCPU: client.Seconds(), ServerCPU: server.Seconds(), OtherCPU: others.Seconds()}
	if serverPID != 0 {
		u.ServerPeakRSS, _ = host.PeakRSS(serverPID) // 0, not known, where the server has gone
	}
	u.ClientShare = clientShare(client, server+others, last.at-first.at, drivers, host.Cores())
	return u
}

// clientShare is the part of the CPU time that a client could have had which
// it took.
func clientShare(client, taken, elapsed time.Duration, drivers, cores int) float64 {
	free := time.Duration(cores)*elapsed - taken
	could := min(time.Duration(drivers)*elapsed, max(free, client))
	if could <= 0 {
		return 0
	}
	return min(1, client.Seconds()/could.Seconds())
}
