package main

import (
	"strings"
	"testing"

	"farad/perf/load"
)

// heard is a frame as a reader reports it.
type heard struct {
	kind load.Kind
	body string
}

// listen reads a stream that arrives in pieces of that size.
func listen(t *testing.T, reader load.Reader, stream string, piece int) (all []heard) {
	t.Helper()
	var unread []byte
	for len(stream) > 0 {
		n := min(piece, len(stream))
		unread = append(unread, stream[:n]...)
		stream = stream[n:]
		for {
			kind, body, size, err := reader.Next(unread)
			if err != nil {
				t.Fatalf("%q: %v", unread, err)
			}
			if kind == load.Incomplete {
				break
			}
			all = append(all, heard{kind, string(body)})
			unread = unread[size:]
		}
	}
	if len(unread) > 0 {
		t.Fatalf("%q is left over", unread)
	}
	return all
}

func TestReadersFindMessagesInAnyPieces(t *testing.T) {
	t.Parallel()
	message := func(body string) heard { return heard{load.Delivery, body} }
	for name, row := range map[string]struct {
		make   func() load.Reader
		stream string
		want   []heard
	}{
		"NATS": {
			func() load.Reader { return natsProtocol{}.NewReader(0) },
			"INFO {}\r\n+OK\r\nMSG a 1 2\r\nxy\r\nMSG a 1 2\r\n\r\n\r\nMSG b 2 reply 3\r\nxyz\r\nPING\r\nPONG\r\n",
			[]heard{{load.Other, ""}, {load.Other, ""}, message("xy"), message("\r\n"), message("xyz"), {load.Ping, ""}, {load.Synced, ""}},
		},
		"Redis": {
			func() load.Reader { return redisProtocol{}.NewReader(0) },
			"*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n" +
				"*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$2\r\nxy\r\n" + "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$2\r\n\r\n\r\n" +
				"*3\r\n$7\r\nmessage\r\n$1\r\nb\r\n$0\r\n\r\n:1\r\n+OK\r\n+PONG\r\n*2\r\n$4\r\npong\r\n$0\r\n\r\n",
			[]heard{{load.Other, ""}, message("xy"), message("\r\n"), message(""), {load.Other, ""}, {load.Other, ""}, {load.Synced, ""}, {load.Synced, ""}},
		},
	} {
		for piece := 1; piece <= len(row.stream); piece++ {
			got := listen(t, row.make(), row.stream, piece)
			if len(got) != len(row.want) {
				t.Fatalf("%s in pieces of %d: %v, expected %v", name, piece, got, row.want)
			}
			for i := range got {
				if got[i] != row.want[i] {
					t.Fatalf("%s in pieces of %d: frame %d is %v, expected %v", name, piece, i, got[i], row.want[i])
				}
			}
		}
	}
}

func TestRefusalsAndGarbageAreErrors(t *testing.T) {
	t.Parallel()
	for _, stream := range []string{"-ERR 'Authorization Violation'\r\n", "MSG a 1 x\r\n", "MSG a 1 999999999\r\n", "what\r\n", strings.Repeat("x", lineBytesMax)} {
		if _, _, _, err := (&natsReader{}).Next([]byte(stream)); err == nil {
			t.Errorf("NATS: %.40q was accepted", stream)
		}
	}
	for _, stream := range []string{"-NOAUTH\r\n", "*4\r\n", "*x\r\n", "*1\r\n$x\r\n", "*1\r\n+x\r\n", "*1\r\n$999999999\r\n", "\r\n", "what\r\n", strings.Repeat("x", lineBytesMax)} {
		if _, _, _, err := (&redisReader{}).Next([]byte(stream)); err == nil {
			t.Errorf("Redis: %.40q was accepted", stream)
		}
	}
}

func TestPublishesAreWhatTheServersUnderstand(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		protocol load.Protocol
		want     string
	}{
		{natsProtocol{}, "PUB perf 4\r\nbody\r\n"},
		{redisProtocol{}, "*3\r\n$7\r\nPUBLISH\r\n$4\r\nperf\r\n$4\r\nbody\r\n"},
	} {
		frame, at := row.protocol.AppendPublish([]byte("before"), "perf", []byte("body"))
		if string(frame) != "before"+row.want || string(frame[at:at+4]) != "body" {
			t.Errorf("%s: %q, body at %d", row.protocol.Name(), frame, at)
		}
	}
}

func TestSamplesGiveMedianRangeAndRatiosByRound(t *testing.T) {
	t.Parallel()
	s := sample{3, 1, 2}
	if got := s.text(times); got != "2.00 (1.00–3.00)" {
		t.Errorf("sample reads %s", got)
	}
	if got := (sample{4, 1}).median(); got != 2.5 {
		t.Errorf("median of two is %v", got)
	}
	if got := s.over(sample{1, 0, 4}); len(got) != 2 || got[0] != 3 || got[1] != 0.5 {
		t.Errorf("ratios %v, expected 3 and 0.5", got)
	}
}

func fuzz(f *testing.F, reader func() load.Reader, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := reader()
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

func FuzzNATSReader(f *testing.F) {
	fuzz(f, func() load.Reader { return &natsReader{} },
		"MSG a 1 2\r\nxy\r\nMSG a 1 2\r\nxy\r\n", "PING\r\n", "PONG\r\n", "INFO {}\r\n", "-ERR x\r\n")
}

func FuzzRedisReader(f *testing.F) {
	fuzz(f, func() load.Reader { return &redisReader{} },
		"*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$2\r\nxy\r\n*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$2\r\nxy\r\n",
		":1\r\n", "+PONG\r\n", "*2\r\n$4\r\npong\r\n$0\r\n\r\n", "-ERR\r\n")
}
