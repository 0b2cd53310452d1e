package message

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes at a time: a word holds bytes of a message, the first one lowest.

const (
	wordBytes = 8
	everyByte = 0x0101010101010101
	topBits   = 0x8080808080808080
)

// load reads the word at i; i+8 must not be past the end.
func load(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// bytesEqual marks the bytes of a word that equal c, by their top bits. Above
// the lowest marked byte there may be others marked by mistake.
func bytesEqual(word uint64, c byte) uint64 {
	x := word ^ everyByte*uint64(c)
	return (x - everyByte) & ^x & topBits
}

// bytesBelow marks the bytes below c, which is at most 128, in the same way.
func bytesBelow(word uint64, c byte) uint64 {
	return (word - everyByte*uint64(c)) & ^word & topBits
}

// exactlyEqual marks the bytes of a word that equal c, and no others.
func exactlyEqual(word uint64, c byte) uint64 {
	x := word ^ everyByte*uint64(c)
	return ^(x&^topBits + ^uint64(topBits) | x) & topBits
}

// behindOdd marks the bytes at and behind which an odd number of marks stands.
func behindOdd(marks uint64) uint64 {
	marks ^= marks << 8
	marks ^= marks << 16
	return marks ^ marks<<32
}

// lowest is the number of the lowest marked byte of a mark that is not 0.
func lowest(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// firstBytes keeps the first n bytes of a word, n being 0 to 8.
func firstBytes(word uint64, n int) uint64 { return word & (1<<(uint(n)*8) - 1) }

// nameWords are the first sixteen bytes of a name as two words.
func nameWords(name []byte) (first, second uint64) {
	if len(name) <= wordBytes {
		return shortWord(name), 0
	}
	return load(name, 0), shortWord(name[wordBytes:])
}

// shortWord is the word that begins with a text of up to eight bytes, and holds
// zeros behind it: two loads that overlap, instead of copying.
func shortWord(text []byte) uint64 {
	switch n := len(text); {
	case n >= wordBytes:
		return load(text, 0)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(text)) | uint64(binary.LittleEndian.Uint32(text[n-4:]))<<(8*(n-4))
	case n >= 2:
		return uint64(binary.LittleEndian.Uint16(text)) | uint64(binary.LittleEndian.Uint16(text[n-2:]))<<(8*(n-2))
	case n == 1:
		return uint64(text[0])
	}
	return 0
}

// mixWords spreads the words and the length of a name over the upper bits.
func mixWords(first, second uint64, length int) uint64 {
	return (first ^ bits.RotateLeft64(second, 29) ^ uint64(length)<<56) * 0x9E3779B97F4A7C15
}
