// Package perf is the load generators, the command farad perf
// (14-tools-and-capacity §7): throughput with an exact check of what arrives,
// and latency on an open schedule; and the cost of message types, without a
// server (perf/parse).
//
// In comes a command line, out goes a result as text or JSON. The package
// turns flags into settings and results into words; the load itself is made
// by perf/load, which knows no broker; perf/amps tells it how to speak to
// Farad, perf/relay is the bare TCP path to compare with, and perf/host
// reads what machine and processes say about themselves. The package must
// never see the engine: what it measures lies behind a socket, or in
// farad/expr.
//
// All figures of servers are of class V: nothing is stored, nothing but the
// last flush is acknowledged (15-performance-anchors §6).
package perf
