package engine

import (
	"slices"
	"strconv"

	"farad/netio/wire"
)

// route is the way from one topic to one session: all the subscriptions of
// that session that cover the topic. A message goes along it once, with the
// ids of those that it matched, and once more for each select list
// (05-subscriptions §1). Guarded by the topic's
// mu, its scratch included, so that a worker needs no map to collect what a
// session gets.
type route struct {
	session *Session
	topic   *topic
	places  []*placed
	plain   int // index in topic.plain, -1 when not plain

	notes   []note    // the run's messages for this session, in order
	matched []*placed // what they matched; notes refer to ranges
}

// note is one message of the run that goes along a route.
type note struct {
	message int // index in the run
	first   int // index in route.matched; the range ends where the next begins
}

// A delivery frame is
//
//	length {"c":"p","t":"orders","sids":"7" ,"x":"..." ,"ts":"..." ,"l":128} body
//	|<------------- head ------------------|
//
// where the head is the same for all messages of a topic to a subscription.

// appendHead appends the head of the frames for a list of ids.
func appendHead(dst []byte, topic string, ids ...string) []byte {
	dst = append(dst, 0, 0, 0, 0)
	dst = append(dst, `{"c":"p","t":`...)
	dst = wire.AppendQuoted(dst, topic)
	dst = append(dst, `,"sids":"`...)
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendEscaped(dst, id)
	}
	return append(dst, '"')
}

// headSlack is the room for what follows the head of a frame and is not a
// body or a correlation id: a timestamp and a length.
const headSlack = len(`,"x":"",`) + len(`"ts":""`) + wire.TimestampLength + len(`,"l":`) + 20 + 1

// escapeFactor is how much a text may grow when it is escaped.
const escapeFactor = 6

// deliver sends a run of messages to everybody that they are for.
func (t *topic) deliver(w *Worker, messages []published) {
	t.mu.Lock()
	t.serial++
	for _, r := range t.plain {
		r.sendRun(w, messages)
	}
	if len(t.unfiltered) > 0 || len(t.filtered) > len(t.free) {
		t.match(w, messages)
		for i, r := range w.marked {
			r.sendNoted(w, messages)
			w.marked[i] = nil
		}
		w.marked = w.marked[:0]
	}
	t.mu.Unlock()
}

// match notes on each route which messages it carries. The places are found
// for the whole run before the first is looked at: among very many, each look
// waits for memory, and a short loop over them waits for several at a time.
func (t *topic) match(w *Worker, messages []published) {
	filtering := t.filters != nil && t.filters.Len() > 0
	context := &w.run.session.context
	if filtering {
		context.Topic, context.LastUpdated = t.nameText, float64(w.nanos)/1e9
		w.matched.Context = context
	}
	for i := range messages {
		for _, p := range t.unfiltered {
			w.hits = append(w.hits, hit{p, i})
		}
		if !filtering {
			continue
		}
		context.CorrelationID = messages[i].correlationID
		for _, id := range t.filters.Match(messages[i].body, w.matched) {
			w.hits = append(w.hits, hit{t.filtered[id], i})
		}
		if len(w.hits) >= hitsMax {
			w.noteHits()
		}
	}
	w.noteHits()
}

// hit is a message of the run that is for a place.
type hit struct {
	place   *placed
	message int
}

// hitsMax bounds how many hits are collected before they are noted, unless one
// message alone has more.
const hitsMax = 1024

// noteHits marks the messages for the subscriptions.
func (w *Worker) noteHits() {
	for _, h := range w.hits {
		r := h.place.route
		last := len(r.notes) - 1
		if last < 0 {
			w.marked = append(w.marked, r)
		}
		if last < 0 || r.notes[last].message != h.message {
			r.notes = append(r.notes, note{message: h.message, first: len(r.matched)})
		}
		r.matched = append(r.matched, h.place)
	}
	clear(w.hits)
	w.hits = w.hits[:0]
}

// sendRun sends all messages to a plain route's only subscription.
func (r *route) sendRun(w *Worker, messages []published) {
	p := r.places[0]
	out := r.session.out
	stamp := w.stamp(p.timestamp)
	overhead := len(p.head) + headSlack
	out.Lock(w.run.bytes + len(messages)*overhead)
	size := 0
	for i := range messages {
		m := &messages[i]
		dst := out.Reserve(overhead + escapeFactor*len(m.correlationID) + len(m.body))
		dst = append(dst, p.head...)
		dst = w.appendMessage(dst, m, m.body, stamp)
		size += len(dst)
		out.Commit(dst)
	}
	verdict := out.Unlock()
	w.counted.delivered += uint64(len(messages))
	w.counted.bytesOut += uint64(size)
	w.appended(r.session, verdict)
}

// sendNoted sends the noted messages and clears the notes.
func (r *route) sendNoted(w *Worker, messages []published) {
	out := r.session.out
	out.Lock(len(r.notes) * (w.run.bytes/len(messages) + len(r.places[0].head) + headSlack))
	size, frames := 0, 0
	for i, n := range r.notes {
		end := len(r.matched)
		if i+1 < len(r.notes) {
			end = r.notes[i+1].first
		}
		m := &messages[n.message]
		for matched := r.matched[n.first:end]; len(matched) > 0; {
			alike := sameShape(matched)
			body := m.body
			if s := matched[0].shape; s != nil {
				body = s.body(w, r.topic, n.message, m)
			}
			head, stamp := r.head(w, matched[:alike])
			dst := out.Reserve(len(head) + headSlack + escapeFactor*len(m.correlationID) + len(body))
			dst = append(dst, head...)
			dst = w.appendMessage(dst, m, body, stamp)
			size += len(dst)
			out.Commit(dst)
			frames++
			matched = matched[alike:]
		}
	}
	verdict := out.Unlock()
	w.counted.delivered += uint64(frames)
	w.counted.bytesOut += uint64(size)
	clear(r.matched)
	r.notes, r.matched = r.notes[:0], r.matched[:0]
	w.appended(r.session, verdict)
}

// sameShape brings those of the matched that get the same body as the oldest of
// them to the front, and returns how many they are.
func sameShape(matched []*placed) int {
	if len(matched) == 1 {
		return 1
	}
	first := matched[0]
	for _, p := range matched {
		if p.order < first.order {
			first = p
		}
	}
	alike := 0
	for i, p := range matched {
		if p.shape == first.shape {
			matched[i], matched[alike] = matched[alike], p
			alike++
		}
	}
	return alike
}

// head returns the head for the subscriptions that a message matched, and the
// time stamp if one of them wants it. Header fields that only some asked for
// go to all: they change nothing for the others.
func (r *route) head(w *Worker, matched []*placed) (head, stamp []byte) {
	if len(matched) == 1 {
		return matched[0].head, w.stamp(matched[0].timestamp)
	}
	slices.SortFunc(matched, func(a, b *placed) int { return int(a.order) - int(b.order) })
	w.frame = append(w.frame[:0], matched[0].head[:len(matched[0].head)-1]...)
	timestamp := false
	for i, p := range matched {
		if i > 0 {
			w.frame = append(w.frame, ',')
			w.frame = wire.AppendEscaped(w.frame, p.sub.id)
		}
		timestamp = timestamp || p.timestamp
	}
	w.frame = append(w.frame, '"')
	return w.frame, w.stamp(timestamp)
}

// appendMessage completes a frame that so far is its head. The body is the
// message's or what a select list leaves of it.
func (w *Worker) appendMessage(frame []byte, m *published, body, stamp []byte) []byte {
	if len(m.correlationID) > 0 {
		frame = append(frame, `,"x":`...)
		frame = wire.AppendQuoted(frame, m.correlationID)
	}
	if len(stamp) > 0 {
		frame = append(frame, `,"ts":"`...)
		frame = append(frame, stamp...)
		frame = append(frame, '"')
	}
	if len(body) != w.tailLength || len(w.tail) == 0 {
		w.tailLength = len(body)
		w.tail = append(w.tail[:0], `,"l":`...)
		w.tail = strconv.AppendUint(w.tail, uint64(len(body)), 10)
		w.tail = append(w.tail, '}')
	}
	frame = append(frame, w.tail...)
	frame = append(frame, body...)
	wire.PutLength(frame, 0)
	return frame
}

// stamp returns the batch's time as deliveries carry it; nil when not wanted.
func (w *Worker) stamp(wanted bool) []byte {
	if !wanted {
		return nil
	}
	if w.stampBatch != w.batch {
		w.stampBatch = w.batch
		w.stampText = wire.AppendTimestamp(w.stampText[:0], w.now)
	}
	return w.stampText
}
