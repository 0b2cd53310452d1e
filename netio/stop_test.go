package netio_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"farad/engine"
	"farad/netio"

	"go.uber.org/goleak"
)

// A stop sends what is still to be sent, closes everything, frees the port and
// leaves no goroutine behind. Not parallel: it counts goroutines.
func TestStopIsGracefulAndComplete(t *testing.T) {
	before := goleak.IgnoreCurrent()
	e, err := engine.New(engine.Options{Name: "stop"})
	if err != nil {
		t.Fatal(err)
	}
	options := netio.Options{Instance: "stop", EventLoops: 2, Transports: []netio.Transport{{Name: "any", Network: "tcp", Address: "127.0.0.1:0"}}}
	s, err := netio.Start(e, options)
	if err != nil {
		t.Fatal(err)
	}
	address := s.Addresses()[0].String()
	subscriber, publisher, stuck := logon(t, address), logon(t, address), logon(t, address)
	subscriber.subscribe("s", `"t":"x"`)
	stuck.subscribe("s", `"t":"x"`)
	body := strings.Repeat("x", 10_000)
	const messages = 2000 // 20 MB: more than the sockets of the stuck client hold
	for range messages {
		publisher.publish("x", body)
	}
	publisher.nothingMore()
	received := make(chan int)
	go func() {
		n := 0
		for {
			if _, err := subscriber.next(); err != nil {
				break
			}
			n++
		}
		received <- n
	}()
	began := time.Now()
	if err := s.Stop(context.Background()); err != nil {
		t.Errorf("stop: %v", err)
	}
	e.Close()
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("the stop took %s", took)
	}
	if n := <-received; n != messages {
		t.Errorf("the reading subscriber got %d of %d messages", n, messages)
	}
	options.Transports[0].Address = address
	again, err := engine.New(engine.Options{Name: "again"})
	if err != nil {
		t.Fatal(err)
	}
	s, err = netio.Start(again, options)
	if err != nil {
		t.Fatalf("the address is not free: %v", err)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Errorf("second stop: %v", err)
	}
	again.Close()
	goleak.VerifyNone(t, before,
		// gnet's pool of goroutines lives as long as the process.
		goleak.IgnoreTopFunction("github.com/panjf2000/ants/v2.(*poolCommon).purgeStaleWorkers"),
		goleak.IgnoreTopFunction("github.com/panjf2000/ants/v2.(*poolCommon).ticktock"))
}
