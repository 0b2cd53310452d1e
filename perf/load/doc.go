// Package load makes load for a publish/subscribe server and checks what
// comes back: Throughput sends as fast as a window allows, or at a rate;
// OpenLoop sends on a schedule that does not wait for the server and measures
// latency from the intended time of each message (14-tools-and-capacity §7,
// 15-performance-anchors §6).
//
// In comes a Protocol, which knows how one kind of server is spoken to, and
// the shape of the load; out goes a Result. The drivers, the window, the
// payload and the checks are the same for every Protocol, so that different
// servers are given equal work. The package owns its connections and
// goroutines and ends them before Run returns. It must never know a server's
// wire format, nor how a result is shown.
//
// # Payload
//
// Every body is one flat JSON object whose numbers have a fixed width, so that
// a publisher patches digits in place and a subscriber reads them at fixed
// offsets:
//
//	{"p":1000,"s":1000000000000042,"t":1000000001234567,"k":"000017","x":"..."}
//	     |         |                    |                    |           |
//	     |         |                    |                    |           padding to the size asked for
//	     |         |                    |                    key, 6 digits (only with keys)
//	     |         |                    intended send time in ns + 10^15 (only OpenLoop)
//	     |         sequence of that publisher from 0 + 10^15
//	     publisher from 0 + 1000
//
// 10^15 keeps the numbers free of leading zeros and exact in a double.
package load
