package client_test

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"farad/client"
	"farad/netio/wire"
)

// 01-protocol #1: the client reads frames that come one byte at a time.
func TestFramesMayComeOneByteAtATime(t *testing.T) {
	t.Parallel()
	uri := rawServer(t, func(socket net.Conn) {
		id := awaitSubscribe(socket)
		for i := range 20 {
			for _, b := range frame(`{"c":"p","t":"fx","sids":"`+id+`"}`, fmt.Sprint(i)) {
				socket.Write([]byte{b})
			}
		}
		io.Copy(io.Discard, socket)
	})
	c, err := client.Dial(testContext(t), uri)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, messages := collect(t, c, client.Subscription{Topic: "fx"})
	for i := range 20 {
		if got := string(within(t, "message", messages).Body); got != fmt.Sprint(i) {
			t.Fatalf("message %d is %q", i, got)
		}
	}
}

// 01-protocol #1: the client reads many frames that come at once, of sizes
// below and far above its buffer.
func TestManyFramesMayComeAtOnceInAnySize(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	sizes := make(chan int, 1000)
	feed, err := c.Subscribe(testContext(t), client.Subscription{Topic: "fx"}, func(m *client.Message) {
		if strings.Trim(string(m.Body), "y") != "" {
			t.Error("the body is damaged")
		}
		sizes <- len(m.Body)
	})
	if err != nil {
		t.Fatal(err)
	}
	conn := p.next(wire.CodeSubscribe).conn
	want := []int{0, 1, 100, 65_000, 65_500, 65_536, 70_000, 131_072, 6 << 20, 10, 0, 9 << 20, 3}
	var all []byte
	for _, size := range want {
		all = append(all, frame(`{"c":"p","t":"fx","sids":"`+feed.ID()+`"}`, strings.Repeat("y", size))...)
		all = append(all, 0, 0, 0, 0) // a frame of length zero is ignored
	}
	conn.write(all)
	for _, size := range want {
		if got := within(t, "message", sizes); got != size {
			t.Fatalf("got a body of %d bytes, want %d", got, size)
		}
	}
}

func TestMalformedInputEndsTheConnectionWithAClearError(t *testing.T) {
	t.Parallel()
	for name, input := range map[string][]byte{
		"no header":       frame(`hello`, ""),
		"nesting":         frame(`{"c":{"x":1}}`, ""),
		"cut off":         frame(`{"c":"p","t":"f`, ""),
		"number too long": frame(`{"c":"ack","s":99999999999999999999}`, ""),
		"length":          binary.BigEndian.AppendUint32(nil, wire.FrameBytesMax+1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startPeer(t)
			lost := make(chan error, 1)
			c := dial(t, p, client.WithDisconnectHandler(func(err error) { lost <- err }))
			p.next(wire.CodeLogon).conn.write(input)
			err := within(t, "the end", lost)
			wantError(t, err, client.ErrProtocol)
			wantError(t, err, client.ErrDisconnected)
			wantError(t, c.Err(), client.ErrProtocol)
		})
	}
}

func TestWhatALaterServerMaySendIsIgnored(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	conn := p.next(wire.CodeLogon).conn
	conn.send(`{"c":"something_new","sids":"1","of":"the future"}`, "body")
	conn.send(`{}`, "")
	conn.send(`{"c":"ack","a":"persisted","status":"success","s":3}`, "")
	conn.send(`{"c":"ack","cid":"77","a":"processed","status":"success"}`, "")
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if got := c.Stats().Unclaimed; got != 3 {
		t.Errorf("%d frames were for nobody, want 3", got)
	}
}

func TestACloneOutlivesTheMessage(t *testing.T) {
	t.Parallel()
	p := startPeer(t)
	c := dial(t, p)
	feed, messages := collect(t, c, client.Subscription{Topic: "fx"})
	conn := p.next(wire.CodeSubscribe).conn
	for i := range 1000 {
		conn.send(fmt.Sprintf(`{"c":"p","t":"fx\"%d","sids":"%s"}`, i, feed.ID()), fmt.Sprint(i))
	}
	if err := c.Flush(testContext(t)); err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		m := <-messages
		if string(m.Body) != fmt.Sprint(i) || string(m.Topic()) != fmt.Sprintf(`fx"%d`, i) || m.SubID() != feed.ID() {
			t.Fatalf("message %d became %s%s", i, m.Header(), m.Body)
		}
	}
}

// flood is a server that sends blocks of deliveries as long as someone reads.
func flood(t testing.TB) (uri string) {
	return rawServer(t, func(socket net.Conn) {
		id := awaitSubscribe(socket)
		go io.Copy(io.Discard, socket)
		var block []byte
		for i := range 1000 {
			block = append(block, frame(`{"c":"p","t":"orders","sids":"`+id+`","l":128}`, fmt.Sprintf("%0128d", i))...)
		}
		for {
			if _, err := socket.Write(block); err != nil {
				return
			}
		}
	})
}

// AllocsPerRun counts for the whole process, so this test is not parallel.
func TestReceivingDoesNotAllocate(t *testing.T) {
	c, err := client.Dial(testContext(t), flood(t))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := c.Stream(testContext(t), client.Subscription{Topic: "orders"})
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	var allocations float64
	for _, err := range s.Messages(testContext(t)) {
		if err != nil {
			t.Fatal(err)
		}
		if read++; read == 100_000 {
			break // both buffers have reached their size
		}
	}
	ctx := testContext(t)
	allocations = testing.AllocsPerRun(20, func() {
		n := 0
		for range s.Messages(ctx) {
			if n++; n == 5000 {
				break
			}
		}
	})
	if perMessage := allocations / 5000; perMessage > 0.001 {
		t.Errorf("receiving allocates %v times a message", perMessage)
	}
}

func BenchmarkHandler(b *testing.B) {
	c, err := client.Dial(testContext(b), flood(b))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	received, done := 0, make(chan struct{})
	b.SetBytes(128)
	b.ReportAllocs()
	b.ResetTimer()
	_, err = c.Subscribe(testContext(b), client.Subscription{Topic: "orders"}, func(*client.Message) {
		if received++; received == b.N {
			close(done)
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	<-done
	b.StopTimer()
}

func BenchmarkStream(b *testing.B) {
	c, err := client.Dial(testContext(b), flood(b))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	s, err := c.Stream(testContext(b), client.Subscription{Topic: "orders"})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(128)
	b.ReportAllocs()
	b.ResetTimer()
	received := 0
	for range s.Messages(testContext(b)) {
		if received++; received == b.N {
			break
		}
	}
	b.StopTimer()
}
