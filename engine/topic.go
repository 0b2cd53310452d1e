package engine

import (
	"sync"

	"farad/expr"
)

// topic is a name that somebody is subscribed to, with everything needed to
// find the receivers of a message. mu guards all but the name and named.
type topic struct {
	space    *space
	name     string
	nameText []byte // the same
	named    int    // subscriptions by this very name; guarded by space.mu

	mu     sync.Mutex
	routes map[*Session]*route
	// plain are the routes with one subscription and neither filter nor
	// select list: they take whole runs. Everything else is in unfiltered or filtered.
	plain      []*route
	unfiltered []*placed
	filters    *expr.Matcher
	filtered   []*placed // by the id that filters knows; nil where free
	free       []uint32  // free ids

	serial uint64            // of runs
	shapes map[string]*shape // by select list
}

// placed is one subscription's place on one topic. It has what delivering needs
// beside each other: where there are very many subscriptions, fetching lines
// of memory is most of the cost.
type placed struct {
	route     *route
	shape     *shape // nil: whole messages
	order     uint64 // the subscription's
	head      []byte // of the frames for this subscription alone (route.go)
	timestamp bool   // the subscription's
	index     int32  // in topic.unfiltered, or the id in topic.filtered
	at        int32  // in route.places
	sub       *subscription
	headRoom  [72]byte // of most heads
}

func newPlaced(t *topic, r *route, sub *subscription) *placed {
	p := &placed{sub: sub, route: r, shape: t.takeShape(sub), order: sub.order, timestamp: sub.timestamp}
	p.head = appendHead(p.headRoom[:0], t.name, sub.id)
	return p
}

func newTopic(sp *space, name string) *topic {
	return &topic{space: sp, name: name, nameText: []byte(name), routes: map[*Session]*route{}}
}

// add enters a subscription. The caller holds mu, and space.mu for named.
func (t *topic) add(sub *subscription) {
	r := t.routes[sub.session]
	if r == nil {
		r = &route{session: sub.session, topic: t, plain: -1}
		t.routes[sub.session] = r
	}
	if r.plain >= 0 {
		t.settlePlain(r, false)
		t.settle(r.places[0])
	}
	p := newPlaced(t, r, sub)
	p.at = int32(len(r.places))
	r.places = append(r.places, p)
	if len(r.places) == 1 && p.isPlain() {
		t.settlePlain(r, true)
	} else {
		t.settle(p)
	}
	if sub.pattern == nil {
		sub.place = p
		t.named++
	}
}

// remove takes a subscription out if it is there. Locks as for add.
func (t *topic) remove(sub *subscription) {
	r := t.routes[sub.session]
	if r == nil {
		return
	}
	p := r.find(sub)
	if p == nil {
		return
	}
	t.unsettle(p)
	t.giveShape(p.shape)
	last := len(r.places) - 1
	r.places[p.at] = r.places[last]
	r.places[p.at].at = p.at
	r.places[last] = nil
	r.places = r.places[:last]
	switch {
	case last == 0:
		delete(t.routes, sub.session)
	case last == 1 && r.places[0].isPlain():
		t.unsettle(r.places[0])
		t.settlePlain(r, true)
	}
	if sub.pattern == nil {
		sub.place = nil
		t.named--
	}
}

// find returns a subscription's place, nil when it has none here.
func (r *route) find(sub *subscription) *placed {
	if sub.pattern == nil {
		if sub.place != nil && sub.place.route == r {
			return sub.place
		}
		return nil
	}
	for _, p := range r.places {
		if p.sub == sub {
			return p
		}
	}
	return nil
}

// removeAll takes all subscriptions of a session out. Locks as for add.
func (t *topic) removeAll(s *Session) {
	r := t.routes[s]
	if r == nil {
		return
	}
	for _, p := range r.places {
		t.unsettle(p)
		t.giveShape(p.shape)
		if p.sub.pattern == nil {
			p.sub.place = nil
			t.named--
		}
	}
	delete(t.routes, s)
}

// isPlain reports whether a route of this place alone takes whole runs.
func (p *placed) isPlain() bool { return p.sub.filter == nil && p.shape == nil }

// settle puts a place in the list that delivery finds it in.
func (t *topic) settle(p *placed) {
	if p.sub.filter == nil {
		t.settleUnfiltered(p, true)
	} else {
		t.settleFiltered(p, true)
	}
}

// unsettle takes a place, or its route if that is plain, out of its list.
func (t *topic) unsettle(p *placed) {
	switch {
	case p.route.plain >= 0:
		t.settlePlain(p.route, false)
	case p.sub.filter == nil:
		t.settleUnfiltered(p, false)
	default:
		t.settleFiltered(p, false)
	}
}

func (t *topic) settlePlain(r *route, in bool) {
	if in {
		r.plain = len(t.plain)
		t.plain = append(t.plain, r)
		return
	}
	last := len(t.plain) - 1
	t.plain[r.plain] = t.plain[last]
	t.plain[r.plain].plain = r.plain
	t.plain[last] = nil
	t.plain = t.plain[:last]
	r.plain = -1
}

func (t *topic) settleUnfiltered(p *placed, in bool) {
	if in {
		p.index = int32(len(t.unfiltered))
		t.unfiltered = append(t.unfiltered, p)
		return
	}
	last := len(t.unfiltered) - 1
	t.unfiltered[p.index] = t.unfiltered[last]
	t.unfiltered[p.index].index = p.index
	t.unfiltered[last] = nil
	t.unfiltered = t.unfiltered[:last]
}

func (t *topic) settleFiltered(p *placed, in bool) {
	if !in {
		t.filters.Remove(uint32(p.index))
		t.filtered[p.index] = nil
		t.free = append(t.free, uint32(p.index))
		return
	}
	if t.filters == nil {
		t.filters = expr.NewMatcher(t.space.kind)
	}
	if n := len(t.free); n > 0 {
		p.index = int32(t.free[n-1])
		t.free = t.free[:n-1]
		t.filtered[p.index] = p
	} else {
		p.index = int32(len(t.filtered))
		t.filtered = append(t.filtered, p)
	}
	t.filters.Add(uint32(p.index), p.sub.filter)
}
