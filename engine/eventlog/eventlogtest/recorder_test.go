package eventlogtest_test

import (
	"strings"
	"testing"

	"farad/engine/eventlog"
	"farad/engine/eventlog/eventlogtest"
	"farad/engine/eventlog/level"
)

func TestRecorderKeepsTheLinesFromItsLevelOn(t *testing.T) {
	t.Parallel()
	log, recorder := eventlogtest.New(level.Info)
	log.Event(eventlog.PublishReceived, 1, "below the level")
	log.Event(eventlog.ClientLogon, 1, "first\nsecond")
	log.Event(eventlog.ClientDisconnected, 1, "third")
	lines := recorder.Lines()
	if len(lines) != 3 || !strings.HasSuffix(lines[0], "1F-0004 first") || lines[1] != "\tsecond" || !strings.HasSuffix(lines[2], "07-0013 third") {
		t.Errorf("lines %q", lines)
	}
	lines[0] = "changed"
	if recorder.Lines()[0] == "changed" {
		t.Error("the caller does not own the lines")
	}
}

func TestWaitReturnsTheFirstLineThatContainsThePart(t *testing.T) {
	t.Parallel()
	log, recorder := eventlogtest.New(level.Info)
	begin := make(chan struct{})
	go func() {
		<-begin
		for _, text := range []string{"x", "y 1", "y 2"} {
			log.Event(eventlog.ClientLogon, 1, "%s", text)
		}
	}()
	close(begin)
	if line := recorder.Wait(t, "1F-0004 y"); !strings.HasSuffix(line, " y 1") {
		t.Errorf("line %q", line)
	}
	if line := recorder.Wait(t, "1F-0004 x"); !strings.HasSuffix(line, " x") {
		t.Errorf("line %q", line)
	}
}
