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

// backtracking is 1 for a subscription whose regular expressions, in its filter
// or for its topic, may take long. A nil subscription has none.
func (s *subscription) backtracking() int {
	if s != nil && (s.filter != nil && s.filter.Backtracks() || s.pattern != nil && s.pattern.Backtracks()) {
		return 1
	}
	return 0
}

// covers reports whether the subscription is for the topic of that name.
func (s *subscription) covers(name string) bool {
	if s.pattern != nil {
		return s.pattern.Match([]byte(name))
	}
	return s.topic == name
}
