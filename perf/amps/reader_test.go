package amps

import (
	"strings"
	"testing"

	"farad/netio/wire"
	"farad/perf/load"
)

func frame(text string) []byte {
	f := append(make([]byte, wire.LengthPrefix), text...)
	wire.PutLength(f, 0)
	return f
}

func TestReaderFindsBodiesHowEverTheHeaderIsWritten(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("b", 64)
	for _, header := range []string{
		`{"c":"p","t":"perf","sids":"s0","l":64}`,
		`{"c":"p"}`,
		`{"t":"perf","c":"publish"}`,
		`{"c":"p","t":"a}b"}`,
	} {
		r := Reader{bodyBytes: len(body)}
		stream := append(frame(header+body), "rest"...)
		kind, got, size, err := r.Next(stream)
		if err != nil || kind != load.Delivery || string(got) != body || size != len(stream)-4 {
			t.Errorf("%s: kind %d, body %q, size %d, %v", header, kind, got, size, err)
		}
		for cut := range len(stream) - 4 {
			if kind, _, size, err := r.Next(stream[:cut]); kind != load.Incomplete || size != 0 || err != nil {
				t.Fatalf("%s cut at %d: kind %d, size %d, %v", header, cut, kind, size, err)
			}
		}
	}
}

func TestReaderReportsRefusalsWithTheirReason(t *testing.T) {
	t.Parallel()
	var r Reader
	_, _, _, err := r.Next(frame(`{"c":"ack","cid":"s7","a":"processed","status":"failure","reason":"bad filter"}`))
	if err == nil || !strings.Contains(err.Error(), "s7") || !strings.Contains(err.Error(), "bad filter") {
		t.Fatalf("error %v names neither command nor reason", err)
	}
	kind, _, _, err := r.Next(frame(`{"c":"ack","cid":"sync","a":"processed","status":"success"}`))
	if kind != load.Synced || err != nil {
		t.Fatalf("the ack of a flush is kind %d, %v", kind, err)
	}
}

func TestServerAddressesAreCheckedAndHidePasswords(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:9007", "tcp://h:1", "tcp://u:p@h:1/amps/fix", "tcp://h:1/amps"} {
		if _, err := New(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"", "host", "ws://h:1/amps/json", "tcp://u:secret@h/amps/json", "tcp://u:secret@h:1/other/json", "tcp://u:secret@h:x/amps", "tcp://h:1/amps/json?compression=zlib"} {
		_, err := New(address)
		if err == nil {
			t.Errorf("%s was accepted", address)
			continue
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error shows the password: %v", address, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add(frame(`{"c":"p","t":"perf","sids":"s0"}`+strings.Repeat("b", 16)), 16)
	f.Add(frame(`{"c":"ack","cid":"sync","a":"processed","status":"success"}`), 128)
	f.Add(frame(`{"c":"heartbeat"}`), 0)
	f.Add([]byte{0, 0, 0, 0}, 1)
	f.Fuzz(func(t *testing.T, stream []byte, bodyBytes int) {
		if bodyBytes < 0 || bodyBytes > load.PayloadBytesMax {
			return
		}
		r := Reader{bodyBytes: bodyBytes}
		for {
			kind, body, size, err := r.Next(stream)
			if err != nil || kind == load.Incomplete {
				return
			}
			if size <= 0 || size > len(stream) || len(body) > size {
				t.Fatalf("kind %d: size %d of %d, body %d", kind, size, len(stream), len(body))
			}
			stream = stream[size:]
		}
	})
}
