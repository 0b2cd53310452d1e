// Package journal is the transaction log on disk: an ordered sequence of records
// in preallocated, memory-mapped segment files (07-transaction-log). In come
// records, in the order in which they were applied; out come cursors over them,
// and the news of what is durable. The package knows nothing of topics'
// configuration, sessions or the protocol.
//
// # Files
//
// A segment is the file <instance>.<ten digits>.journal; all have the same size,
// which is fixed. Numbers have no gaps. Behind the segment that is written to
// there are spares, which hold no record yet.
//
//	offset  size
//	0       8     "FARADJNL"
//	8       4     version, 1
//	12      4     CRC-32C of the bytes from 16 to 64
//	16      8     number of the segment
//	24      8     size of the file in bytes
//	32      8     when it was made, Unix nanoseconds
//	40      24    zero
//	64      ...   the instance's name, up to 255 bytes, then zero
//	4096    ...   records, then zeros
//
// All numbers are little-endian. A record begins at a multiple of 8:
//
//	0       4     length of the record in bytes, with its padding; never 0
//	4       4     CRC-32C of the bytes from 8 to the length
//	8       8     transaction id
//	16      8     time of the publish, Unix nanoseconds
//	24      8     publisher
//	32      8     sequence
//	40      4     expiration in seconds, 0 for none
//	44      1     kind
//	45      1     flags
//	46      2     length of the message type's name
//	48      2     length of the topic
//	50      2     length of the user id
//	52      2     length of the replication path
//	54      2     zero
//	56      4     length of the SOW key
//	60      4     length of the correlation id
//	64      4     length of the body
//	68      4     zero
//	72      8     transaction id at the source, 0 for a record made here
//	80      ...   type, topic, user, path, key, correlation id, body; zeros up
//	              to a multiple of 8
//
// These never change; another layout is another version.
//
// # Invariants
//
// Transaction ids rise from record to record, over all segments. A record is
// in one segment. Behind the last record there are only zeros. A record is
// visible to cursors when it has been copied as a whole, and durable when its
// segment and all before it have been synced since. The log ends, at recovery,
// at the first record of the last written segment whose length or checksum is
// wrong, provided that no valid record stands behind it; anything else is
// damage, which is reported and never passed over in silence.
package journal
