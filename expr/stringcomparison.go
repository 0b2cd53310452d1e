package expr

import (
	"bytes"

	"farad/expr/message"
)

// stringComparisonFunctions are those of 02-expressions §10.2. Case is ASCII's.
var stringComparisonFunctions = map[string]*function{
	"INSTR":      {argumentsMin: 2, argumentsMax: 2, usage: "INSTR(text, find)", apply: instr},
	"INSTR_I":    {argumentsMin: 2, argumentsMax: 2, usage: "INSTR_I(text, find)", apply: instrFold},
	"STREQUAL":   {argumentsMin: 2, argumentsMax: 2, usage: "STREQUAL(text, text)", apply: strequal, takesNull: true},
	"STREQUAL_I": {argumentsMin: 2, argumentsMax: 2, usage: "STREQUAL_I(text, text)", apply: strequalFold, takesNull: true},
}

func instr(e *environment, a []message.Value) message.Value {
	return message.IntValue(int64(bytes.Index(e.stringOf(a[0]), e.stringOf(a[1])) + 1))
}

func instrFold(e *environment, a []message.Value) message.Value {
	return message.IntValue(int64(indexFold(e.stringOf(a[0]), e.stringOf(a[1])) + 1))
}

func strequal(e *environment, a []message.Value) message.Value {
	if a[0].IsNull() || a[1].IsNull() {
		return message.IntValue(0)
	}
	return flag(bytes.Equal(e.stringOf(a[0]), e.stringOf(a[1])))
}

func strequalFold(e *environment, a []message.Value) message.Value {
	if a[0].IsNull() || a[1].IsNull() {
		return message.IntValue(0)
	}
	return flag(equalFold(e.stringOf(a[0]), e.stringOf(a[1])))
}

// flag is the integer 1 or 0.
func flag(b bool) message.Value {
	if b {
		return message.IntValue(1)
	}
	return message.IntValue(0)
}

// indexFold is the place of find in text whatever the case of ASCII letters,
// -1 if it is nowhere. Candidates are found by their first byte in either
// case, as fast as bytes.IndexByte, until too many of them fail: then a
// rolling hash keeps the search linear.
func indexFold(text, find []byte) int {
	if len(find) == 0 {
		return 0
	}
	low, up := lower(find[0]), upper(find[0])
	nextLow, nextUp, failures := -1, -1, 0
	for at := 0; at+len(find) <= len(text); at++ {
		if nextLow < at {
			nextLow = indexByteFrom(text, low, at)
		}
		if nextUp < at {
			nextUp = indexByteFrom(text, up, at)
		}
		at = min(nextLow, nextUp)
		if at+len(find) > len(text) {
			return -1
		}
		if equalFold(text[at:at+len(find)], find) {
			return at
		}
		const failuresFree = 16
		if failures++; failures > failuresFree+at/8 {
			if i := indexFoldByHash(text[at:], find); i >= 0 {
				return at + i
			}
			return -1
		}
	}
	return -1
}

// indexFoldByHash is the search of Rabin and Karp over bytes in lower case.
func indexFoldByHash(text, find []byte) int {
	const prime = 16777619
	if len(find) > len(text) {
		return -1
	}
	var want, have uint32
	leading := uint32(1) // prime to the power of len(find)
	for i, c := range find {
		want = want*prime + uint32(lower(c))
		have = have*prime + uint32(lower(text[i]))
		leading *= prime
	}
	for at := 0; ; at++ {
		if have == want && equalFold(text[at:at+len(find)], find) {
			return at
		}
		if at+len(find) == len(text) {
			return -1
		}
		have = have*prime + uint32(lower(text[at+len(find)])) - leading*uint32(lower(text[at]))
	}
}

// indexByteFrom is the place of c at or behind from; len(text) if there is
// none.
func indexByteFrom(text []byte, c byte, from int) int {
	if i := bytes.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}

func equalFold(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c-'A' < 26 {
		return c + ('a' - 'A')
	}
	return c
}

func upper(c byte) byte {
	if c-'a' < 26 {
		return c - ('a' - 'A')
	}
	return c
}
