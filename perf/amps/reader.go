package amps

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"

	"farad/netio/wire"
	"farad/perf/load"
)

// Reader takes the stream from a server apart. The body of a delivery stands
// at the end of its frame and its size is known, so headers of deliveries are
// not parsed, only looked at where they begin and end.
type Reader struct {
	bodyBytes int
	decoder   wire.Decoder
}

// deliveryStart is how every delivery starts: the first eight bytes of
// {"c":"p"... as a number.
var deliveryStart = binary.LittleEndian.Uint64([]byte(`{"c":"p"`))

// Next splits the first frame off the stream.
func (r *Reader) Next(stream []byte) (kind load.Kind, body []byte, size int, err error) {
	payload, size, _, err := wire.NextFrame(stream)
	if size == 0 || err != nil {
		return load.Incomplete, nil, 0, err
	}
	at := len(payload) - r.bodyBytes
	if at > 8 && payload[at-1] == '}' && binary.LittleEndian.Uint64(payload) == deliveryStart {
		return load.Delivery, payload[at:], size, nil
	}
	kind, body, err = r.decode(payload)
	return kind, body, size, err
}

// decode reads frames of all other forms.
func (r *Reader) decode(payload []byte) (load.Kind, []byte, error) {
	if len(payload) == 0 {
		return load.Other, nil, nil
	}
	command, err := r.decoder.Decode(payload)
	if err != nil {
		return load.Other, nil, err
	}
	switch command.Code {
	case wire.CodePublish:
		return load.Delivery, command.Body, nil
	case wire.CodeAck:
		if status := string(command.Status()); status != "success" {
			return load.Other, nil, fmt.Errorf("the server refused %s: %s, %s", command.CommandID(), status, command.Reason())
		}
		if string(command.CommandID()) == syncID {
			return load.Synced, nil, nil
		}
	}
	return load.Other, nil, nil
}

// readFrame reads one frame and nothing behind it.
func readFrame(from net.Conn) ([]byte, error) {
	var prefix [wire.LengthPrefix]byte
	if _, err := io.ReadFull(from, prefix[:]); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(prefix[:])
	if length == 0 || length > logonBytesMax {
		return nil, fmt.Errorf("the answer announces %d bytes, expected 1 to %d: this is no server of the amps protocol", length, logonBytesMax)
	}
	payload := make([]byte, length)
	_, err := io.ReadFull(from, payload)
	return payload, err
}
