package netio_test

import (
	"testing"
	"time"
)

// 01-protocol #15, as far as it shows on the wire: the start is acknowledged,
// an idle client gets heartbeats, beats get no answer, stop is acknowledged,
// and a silent client is closed, not before three intervals. The exact times
// are the engine's tests', with a clock of their own. The shortest interval
// is one second, so this test takes some.
func TestHeartbeats(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	start := `{"c":"heartbeat","cid":"h","opts":"start,1","a":"processed"}`
	ack := `{"c":"ack","cid":"h","a":"processed","status":"success"}`

	silent, answering := logon(t, address), logon(t, address)
	answering.send(start, "")
	answering.expect(ack)
	silent.send(start, "")
	silent.expect(ack)
	began := time.Now()
	for range 2 {
		answering.expect(`{"c":"heartbeat"}`)
		answering.send(`{"c":"heartbeat","opts":"beat"}`, "")
	}
	answering.send(`{"c":"heartbeat","cid":"h","opts":"stop","a":"processed"}`, "")
	answering.expect(ack)

	heartbeats := silent.expectClosed()
	if took := time.Since(began); took < 2900*time.Millisecond {
		t.Errorf("a silent client was closed after %s", took)
	}
	if len(heartbeats) == 0 {
		t.Error("a silent client got no heartbeat")
	}
	for _, m := range heartbeats {
		if m.header != `{"c":"heartbeat"}` || m.body != "" {
			t.Errorf("a silent client got %s", m)
		}
	}
	answering.nothingMore() // nothing came since the stop
}
