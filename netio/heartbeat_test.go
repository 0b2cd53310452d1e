package netio_test

import (
	"errors"
	"net"
	"testing"
	"time"
)

// 01-protocol #15: heartbeats. The shortest interval is one second, so this
// test takes some.
func TestHeartbeats(t *testing.T) {
	t.Parallel()
	address, e := startServer(t, serverOptions{})
	start := `{"c":"heartbeat","cid":"h","opts":"start,1","a":"processed"}`
	ack := `{"c":"ack","cid":"h","a":"processed","status":"success"}`

	silent := logon(t, address)
	silent.send(start, "")
	silent.expect(ack)
	began := time.Now()
	for _, m := range silent.expectClosed() {
		if m.header != `{"c":"heartbeat"}` || m.body != "" {
			t.Errorf("a silent client got %s", m)
		}
	}
	if took := time.Since(began); took < 2500*time.Millisecond {
		t.Errorf("a silent client was closed after %s, want about three intervals", took)
	}

	// One that answers only every second heartbeat lives, and beats get no
	// answer; stop ends it all.
	lives := logon(t, address)
	lives.send(start, "")
	lives.expect(ack)
	for beat := range 4 {
		lives.expect(`{"c":"heartbeat"}`)
		if beat%2 == 1 {
			lives.send(`{"c":"heartbeat","opts":"beat"}`, "")
		}
	}
	lives.send(`{"c":"heartbeat","cid":"h","opts":"stop","a":"processed"}`, "")
	lives.expect(ack)
	lives.socket.SetReadDeadline(time.Now().Add(1500 * time.Millisecond))
	if n, err := lives.socket.Read(make([]byte, 100)); !errors.Is(err, errTimeout(err)) {
		t.Errorf("after stop came %d bytes, error %v", n, err)
	}
	lives.nothingMore()
	if n := e.Statistics().Sessions; n != 1 {
		t.Errorf("%d sessions, want 1", n)
	}
}

// errTimeout returns err if it is a timeout, and an error that matches nothing
// otherwise.
func errTimeout(err error) error {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return err
	}
	return errors.New("no timeout")
}

// Other traffic counts as a heartbeat: a client that gets messages all the
// time gets no heartbeats.
func TestTrafficReplacesHeartbeats(t *testing.T) {
	t.Parallel()
	address, _ := startServer(t, serverOptions{})
	p := logon(t, address)
	p.send(`{"c":"heartbeat","cid":"h","opts":"start,1","a":"processed"}`, "")
	p.expect(`{"c":"ack","cid":"h","status":"success"}`)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for range 8 {
		<-tick.C
		p.nothingMore()
	}
}
