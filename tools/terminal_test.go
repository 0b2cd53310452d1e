package tools

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"
)

// openTerminal makes a terminal: what a program writes to screen can be read
// from keyboard.
func openTerminal(t *testing.T) (keyboard, screen *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this machine gives no terminals: %v", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	if err := unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this machine gives no terminals: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	return keyboard, screen
}

func TestJSONIsLaidOutOnATerminalOnly(t *testing.T) {
	t.Parallel()
	keyboard, screen := openTerminal(t)
	p := startPeer(t, subscriber(`{"a":{"b":1}}`, "no JSON"))
	s := newStreams()
	if err := farad(t.Context(), s, nil, screen, "subscribe", "-server", p.address, "-topic", "t", "-count", "2"); err != nil {
		t.Fatal(err)
	}
	want := "{\r\n  \"a\": {\r\n    \"b\": 1\r\n  }\r\n}\r\nno JSON\r\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(keyboard, got); err != nil || string(got) != want {
		t.Errorf("on a terminal: got %q, %v; want %q", got, err, want)
	}
	if isTerminal(&s.out) || isTerminal(os.NewFile(^uintptr(0), "closed")) {
		t.Error("a buffer or a closed file counts as a terminal")
	}
}

func TestProgressIsDrawnForLongWorkAndRemoved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		screen := &newStreams().out
		m := meter{verb: "published", progress: true, out: screen}
		m.run()
		m.messages.Add(500)
		time.Sleep(900 * time.Millisecond) // on the test's own clock
		synctest.Wait()
		if screen.String() != "" {
			t.Errorf("within a second: %q", screen.String())
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if want := "\r\x1b[Kpublished 500 messages (500.00/s)"; screen.String() != want {
			t.Errorf("after a second: %q, want %q", screen.String(), want)
		}
		if messages, took := m.end(); messages != 500 || took != 1100*time.Millisecond {
			t.Errorf("%d messages in %v", messages, took)
		}
		if !strings.HasSuffix(screen.String(), "\r\x1b[K") {
			t.Errorf("at the end: %q", screen.String())
		}
	})
}

func TestStatisticsAreALineASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		m := meter{verb: "received", statistics: true, out: &out}
		m.run()
		m.messages.Add(500)
		time.Sleep(1500 * time.Millisecond) // on the test's own clock
		m.messages.Add(100)
		time.Sleep(time.Second)
		m.end()
		if want := "received 500 messages (500.00/s)\nreceived 600 messages (100.00/s)\n"; out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}
