// Package relay is the bare TCP path that a server's latency is compared with:
// a process that copies bytes from one connection to another and does nothing
// else, and the perf/load protocol that sends a load through it. In goes a
// load, out comes the floor below which no server on this machine can be. It
// must never look at what it copies.
package relay
