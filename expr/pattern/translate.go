package pattern

import "strings"

// dollarRewritten is what a dollar becomes.
const dollarRewritten = `(?:\n?\z)`

// translate rewrites an expression for the linear engine where the two
// differ: a dollar without the modifier m also matches before one final
// newline. False when an expression has to go to the other engine, because a
// modifier group inside it could change what its dollars mean.
func translate(text string) (string, bool) {
	body, multiline := text, false
	if flags, rest, ok := leadingModifiers(text); ok {
		multiline = strings.Contains(flags, "m")
		if strings.Contains(flags, "x") {
			return "", false
		}
		body = rest
	}
	if hasModifiers(body) {
		return "", false
	}
	if multiline {
		return text, true
	}
	var out strings.Builder
	out.WriteString(text[:len(text)-len(body)])
	inClass := false
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '\\' && strings.HasPrefix(body[i:], `\Q`):
			end := strings.Index(body[i:], `\E`)
			if end < 0 {
				out.WriteString(body[i:])
				return out.String(), true
			}
			out.WriteString(body[i : i+end+2])
			i += end + 1
			continue
		case c == '\\' && i+1 < len(body):
			if body[i+1] == 'Z' {
				return "", false
			}
			out.WriteByte(c)
			i++
			c = body[i]
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
			out.WriteByte(c)
			// A bracket right behind the opening one, or behind its ^, is a
			// member of the class.
			if i+1 < len(body) && body[i+1] == '^' {
				i++
				out.WriteByte('^')
			}
			if i+1 < len(body) && body[i+1] == ']' {
				i++
				out.WriteString(`\]`)
			}
			continue
		case c == '$':
			out.WriteString(dollarRewritten)
			continue
		}
		out.WriteByte(c)
	}
	return out.String(), true
}

// leadingModifiers splits (?flags) off the start.
func leadingModifiers(text string) (flags, rest string, ok bool) {
	if !strings.HasPrefix(text, "(?") {
		return "", text, false
	}
	end := strings.IndexByte(text, ')')
	if end < 0 || strings.Trim(text[2:end], "imsxU-") != "" {
		return "", text, false
	}
	return text[2:end], text[end+1:], true
}

// hasModifiers reports whether a group other than (?: (?= (?! (?< (?> (?P may
// switch modifiers.
func hasModifiers(text string) bool {
	for {
		i := strings.Index(text, "(?")
		if i < 0 || i+2 >= len(text) {
			return false
		}
		if strings.IndexByte("imsxU-", text[i+2]) >= 0 {
			return true
		}
		text = text[i+2:]
	}
}

// swapsGreed reports whether the modifier U is used, which the backtracking
// engine would ignore.
func swapsGreed(text string) bool {
	for {
		i := strings.Index(text, "(?")
		if i < 0 {
			return false
		}
		text = text[i+2:]
		for j := 0; j < len(text) && strings.IndexByte("imsxU-", text[j]) >= 0; j++ {
			if text[j] == 'U' {
				return true
			}
		}
	}
}

// unsupported names a construct of PCRE that no engine here runs.
func unsupported(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			switch text[i+1] {
			case 'R', 'K', 'C', 'X':
				return `\` + text[i+1:i+2] + " is not supported"
			}
			i++
			continue
		}
		if strings.HasPrefix(text[i:], "(?R)") || strings.HasPrefix(text[i:], "(?0)") || strings.HasPrefix(text[i:], "(*") {
			return "recursion and verbs are not supported"
		}
	}
	return ""
}
