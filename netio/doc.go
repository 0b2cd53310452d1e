// Package netio is the network: listeners, event loops and connections.
//
// In come bytes from sockets, out go batches of decoded commands to the
// engine; in the other direction the engine's frames, waiting in each
// connection's outbound buffer, are written to the sockets. The package knows
// frames and headers (netio/wire) only far enough to cut them apart; what a
// command means is the engine's.
//
// Ownership. The event loops are gnet's; each owns its connections outright
// and has one engine.Worker. A connection's state is touched by its loop
// alone, except for its outbound buffer (locked) and its requests (atomic).
// Other goroutines reach a connection by a request: the loop is woken once,
// however many requests wait.
//
// What a reader of gnet has to know, and how it is met here:
//
//   - Bytes handed to OnTraffic live until it returns. They are handled to
//     their end before; the rest of a frame that was cut is copied to the
//     connection's own buffer, so gnet's inbound buffer stays empty.
//   - OnTraffic may see many frames or a part of one: all complete ones are
//     one batch.
//   - There is no way to pause reading. None is needed: while a batch is
//     worked on, nothing is read, and TCP slows the peer.
//   - gnet's outbound buffer cannot be bounded or watched. It is not used:
//     the loop writes to the socket itself, keeps what did not fit in the
//     connection's own buffer, which has a limit, and is told by the drain
//     when the socket takes more.
//   - Deadlines and timers do not exist: the engine's pulse has them.
package netio
