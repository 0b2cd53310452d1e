package expr

import "strings"

// Qualifier says which of several messages an identifier is of: of the only
// one, when it is the zero Qualifier; of the stored record, in enrichment; or
// of the topic of a view's join, and its message type where there are several.
type Qualifier struct {
	Previous    bool
	Type, Topic string
}

// step is the first step of the paths of a qualified source. No message has a
// step like it.
func (q Qualifier) step() string {
	switch {
	case q.Previous:
		return "\x00previous"
	case q.Topic != "":
		return "\x00topic\x00" + q.Type + "\x00" + q.Topic
	}
	return ""
}

// String is the qualifier as it is written in front of a path, or behind it.
func (q Qualifier) String() string {
	switch {
	case q.Previous:
		return "OF PREVIOUS"
	case q.Type != "":
		return "[" + q.Type + "].[" + q.Topic + "]."
	case q.Topic != "":
		return "[" + q.Topic + "]."
	}
	return ""
}

// qualified reads [topic]. or [type].[topic]. in front of a path.
func (l *lexer) qualified(start int) (token, error) {
	var names []string
	for l.at = start; l.at < len(l.text) && l.text[l.at] == '['; {
		end := strings.IndexByte(l.text[l.at:], ']')
		if end < 0 {
			return token{}, l.fail(l.at, "a closing ]")
		}
		inside := l.text[l.at+1 : l.at+end]
		if strings.HasPrefix(inside, "/") {
			break
		}
		if inside == "" || len(names) == 2 {
			return token{}, l.fail(l.at, "[topic]. or [message type].[topic]. and a path")
		}
		names = append(names, inside)
		if l.at += end + 1; l.at >= len(l.text) || l.text[l.at] != '.' {
			return token{}, l.fail(l.at, "a point between the topic and the path")
		}
		l.at++
	}
	at := l.at
	t, err := l.next()
	if err == nil && (t.kind != tokenPath || t.offset != at) {
		return token{}, l.fail(at, "a path behind the topic")
	}
	if t.qualifier.Topic = names[len(names)-1]; len(names) == 2 {
		t.qualifier.Type = names[0]
	}
	t.offset, t.source = start, l.text[start:l.at]
	t.text = t.source
	return t, err
}
