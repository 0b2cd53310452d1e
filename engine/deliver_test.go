package engine_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"testing"

	"farad/engine"
	"farad/netio/outbound"
	"farad/netio/wire"
)

// sink is a connection whose socket takes everything at once.
type sink struct {
	out      *outbound.Buffer
	messages int
}

func (s *sink) Outbound() *outbound.Buffer { return s.out }
func (s *sink) Flush(*engine.Worker) {
	for block := s.out.Take(); block != nil; {
		stream := block.Unsent()
		s.out.Sent(len(stream))
		for len(stream) > 0 {
			_, size, _, err := wire.NextFrame(stream)
			if err != nil || size == 0 {
				panic("a frame was cut")
			}
			stream = stream[size:]
			s.messages++
		}
		next := block.Next()
		block.Release()
		block = next
	}
}
func (s *sink) Disconnect(cause engine.Cause) { panic(cause) }
func (s *sink) RemoteAddr() net.Addr          { return &net.TCPAddr{} }
func (s *sink) Name() string                  { return "sink" }
func (s *sink) MessageType() string           { return "" }
func (s *sink) Thread() int                   { return 1 }

// client is a session with what it needs to be talked to in bytes.
type client struct {
	sink
	session *engine.Session
	decoder wire.Decoder
	worker  *engine.Worker
}

func newClient(t testing.TB, e *engine.Engine, w *engine.Worker) *client {
	c := &client{sink: sink{out: outbound.New(1 << 30)}, worker: w}
	c.session = e.NewSession(c)
	c.do(t, `{"c":"logon","client_name":"n","mt":"json"}`)
	return c
}

// do handles payloads as one batch.
func (c *client) do(t testing.TB, payloads ...string) {
	c.worker.BeginBatch(c.session)
	for _, p := range payloads {
		command, err := c.decoder.Decode([]byte(p))
		if err != nil || !c.worker.Handle(c.session, command) {
			t.Fatalf("%s: %v", p, err)
		}
	}
	c.worker.EndBatch()
}

// batch handles a prepared batch again and again without allocating itself.
func (c *client) batch(payloads [][]byte) {
	c.worker.BeginBatch(c.session)
	for _, p := range payloads {
		command, err := c.decoder.Decode(p)
		if err != nil || !c.worker.Handle(c.session, command) {
			panic("refused")
		}
	}
	c.worker.EndBatch()
}

func start(t testing.TB) (*engine.Engine, *engine.Worker) {
	e, err := engine.New(engine.Options{Name: "test", RegexTopics: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e, e.NewWorker()
}

// publishes makes a batch of publishes whose headers come from header, with
// the number of the message filled in.
func publishes(n int, header func(i int) string) [][]byte {
	var batch [][]byte
	for i := range n {
		batch = append(batch, []byte(header(i)+fmt.Sprintf(`{"sym":"S%d","px":101.25,"pad":"%0100d"}`, i%1000, i)))
	}
	return batch
}

func TestDeliveryCountsAreExact(t *testing.T) {
	e, w := start(t)
	subscriber := newClient(t, e, w)
	subscriber.do(t, `{"c":"subscribe","cid":"1","t":"x"}`, `{"c":"subscribe","cid":"2","t":"x","filter":"/sym = 'S7'"}`)
	publisher := newClient(t, e, w)
	batch := publishes(1000, func(int) string { return `{"c":"p","t":"x"}` })
	publisher.batch(batch)
	if subscriber.messages != 1000 {
		t.Errorf("%d frames came, want 1000", subscriber.messages)
	}
	s := e.Statistics()
	if s.Published != 1000 || s.Delivered != 1000 || s.Sessions != 2 || s.Subscriptions != 2 || s.Topics != 1 {
		t.Errorf("statistics %+v", s)
	}
}

// A message that could not be delivered within the limit of a frame is refused;
// one at the limit is delivered.
func TestMessageThatFitsNoDeliveryIsRefused(t *testing.T) {
	e, w := start(t)
	subscriber, publisher := newClient(t, e, w), newClient(t, e, w)
	subscriber.do(t, `{"c":"subscribe","cid":"1","t":"x"}`)
	header := `{"c":"p","t":"x","a":"processed"}`
	payload := append([]byte(header), make([]byte, engine.BodyBytesMax+1)...)
	publisher.batch([][]byte{payload})
	publisher.batch([][]byte{payload[:len(payload)-1]})
	if subscriber.messages != 1 || publisher.messages != 2 {
		t.Errorf("%d deliveries and %d acks, want 1 and 2", subscriber.messages, publisher.messages)
	}
}

func BenchmarkPublishToOne(b *testing.B)   { benchmarkPublish(b, 1, 1, `"t":"x"`) }
func BenchmarkPublishToEight(b *testing.B) { benchmarkPublish(b, 8, 8, `"t":"x"`) }
func BenchmarkPublishToNobody(b *testing.B) {
	benchmarkPublish(b, 1, 0, "")
}

// Each message matches one of the filters.
func BenchmarkPublishOneFilter(b *testing.B) {
	benchmarkPublish(b, 1, 1, `"t":"x","filter":"/sym = 'S%d'"`)
}
func BenchmarkPublishThousandFilters(b *testing.B) {
	benchmarkPublish(b, 10, 1000, `"t":"x","filter":"/sym = 'S%d'"`)
}
func BenchmarkPublishHundredThousandFilters(b *testing.B) {
	benchmarkPublish(b, 10, 100_000, `"t":"x","filter":"/sym = 'S%d'"`)
}

// benchmarkPublish spreads subscriptions over connections. It reports what a
// subscription takes in memory, beside the time a message.
func benchmarkPublish(b *testing.B, connections, subscriptions int, subscription string) {
	e, w := start(b)
	var clients []*client
	for range connections {
		clients = append(clients, newClient(b, e, w))
	}
	before := heapBytes()
	for i := range subscriptions {
		s := subscription
		if strings.Contains(s, "%d") {
			s = fmt.Sprintf(s, i)
		}
		clients[i%connections].do(b, fmt.Sprintf(`{"c":"subscribe","cid":"%d",%s}`, i, s))
	}
	taken := heapBytes() - before
	publisher := newClient(b, e, w)
	order := rand.Perm(max(subscriptions, 1000))
	var batches [][][]byte
	for len(batches) < 100 {
		var batch [][]byte
		for range 400 {
			i := order[(len(batches)*400+len(batch))%len(order)] % max(subscriptions, 1)
			batch = append(batch, fmt.Appendf(nil, `{"c":"p","t":"x"}{"sym":"S%d","px":101.25,"pad":"%0100d"}`, i, i))
		}
		batches = append(batches, batch)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i += len(batches[0]) {
		publisher.batch(batches[i/400%len(batches)])
	}
	b.StopTimer()
	if subscriptions > 0 {
		b.ReportMetric(float64(taken)/float64(subscriptions), "B/subscription")
	}
}

func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
