package eventlog_test

import (
	"regexp"
	"strings"
	"testing"

	"farad/engine/eventlog"
	"farad/engine/eventlog/level"
)

func TestEveryEventIsDescribed(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[0-9A-F]{2}-\d{4}$`)
	seen := map[string]bool{}
	for i, e := range eventlog.Entries() {
		if !form.MatchString(e.ID) || seen[e.ID] {
			t.Errorf("event %d has the id %q", i, e.ID)
		}
		seen[e.ID] = true
		if e.Level < level.Developer || e.Level >= level.None {
			t.Errorf("%s has the level %v", e.ID, e.Level)
		}
		if !strings.HasSuffix(e.Description, ".") || !strings.HasSuffix(e.Action, ".") {
			t.Errorf("%s is described by %q and %q", e.ID, e.Description, e.Action)
		}
		if eventlog.Event(i).Entry() != e {
			t.Errorf("event %d has the entry %+v, want %+v", i, eventlog.Event(i).Entry(), e)
		}
	}
}

func TestIDsThatScriptsRelyOnKeepTheirMeaningAndLevel(t *testing.T) {
	t.Parallel()
	for event, want := range map[eventlog.Event]string{
		eventlog.ProductLine:            "00-0001 info",
		eventlog.Configuration:          "00-0002 info",
		eventlog.Initialized:            "00-0015 info",
		eventlog.ClientDisconnected:     "07-0013 info",
		eventlog.ClientLogon:            "1F-0004 info",
		eventlog.HeartbeatDisconnect:    "07-0042 error",
		eventlog.SlowClientDisconnected: "70-0004 error",
		eventlog.PublishReceived:        "12-0001 trace",
		eventlog.LogonReceived:          "12-0010 trace",
		eventlog.AckSent:                "17-0002 trace",
	} {
		if e := event.Entry(); e.ID+" "+e.Level.String() != want {
			t.Errorf("%s at %v, want %s", e.ID, e.Level, want)
		}
	}
}

func TestCallerOwnsTheEntries(t *testing.T) {
	t.Parallel()
	eventlog.Entries()[0].ID = "changed"
	if eventlog.Entries()[0].ID == "changed" {
		t.Error("the catalogue was changed")
	}
}
