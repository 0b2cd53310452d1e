package load

import (
	"fmt"
	"time"
)

// Limits and defaults of a load.
const (
	// ConnectionsMax bounds the publishers, and the subscribers, of a run.
	ConnectionsMax = 1024
	// TopicsMax bounds the topics that messages are spread over.
	TopicsMax = 10_000
	// FiltersMax bounds the filtered subscriptions, as many as a Farad
	// connection may hold.
	FiltersMax = 100_000
	// MessagesMax bounds the messages of a run, all publishers together.
	MessagesMax = 1_000_000_000_000
	// RateMax bounds the messages a second.
	RateMax = 1_000_000_000
	// DurationMax bounds the measured time, and the time before it.
	DurationMax = 24 * time.Hour
	// BatchBytesDefault is what a publisher writes at once, 64 KiB.
	BatchBytesDefault = 64 << 10
	// BatchBytesMax bounds it, 16 MiB.
	BatchBytesMax = 16 << 20
	// WindowMessagesDefault and WindowBytesDefault bound what is on its way
	// between the publishers and the slowest subscriber.
	WindowMessagesDefault = 64 << 10
	WindowBytesDefault    = 16 << 20
	// StallLimitDefault is how long nothing may move before a run ends.
	StallLimitDefault = 10 * time.Second
)

var _ [publisherCount - ConnectionsMax]struct{} // publisher numbers have four digits

// Throughput is a load that is limited by the server, the window or a rate.
// Every message goes to every subscriber, unless a filter says otherwise.
type Throughput struct {
	Protocol    Protocol
	Publishers  int // 1 to ConnectionsMax
	Subscribers int // 0 to ConnectionsMax; without any, acknowledgements keep the window
	Topic       string
	Topics      int // number of topics; above 1 they are called Topic-0, Topic-1 and so on
	Size        int // bytes of a body

	// Filter goes with every subscription. FilterPassesAll says that it lets
	// every message through, so that losses can be told.
	Filter          string
	FilterPassesAll bool
	// Filters is the number of subscriptions by key on the one subscriber, of
	// which Match match any message.
	Filters, Match int

	Messages uint64        // all publishers together; 0: until Duration ends
	Duration time.Duration // measured, without Warmup; 0: until Messages are sent
	Warmup   time.Duration // load that does not count
	Rate     float64       // messages a second, all publishers together; 0: as fast as it can

	BatchBytes     int // of a write; 0: BatchBytesDefault
	WindowMessages int // 0: no limit
	WindowBytes    int // 0: no limit

	ServerPID  int           // whose CPU and memory to read; 0: nobody's
	StallLimit time.Duration // 0: StallLimitDefault
	// Progress is told, now and then, how many messages were sent and
	// received so far; nil for nobody.
	Progress func(sent, received uint64, elapsed time.Duration)
}

// reach is which messages come to a subscriber.
type reach uint8

const (
	reachAll  reach = iota // every message
	reachSome              // those that pass a filter: nobody knows which
	reachNone              // no message
)

func (t *Throughput) reach() reach {
	switch {
	case t.Filters > 0 && t.Match == 0:
		return reachNone
	case t.Filter != "" && !t.FilterPassesAll:
		return reachSome
	}
	return reachAll
}

// windowByDelivery says whether arrivals keep the window; else the server's
// acknowledgements do.
func (t *Throughput) windowByDelivery() bool { return t.Subscribers > 0 && t.reach() == reachAll }

// shape is what the messages look like.
func (t *Throughput) shape() shape {
	s := shape{layout: layout{size: t.Size}, topics: []string{t.Topic}}
	if t.Topics > 1 {
		s.topics = make([]string, t.Topics)
		for i := range s.topics {
			s.topics[i] = fmt.Sprintf("%s-%d", t.Topic, i)
		}
	}
	if t.Filters > 0 {
		s.keyed = true
		s.keyFirst, s.keys = t.Filters, 1
		if t.Match > 0 {
			s.keyFirst, s.keys = 0, (t.Filters+t.Match-1)/t.Match
		}
	}
	return s
}

// subscriptions are the topics and filters that each subscriber asks for.
func (t *Throughput) subscriptions() (all [][2]string) {
	if t.Filters > 0 {
		for i := range t.Filters {
			all = append(all, [2]string{t.Topic, fmt.Sprintf("/k = '%s'", Key(i/max(1, t.Match)))})
		}
		return all
	}
	for _, topic := range t.shape().topics {
		all = append(all, [2]string{topic, t.Filter})
	}
	return all
}

// Check says what is wrong with the settings; a *SettingError, or nil.
func (t *Throughput) Check() error {
	for _, err := range []error{
		requireBetween("publishers", t.Publishers, 1, ConnectionsMax),
		requireBetween("subscribers", t.Subscribers, 0, ConnectionsMax),
		requireBetween("topics", t.Topics, 1, TopicsMax),
		requireBetween("filters", t.Filters, 0, FiltersMax),
		requireBetween("match", t.Match, 0, max(1, t.Filters)),
		requireBetween("batch", t.BatchBytes, 0, BatchBytesMax),
		requireDuration("duration", t.Duration, 0, DurationMax),
		requireDuration("warmup", t.Warmup, 0, DurationMax),
		requireDuration("stall limit", t.StallLimit, 0, DurationMax),
		requireProcess(t.ServerPID),
	} {
		if err != nil {
			return err
		}
	}
	switch {
	case t.Topic == "":
		return &SettingError{"topic", `""`, "a topic name"}
	case t.WindowMessages < 0 || t.WindowBytes < 0:
		return &SettingError{"window", min(t.WindowMessages, t.WindowBytes), "0 (no limit) or more"}
	case !(t.Rate >= 0 && t.Rate <= RateMax): // NaN too
		return &SettingError{"rate", t.Rate, fmt.Sprintf("0 (as fast as it can) to %d messages a second", RateMax)}
	case t.Messages > MessagesMax:
		return &SettingError{"messages", t.Messages, fmt.Sprintf("1 to %d", MessagesMax)}
	case t.Messages == 0 && t.Duration == 0:
		return &SettingError{"messages and duration", 0, "one of them, so that the run ends"}
	case t.Messages > 0 && t.Warmup > 0 && t.Duration == 0:
		return &SettingError{"warmup", t.Warmup, "0 with messages: all of them are counted"}
	case t.Filters > 0 && (t.Subscribers != 1 || t.Topics != 1 || t.Filter != ""):
		return &SettingError{"filters", t.Filters, "1 subscriber, 1 topic and no other filter beside it"}
	}
	if err := t.shape().layout.check(); err != nil {
		return &SettingError{"size", t.Size, fmt.Sprintf("%d to %d bytes", t.shape().sizeMin(), PayloadBytesMax)}
	}
	return nil
}
