package wire

import (
	"bytes"
	"fmt"
	"math"
)

// repeatBytesMax bounds the header that a Decoder remembers.
const repeatBytesMax = 256

// HeaderError reports a header that does not follow the grammar of
// 01-protocol §2.1. The connection is closed: what the peer meant, and where
// its next command starts, is unknown.
type HeaderError struct {
	Offset   int    // byte offset in the payload
	Found    string // what stood there
	Expected string // what would have been right
}

func (e *HeaderError) Error() string {
	return fmt.Sprintf("malformed header at byte %d: found %s, expected %s", e.Offset, e.Found, e.Expected)
}

// Decoder turns payloads into Commands. It remembers the last header of a
// plain publish, since a publisher's next header is mostly the same bytes:
// then nothing is parsed at all. The zero value is ready. A Decoder belongs
// to one connection and one goroutine.
type Decoder struct {
	command  Command
	previous []byte // the remembered header; empty when there is none
}

// Decode reads the header of one payload (a frame without its prefix). The
// Command is valid until the next call and as long as payload is. The error
// is a *HeaderError.
func (d *Decoder) Decode(payload []byte) (*Command, error) {
	c := &d.command
	if n := len(d.previous); n > 0 && len(payload) >= n && string(payload[:n]) == string(d.previous) {
		c.header = payload[:n]
		c.Body = payload[n:]
		c.Repeat = true
		return c, nil
	}
	d.previous = d.previous[:0]
	c.Repeat = false
	c.Code, c.Acks, c.present = CodeUnknown, AckNone, 0
	c.scratch = c.scratch[:0]
	end, err := c.parse(payload)
	if err != nil {
		return nil, err
	}
	c.header = payload[:end:end]
	c.Body = payload[end:]
	if c.Code == CodePublish && end <= repeatBytesMax && len(c.scratch) == 0 {
		const unique = 1<<KeySequence | 1<<KeyCommandID
		if c.present&unique == 0 {
			d.previous = append(d.previous, c.header...)
		}
	}
	return c, nil
}

// parse fills c from the object at the start of payload and returns the
// offset behind its closing brace.
func (c *Command) parse(payload []byte) (int, error) {
	limited := payload
	if len(limited) > HeaderBytesMax {
		limited = limited[:HeaderBytesMax]
	}
	i := skipSpace(limited, 0)
	if i >= len(limited) || limited[i] != '{' {
		return 0, headerError(limited, i, "'{'")
	}
	i = skipSpace(limited, i+1)
	if i < len(limited) && limited[i] == '}' {
		return i + 1, nil
	}
	for {
		key, next, err := parseKey(limited, i)
		if err != nil {
			return 0, err
		}
		if next, err = c.parseValue(limited, next, key); err != nil {
			return 0, err
		}
		if next >= len(limited) || limited[next] <= ' ' {
			next = skipSpace(limited, next)
		}
		if next >= len(limited) {
			return 0, headerError(limited, next, "',' or '}'")
		}
		switch limited[next] {
		case '}':
			return next + 1, nil
		case ',':
			i = next + 1
		default:
			return 0, headerError(limited, next, "',' or '}'")
		}
	}
}

// parseKey reads a key and its colon; the offset returned is that of the
// value's first byte.
func parseKey(b []byte, i int) (Key, int, error) {
	if i >= len(b) || b[i] != '"' {
		if i = skipSpace(b, i); i >= len(b) || b[i] != '"' {
			return 0, 0, headerError(b, i, "a quoted key")
		}
	}
	i++
	start := i
	for i < len(b) && b[i] != '"' {
		if b[i] == '\\' {
			i++
		}
		i++
	}
	if i >= len(b) {
		return 0, 0, headerError(b, len(b), "the end of the key")
	}
	key := keyOf(b[start:i])
	i++
	if i >= len(b) || b[i] != ':' {
		if i = skipSpace(b, i); i >= len(b) || b[i] != ':' {
			return 0, 0, headerError(b, i, "':'")
		}
	}
	i++
	if i < len(b) && b[i] > ' ' {
		return key, i, nil
	}
	return key, skipSpace(b, i), nil
}

// parseValue reads the value at i and stores it under key; on repetition of a
// key the last value wins. It returns the offset behind the value.
func (c *Command) parseValue(b []byte, i int, key Key) (int, error) {
	if i >= len(b) {
		return 0, headerError(b, i, "a value")
	}
	if b[i] == '"' {
		return c.parseQuoted(b, i, key)
	}
	start := i
	for i < len(b) && isBare(b[i]) {
		i++
	}
	if i == start {
		return 0, headerError(b, i, "a quoted text, a number, true or false")
	}
	bare := b[start:i]
	if bare[0] < '0' || bare[0] > '9' {
		if text := string(bare); text != "true" && text != "false" {
			return 0, headerError(b, start, "a quoted text, a number, true or false")
		}
	}
	return i, c.store(b, key, span{uint32(start), uint32(i)})
}

func (c *Command) parseQuoted(b []byte, i int, key Key) (int, error) {
	i++
	start := i
	for i < len(b) {
		switch b[i] {
		case '"':
			return i + 1, c.store(b, key, span{uint32(start), uint32(i)})
		case '\\':
			return c.parseEscaped(b, start, i, key)
		}
		i++
	}
	return 0, headerError(b, len(b), "the closing quote")
}

// parseEscaped continues a text at its first backslash, unescaping into
// scratch.
func (c *Command) parseEscaped(b []byte, start, i int, key Key) (int, error) {
	at := len(c.scratch)
	c.scratch = append(c.scratch, b[start:i]...)
	for i < len(b) {
		switch b[i] {
		case '"':
			s := span{scratchBase + uint32(at), scratchBase + uint32(len(c.scratch))}
			return i + 1, c.store(b, key, s)
		case '\\':
			next, err := c.unescape(b, i)
			if err != nil {
				return 0, err
			}
			i = next
		default:
			c.scratch = append(c.scratch, b[i])
			i++
		}
	}
	return 0, headerError(b, len(b), "the closing quote")
}

// unescape decodes the escape at b[i] into scratch. A backslash before any
// character without a meaning gives that character.
func (c *Command) unescape(b []byte, i int) (int, error) {
	if i+1 >= len(b) {
		return 0, headerError(b, len(b), "an escaped character")
	}
	e := b[i+1]
	switch e {
	case 'b':
		e = '\b'
	case 't':
		e = '\t'
	case 'n':
		e = '\n'
	case 'f':
		e = '\f'
	case 'r':
		e = '\r'
	case 'u':
		code, ok := hex4(b, i+2)
		if !ok {
			return 0, headerError(b, i, `\u and four hexadecimal digits`)
		}
		c.scratch = appendCodePoint(c.scratch, code)
		return i + 6, nil
	}
	c.scratch = append(c.scratch, e)
	return i + 2, nil
}

// store keeps a value under its key, checked and converted by the key's type.
func (c *Command) store(b []byte, key Key, s span) error {
	if key == keyIgnored {
		return nil
	}
	if key < textKeys {
		c.spans[key] = s
		c.present |= 1 << key
		switch key {
		case KeyCommand:
			c.Code = codeOf(c.at(b, s))
		case KeyAckType:
			c.Acks = ParseAcks(c.at(b, s))
		}
		return nil
	}
	text := trimSpace(c.at(b, s))
	if len(text) == 0 {
		return nil
	}
	if key >= firstBool {
		switch string(text) {
		case "true", "1":
			c.bools[key-firstBool] = true
		case "false", "0":
			c.bools[key-firstBool] = false
		default:
			return valueError(s, key, text, "true or false")
		}
		c.present |= 1 << key
		return nil
	}
	n, ok := parseUint(text)
	if !ok {
		return valueError(s, key, text, "an unsigned 64-bit integer")
	}
	c.numbers[key-firstNumber] = n
	c.present |= 1 << key
	return nil
}

// at resolves a span while the header is still being parsed.
func (c *Command) at(b []byte, s span) []byte {
	if s.start >= scratchBase {
		return c.scratch[s.start-scratchBase : s.end-scratchBase]
	}
	return b[s.start:s.end]
}

func valueError(s span, key Key, text []byte, expected string) error {
	return &HeaderError{
		Offset:   int(s.start &^ scratchBase),
		Found:    fmt.Sprintf("%q for key %q", clip(text), key),
		Expected: expected,
	}
}

func headerError(b []byte, i int, expected string) error {
	found := "the end of the frame"
	switch {
	case i < len(b):
		found = fmt.Sprintf("%q", clip(b[i:]))
	case len(b) == HeaderBytesMax:
		found = fmt.Sprintf("no end within the limit of %d bytes", HeaderBytesMax)
	}
	return &HeaderError{Offset: i, Found: found, Expected: expected}
}

// clip shortens a peer's bytes for an error text.
func clip(b []byte) []byte {
	const shown = 32
	if len(b) > shown {
		return b[:shown]
	}
	return b
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func trimSpace(b []byte) []byte { return bytes.Trim(b, " \t\r\n") }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// isBare tells the characters of an unquoted value.
func isBare(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-' || c == '+'
}

// parseUint reads decimal digits; false for anything else or above 64 bits.
func parseUint(text []byte) (uint64, bool) {
	if len(text) == 0 {
		return 0, false
	}
	var n uint64
	for _, c := range text {
		d := uint64(c - '0')
		if d > 9 || n > math.MaxUint64/10 || n*10 > math.MaxUint64-d {
			return 0, false
		}
		n = n*10 + d
	}
	return n, true
}

func hex4(b []byte, i int) (rune, bool) {
	if i+4 > len(b) {
		return 0, false
	}
	var r rune
	for _, c := range b[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// appendCodePoint writes a \u escape: control bytes, the only ones that peers
// escape so, stay one byte; higher code points become UTF-8.
func appendCodePoint(dst []byte, r rune) []byte {
	if r < 0x80 {
		return append(dst, byte(r))
	}
	return append(dst, string(r)...)
}
