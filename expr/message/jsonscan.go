package message

import (
	"bytes"
	"math/bits"
)

// How JSON is passed that nobody wants to read. What is passed is not checked.

// jsonStringEnd is the offset behind the string whose opening quote is at i,
// -1 when it does not end. A quote with a backslash before it may belong to the
// string, so there it is read more carefully.
func jsonStringEnd(b []byte, i int) int {
	start := i + 1
	for i = start; i+wordBytes <= len(b); i += wordBytes {
		if marks := bytesEqual(load(b, i), '"'); marks != 0 {
			if i += lowest(marks); b[i-1] != '\\' {
				return i + 1
			}
			return jsonEscapedEnd(b, start)
		}
	}
	return jsonEscapedEnd(b, start)
}

// jsonEscapedEnd is the offset behind the string that goes on at i, where
// there may be a backslash.
func jsonEscapedEnd(b []byte, i int) int {
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		end := i + n
		escaped := false
		for j := end - 1; j >= i && b[j] == '\\'; j-- {
			escaped = !escaped
		}
		if !escaped {
			return end + 1
		}
		i = end + 1
	}
	return -1
}

// jsonScalarEnd is the offset behind the number or word at i.
func jsonScalarEnd(b []byte, i int) int {
	for i+wordBytes <= len(b) {
		word := load(b, i)
		marks := bytesEqual(word, ',') | bytesEqual(word|0x20*everyByte, '}') | bytesBelow(word, ' '+1)
		if marks != 0 {
			return i + lowest(marks)
		}
		i += wordBytes
	}
	for i < len(b) && b[i] != ',' && b[i]|0x20 != '}' && b[i] > ' ' {
		i++
	}
	return i
}

// jsonContainerEnd is the offset behind the end of the outermost of depth open
// objects and arrays, from inside at i; -1 when it does not come. Brackets are
// counted, not paired. A word at a time, without a branch for what it holds
// unless there is a backslash or the end may be in it.
func jsonContainerEnd(b []byte, i, depth int) int {
	inside := uint64(0) // all ones when the word begins inside of a string
	for i+wordBytes <= len(b) {
		word := load(b, i)
		if bytesEqual(word, '\\') != 0 {
			if i, depth, inside = jsonEscapedStep(b, i, depth, inside); i < 0 || depth == 0 {
				return i
			}
			continue
		}
		inString := behindOdd(exactlyEqual(word, '"')) ^ inside
		either := word | 0x20*everyByte // [ and { are one, ] and } too
		if (bytesEqual(either, '{')|bytesEqual(either, '}'))&^inString != 0 {
			opening, closing := exactlyEqual(either, '{')&^inString, exactlyEqual(either, '}')&^inString
			if n := bits.OnesCount64(closing); n < depth {
				depth += bits.OnesCount64(opening) - n
			} else {
				for at := range wordBytes {
					depth += int(opening>>(8*at+7)&1) - int(closing>>(8*at+7)&1)
					if depth == 0 {
						return i + at + 1
					}
				}
			}
		}
		inside = uint64(int64(inString) >> 63)
		i += wordBytes
	}
	return jsonContainerRest(b, i, depth, inside)
}

// jsonEscapedStep passes the bytes up to the end of the first string that
// begins or goes on at i, near a backslash.
func jsonEscapedStep(b []byte, i, depth int, inside uint64) (next, depthThere int, insideThere uint64) {
	if inside != 0 {
		return jsonEscapedEnd(b, i), depth, 0
	}
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			return jsonStringEnd(b, i), depth, 0
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, 0, 0
			}
		}
	}
	return -1, depth, 0
}

// jsonContainerRest goes on where less than a word is left.
func jsonContainerRest(b []byte, i, depth int, inside uint64) int {
	for i >= 0 && i < len(b) {
		if i, depth, inside = jsonEscapedStep(b, i, depth, inside); depth == 0 {
			return i
		}
	}
	return -1
}
