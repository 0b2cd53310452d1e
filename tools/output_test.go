package tools

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func appendText(text string) func([]byte) []byte {
	return func(waiting []byte) []byte { return append(waiting, text...) }
}

func TestOutputWritesALonePayloadAtOnce(t *testing.T) {
	t.Parallel()
	read, write := io.Pipe()
	o := newOutput(write)
	if err := o.append(appendText("lone\n")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 5)
	if _, err := io.ReadFull(read, got); err != nil || string(got) != "lone\n" {
		t.Fatalf("got %q, %v", got, err)
	}
	if err := o.close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestOutputKeepsOrderAndLosesNothing(t *testing.T) {
	t.Parallel()
	var stream bytes.Buffer
	o := newOutput(&stream)
	var want strings.Builder
	for range 10_000 {
		want.WriteString("0123456789\n")
		if err := o.append(appendText("0123456789\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.close(t.Context()); err != nil || stream.String() != want.String() {
		t.Fatalf("%d bytes written, %v; want %d", stream.Len(), err, want.Len())
	}
}

// gate is a stream that writes only once it is opened.
type gate struct {
	tried chan struct{} // holds one once a write was tried
	open  chan struct{}
	mu    sync.Mutex
	bytes int
}

func newGate() *gate {
	return &gate{tried: make(chan struct{}, 1), open: make(chan struct{})}
}

func (g *gate) Write(p []byte) (int, error) {
	select {
	case g.tried <- struct{}{}:
	default:
	}
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bytes += len(p)
	return len(p), nil
}

func TestOutputHoldsBackItsWriterAtTheLimit(t *testing.T) {
	t.Parallel()
	g := newGate()
	o := newOutput(g)
	payload := strings.Repeat("x", 1<<20)
	appended := make(chan struct{})
	const payloads = 32
	go func() {
		for range payloads {
			if err := o.append(appendText(payload)); err != nil {
				t.Error(err)
			}
			appended <- struct{}{}
		}
		close(appended)
	}()
	// One buffer is being written, one waits; neither can have grown far
	// beyond the limit.
	for range outputBytesMax / len(payload) {
		<-appended
	}
	o.mu.Lock()
	waiting := len(o.waiting)
	o.mu.Unlock()
	if waiting > outputBytesMax+len(payload) {
		t.Errorf("%d bytes wait, limit %d", waiting, outputBytesMax)
	}
	close(g.open)
	for range appended {
	}
	if err := o.close(t.Context()); err != nil || g.bytes != payloads*len(payload) {
		t.Errorf("%d bytes written, %v; want %d", g.bytes, err, payloads*len(payload))
	}
}

type brokenStream struct{}

func (brokenStream) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestOutputReportsAStreamThatTakesNoMore(t *testing.T) {
	t.Parallel()
	o := newOutput(brokenStream{})
	if err := o.append(appendText("x")); err != nil {
		t.Fatal(err)
	}
	<-o.ended()
	if err := o.append(appendText("y")); !isClosedPipe(err) {
		t.Errorf("after the reader has gone: %v", err)
	}
	if err := o.close(t.Context()); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("close: %v", err)
	}
}
