package wire_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"farad/netio/wire"
	"pgregory.net/rapid"
)

// 01-protocol #1
func TestFramesAreFoundByteByByteAndManyAtATime(t *testing.T) {
	t.Parallel()
	payloads := []string{`{"c":"heartbeat"}`, `{"c":"p","t":"a}b"}{"id":1}`, `{"c":"p","t":"x"}`, `{"c":"p"}` + strings.Repeat("\x00\xff}", 50)}
	var stream []byte
	for _, p := range payloads {
		stream = append(stream, framed(p)...)
	}
	for cut := 0; cut <= len(stream); cut++ {
		got, rest := takeFrames(t, nil, stream[:cut])
		got, rest = takeFrames(t, got, append(slices.Clone(rest), stream[cut:]...))
		if !slices.Equal(got, payloads) || len(rest) != 0 {
			t.Fatalf("cut at %d: %d payloads %q and %d bytes left", cut, len(got), got, len(rest))
		}
	}
	var got []string
	var pending []byte
	for _, b := range stream {
		got, pending = takeFrames(t, got, append(pending, b))
	}
	if !slices.Equal(got, payloads) || len(pending) != 0 {
		t.Fatalf("byte by byte: %q and %d bytes left", got, len(pending))
	}
}

// takeFrames moves the complete frames of stream to got.
func takeFrames(t *testing.T, got []string, stream []byte) ([]string, []byte) {
	t.Helper()
	for {
		payload, size, need, err := wire.NextFrame(stream)
		if err != nil {
			t.Fatal(err)
		}
		if size == 0 {
			if need <= len(stream) {
				t.Fatalf("a frame that needs %d bytes is incomplete in %d", need, len(stream))
			}
			return got, stream
		}
		got = append(got, string(payload))
		stream = stream[size:]
	}
}

func TestIncompleteFrameTellsItsWholeLength(t *testing.T) {
	t.Parallel()
	frame := framed(`{"c":"flush"}`)
	for have := 0; have < len(frame); have++ {
		want := len(frame)
		if have < wire.LengthPrefix {
			want = wire.LengthPrefix
		}
		if _, size, need, err := wire.NextFrame(frame[:have]); size != 0 || need != want || err != nil {
			t.Errorf("%d bytes: size %d, need %d, %v; want need %d", have, size, need, err, want)
		}
	}
}

func TestFrameOfZeroBytesIsEmptyAndTakesItsPrefix(t *testing.T) {
	t.Parallel()
	payload, size, _, err := wire.NextFrame([]byte{0, 0, 0, 0, 9})
	if len(payload) != 0 || size != wire.LengthPrefix || err != nil {
		t.Errorf("payload %q, size %d, %v", payload, size, err)
	}
}

func TestFrameAboveTheLimitIsRefusedFromItsPrefix(t *testing.T) {
	t.Parallel()
	for _, length := range []uint32{wire.FrameBytesMax + 1, math.MaxUint32, 0x7B226322} {
		_, size, _, err := wire.NextFrame(binary.BigEndian.AppendUint32(nil, length))
		var refusal *wire.FrameError
		if size != 0 || !errors.As(err, &refusal) || refusal.Length != length || !strings.Contains(err.Error(), fmt.Sprint(length)) {
			t.Errorf("length %d: size %d, error %v", length, size, err)
		}
	}
	if _, _, need, err := wire.NextFrame(binary.BigEndian.AppendUint32(nil, wire.FrameBytesMax)); need != wire.LengthPrefix+wire.FrameBytesMax || err != nil {
		t.Errorf("a frame at the limit: need %d, %v", need, err)
	}
}

func TestPayloadCannotGrowIntoTheNextFrame(t *testing.T) {
	t.Parallel()
	stream := append(framed(`{"c":"p"}ab`), framed(`{"c":"flush"}`)...)
	payload, _, _, err := wire.NextFrame(stream)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(payload, "overwritten"...)
	if got := frames(t, stream); got[1] != `{"c":"flush"}` {
		t.Errorf("the next frame became %q", got[1])
	}
}

func TestPutLengthPanicsForAFrameShorterThanItsPrefix(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	wire.PutLength(make([]byte, 5), 3)
}

func TestFramesOfAnyPayloadsComeBackFromAnyPieces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		payloads := rapid.SliceOfN(rapid.StringN(0, 40, 200), 1, 8).Draw(r, "payloads")
		var stream []byte
		for _, p := range payloads {
			stream = append(stream, framed(p)...)
		}
		var got []string
		var pending []byte
		for len(stream) > 0 {
			n := rapid.IntRange(1, len(stream)).Draw(r, "piece")
			got, pending = takeFrames(t, got, append(pending, stream[:n]...))
			stream = stream[n:]
		}
		if !slices.Equal(got, payloads) || len(pending) != 0 {
			r.Fatalf("got %q and %d bytes, want %q", got, len(pending), payloads)
		}
	})
}
