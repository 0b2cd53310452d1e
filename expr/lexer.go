package expr

import (
	"fmt"
	"strings"
)

// tokenKind tells tokens apart.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenNumber
	tokenString
	tokenRaw
	tokenPath
	tokenOperator // one of = == != <> < <= > >= + - * / % ( ) ,
)

// token is one lexical element.
type token struct {
	kind      tokenKind
	offset    int
	text      string   // words in upper case, operators, numbers; strings with their escapes decoded
	source    string   // as written
	steps     []string // of a path
	qualifier Qualifier
	subscript int // of a path; -1 without
}

// is reports whether the token is that operator or keyword.
func (t token) is(text string) bool {
	return (t.kind == tokenOperator || t.kind == tokenWord) && t.text == text
}

// lexer cuts an expression into tokens, one ahead of the parser.
type lexer struct {
	text   string
	at     int
	topics bool // identifiers may name topics
}

func (l *lexer) fail(offset int, expected string) error {
	found := "the end"
	if offset < len(l.text) {
		found = fmt.Sprintf("%q", clip(l.text[offset:]))
	}
	return &SyntaxError{Offset: offset, Found: found, Expected: expected}
}

func clip(text string) string {
	const shown = 24
	if len(text) > shown {
		return text[:shown] + "..."
	}
	return text
}

func (l *lexer) space() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
}

// next reads a token.
func (l *lexer) next() (token, error) {
	l.space()
	start := l.at
	if start >= len(l.text) {
		return token{offset: start}, nil
	}
	c := l.text[start]
	switch {
	case c == '\'' || c == '"':
		return l.quoted(start, false)
	case (c == 'r' || c == 'R') && start+1 < len(l.text) && (l.text[start+1] == '\'' || l.text[start+1] == '"'):
		return l.raw(start)
	case isDigit(c) || c == '.' && start+1 < len(l.text) && isDigit(l.text[start+1]):
		return l.number(start)
	case c == '/' && start+1 < len(l.text) && (isName(l.text[start+1]) || l.text[start+1] == '@'):
		return l.path(start)
	case c == '[':
		return l.bracketed(start)
	case isLetter(c):
		for l.at < len(l.text) && (isLetter(l.text[l.at]) || isDigit(l.text[l.at])) {
			l.at++
		}
		source := l.text[start:l.at]
		return token{kind: tokenWord, offset: start, text: strings.ToUpper(source), source: source}, nil
	}
	return l.operator(start)
}

func (l *lexer) operator(start int) (token, error) {
	two := l.text[start:min(start+2, len(l.text))]
	switch two {
	case "==", "!=", "<>", "<=", ">=":
		l.at += 2
		return token{kind: tokenOperator, offset: start, text: two, source: two}, nil
	}
	if one := two[:1]; strings.Contains("=<>+-*/%(),", one) {
		l.at++
		return token{kind: tokenOperator, offset: start, text: one, source: one}, nil
	}
	return token{}, l.fail(start, "an operator, a literal, a function or an identifier such as /field")
}

// number reads digits with an optional point and exponent.
func (l *lexer) number(start int) (token, error) {
	digits := func() {
		for l.at < len(l.text) && isDigit(l.text[l.at]) {
			l.at++
		}
	}
	digits()
	if l.at < len(l.text) && l.text[l.at] == '.' {
		l.at++
		digits()
	}
	if l.at < len(l.text) && l.text[l.at]|0x20 == 'e' {
		exponent := l.at + 1
		if exponent < len(l.text) && (l.text[exponent] == '+' || l.text[exponent] == '-') {
			exponent++
		}
		if exponent < len(l.text) && isDigit(l.text[exponent]) {
			l.at = exponent
			digits()
		}
	}
	if l.at < len(l.text) && (isLetter(l.text[l.at]) || l.text[l.at] == '.') {
		return token{}, l.fail(l.at, "the end of the number or an operator")
	}
	text := l.text[start:l.at]
	return token{kind: tokenNumber, offset: start, text: text, source: text}, nil
}

// quoted reads a string with escapes (02-expressions §2). With groups, a
// backslash in front of 1 to 9 stays, as the name of a group.
func (l *lexer) quoted(start int, groups bool) (token, error) {
	quote := l.text[start]
	var value strings.Builder
	for i := start + 1; i < len(l.text); {
		c := l.text[i]
		switch {
		case c == quote:
			l.at = i + 1
			return token{kind: tokenString, offset: start, text: value.String(), source: l.text[start:l.at]}, nil
		case c != '\\':
			value.WriteByte(c)
			i++
		case groups && i+1 < len(l.text) && l.text[i+1] >= '1' && l.text[i+1] <= '9':
			value.WriteString(l.text[i : i+2])
			i += 2
		default:
			b, size, err := l.escape(i)
			if err != nil {
				return token{}, err
			}
			value.WriteByte(b)
			i += size
		}
	}
	return token{}, l.fail(start, "a closing quote "+string(quote)+" for the string that begins here")
}

// escape decodes the escape at i: the byte and the length of the escape.
func (l *lexer) escape(i int) (byte, int, error) {
	if i+1 >= len(l.text) {
		return 0, 0, l.fail(i, "a character behind the backslash")
	}
	c := l.text[i+1]
	switch c {
	case 'a':
		return 7, 2, nil
	case 'b':
		return 8, 2, nil
	case 't':
		return 9, 2, nil
	case 'n':
		return 10, 2, nil
	case 'f':
		return 12, 2, nil
	case 'r':
		return 13, 2, nil
	case 'x':
		if i+3 < len(l.text) {
			high, low := hexDigit(l.text[i+2]), hexDigit(l.text[i+3])
			if high >= 0 && low >= 0 {
				return byte(high<<4 | low), 4, nil
			}
		}
		return 0, 0, l.fail(i, `\x and two hexadecimal digits`)
	}
	if c >= '0' && c <= '7' {
		n, size := 0, 1
		for size < 4 && i+size < len(l.text) && l.text[i+size] >= '0' && l.text[i+size] <= '7' {
			n = n<<3 | int(l.text[i+size]-'0')
			size++
		}
		if n > 255 {
			return 0, 0, l.fail(i, "an octal escape of at most \\377")
		}
		return byte(n), size, nil
	}
	return c, 2, nil
}

// raw reads r'...': no escapes, up to the next equal quote.
func (l *lexer) raw(start int) (token, error) {
	quote := l.text[start+1]
	end := strings.IndexByte(l.text[start+2:], quote)
	if end < 0 {
		return token{}, l.fail(start, "a closing quote "+string(quote)+" for the raw string that begins here")
	}
	l.at = start + 2 + end + 1
	return token{kind: tokenRaw, offset: start, text: l.text[start+2 : l.at-1], source: l.text[start:l.at]}, nil
}

// pattern reads the literal behind LIKE. A normal one goes to the engine as it
// is, but for a backslash in front of a quote; a raw one is plain text.
func (l *lexer) pattern() (token, error) {
	l.space()
	start := l.at
	if start >= len(l.text) {
		return token{}, l.fail(start, "a pattern in quotes")
	}
	quote := l.text[start]
	if quote == 'r' || quote == 'R' {
		if start+1 < len(l.text) && (l.text[start+1] == '\'' || l.text[start+1] == '"') {
			return l.raw(start)
		}
	}
	if quote != '\'' && quote != '"' {
		return token{}, l.fail(start, "a pattern in quotes: only a literal can stand behind LIKE")
	}
	for i := start + 1; i < len(l.text); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case quote:
			l.at = i + 1
			text := l.text[start+1 : i]
			return token{kind: tokenString, offset: start, text: text, source: l.text[start:l.at]}, nil
		}
	}
	return token{}, l.fail(start, "a closing quote "+string(quote)+" for the pattern that begins here")
}

// replacement reads the literal of a regular expression's replacement.
func (l *lexer) replacement() (token, error) {
	l.space()
	start := l.at
	if start < len(l.text) && (l.text[start] == '\'' || l.text[start] == '"') {
		return l.quoted(start, true)
	}
	return l.next()
}

// path reads /a/b, /a/@b or /a[0].
func (l *lexer) path(start int) (token, error) {
	t := token{kind: tokenPath, offset: start, subscript: -1}
	for l.at+1 < len(l.text) && l.text[l.at] == '/' && (isName(l.text[l.at+1]) || l.text[l.at+1] == '@') {
		step := l.at + 1
		l.at = step
		attribute := l.text[l.at] == '@'
		if attribute {
			l.at++
		}
		name := l.at
		for l.at < len(l.text) && isName(l.text[l.at]) {
			l.at++
		}
		if l.at == name {
			return token{}, l.fail(l.at, "the name of an attribute")
		}
		t.steps = append(t.steps, l.text[step:l.at])
		if attribute {
			break
		}
	}
	return l.subscript(t, start)
}

// bracketed reads [/any characters], and refuses the forms that name a topic.
func (l *lexer) bracketed(start int) (token, error) {
	end := strings.IndexByte(l.text[start:], ']')
	if end < 0 {
		return token{}, l.fail(start, "a closing ]")
	}
	inside := l.text[start+1 : start+end]
	l.at = start + end + 1
	if !strings.HasPrefix(inside, "/") && l.topics {
		return l.qualified(start)
	}
	if !strings.HasPrefix(inside, "/") {
		if l.at < len(l.text) && l.text[l.at] == '.' {
			return token{}, l.fail(start, "an identifier without a topic: only a view with a join names topics")
		}
		return token{}, l.fail(start, "a path that begins with / inside the brackets")
	}
	t := token{kind: tokenPath, offset: start, subscript: -1}
	for step := range strings.SplitSeq(inside[1:], "/") {
		if step == "" {
			return token{}, l.fail(start, "a path without empty steps")
		}
		t.steps = append(t.steps, step)
	}
	return l.subscript(t, start)
}

// subscriptMax bounds [n].
const subscriptMax = 1 << 30

func (l *lexer) subscript(t token, start int) (token, error) {
	if l.at < len(l.text) && l.text[l.at] == '[' {
		open := l.at
		n := 0
		for l.at++; l.at < len(l.text) && isDigit(l.text[l.at]) && n < subscriptMax; l.at++ {
			n = n*10 + int(l.text[l.at]-'0')
		}
		if l.at == open+1 || l.at >= len(l.text) || l.text[l.at] != ']' {
			return token{}, l.fail(open, "a subscript such as [0]")
		}
		l.at++
		t.subscript = n
		if l.at < len(l.text) && l.text[l.at] == '/' && l.at+1 < len(l.text) && isName(l.text[l.at+1]) {
			return token{}, l.fail(l.at, "the end of the path behind its subscript")
		}
	}
	t.source = l.text[start:l.at]
	t.text = t.source
	return t, nil
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// isName tells the characters of a path's step (02-expressions §2).
func isName(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '-' || c == '.' || c == ':' || c >= 0x80
}

func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
