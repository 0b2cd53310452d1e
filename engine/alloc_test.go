//go:build !race

package engine_test

import (
	"fmt"
	"testing"
)

// The race detector empties pools at random, so this is for builds without it.

// 15-performance-anchors #10, the part on allocations: the way of a message
// allocates nothing, whatever its header and its subscribers.
func TestPublishAndDeliverAllocateNothing(t *testing.T) {
	for name, c := range map[string]struct {
		subscriptions []string // several clients, one subscription each
		shared        []string // all of one client
		header        func(i int) string
	}{
		"plain":     {[]string{`"t":"x"`, `"t":"x"`}, nil, func(int) string { return `{"c":"p","t":"x"}` }},
		"sequenced": {[]string{`"t":"x"`}, nil, func(i int) string { return fmt.Sprintf(`{"c":"p","t":"x","s":%d,"cid":"%d"}`, i+1, i) }},
		"acknowledged": {[]string{`"t":"x"`}, nil, func(i int) string {
			return fmt.Sprintf(`{"c":"p","t":"x","cid":"%d","a":"processed,persisted"}`, i)
		}},
		"correlated":  {[]string{`"t":"x"`}, nil, func(i int) string { return fmt.Sprintf(`{"c":"p","t":"x","x":"%d"}`, i) }},
		"alternating": {[]string{`"t":"x1"`, `"t":"^x"`}, nil, func(i int) string { return fmt.Sprintf(`{"c":"p","t":"x%d"}`, i%2) }},
		"nobody":      {nil, nil, func(i int) string { return fmt.Sprintf(`{"c":"p","t":"n%d"}`, i%5) }},
		"filtered": {[]string{`"t":"x","filter":"/sym = 'S7'"`, `"t":"x","filter":"/px > 100 AND /sym LIKE '1$'"`}, nil,
			func(int) string { return `{"c":"p","t":"x"}` }},
		"select lists": {[]string{`"t":"x","opts":"select=[-/,+/sym]"`, `"t":"x","opts":"select=[-/sym]"`}, []string{`"t":"x","opts":"select=[-/,+/sym]"`, `"t":"x"`},
			func(int) string { return `{"c":"p","t":"x"}` }},
		"one client, several subscriptions": {nil, []string{`"t":"x"`, `"t":"x","filter":"/sym IN ('S1','S2')"`, `"t":"^x$","opts":"timestamp"`},
			func(int) string { return `{"c":"p","t":"x"}` }},
	} {
		e, w := start(t)
		for _, s := range c.subscriptions {
			newClient(t, e, w).do(t, `{"c":"subscribe","cid":"1",`+s+`}`)
		}
		if len(c.shared) > 0 {
			shared := newClient(t, e, w)
			for i, s := range c.shared {
				shared.do(t, fmt.Sprintf(`{"c":"subscribe","cid":"%d",%s}`, i, s))
			}
		}
		publisher := newClient(t, e, w)
		batch := publishes(300, c.header)
		publisher.batch(batch)
		n := testing.AllocsPerRun(100, func() { publisher.batch(batch) })
		if n > 1 { // a batch, not a message: the pool of blocks may refill
			t.Errorf("%s: %v allocations a batch of %d messages", name, n, len(batch))
		}
	}
}
