package tools

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"

	"farad/netio/wire"
)

// 14-tools-and-capacity #13
func TestPingTellsAClosedPortARefusedLogonAndAWrongTypeApart(t *testing.T) {
	t.Parallel()
	refusing := func(reason string) string {
		return startPeer(t, func(_ *peer, c *wire.Command) []byte { return ackFrame(c, reason) }).address
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	listener.Close()
	server := startPeer(t, accept).address
	messages := map[string]bool{}
	for _, c := range []struct {
		server string
		code   int
		out    string
		err    string
	}{
		{"tom:secret@" + server, ExitOK, "Successfully connected to tcp://tom@" + server + "/amps/json\n", ""},
		{"tom:secret@" + refusing("auth failure"), ExitRefused, "", "auth failure"},
		{"tom:secret@" + refusing("invalid message type"), ExitUsage, "", "invalid message type"},
		{closed, ExitConnection, "", "connection refused"},
	} {
		s := newStreams()
		err := farad(t.Context(), s, nil, nil, "ping", "-server", c.server)
		if got := ExitCode(err); got != c.code || s.out.String() != c.out {
			t.Errorf("ping %s: exit code %d, want %d; %v; printed %q, want %q", c.server, got, c.code, err, s.out.String(), c.out)
		}
		if c.err == "" {
			continue
		}
		message := fmt.Sprint(err)
		if !strings.HasPrefix(message, "Unable to connect to AMPS (") || !strings.Contains(message, c.err) ||
			strings.Contains(message, "secret") || messages[message] {
			t.Errorf("ping %s: the message is %q, expected one of its own with %q", c.server, message, c.err)
		}
		messages[message] = true
	}
}

func TestPingGivesUpOnASilentServer(t *testing.T) {
	t.Parallel()
	silent := startPeer(t, func(*peer, *wire.Command) []byte { return nil })
	err := farad(t.Context(), newStreams(), nil, nil, "ping", "-server", silent.address, "-timeout", "50ms")
	if ExitCode(err) != ExitConnection || !strings.Contains(fmt.Sprint(err), "no answer within 50ms") {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
}

func TestPublishSaysWhichMessagesWereRefusedAndGoesOn(t *testing.T) {
	t.Parallel()
	p := startPeer(t, func(_ *peer, c *wire.Command) []byte {
		if string(c.Body) == "b" || string(c.Body) == "c" {
			return ackFrame(c, "not entitled")
		}
		return ackFrame(c, "")
	})
	s := newStreams()
	err := farad(t.Context(), s, strings.NewReader("a\nb\nc\nd\n"), nil, "publish", "-server", p.address, "-topic", "t", "-delta")
	if ExitCode(err) != ExitRefused || !strings.Contains(fmt.Sprint(err), "2 of 4 messages were refused") ||
		!strings.Contains(fmt.Sprint(err), "message 2") || !strings.Contains(fmt.Sprint(err), "not entitled") {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
	if text := s.err.String(); !strings.Contains(text, "message 2: ") || !strings.Contains(text, "total messages published: 2 (") {
		t.Errorf("standard error: %s", text)
	}
	p.awaitCommand(t, "delta_publish t d")
	p.awaitCommand(t, "flush")
	if s.out.String() != "" {
		t.Errorf("standard output: %q", s.out.String())
	}
}

func TestInterruptedPublishFinishesWhatItSent(t *testing.T) {
	t.Parallel()
	p := startPeer(t, accept)
	s := newStreams()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- farad(ctx, s, read, nil, "publish", "-server", p.address, "-topic", "t") }()
	if _, err := io.WriteString(write, "one\ntw"); err != nil {
		t.Fatal(err)
	}
	p.awaitCommand(t, "publish t one")
	interrupt()
	if err := <-ended; err != nil {
		t.Errorf("an interrupt while the input is silent: %v", err)
	}
	p.awaitCommand(t, "flush")
	if !strings.Contains(s.err.String(), "total messages published: 1 (") {
		t.Errorf("standard error: %s", s.err.String())
	}
	read.Close() // lets the reading goroutine go
}

func TestPublishEndsWhenTheServerStopsAnswering(t *testing.T) {
	t.Parallel()
	p := startPeer(t, func(_ *peer, c *wire.Command) []byte {
		if c.Code == wire.CodeLogon {
			return ackFrame(c, "")
		}
		return nil
	})
	err := farad(t.Context(), newStreams(), strings.NewReader("a\n"), nil, "publish", "-server", p.address, "-topic", "t", "-timeout", "200ms")
	if ExitCode(err) != ExitConnection || !strings.Contains(fmt.Sprint(err), "no further answer within 200ms") {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
}

func TestPublishEndsWithItsConnection(t *testing.T) {
	t.Parallel()
	p := startPeer(t, func(p *peer, c *wire.Command) []byte {
		if string(c.Body) == "b" {
			p.hangUp()
		}
		return ackFrame(c, "")
	})
	s := newStreams()
	err := farad(t.Context(), s, strings.NewReader("a\nb\n"), nil, "publish", "-server", p.address, "-topic", "t")
	if ExitCode(err) != ExitConnection || !strings.Contains(fmt.Sprint(err), "lost") {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
	if !strings.Contains(s.err.String(), "total messages published: 1 (") {
		t.Errorf("standard error: %s", s.err.String())
	}
}

// subscriber answers a subscription with messages.
func subscriber(bodies ...string) func(*peer, *wire.Command) []byte {
	return func(_ *peer, c *wire.Command) []byte {
		frames := ackFrame(c, "")
		if c.Code == wire.CodeSubscribe {
			for _, body := range bodies {
				frames = append(frames, deliver(c, body)...)
			}
		}
		return frames
	}
}

func TestFormatShowsWhateverAMessageHas(t *testing.T) {
	t.Parallel()
	p := startPeer(t, subscriber(`{"a":1}`))
	s := newStreams()
	err := farad(t.Context(), s, nil, nil, "subscribe", "-server", p.address, "-topic", "t", "-count", "1",
		"-format", `{bookmark};{command};{correlation_id};{data};{expiration};{lease_period};{length};{sowkey};{user_id};{timestamp};{topic}`)
	want := `1|2|;publish;Y29y;{"a":1};;20260101T000001.000000Z;7;77;tom;20260101T000000.000001Z;t` + "\n"
	if err != nil || s.out.String() != want {
		t.Errorf("got %q, %v; want %q", s.out.String(), err, want)
	}
}

func TestInterruptedSubscribeSaysGoodbye(t *testing.T) {
	t.Parallel()
	p := startPeer(t, subscriber("1", "2"))
	s := newStreams()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error, 1)
	go func() { ended <- farad(ctx, s, nil, nil, "subscribe", "-server", p.address, "-topic", "t") }()
	s.err.await(t, "subscribed to t\n")
	s.out.await(t, "1\n2\n")
	interrupt()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	p.awaitCommand(t, "unsubscribe")
	if !strings.Contains(s.err.String(), "total messages received: 2 (") {
		t.Errorf("standard error: %s", s.err.String())
	}
}

func TestInterruptIsNotHeldUpByAReaderThatStandsStill(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("x", 1<<20)
	bodies := make([]string, 2*outputBytesMax/len(body)+4)
	for i := range bodies {
		bodies[i] = body
	}
	p := startPeer(t, subscriber(bodies...))
	s := newStreams()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	stuck := newGate()
	ended := make(chan error, 1)
	go func() { ended <- farad(ctx, s, nil, stuck, "subscribe", "-server", p.address, "-topic", "t") }()
	<-stuck.tried
	interrupt()
	if err := <-ended; ExitCode(err) != ExitRefused || !strings.Contains(fmt.Sprint(err), "standard output takes no more") {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
	close(stuck.open)
}

// Part of 14-tools-and-capacity #16: no word on standard error.
func TestSubscribeEndsQuietlyWhenItsReaderHasGone(t *testing.T) {
	t.Parallel()
	p := startPeer(t, subscriber("1"))
	s := newStreams()
	err := farad(t.Context(), s, nil, brokenStream{}, "subscribe", "-server", p.address, "-topic", "t")
	if err != nil || s.err.String() != "subscribed to t\n" {
		t.Errorf("got %v; standard error: %q", err, s.err.String())
	}
	if isClosedPipe(syscall.ENOSPC) {
		t.Error("a full disk counts as a closed pipe")
	}
}

func TestSubscribePrintsTheMessagesAskedForAndNoMore(t *testing.T) {
	t.Parallel()
	p := startPeer(t, subscriber("1", "2", "3", "4"))
	s := newStreams()
	err := farad(t.Context(), s, nil, nil, "subscribe", "-server", p.address, "-topic", "t", "-count", "3", "-timeout", "20s")
	if err != nil || s.out.String() != "1\n2\n3\n" {
		t.Errorf("got %q, %v", s.out.String(), err)
	}
}

func TestCopyThatIsRefusedEndsWithItsReason(t *testing.T) {
	t.Parallel()
	p := startPeer(t, subscriber("1"))
	second := startPeer(t, func(_ *peer, c *wire.Command) []byte {
		if c.Code == wire.CodePublish {
			return ackFrame(c, "not entitled")
		}
		return ackFrame(c, "")
	})
	err := farad(t.Context(), newStreams(), nil, nil, "subscribe", "-server", p.address, "-topic", "t", "-count", "1", "-copy", second.address)
	if ExitCode(err) != ExitRefused || !strings.Contains(fmt.Sprint(err), "-copy: ") || !strings.Contains(fmt.Sprint(err), "not entitled") {
		t.Errorf("got %v, exit code %d", err, ExitCode(err))
	}
}
