package journal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"strconv"
	"strings"

	"farad/mmapstore"
)

// The file header; see the package comment.
const (
	magic        = "FARADJNL"
	version      = 1
	headerBytes  = 4096
	nameOffset   = 64
	numberDigits = 10
	extension    = ".journal"
)

// segment is one file. Its records are immutable behind the tail.
type segment struct {
	number uint64
	path   string
	file   mmapstore.File
	bytes  []byte
	// first is the id of the first record, 0 while there is none; set before
	// the record is visible.
	first uint64
	// tail is where the next record goes. Owned by the appender; for cursors it
	// is where the segment ends once it is not the last.
	tail   int
	closed bool // no record will be added
	gaps   []gap
}

// segmentName is the file's name.
func segmentName(instance string, number uint64) string {
	return fmt.Sprintf("%s.%0*d%s", instance, numberDigits, number, extension)
}

// segmentNumber reads the number of a file's name; false for other files.
func segmentNumber(instance, name string) (uint64, bool) {
	digits, ok := strings.CutPrefix(name, instance+".")
	if !ok {
		return 0, false
	}
	if digits, ok = strings.CutSuffix(digits, extension); !ok || len(digits) != numberDigits {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}

// createSegment makes an empty segment.
func createSegment(o *Options, number uint64) (*segment, error) {
	path := filepath.Join(o.Directory, segmentName(o.Instance, number))
	f, err := o.System.Create(path, o.SegmentBytes)
	if err != nil {
		return nil, err
	}
	b := f.Bytes()
	le := binary.LittleEndian
	copy(b, magic)
	le.PutUint32(b[8:], version)
	le.PutUint64(b[16:], number)
	le.PutUint64(b[24:], uint64(o.SegmentBytes))
	le.PutUint64(b[32:], uint64(o.Now().UnixNano()))
	copy(b[nameOffset:headerBytes], o.Instance)
	le.PutUint32(b[12:], crc32.Checksum(b[16:nameOffset], castagnoli))
	return &segment{number: number, path: path, file: f, bytes: b, tail: headerBytes}, nil
}

// openSegment maps a file and checks its header. A file whose header was never
// written is an empty segment that a crash left behind: fresh says so.
func openSegment(o *Options, number uint64) (s *segment, fresh bool, err error) {
	path := filepath.Join(o.Directory, segmentName(o.Instance, number))
	f, err := o.System.Open(path)
	if err != nil {
		return nil, false, err
	}
	s = &segment{number: number, path: path, file: f, bytes: f.Bytes(), tail: headerBytes}
	if len(s.bytes) < headerBytes || allZero(s.bytes[:headerBytes]) && allZero(s.bytes) {
		return s, true, nil
	}
	b := s.bytes
	le := binary.LittleEndian
	found := ""
	switch {
	case string(b[:8]) != magic:
		found = fmt.Sprintf("%q at its start", b[:8])
	case le.Uint32(b[8:]) != version:
		found = fmt.Sprintf("version %d", le.Uint32(b[8:]))
	case le.Uint32(b[12:]) != crc32.Checksum(b[16:nameOffset], castagnoli):
		found = "a header with a wrong checksum"
	case le.Uint64(b[16:]) != number:
		found = fmt.Sprintf("number %d", le.Uint64(b[16:]))
	case le.Uint64(b[24:]) != uint64(len(b)):
		found = fmt.Sprintf("%d bytes, its header says %d", len(b), le.Uint64(b[24:]))
	default:
		return s, false, nil
	}
	f.Close()
	return nil, false, &DamageError{Path: path, Found: found}
}

var zeros [64 << 10]byte

func allZero(b []byte) bool {
	for len(b) > len(zeros) {
		if !bytes.Equal(b[:len(zeros)], zeros[:]) {
			return false
		}
		b = b[len(zeros):]
	}
	return bytes.Equal(b, zeros[:len(b)])
}
