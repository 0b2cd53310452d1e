package client

import (
	"fmt"
	"time"

	"farad/netio/wire"
)

// beatFrame is this side's sign of life.
var beatFrame = (&Command{Code: wire.CodeHeartbeat, Options: "beat"}).appendTo(nil)

// silencePeriods is how many heartbeat intervals a server may be silent.
const silencePeriods = 2

// watch is the goroutine that keeps the clock of the heartbeats. It gives the
// connection up when the receiver has waited for bytes for two intervals in
// vain. A receiver that is busy in a handler, or stands still for a slow
// stream, says nothing about the server; but then nobody answers the server's
// heartbeats, so the watch sends a sign of life itself.
func (c *Client) watch(interval time.Duration) {
	tick := time.NewTicker(interval / 4)
	defer tick.Stop()
	lastSign := time.Now()
	lastBeat := lastSign
	var reads uint64
	for {
		select {
		case <-c.stopping:
			return
		case now := <-tick.C:
			seen := c.receiver.counts.reads.Load()
			switch {
			case !c.receiver.waiting.Load():
				lastSign = now
				if now.Sub(lastBeat) >= interval {
					c.out.offer(beatFrame)
					lastBeat = now
				}
			case seen != reads:
				lastSign = now
			case now.Sub(lastSign) >= silencePeriods*interval:
				c.stop(disconnected(fmt.Errorf("the server was silent for %d heartbeat intervals of %s", silencePeriods, interval)), 0)
				return
			}
			reads = seen
		}
	}
}
