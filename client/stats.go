package client

// Stats counts what a client has done since Dial.
type Stats struct {
	CommandsSent   uint64 // frames given to the writer
	BytesSent      uint64 // given to the socket, length prefixes included
	Writes         uint64 // calls of the socket's write
	FramesReceived uint64
	BytesReceived  uint64
	Reads          uint64 // calls of the socket's read
	Unclaimed      uint64 // frames for no subscription and no waiting call
	PendingAcks    int    // commands that wait for acks now
	Feeds          int    // subscriptions now
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats {
	sent := c.out.counts()
	counts := &c.receiver.counts
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{
		CommandsSent:   sent.frames,
		BytesSent:      sent.bytes,
		Writes:         sent.writes,
		FramesReceived: counts.frames.Load(),
		BytesReceived:  counts.bytes.Load(),
		Reads:          counts.reads.Load(),
		Unclaimed:      counts.unclaimed.Load(),
		PendingAcks:    len(c.waiters),
		Feeds:          len(c.feeds),
	}
}
