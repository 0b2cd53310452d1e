package expr

import (
	"math"

	"farad/expr/message"
)

// literalSet finds whether a value equals one of many literals, under the
// conversions of 02-expressions §6: strings among themselves by bytes, and as
// numbers where a number takes part.
type literalSet struct {
	values  []message.Value
	strings map[string]struct{}        // of many values
	numbers map[uint64][]message.Value // by numberKey; strings in number form included
}

// linearLiterals is the number of literals up to which comparing with each is
// faster than tables, and takes less room.
const linearLiterals = 6

// add enters a literal; NULL equals nothing.
func (s *literalSet) add(v message.Value) {
	if v.IsNull() {
		return
	}
	s.values = append(s.values, v)
	switch {
	case len(s.values) == linearLiterals+1:
		s.strings, s.numbers = map[string]struct{}{}, map[uint64][]message.Value{}
		for _, v := range s.values {
			s.enter(v)
		}
	case len(s.values) > linearLiterals:
		s.enter(v)
	}
}

func (s *literalSet) enter(v message.Value) {
	if v.Kind == message.String {
		s.strings[string(v.Text)] = struct{}{}
	}
	if n := v.Number(); !n.IsNaN() {
		s.numbers[numberKey(n)] = append(s.numbers[numberKey(n)], v)
	}
}

func (s *literalSet) has(v message.Value) bool {
	if len(s.values) <= linearLiterals {
		return equalsAny(v, s.values)
	}
	if v.Kind == message.String {
		if _, ok := s.strings[string(v.Text)]; ok {
			return true
		}
	}
	if len(s.numbers) == 0 {
		return false
	}
	n := v.Number()
	if n.IsNull() || n.IsNaN() {
		return false
	}
	return equalsAny(v, s.numbers[numberKey(n)])
}

func equalsAny(v message.Value, candidates []message.Value) bool {
	for _, candidate := range candidates {
		if message.Compare(v, candidate) == message.Equal {
			return true
		}
	}
	return false
}

// numberKey is the same for numbers that compare as equal. Large integers may
// share one without being equal.
func numberKey(n message.Value) uint64 {
	f := n.AsFloat()
	if f == 0 {
		return 0 // -0.0 equals 0.0
	}
	return math.Float64bits(f)
}
