package journal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Kind is what a record stands for. The numbers are those on disk.
type Kind uint8

// The kinds.
const (
	Publish Kind = 1
	Delete  Kind = 2 // sow_delete
	NoOp    Kind = 3 // keeps a place
)

// Record is one entry of the log. The slices of one that was read alias the
// mapped segment.
type Record struct {
	Txid       uint64 // given by Append
	Timestamp  int64  // Unix nanoseconds
	Publisher  uint64 // with Sequence, the bookmark
	Sequence   uint64
	SourceTxid uint64 // 0 for a record made here
	Expiration uint32 // seconds; 0 for none
	Kind       Kind
	Flags      uint8

	Type, Topic, User, Path  []byte // at most 65,535 bytes each
	Key, CorrelationID, Body []byte
}

const (
	recordHead   = 80
	recordAlign  = 8
	shortTextMax = 1<<16 - 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// size is how many bytes the record takes in a segment.
func (r *Record) size() int {
	n := recordHead + len(r.Type) + len(r.Topic) + len(r.User) + len(r.Path) + len(r.Key) + len(r.CorrelationID) + len(r.Body)
	return (n + recordAlign - 1) &^ (recordAlign - 1)
}

// check says why the record cannot be written.
func (r *Record) check(room int) error {
	switch {
	case len(r.Type) > shortTextMax || len(r.Topic) > shortTextMax || len(r.User) > shortTextMax || len(r.Path) > shortTextMax:
		return fmt.Errorf("%w: a type, topic, user id or replication path of more than %d bytes", ErrTooLarge, shortTextMax)
	case r.size() > room:
		return fmt.Errorf("%w: %d bytes, a segment has room for %d", ErrTooLarge, r.size(), room)
	}
	return nil
}

// put writes the record at the start of b, which holds zeros. The length comes
// last: a reader that is ahead of the writer sees none.
func (r *Record) put(b []byte) int {
	le := binary.LittleEndian
	size := r.size()
	b = b[:size:size]
	le.PutUint64(b[8:], r.Txid)
	le.PutUint64(b[16:], uint64(r.Timestamp))
	le.PutUint64(b[24:], r.Publisher)
	le.PutUint64(b[32:], r.Sequence)
	le.PutUint32(b[40:], r.Expiration)
	b[44], b[45] = byte(r.Kind), r.Flags
	le.PutUint16(b[46:], uint16(len(r.Type)))
	le.PutUint16(b[48:], uint16(len(r.Topic)))
	le.PutUint16(b[50:], uint16(len(r.User)))
	le.PutUint16(b[52:], uint16(len(r.Path)))
	le.PutUint32(b[56:], uint32(len(r.Key)))
	le.PutUint32(b[60:], uint32(len(r.CorrelationID)))
	le.PutUint32(b[64:], uint32(len(r.Body)))
	le.PutUint64(b[72:], r.SourceTxid)
	at := recordHead
	for _, text := range [...][]byte{r.Type, r.Topic, r.User, r.Path, r.Key, r.CorrelationID, r.Body} {
		at += copy(b[at:], text)
	}
	le.PutUint32(b[4:], crc32.Checksum(b[8:], castagnoli))
	le.PutUint32(b, uint32(size))
	return size
}

// headSize is the size that the head of a record states, as far as the head can
// be one at all; 0 when it cannot.
func headSize(b []byte) int {
	le := binary.LittleEndian
	size := int(le.Uint32(b))
	if size < recordHead || size > len(b) || size%recordAlign != 0 || b[54] != 0 || b[55] != 0 || le.Uint32(b[68:]) != 0 {
		return 0
	}
	texts := recordHead + int(le.Uint16(b[46:])) + int(le.Uint16(b[48:])) + int(le.Uint16(b[50:])) + int(le.Uint16(b[52:])) +
		int(le.Uint32(b[56:])) + int(le.Uint32(b[60:])) + int(le.Uint32(b[64:]))
	if (texts+recordAlign-1)&^(recordAlign-1) != size {
		return 0
	}
	return size
}

// get reads the record at the start of b. The size is 0 where there is none: the
// log's end, or a spare; it is negative where there are bytes that are no whole
// record with the right checksum.
func (r *Record) get(b []byte) (size int) {
	le := binary.LittleEndian
	if len(b) < recordHead {
		for _, c := range b {
			if c != 0 {
				return -1
			}
		}
		return 0
	}
	size = int(le.Uint32(b))
	switch {
	case size == 0:
		return 0
	case headSize(b) == 0 || crc32.Checksum(b[8:size], castagnoli) != le.Uint32(b[4:]):
		return -1
	}
	b = b[:size:size]
	r.Txid, r.Timestamp = le.Uint64(b[8:]), int64(le.Uint64(b[16:]))
	r.Publisher, r.Sequence = le.Uint64(b[24:]), le.Uint64(b[32:])
	r.Expiration, r.Kind, r.Flags = le.Uint32(b[40:]), Kind(b[44]), b[45]
	r.SourceTxid = le.Uint64(b[72:])
	lengths := [...]int{
		int(le.Uint16(b[46:])), int(le.Uint16(b[48:])), int(le.Uint16(b[50:])), int(le.Uint16(b[52:])),
		int(le.Uint32(b[56:])), int(le.Uint32(b[60:])), int(le.Uint32(b[64:])),
	}
	at := recordHead
	for i, to := range [...]*[]byte{&r.Type, &r.Topic, &r.User, &r.Path, &r.Key, &r.CorrelationID, &r.Body} {
		end := at + lengths[i]
		if end > size {
			return -1
		}
		*to = b[at:end:end]
		at = end
	}
	return size
}
