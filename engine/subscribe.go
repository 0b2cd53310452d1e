package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"farad/expr"
	"farad/expr/pattern"
	"farad/netio/wire"
)

// refusal is why a command cannot be done: the text for the ack and the
// details for the log.
type refusal struct {
	reason Reason
	detail string
}

func (r *refusal) Error() string { return string(r.reason) + ": " + r.detail }

func refused(reason Reason, format string, args ...any) error {
	return &refusal{reason: reason, detail: fmt.Sprintf(format, args...)}
}

// reservedPrefix begins the names of the server's own topics.
var reservedPrefix = []byte("/AMPS")

// checkPublishTopic says why a name cannot be published to, or that messages
// to it are to be discarded quietly (01-protocol §4.3).
func checkPublishTopic(name []byte) (reason Reason, quiet bool) {
	switch {
	case len(name) == 0 || len(name) > TopicBytesMax:
		return ReasonInvalidTopic, false
	case name[0] != '/' || !bytes.HasPrefix(name, reservedPrefix):
		return "", false
	case string(name) == "/AMPS/devnull":
		return "", true
	}
	return ReasonInvalidTopic, false
}

// subscribe enters a subscription, or replaces one (01-protocol §4.4). All
// checks come first; then the ack, then the subscription, so that the ack
// precedes every message. The loop cannot send the ack before it has finished
// the batch, and with it the registration.
func (s *Session) subscribe(w *Worker, c *wire.Command) {
	next, previous, err := s.prepare(c)
	if err != nil {
		var r *refusal
		errors.As(err, &r)
		s.refuse(w, c, r.reason, r.detail)
		return
	}
	invented := ""
	if len(c.SubID()) == 0 && len(c.CommandID()) == 0 {
		invented = next.id
	}
	if c.Acks&wire.AckProcessed != 0 {
		s.ack(w, c.CommandID(), wire.AckProcessed, ackFields{subID: invented})
	}
	if c.Code == wire.CodeDeltaSubscribe && c.Acks&wire.AckStats != 0 {
		s.ack(w, c.CommandID(), wire.AckStats, ackFields{counts: true})
	}
	s.space.subscribe(previous, next)
	s.subscriptions[next.id] = next
	s.leaveSlow(previous)
	if next.isSlow() {
		s.slow = append(s.slow, next)
	}
}

// prepare checks a subscribe and makes its subscription. previous is the one
// that it replaces, if any.
func (s *Session) prepare(c *wire.Command) (next, previous *subscription, err error) {
	options, err := wire.ParseOptions(c.Options(), c.Code)
	if err != nil {
		return nil, nil, refused(ReasonInvalidOptions, "%v", err)
	}
	next = &subscription{
		session:   s,
		order:     s.engine.ids.Add(1),
		topic:     string(c.Topic()),
		timestamp: options.Has(wire.OptTimestamp),
	}
	if next.id, err = s.subscriptionID(c, next.order); err != nil {
		return nil, nil, err
	}
	if previous = s.subscriptions[next.id]; previous != nil && !options.Has(wire.OptReplace) {
		return nil, nil, refused(ReasonAlreadyExists, "subscription %q exists and the option replace is not given", next.id)
	}
	if previous == nil && len(s.subscriptions) >= SubscriptionsMax {
		return nil, nil, refused(ReasonTooManySubscriptions, "the connection holds %d subscriptions", SubscriptionsMax)
	}
	if err = s.prepareTopic(c, &options, next); err != nil {
		return nil, nil, err
	}
	if err = checkSubscribeOptions(c, &options, next); err != nil {
		return nil, nil, err
	}
	if options.Has(wire.OptSelect) {
		if err = s.prepareSelect(options.Select, next); err != nil {
			return nil, nil, err
		}
	}
	if next.filter, err = s.compileFilter(c.Filter()); err != nil {
		return nil, nil, err
	}
	if next.filter != nil && !next.filter.Deterministic() && (options.Has(wire.OptOOF) || c.Bool(wire.KeySendOOF, false)) {
		return nil, nil, refused(ReasonBadFilter, "filter %s calls a function that is not deterministic, and out-of-focus messages are asked for", quote(c.Filter()))
	}
	if next.isSlow() {
		if err = s.checkSlow(c, previous); err != nil {
			return nil, nil, err
		}
	}
	return next, previous, nil
}

// checkSlow refuses a subscription with a regular expression that may take long
// from a connection that has many, or whose others were given up.
func (s *Session) checkSlow(c *wire.Command, previous *subscription) error {
	held, gaveUp := 0, s.gaveUp
	for _, other := range s.slow {
		if other != previous {
			held++
		}
		if other.givenUp() {
			gaveUp++
		}
	}
	switch {
	case held >= BacktrackingMax:
		return refused(ReasonBadFilter, "topic %s, filter %s: the connection holds %d subscriptions with regular expressions that have look-around or back-references, or are computed", quote(c.Topic()), quote(c.Filter()), held)
	case gaveUp >= GivenUpMax:
		return refused(ReasonBadFilter, "topic %s, filter %s: %d regular expressions of the connection took too long and were given up; none with look-around or back-references, or computed ones, are taken any more", quote(c.Topic()), quote(c.Filter()), gaveUp)
	}
	return nil
}

// leaveSlow takes a subscription out of the slow ones if it is there.
func (s *Session) leaveSlow(sub *subscription) {
	at := slices.Index(s.slow, sub)
	if at < 0 {
		return
	}
	if sub.givenUp() {
		s.gaveUp++
	}
	s.slow = slices.Delete(s.slow, at, at+1)
}

// prepareSelect compiles a select list (05-subscriptions §5).
func (s *Session) prepareSelect(text []byte, next *subscription) (err error) {
	if !s.space.kind.Capabilities().Select {
		return refused(ReasonInvalidOptions, "select=[%s]: messages of type %s have no select lists", text, s.space.messageType)
	}
	next.selectText = string(text)
	if next.selects, err = expr.CompileSelectList(next.selectText); err != nil {
		return refused(ReasonInvalidOptions, "select=[%s]: %v", text, err)
	}
	return nil
}

// subscriptionID is the client's id for the subscription, that of the command
// without one, or else an invented one.
func (s *Session) subscriptionID(c *wire.Command, order uint64) (string, error) {
	id := c.SubID()
	if len(id) == 0 {
		id = c.CommandID()
	}
	switch {
	case len(id) == 0:
		return "FARAD-" + strconv.FormatUint(order, 10), nil
	case len(id) > SubIDBytesMax:
		return "", refused(ReasonInvalidOptions, "a subscription id of %d bytes, at most %d are allowed", len(id), SubIDBytesMax)
	case bytes.IndexByte(id, ',') >= 0:
		return "", refused(ReasonInvalidOptions, "subscription id %s holds a comma, which separates ids in lists", quote(id))
	}
	return string(id), nil
}

// prepareTopic decides whether the topic is a name or a pattern
// (05-subscriptions §2.3-2.6).
func (s *Session) prepareTopic(c *wire.Command, options *wire.Options, next *subscription) (err error) {
	name := c.Topic()
	if len(name) == 0 || len(name) > TopicBytesMax {
		return refused(ReasonInvalidTopic, "a topic of 1 to %d bytes is required, got %d", TopicBytesMax, len(name))
	}
	if !s.engine.options.RegexTopics || options.Has(wire.OptNonRegexTopic) || !pattern.IsTopicPattern(name) {
		return nil
	}
	if next.pattern, err = pattern.Compile(next.topic); err != nil {
		return refused(ReasonBadRegex, "topic %s: %v", quote(name), err)
	}
	return nil
}

// checkSubscribeOptions refuses what does not go together, and what needs a
// capability that is not there.
func checkSubscribeOptions(c *wire.Command, options *wire.Options, next *subscription) error {
	const replayOnly = wire.OptPause | wire.OptResume | wire.OptRate | wire.OptRateMaxGap
	const queryOnly = wire.OptTopN | wire.OptSkipN | wire.OptProjection | wire.OptGrouping
	switch {
	case len(c.Bookmark()) > 0:
		return refused(ReasonNoTransactionLog, "a subscription from bookmark %s", quote(c.Bookmark()))
	case options.Has(replayOnly):
		return refused(ReasonInvalidOptions, "pause, resume and rate are for bookmark subscriptions")
	case c.Has(wire.KeyTopN) || c.Has(wire.KeySkipN):
		return refused(ReasonInvalidOptions, "top_n and skip_n need a query or a bookmark")
	case options.Has(queryOnly):
		return refused(ReasonInvalidOptions, "top_n, skip_n, projection and grouping are for queries")
	case options.Has(wire.OptConflationKey) && options.Conflation == wire.ConflationNone:
		return refused(ReasonInvalidOptions, "conflation_key without conflation")
	case options.Conflation != wire.ConflationNone:
		return refused(ReasonNoConflation, "conflation was asked for")
	case (options.Has(wire.OptOOF) || c.Bool(wire.KeySendOOF, false)) && next.pattern == nil:
		return refused(ReasonNoSOW, "out-of-focus messages need a SOW topic, %s is none", quote(c.Topic()))
	}
	return nil
}

// compileFilter returns nil for an empty filter.
func (s *Session) compileFilter(text []byte) (*expr.Filter, error) {
	if strings.TrimSpace(string(text)) == "" {
		return nil, nil
	}
	filter, err := expr.CompileFilter(string(text))
	if err != nil {
		return nil, refused(ReasonBadFilter, "filter %s: %v", quote(text), err)
	}
	return filter, nil
}

// unsubscribe ends subscriptions: one id, a comma list, or all. Ids that are
// not there are no failure. No query outlives its command, so there is none
// that a query id could name (01-protocol §4.6).
func (s *Session) unsubscribe(w *Worker, c *wire.Command) {
	ids := c.SubID()
	if len(ids) == 0 && len(c.QueryID()) == 0 {
		s.refuse(w, c, ReasonInvalidOptions, "neither sub_id nor query_id is given")
		return
	}
	if string(ids) == "all" {
		s.space.leave(s)
		clear(s.subscriptions)
		for len(s.slow) > 0 {
			s.leaveSlow(s.slow[0])
		}
	} else {
		for id := range bytes.SplitSeq(ids, []byte{','}) {
			if sub := s.subscriptions[string(bytes.TrimSpace(id))]; sub != nil {
				s.space.subscribe(sub, nil)
				delete(s.subscriptions, sub.id)
				s.leaveSlow(sub)
			}
		}
	}
	s.succeed(w, c, wire.AckProcessed)
}
