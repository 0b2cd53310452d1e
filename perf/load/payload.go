package load

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Limits and layout of the body. The offsets follow from the prefix texts;
// digitsMatch asserts them.
const (
	// PayloadBytesMax bounds a body, 4 MiB.
	PayloadBytesMax = 4 << 20
	// KeysMax bounds the number of different keys: 6 digits.
	KeysMax = 1_000_000

	publisherBase  = 1000
	publisherCount = 9000 // four digits from publisherBase
	numberBase     = 1_000_000_000_000_000
	numberDigits   = 16

	publisherAt = len(`{"p":`)
	sequenceAt  = publisherAt + len(`1000,"s":`)
	timeAt      = sequenceAt + numberDigits + len(`,"t":`)
)

// layout is which fields a run's bodies have.
type layout struct {
	size  int  // bytes of a body
	timed bool // has "t"
	keyed bool // has "k"
}

// sizeMin is the least size that holds the fields.
func (l layout) sizeMin() int { return len(l.appendTo(nil, 0, 0, true)) }

// check says whether bodies of this size can be made.
func (l layout) check() error {
	if least := l.sizeMin(); l.size < least || l.size > PayloadBytesMax {
		return fmt.Errorf("size %d: a body takes %d to %d bytes", l.size, least, PayloadBytesMax)
	}
	return nil
}

// body makes one body with sequence and time 0.
func (l layout) body(publisher, key int) []byte { return l.appendTo(nil, publisher, key, false) }

func (l layout) appendTo(dst []byte, publisher, key int, bare bool) []byte {
	dst = fmt.Appendf(dst, `{"p":%d,"s":%d`, publisherBase+publisher, int64(numberBase))
	if l.timed {
		dst = fmt.Appendf(dst, `,"t":%d`, int64(numberBase))
	}
	if l.keyed {
		dst = append(dst, `,"k":"`...)
		dst = append(dst, Key(key)...)
		dst = append(dst, '"')
	}
	dst = append(dst, `,"x":"`...)
	if padding := l.size - len(dst) - len(`"}`); !bare && padding > 0 {
		dst = append(dst, bytes.Repeat([]byte("x"), padding)...)
	}
	return append(dst, `"}`...)
}

// Key is the text of the key with that number.
func Key(number int) string { return fmt.Sprintf("%06d", number) }

// putNumber writes numberBase+n at b[at:].
func putNumber(b []byte, at int, n uint64) {
	n += numberBase
	for i := at + numberDigits - 1; i >= at; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
}

// counter is a number in the digits of a body, for increments without
// division.
type counter [numberDigits]byte

func newCounter(n uint64) (c counter) {
	putNumber(c[:], 0, n)
	return c
}

// increment adds one.
func (c *counter) increment() {
	for i := numberDigits - 1; ; i-- {
		if c[i] < '9' {
			c[i]++
			return
		}
		c[i] = '0'
	}
}

// stamp is what a subscriber reads from a body.
type stamp struct {
	publisher int
	sequence  uint64
}

// readStamp reads publisher and sequence; false if the body is none of ours.
func readStamp(body []byte) (stamp, bool) {
	if len(body) < sequenceAt+numberDigits || body[publisherAt-1] != ':' || body[sequenceAt-1] != ':' {
		return stamp{}, false
	}
	publisher := 0
	for _, digit := range body[publisherAt : publisherAt+4] {
		if digit < '0' || digit > '9' {
			return stamp{}, false
		}
		publisher = publisher*10 + int(digit-'0')
	}
	sequence, ok := readNumber(body[sequenceAt:])
	return stamp{publisher - publisherBase, sequence}, ok && publisher >= publisherBase
}

// readTime reads the intended send time in ns; the body has one.
func readTime(body []byte) (uint64, bool) {
	if len(body) < timeAt+numberDigits {
		return 0, false
	}
	return readNumber(body[timeAt:])
}

// readNumber reads 16 digits and takes numberBase off.
func readNumber(b []byte) (uint64, bool) {
	high, highOK := readEight(binary.LittleEndian.Uint64(b))
	low, lowOK := readEight(binary.LittleEndian.Uint64(b[8:]))
	n := high*100_000_000 + low
	return n - numberBase, highOK && lowOK && n >= numberBase
}

// readEight turns eight digits, first digit in the lowest byte, into their
// number: neighbours are joined to pairs, pairs to fours, fours to the eight.
func readEight(digits uint64) (uint64, bool) {
	const zeros = 0x3030303030303030
	n := digits - zeros
	if (n|(n+0x7676767676767676))&0x8080808080808080 != 0 {
		return 0, false
	}
	n = n * (10<<8 + 1) >> 8
	n = n & 0x00FF00FF00FF00FF * (100<<16 + 1) >> 16
	n = n & 0x0000FFFF0000FFFF * (10_000<<32 + 1) >> 32
	return n, true
}
