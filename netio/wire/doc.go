// Package wire is the amps protocol as pure functions over bytes: frames,
// headers in both directions, sow batches and the option grammar
// (01-protocol §1, §2, §5, §7).
//
// In come bytes of a stream, out go Commands whose fields alias those bytes;
// in the other direction a Writer appends frames to a caller's slice. The
// package does no input or output, starts no goroutine, knows no topic, no
// session and no engine, and allocates nothing in steady state. The server and
// the client library share it.
//
// A frame on the wire:
//
//	+----------------------+----------------------------+------------------+
//	| length N, 4 bytes,   | header, one flat object    | body, raw bytes, |
//	| unsigned big-endian  | {"c":"p","t":"fx"}         | may be empty     |
//	+----------------------+----------------------------+------------------+
//	                       |<------------------ N bytes ------------------>|
//
// The one exception is the sow frame from server to client, whose body is a
// run of records, each with a header of its own (SOWBatch, NextSOWRecord).
package wire
