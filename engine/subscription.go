package engine

import (
	"farad/expr"
	"farad/expr/message"
	"farad/expr/pattern"
)

// subscription is one live subscription of a session. Immutable but for place: a
// replace makes a new one.
type subscription struct {
	session   *Session
	id        string
	order     uint64           // rises with each subscription of the instance
	topic     string           // as the client wrote it
	pattern   *pattern.Pattern // nil: topic is a name
	filter    *expr.Filter     // nil: every message
	timestamp bool             // put the time of the publish on deliveries

	place *placed // without a pattern: on its topic; guarded by the topic's mu

	selects    *message.SelectList // nil: whole messages
	selectText string              // equal texts share the work
}

// isSlow reports whether the subscription's regular expressions, in its filter
// or for its topic, may take long.
func (s *subscription) isSlow() bool {
	return s.filter != nil && s.filter.Backtracks() || s.pattern != nil && s.pattern.Backtracks()
}

// givenUp reports whether one of them is not tried any more.
func (s *subscription) givenUp() bool {
	return s.filter != nil && s.filter.GivenUp() || s.pattern != nil && s.pattern.GivenUp()
}

// covers reports whether the subscription is for the topic of that name.
func (s *subscription) covers(name string) bool {
	if s.pattern != nil {
		return s.pattern.Match([]byte(name))
	}
	return s.topic == name
}
