package tools

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"farad/netio/wire"

	"github.com/spf13/cobra"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// peer is a server that says what a test wants: answer gets each command and
// returns the frames to send back.
type peer struct {
	address string
	answer  func(p *peer, c *wire.Command) []byte

	mu       sync.Mutex
	commands []string // "code topic body" of each command
	heard    chan struct{}
	sockets  []net.Conn
}

// startPeer listens on a free port until the test ends.
func startPeer(t *testing.T, answer func(p *peer, c *wire.Command) []byte) *peer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{address: listener.Addr().String(), answer: answer, heard: make(chan struct{}, 1)}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			p.mu.Lock()
			p.sockets = append(p.sockets, socket)
			p.mu.Unlock()
			serving.Go(func() { p.serve(socket) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		p.hangUp()
		serving.Wait()
	})
	return p
}

func (p *peer) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, socket := range p.sockets {
		socket.Close()
	}
}

func (p *peer) serve(socket net.Conn) {
	defer socket.Close()
	var decoder wire.Decoder
	prefix := make([]byte, wire.LengthPrefix)
	for {
		if _, err := io.ReadFull(socket, prefix); err != nil {
			return
		}
		payload := make([]byte, binary.BigEndian.Uint32(prefix))
		if _, err := io.ReadFull(socket, payload); err != nil {
			return
		}
		c, err := decoder.Decode(payload)
		if err != nil {
			return
		}
		p.mu.Lock()
		p.commands = append(p.commands, strings.TrimSpace(c.Code.String()+" "+string(c.Topic())+" "+string(c.Body)))
		p.mu.Unlock()
		select {
		case p.heard <- struct{}{}:
		default:
		}
		socket.Write(p.answer(p, c))
	}
}

// awaitCommand waits until the peer got a command.
func (p *peer) awaitCommand(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(patience)
	for {
		p.mu.Lock()
		got := strings.Join(p.commands, "\n")
		p.mu.Unlock()
		if strings.Contains("\n"+got+"\n", "\n"+want+"\n") {
			return
		}
		select {
		case <-p.heard:
		case <-deadline:
			t.Fatalf("the server did not get %q:\n%s", want, got)
		}
	}
}

// accept acknowledges everything that asks for it.
func accept(_ *peer, c *wire.Command) []byte { return ackFrame(c, "") }

// ackFrame is the processed ack of a command, a failure if there is a reason.
func ackFrame(c *wire.Command, reason string) []byte {
	if c.Acks&wire.AckProcessed == 0 {
		return nil
	}
	w := wire.Begin(nil, wire.CodeAck)
	w.TextIf(wire.KeyCommandID, c.CommandID())
	w.Acks(wire.AckProcessed)
	if reason == "" {
		w.String(wire.KeyStatus, "success")
	} else {
		w.String(wire.KeyStatus, "failure")
		w.String(wire.KeyReason, reason)
	}
	if c.Code == wire.CodeLogon {
		w.String(wire.KeyVersion, "5.3.5.0")
	}
	return w.End(nil)
}

// deliver is a message for the subscription that c makes.
func deliver(c *wire.Command, body string) []byte {
	id := c.SubID()
	if len(id) == 0 {
		id = c.CommandID()
	}
	w := wire.Begin(nil, wire.CodePublish)
	w.Text(wire.KeyTopic, c.Topic())
	w.Text(wire.KeySubIDs, id)
	w.String(wire.KeyBookmark, "1|2|")
	w.String(wire.KeyCorrelationID, "Y29y")
	w.String(wire.KeySOWKey, "77")
	w.String(wire.KeyUserID, "tom")
	w.String(wire.KeyTimestamp, "20260101T000000.000001Z")
	w.String(wire.KeyLeasePeriod, "20260101T000001.000000Z")
	return w.End([]byte(body))
}

// streams are what a command writes to.
type streams struct{ out, err watched }

// watched is a buffer that a test may read while a command writes to it.
type watched struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{}
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.text.Write(p)
	select {
	case w.wrote <- struct{}{}:
	default:
	}
	return n, err
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// await waits until the text contains want.
func (w *watched) await(t *testing.T, want string) {
	t.Helper()
	deadline := time.After(patience)
	for !strings.Contains(w.String(), want) {
		select {
		case <-w.wrote:
		case <-deadline:
			t.Fatalf("waiting for %q, got:\n%s", want, w.String())
		}
	}
}

func newStreams() *streams {
	return &streams{out: watched{wrote: make(chan struct{}, 1)}, err: watched{wrote: make(chan struct{}, 1)}}
}

// farad runs a command line as the program does. A nil input is empty, a nil
// out is s.out.
func farad(ctx context.Context, s *streams, input io.Reader, out io.Writer, args ...string) error {
	root := &cobra.Command{Use: "farad", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(Commands()...)
	if input == nil {
		input = strings.NewReader("")
	}
	if out == nil {
		out = &s.out
	}
	root.SetIn(input)
	root.SetOut(out)
	root.SetErr(&s.err)
	root.SetArgs(NormalizeArgs(root, args))
	return root.ExecuteContext(ctx)
}
