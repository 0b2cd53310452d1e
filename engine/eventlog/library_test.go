package eventlog_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"farad/engine/eventlog"
)

// logLibrary logs as a library does.
func logLibrary(h slog.Handler, text string) {
	slog.New(h).Info(text)
}

func TestRecordsOfLibrariesHaveTheNearestLevel(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<Level>developer</Level>")
	library := slog.New(log.Handler())
	for _, l := range []slog.Level{-8, slog.LevelDebug, slog.LevelInfo, 2, slog.LevelWarn, slog.LevelError, 12} {
		library.Log(t.Context(), l, "text")
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.Join(strings.Fields(line)[1:], " "))
	}
	want := "[0] developer: 01-9001 text|[0] trace: 01-9001 text|[0] info: 01-9001 text|[0] info: 01-9001 text|" +
		"[0] warning: 01-9001 text|[0] error: 01-9001 text|[0] error: 01-9001 text"
	if strings.Join(got, "|") != want {
		t.Errorf("lines\n%s\nwant\n%s", strings.Join(got, "|"), want)
	}
}

func TestRecordsOfLibrariesPassByLevelAndID(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<Level>error</Level>")
	library := slog.New(log.Handler())
	if library.Enabled(t.Context(), slog.LevelWarn) || !library.Enabled(t.Context(), slog.LevelError) {
		t.Error("enabled at the wrong levels")
	}
	library.Info("no")
	library.Error("yes")
	if got := ids(out.String()); got != "01-9001" {
		t.Errorf("written are %s", got)
	}
	log, out = configured(t, "<Level>developer</Level><ExcludeErrors>01-9001</ExcludeErrors>")
	slog.New(log.Handler()).Error("no")
	if out.Len() > 0 {
		t.Errorf("written %s", out)
	}
}

func TestAttributesEndTheTextOfALibrary(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<Level>info</Level>")
	library := slog.New(log.Handler()).With("a", 1).WithGroup("g").With("b", "two words").WithGroup("h")
	library.Info("text", "c", "", "d", time.Second, slog.Group("i", "j", true), slog.Group("", "k", "x=y"), slog.Attr{})
	library.Info("more")
	want := `text a=1 g.b="two words" g.h.c="" g.h.d=1s g.h.i.j=true g.h.k="x=y"` + "\n"
	if first, second, _ := strings.Cut(out.String(), want); !strings.HasSuffix(first, "01-9001 ") || !strings.HasSuffix(second, `more a=1 g.b="two words"`+"\n") {
		t.Errorf("%s\nlacks %s", out, want)
	}
}

func TestLibraryCannotPassItsRecordsOffAsEvents(t *testing.T) {
	t.Parallel()
	log, out := configured(t, "<Level>info</Level>")
	r := slog.NewRecord(time.Time{}, slog.LevelInfo, "text\n2021-11-23T14:49:38.3442510-08:00 [1] info: 00-0015 x", 0)
	r.AddAttrs(slog.Int("event", int(eventlog.SlowClientDisconnected)), slog.Int("thread", 7), slog.String("k\n2021-11-23T", "v\n2021"))
	if err := log.Handler().Handle(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	checkRecords(t, out.String(), 1)
	if !strings.Contains(out.String(), " [0] info: 01-9001 text\n") {
		t.Errorf("%s", out)
	}
}
