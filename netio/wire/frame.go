package wire

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Limits of the framing (01-protocol §1.2). A frame at the limit holds a
// header at its limit, so the two are ordered.
const (
	// LengthPrefix is the size of the length in front of a frame, in bytes.
	LengthPrefix = 4
	// FrameBytesMax is the largest accepted payload (header and body), 200 MiB.
	FrameBytesMax = 200 << 20
	// HeaderBytesMax is the largest accepted header, 1 MiB: room for a 64 KiB
	// filter, a 64 KiB projection and long key or bookmark lists together.
	HeaderBytesMax = 1 << 20
)

var _ [FrameBytesMax - HeaderBytesMax]struct{} // a header always fits a frame

// FrameError reports a length prefix that no correct peer sends. The stream
// cannot be resynchronised after it: close the connection.
type FrameError struct {
	Length uint32 // the announced payload length in bytes
}

func (e *FrameError) Error() string {
	return fmt.Sprintf("frame length %d exceeds the limit of %d bytes", e.Length, FrameBytesMax)
}

// NextFrame splits the first frame off a stream. It returns the payload
// (header and body, aliasing stream) and the number of bytes that the frame
// takes, prefix included. An incomplete frame gives size 0 and need, the
// total number of bytes the frame will take (LengthPrefix while the prefix
// itself is incomplete). A zero-length frame gives an empty payload and size
// LengthPrefix; receivers ignore it (01-protocol §1.1).
func NextFrame(stream []byte) (payload []byte, size, need int, err error) {
	if len(stream) < LengthPrefix {
		return nil, 0, LengthPrefix, nil
	}
	length := binary.BigEndian.Uint32(stream)
	if length > FrameBytesMax {
		return nil, 0, 0, &FrameError{Length: length}
	}
	size = LengthPrefix + int(length)
	if len(stream) < size {
		return nil, 0, size, nil
	}
	return stream[LengthPrefix:size:size], size, size, nil
}

// PutLength writes the length prefix of a frame whose first prefix byte is at
// start and which ends at the end of frames. A frame whose length the prefix
// cannot hold would desynchronise the stream: PutLength panics.
func PutLength(frames []byte, start int) {
	n := len(frames) - start - LengthPrefix
	if uint64(n) > math.MaxUint32 {
		panic(badLength(n))
	}
	binary.BigEndian.PutUint32(frames[start:], uint32(n))
}

func badLength(n int) string {
	return fmt.Sprintf("wire: a frame of %d bytes; want 0 to %d", n, uint32(math.MaxUint32))
}
