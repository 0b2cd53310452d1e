// Command peers compares Farad with nats-server and Redis on this machine:
// throughput 1:1 and 1:8, and latency on an open schedule
// (15-performance-anchors §6). All run as processes of their own on 127.0.0.1,
// take turns in interleaved rounds, and are given the same work by the same
// drivers: package farad/perf/load, with a protocol for each server. Out comes
// Markdown for BENCHMARKS.md.
//
// Durability class is V throughout: nothing is stored anywhere.
//
// # Settings of the servers
//
// All are at their defaults, but for what keeps them from cutting a subscriber
// off while it is behind. The same window then bounds what is on its way for
// each of them.
//
//	Farad   defaults
//	NATS    max_pending 1GB, write_deadline 60s, no JetStream; once as it
//	        comes and once with GOMAXPROCS=1, which suits a small machine better
//	Redis   client-output-buffer-limit pubsub 0 0 0, save "", appendonly no
//
// This is a module of its own, so that Farad does not depend on its peers.
package main
