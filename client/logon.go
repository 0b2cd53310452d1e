package client

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"farad/netio/wire"
)

// versionMajorMin is the oldest major version of a server's protocol level
// that this client works with (01-protocol §3.1).
const versionMajorMin = 5

// begin logs on and, if wanted, starts the heartbeats.
func (c *Client) begin(ctx context.Context) error {
	if err := c.logon(ctx); err != nil {
		return err
	}
	if c.settings.heartbeat > 0 {
		return c.startHeartbeat(ctx)
	}
	return nil
}

// logon sends the first command of the connection and awaits its answer.
func (c *Client) logon(ctx context.Context) error {
	id := c.nextID()
	w := &waiter{command: wire.CodeLogon, wanted: wire.AckProcessed}
	acks, err := c.await(ctx, id, w, func(ctx context.Context) error { return c.sendLogon(ctx, id) })
	if err != nil {
		return err
	}
	c.serverVersion = acks[0].Version
	major, _, _ := strings.Cut(c.serverVersion, ".")
	if n, err := strconv.ParseUint(major, 10, 32); err != nil || n < versionMajorMin {
		return fmt.Errorf("logon: the server's version is %q, expected %d.0 or later", c.serverVersion, versionMajorMin)
	}
	c.loggedOn.Store(true)
	return nil
}

// sendLogon writes the logon, whose fields no other command has.
func (c *Client) sendLogon(ctx context.Context, id string) error {
	if err := c.out.acquire(ctx); err != nil {
		return err
	}
	s := &c.settings
	start := len(c.out.pending)
	w := wire.Begin(c.out.pending, wire.CodeLogon)
	w.String(wire.KeyCommandID, id)
	w.StringIf(wire.KeyCorrelationID, s.correlationID)
	w.Acks(wire.AckProcessed)
	w.String(wire.KeyClientName, s.name)
	w.StringIf(wire.KeyUserID, s.user)
	w.StringIf(wire.KeyPassword, s.password)
	w.String(wire.KeyVersion, Version)
	w.StringIf(wire.KeyMessageType, s.messageType)
	w.StringIf(wire.KeyOptions, s.logonOptions)
	c.out.pending = w.End(nil)
	return c.out.release(start, 0)
}

// startHeartbeat asks for heartbeats and watches them from then on
// (01-protocol §11).
func (c *Client) startHeartbeat(ctx context.Context) error {
	_, err := c.Do(ctx, &Command{
		Code:    wire.CodeHeartbeat,
		Acks:    wire.AckProcessed,
		Options: fmt.Sprintf("start,%d", c.settings.heartbeat/time.Second),
	})
	if err == nil {
		go c.watch(c.settings.heartbeat)
	}
	return err
}
