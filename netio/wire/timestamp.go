package wire

import "time"

// TimestampLength is the length of a timestamp text in bytes.
const TimestampLength = len("20060102T150405.000000Z")

// AppendTimestamp appends t as the protocol writes times: UTC, microseconds
// (01-protocol §2.2, key ts).
func AppendTimestamp(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, "20060102T150405.000000Z")
}
