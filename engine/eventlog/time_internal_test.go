package eventlog

import (
	"bytes"
	"testing"
	"time"

	"farad/engine/eventlog/level"
)

func TestTimeHasSevenFractionalDigitsAndTheOffset(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2021, 11, 23, 14, 49, 38, 344251099, time.FixedZone("", -8*3600)), "2021-11-23T14:49:38.3442510-08:00"},
		{time.Date(2021, 1, 2, 3, 4, 5, 0, time.UTC), "2021-01-02T03:04:05.0000000+00:00"},
		{time.Date(2021, 1, 2, 3, 4, 5, 0, time.FixedZone("", 5*3600+1800)), "2021-01-02T03:04:05.0000000+05:30"},
	} {
		var out bytes.Buffer
		log := newLog(func() time.Time { return c.at }, []Target{{Writer: &out, Threshold: level.Info}})
		log.Event(Initialized, 1, "initialization completed (%d seconds).", 0)
		if want := c.want + " [1] info: 00-0015 initialization completed (0 seconds).\n"; out.String() != want {
			t.Errorf("line %q, want %q", &out, want)
		}
	}
}
