// Package outbound holds the bytes that wait to be sent to one client.
//
// In come frames, appended under the buffer's lock by whichever goroutine
// produced them; out go whole blocks to the event loop that owns the socket.
// The buffer counts every byte it holds and refuses more than its limit: that
// is where a client that does not read is found out (15-performance-anchors
// §4, #4). It knows nothing of sockets, sessions or frames.
//
// Blocks are recycled through one pool for the process. An idle client holds
// none.
package outbound
