package expr

import (
	"math"

	"farad/expr/message"
)

// literalSet finds whether a value equals one of many literals, under the
// conversions of 02-expressions §6: strings among themselves by bytes, and as
// numbers where a number takes part.
type literalSet struct {
	size    int
	strings map[string]struct{}
	numbers map[uint64][]message.Value // by numberKey; literals, strings in number form included
}

func (s *literalSet) add(v message.Value) {
	n := v.Number()
	if v.IsNull() {
		return
	}
	s.size++
	if v.Kind == message.String {
		if s.strings == nil {
			s.strings = map[string]struct{}{}
		}
		s.strings[string(v.Text)] = struct{}{}
	}
	if n.IsNaN() {
		return
	}
	if s.numbers == nil {
		s.numbers = map[uint64][]message.Value{}
	}
	s.numbers[numberKey(n)] = append(s.numbers[numberKey(n)], v)
}

func (s *literalSet) has(v message.Value) bool {
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
	for _, candidate := range s.numbers[numberKey(n)] {
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

// isExact reports whether no other integer or float shares a number's key.
func isExact(n message.Value) bool {
	const exactMax = 1 << 53
	f := n.AsFloat()
	return f > -exactMax && f < exactMax
}
