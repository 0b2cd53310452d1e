package wire

import "unicode/utf16"

// parseEscaped continues the text that begins at start at its first
// backslash, at i, unescaping into scratch.
func (c *Command) parseEscaped(b []byte, start, i int, key Key) (int, error) {
	at := len(c.scratch)
	c.scratch = append(c.scratch, b[start:i]...)
	for i < len(b) {
		switch b[i] {
		case '"':
			s := span{scratchBase + uint32(at), scratchBase + uint32(len(c.scratch))}
			return i + 1, c.store(c.scratch[at:], s, key, start)
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
		return c.unescapeUnicode(b, i)
	}
	c.scratch = append(c.scratch, e)
	return i + 2, nil
}

// unescapeUnicode decodes \uXXXX to UTF-8. Two escapes that are the halves of
// a surrogate pair give one character, as JSON writers mean it; a half alone
// gives U+FFFD.
func (c *Command) unescapeUnicode(b []byte, i int) (int, error) {
	r, ok := hex4(b, i+2)
	if !ok {
		return 0, headerError(b, i, `\u and four hexadecimal digits`)
	}
	i += 6
	if utf16.IsSurrogate(r) && i+1 < len(b) && b[i] == '\\' && b[i+1] == 'u' {
		if low, ok := hex4(b, i+2); ok {
			if pair := utf16.DecodeRune(r, low); pair != '\uFFFD' {
				r = pair
				i += 6
			}
		}
	}
	c.scratch = append(c.scratch, string(r)...)
	return i, nil
}

// hex4 reads the four hexadecimal digits at i.
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

// AppendQuoted appends value as a quoted header text.
func AppendQuoted[T ~string | ~[]byte](dst []byte, value T) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, value)
	return append(dst, '"')
}

// AppendEscaped appends value with quotes, backslashes and control bytes
// escaped; all other bytes stay as they are.
func AppendEscaped[T ~string | ~[]byte](dst []byte, value T) []byte {
	from := 0
	for i := 0; i < len(value); i++ {
		c := value[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, value[from:i]...)
		dst = appendEscape(dst, c)
		from = i + 1
	}
	return append(dst, value[from:]...)
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\t':
		return append(dst, '\\', 't')
	case '\n':
		return append(dst, '\\', 'n')
	case '\f':
		return append(dst, '\\', 'f')
	case '\r':
		return append(dst, '\\', 'r')
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
