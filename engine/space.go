package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"farad/expr/message"
)

// topicsMax bounds the topics of one message type that exist only because
// patterns match them; past it they are forgotten and made anew on the next
// publish.
const topicsMax = 100_000

// space is the topics and patterns of one message type: a name means a
// different topic in each (03-message-types §1.2). A topic exists while
// somebody is subscribed to it by name, or since a message for it met a
// pattern; a publish to any other name is for nobody.
type space struct {
	messageType string
	kind        message.Type

	// epoch moves on when a name may mean another topic than before, which is
	// when a subscription comes that makes or covers topics, and when topics
	// go. It starts at 1. It is stored after the change, under mu.
	epoch atomic.Uint64

	mu       sync.RWMutex
	topics   map[string]*topic
	patterns []*subscription
	held     int // subscriptions
}

func newSpace(messageType string, kind message.Type) *space {
	sp := &space{messageType: messageType, kind: kind, topics: map[string]*topic{}}
	sp.epoch.Store(1)
	return sp
}

// find returns the topic to publish to under name, nil when nobody listens.
func (sp *space) find(name []byte) *topic {
	sp.mu.RLock()
	t := sp.topics[string(name)]
	covered := t == nil && sp.covered(name)
	sp.mu.RUnlock()
	if !covered {
		return t
	}
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if t = sp.topics[string(name)]; t == nil && sp.covered(name) {
		t = sp.create(string(name))
	}
	return t
}

// covered reports whether a pattern matches name. Guarded by mu.
func (sp *space) covered(name []byte) bool {
	for _, p := range sp.patterns {
		if p.pattern.Match(name) {
			return true
		}
	}
	return false
}

// create makes a topic and gives it the patterns that cover it. Guarded by
// mu, exclusively.
func (sp *space) create(name string) *topic {
	if len(sp.topics) >= topicsMax {
		sp.forget()
	}
	t := newTopic(sp, name)
	for _, p := range sp.patterns {
		if p.pattern.Match([]byte(name)) {
			t.add(p)
		}
	}
	sp.topics[name] = t
	return t
}

// size returns how many subscriptions and topics there are.
func (sp *space) size() (subscriptions, topics int) {
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	return sp.held, len(sp.topics)
}

// forget drops the topics that only patterns hold.
func (sp *space) forget() {
	for name, t := range sp.topics {
		if t.named == 0 {
			delete(sp.topics, name)
		}
	}
	sp.epoch.Add(1)
}

// subscribe enters next in place of previous, either of which may be nil. A
// topic that both cover changes over in one step, so its messages are neither
// lost nor doubled (05-subscriptions §4.1).
func (sp *space) subscribe(previous, next *subscription) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if next != nil && next.pattern == nil && sp.topics[next.topic] == nil {
		sp.create(next.topic)
	}
	if onOneTopic(previous) && onOneTopic(next) {
		if previous != nil {
			sp.exchange(sp.topics[previous.topic], previous, next)
		}
		if next != nil && (previous == nil || previous.topic != next.topic) {
			sp.exchange(sp.topics[next.topic], previous, next)
		}
	} else {
		for _, t := range sp.topics {
			sp.exchange(t, previous, next)
		}
	}
	if previous != nil && previous.pattern != nil {
		sp.patterns = slices.DeleteFunc(sp.patterns, func(s *subscription) bool { return s == previous })
	}
	if next != nil && next.pattern != nil {
		sp.patterns = append(sp.patterns, next)
	}
	if previous != nil {
		sp.held--
	}
	if next != nil {
		sp.held++
	}
	sp.epoch.Add(1)
}

func onOneTopic(s *subscription) bool { return s == nil || s.pattern == nil }

// exchange takes previous out of a topic and puts next in, as far as each
// covers it, and drops the topic if nobody is left.
func (sp *space) exchange(t *topic, previous, next *subscription) {
	if t == nil {
		return
	}
	t.mu.Lock()
	if previous != nil {
		t.remove(previous)
	}
	if next != nil && next.covers(t.name) {
		t.add(next)
	}
	empty := len(t.routes) == 0
	t.mu.Unlock()
	if empty {
		delete(sp.topics, t.name)
	}
}

// leave takes all subscriptions of a session out.
func (sp *space) leave(s *Session) {
	if len(s.subscriptions) == 0 {
		return
	}
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.held -= len(s.subscriptions)
	patterned := false
	for _, sub := range s.subscriptions {
		if sub.pattern != nil {
			patterned = true
			continue
		}
		sp.expel(sp.topics[sub.topic], s)
	}
	if patterned {
		for _, t := range sp.topics {
			sp.expel(t, s)
		}
		sp.patterns = slices.DeleteFunc(sp.patterns, func(sub *subscription) bool { return sub.session == s })
	}
	sp.epoch.Add(1)
}

// expel takes a session out of a topic and drops the topic if nobody is left.
func (sp *space) expel(t *topic, s *Session) {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.removeAll(s)
	empty := len(t.routes) == 0
	t.mu.Unlock()
	if empty {
		delete(sp.topics, t.name)
	}
}

// topicCacheMax bounds the names that a worker remembers for one space.
const topicCacheMax = 1 << 14

// topicCache is a worker's memory of what names mean, so that publishers who
// alternate between topics take no lock that other loops take too. Owned by
// its worker.
type topicCache struct {
	spaces map[*space]*cachedTopics
}

type cachedTopics struct {
	epoch  uint64
	topics map[string]*topic // nil values: nobody listens
}

func newTopicCache() topicCache { return topicCache{spaces: map[*space]*cachedTopics{}} }

// find is space.find with memory. epoch is the space's, read before.
func (c *topicCache) find(sp *space, epoch uint64, name []byte) *topic {
	known := c.spaces[sp]
	if known == nil {
		known = &cachedTopics{topics: map[string]*topic{}}
		c.spaces[sp] = known
	}
	if known.epoch != epoch || len(known.topics) >= topicCacheMax {
		clear(known.topics)
		known.epoch = epoch
	}
	if t, ok := known.topics[string(name)]; ok {
		return t
	}
	t := sp.find(name)
	known.topics[string(name)] = t
	return t
}
