package wire

// parse fills c from the object at the start of payload and returns the
// offset behind its closing brace.
func (c *Command) parse(payload []byte) (int, error) {
	b := payload
	if len(b) > HeaderBytesMax {
		b = b[:HeaderBytesMax]
	}
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return 0, headerError(b, i, "'{'")
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		key, value, err := parseKey(b, i)
		if err != nil {
			return 0, err
		}
		next, err := c.parseValue(b, value, key)
		if err != nil {
			return 0, err
		}
		if next >= len(b) || b[next] <= ' ' {
			next = skipSpace(b, next)
		}
		switch {
		case next >= len(b):
			return 0, headerError(b, next, "',' or '}'")
		case b[next] == ',':
			i = next + 1
		case b[next] == '}':
			return next + 1, nil
		default:
			return 0, headerError(b, next, "',' or '}'")
		}
	}
}

// parseKey reads a key and its colon; the offset returned is that of the
// value's first byte.
func parseKey(b []byte, i int) (Key, int, error) {
	// The usual form: one letter, no white space.
	if i+4 < len(b) && b[i] == '"' && b[i+2] == '"' && b[i+3] == ':' && b[i+4] > ' ' {
		if key := shortKey[b[i+1]]; key != keyIgnored {
			return key, i + 4, nil
		}
	}
	return parseLongKey(b, i)
}

func parseLongKey(b []byte, i int) (Key, int, error) {
	if i = skipSpace(b, i); i >= len(b) || b[i] != '"' {
		return 0, 0, headerError(b, i, "a quoted key")
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
	if i = skipSpace(b, i+1); i >= len(b) || b[i] != ':' {
		return 0, 0, headerError(b, i, "':'")
	}
	return key, skipSpace(b, i+1), nil
}

// parseValue reads the value at i and stores it under key; on repetition of a
// key the last value wins. It returns the offset behind the value.
func (c *Command) parseValue(b []byte, i int, key Key) (int, error) {
	if i >= len(b) {
		return 0, headerError(b, i, "a value")
	}
	if b[i] != '"' {
		return c.parseBare(b, i, key)
	}
	start := i + 1
	for i = start; i < len(b); i++ {
		switch b[i] {
		case '"':
			s := span{uint32(start), uint32(i)}
			if key < textKeys {
				c.storeText(b[start:i], s, key)
				return i + 1, nil
			}
			return i + 1, c.store(b[start:i], s, key, start)
		case '\\':
			return c.parseEscaped(b, start, i, key)
		}
	}
	return 0, headerError(b, len(b), "the closing quote")
}

// parseBare reads an unquoted value: a number, true or false.
func (c *Command) parseBare(b []byte, i int, key Key) (int, error) {
	start := i
	if key-firstNumber < numberKeys {
		var n uint64
		for i < len(b) && b[i]-'0' <= 9 {
			n = n*10 + uint64(b[i]-'0')
			i++
		}
		if digits := i - start; digits > 0 && digits <= digitsSafe && i < len(b) && !isBare(b[i]) {
			c.spans[key] = span{uint32(start), uint32(i)}
			c.numbers[key-firstNumber] = n
			c.present |= 1 << (key & 63)
			return i, nil
		}
	}
	for i < len(b) && isBare(b[i]) {
		i++
	}
	switch bare := b[start:i]; {
	case isNumeral(bare):
	case string(bare) == "true" || string(bare) == "false":
	default:
		return 0, headerError(b, start, "a quoted text, a number, true or false")
	}
	return i, c.store(b[start:i], span{uint32(start), uint32(i)}, key, start)
}

// store keeps a value under its key, checked and converted by the key's type.
// The value stands at offset of the payload; s is where its text is, in the
// header or in scratch. An empty text is no number and no boolean: then the
// key counts as absent.
func (c *Command) store(text []byte, s span, key Key, offset int) error {
	switch {
	case key >= keyIgnored:
		return nil
	case key < textKeys:
		c.storeText(text, s, key)
		return nil
	}
	if text = trimSpace(text); len(text) == 0 {
		c.present &^= 1 << (key & 63)
		return nil
	}
	if key >= firstBool {
		switch string(text) {
		case "true", "1":
			c.bools[key-firstBool] = true
		case "false", "0":
			c.bools[key-firstBool] = false
		default:
			return valueError(offset, key, text, "true or false")
		}
		c.present |= 1 << (key & 63)
		return nil
	}
	n, ok := parseUint(text)
	if !ok {
		return valueError(offset, key, text, "an unsigned 64-bit integer")
	}
	c.spans[key] = s
	c.numbers[key-firstNumber] = n
	c.present |= 1 << (key & 63)
	return nil
}

func (c *Command) storeText(text []byte, s span, key Key) {
	c.spans[key] = s
	c.present |= 1 << (key & 63)
	switch key {
	case KeyCommand:
		c.Code = codeOf(text)
	case KeyAckType:
		c.Acks = ParseAcks(text)
	}
}
