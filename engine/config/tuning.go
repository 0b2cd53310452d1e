package config

import "fmt"

// tuning reads Farad's own settings.
func (c *checker) tuning() {
	tuning := c.root.first("Tuning")
	var loops int64
	readBounded(c, tuning, "EventLoops", ParseCount, 1, EventLoopsMax, fmt.Sprintf("1 to %d", EventLoopsMax), &loops)
	c.config.EventLoops = int(loops)

	c.config.OutboundLimit = OutboundLimitDefault
	if tuning != nil {
		readBounded(c, tuning.first("Client"), "OutboundLimit", ParseSize, OutboundLimitMin, OutboundLimitMax,
			"1MB to 1TB", &c.config.OutboundLimit)
	}
}
