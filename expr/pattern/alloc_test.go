//go:build !race

// The race detector makes pools of scratch space forget at random.

package pattern_test

import (
	"testing"

	"farad/expr/pattern"
)

func TestFindAllocatesNothing(t *testing.T) {
	room := make([]byte, 0, 100)
	for _, text := range []string{"trade", "^a/", "2026$", "trade.info", `\d+$`, "[^a]+"} {
		p, err := pattern.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, subject := range []string{"a/trade-info/2026", "a/tr\xe4de/2026"} {
			b := []byte(subject)
			if n := testing.AllocsPerRun(100, func() { p.AppendFind(room, b) }); n != 0 {
				t.Errorf("%q on %q: %v allocations", text, subject, n)
			}
		}
	}
}
