package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"farad/client"
	"farad/netio/wire"
)

func TestLogonCarriesWhatTheURIAndTheOptionsSay(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	uri := strings.Replace(p.uri(), "tcp://", "tcp://ann:s3@", 1)
	c, err := client.Dial(testContext(t), uri,
		client.WithName("pricer-1"), client.WithCorrelationID("YWJj"), client.WithLogonOptions("ack_conflation=100ms"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const want = `{"c":"logon","cid":"1","x":"YWJj","a":"processed","client_name":"pricer-1",` +
		`"user_id":"ann","pw":"s3","version":"` + client.Version + `","mt":"json","opts":"ack_conflation=100ms"}`
	if got := p.next(wire.CodeLogon).header; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c.Name() != "pricer-1" || c.ServerVersion() != "5.3.5.0" || c.URI().User != "ann" || c.Err() != nil {
		t.Errorf("got name %q, version %q, URI %v, error %v", c.Name(), c.ServerVersion(), c.URI(), c.Err())
	}
}

func TestOptionsOutrankTheURIAndAbsentFieldsAreNotSent(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	uri := strings.Replace(p.uri(), "tcp://", "tcp://ann:s3@", 1)
	c, err := client.Dial(testContext(t), uri, client.WithCredentials("bob", ""), client.WithMessageType("fix"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	logon := p.next(wire.CodeLogon)
	if got := string(logon.UserID()); got != "bob" {
		t.Errorf("user_id is %q, want bob", got)
	}
	if got := string(logon.MessageType()); got != "fix" {
		t.Errorf("mt is %q, want fix", got)
	}
	for _, key := range []wire.Key{wire.KeyPassword, wire.KeyCorrelationID, wire.KeyOptions} {
		if logon.Has(key) {
			t.Errorf("%s carries the key %s", logon.header, key)
		}
	}
}

func TestTwoClientsWithoutANameGetDifferentOnes(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	if a, b := dial(t, p).Name(), dial(t, p).Name(); a == b || a == "" {
		t.Errorf("got the names %q and %q", a, b)
	}
}

func TestRefusedLogonGivesTheReason(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]error{
		"auth failure":         client.ErrAuthFailure,
		"not entitled":         client.ErrNotEntitled,
		"name in use":          client.ErrNameInUse,
		"invalid message type": client.ErrInvalidMessageType,
		"duplicate logon":      client.ErrDuplicateLogon,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			p := startPeer(t)
			p.on(wire.CodeLogon, func(r request) {
				refuse(reason)(r)
				r.conn.Close()
			})
			_, err := client.Dial(testContext(t), p.uri())
			wantError(t, err, want)
			var refused *client.CommandError
			if !errors.As(err, &refused) || refused.Command != "logon" || refused.Reason != reason {
				t.Errorf("got %#v", refused)
			}
		})
	}
}

func TestAServerThatWantsAnotherRoundOfAuthenticationIsAClearError(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeLogon, func(r request) {
		r.conn.send(`{"c":"ack","cid":"`+r.id()+`","a":"processed","status":"retry","reason":"nonce"}`, "")
	})
	_, err := client.Dial(testContext(t), p.uri())
	if err == nil || !strings.Contains(err.Error(), "another round of authentication") {
		t.Errorf("got error %v", err)
	}
}

func TestDialFailsWhenTheServerClosesWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeLogon, func(r request) { r.conn.Close() })
	_, err := client.Dial(testContext(t), p.uri(), client.WithDisconnectHandler(func(error) {
		t.Error("the disconnect handler was called for a connection that never was")
	}))
	wantError(t, err, client.ErrDisconnected)
}

func TestDialFailsWhenNobodyListens(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.listener.Close()
	_, err := client.Dial(testContext(t), p.uri())
	if err == nil || !strings.Contains(err.Error(), p.uri()) {
		t.Errorf("got error %v, want one that names %s", err, p.uri())
	}
}

func TestDialEndsWithItsContext(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	ctx, cancel := context.WithCancel(context.Background())
	p.on(wire.CodeLogon, func(request) { cancel() })
	_, err := client.Dial(ctx, p.uri())
	wantError(t, err, context.Canceled)
}

func TestDialEndsWithTheAckTimeout(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeLogon, silent)
	_, err := client.Dial(context.Background(), p.uri(), client.WithAckTimeout(20*time.Millisecond))
	wantError(t, err, client.ErrTimedOut)
}

func TestAContextsDeadlineIsATimeoutToo(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeLogon, silent)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := client.Dial(ctx, p.uri())
	wantError(t, err, client.ErrTimedOut)
	wantError(t, err, context.DeadlineExceeded)
}

func TestAServerOfAnOlderProtocolLevelIsRefused(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	p.on(wire.CodeLogon, func(r request) {
		r.conn.send(`{"c":"ack","cid":"`+r.id()+`","a":"processed","status":"success","version":"4.3.1"}`, "")
	})
	_, err := client.Dial(testContext(t), p.uri())
	if err == nil || !strings.Contains(err.Error(), `"4.3.1", expected 5.0 or later`) {
		t.Errorf("got error %v", err)
	}
}

func TestSettingsOutsideTheirLimitsAreRefused(t *testing.T) {
	t.Parallel()
	for part, option := range map[string]client.Option{
		"heartbeat interval 1.5s":  client.WithHeartbeat(1500 * time.Millisecond),
		"heartbeat interval 500ms": client.WithHeartbeat(500 * time.Millisecond),
		"write buffer of 1 bytes":  client.WithWriteBuffer(1),
		"ack timeout -1s":          client.WithAckTimeout(-time.Second),
	} {
		_, err := client.Dial(testContext(t), "tcp://127.0.0.1:1/amps", option)
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got error %v, want one with %q", err, part)
		}
	}
}
