// Package record divides streams into records: lines, what another byte
// separates, elements of a JSON array, or one whole file (14-tools-and-capacity
// §3, options file and delimiter).
//
// In comes a stream, out come the bytes of one record after the other, in
// bounded memory. Every command that reads messages reads them here, so that a
// file means the same to all. The package must never look into a record.
package record
