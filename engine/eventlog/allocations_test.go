package eventlog_test

import (
	"io"
	"testing"

	"farad/engine/eventlog"
	"farad/engine/eventlog/level"
)

// Not parallel: testing.AllocsPerRun counts what the whole process allocates.
func TestDisabledEventAllocatesNothing(t *testing.T) {
	log := eventlog.New(eventlog.Target{Writer: io.Discard, Threshold: level.Warning})
	name, frame := "client", []byte("frame")
	for what, f := range map[string]func(){
		"asking": func() {
			if log.Enabled(eventlog.AckSent) {
				log.Event(eventlog.AckSent, 1, "client[%s] %s", name, frame)
			}
		},
		"without arguments": func() { log.Event(eventlog.AckSent, 1, "text") },
	} {
		if n := testing.AllocsPerRun(1000, f); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

// Not parallel: testing.AllocsPerRun counts what the whole process allocates.
func TestEventWithoutArgumentsAllocatesNothing(t *testing.T) {
	log := eventlog.New(eventlog.Target{Writer: io.Discard, Threshold: level.Info})
	if n := testing.AllocsPerRun(1000, func() { log.Event(eventlog.ClientLogon, 1, "text") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDisabledEvent(b *testing.B) {
	log := eventlog.New(eventlog.Target{Writer: io.Discard, Threshold: level.Warning})
	name := "client"
	b.ReportAllocs()
	for b.Loop() {
		if log.Enabled(eventlog.AckSent) {
			log.Event(eventlog.AckSent, 1, "client[%s]", name)
		}
	}
}

func BenchmarkEvent(b *testing.B) {
	log := eventlog.New(eventlog.Target{Writer: io.Discard, Threshold: level.Info})
	name := "client"
	b.ReportAllocs()
	for b.Loop() {
		log.Event(eventlog.ClientLogon, 1, "client[%s] logged on", name)
	}
}
