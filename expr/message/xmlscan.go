package message

import (
	"bytes"
	"unicode/utf8"
)

// xmlScan cuts an XML message into marks: tags, and text between them. Comments,
// processing instructions and document types are passed over; entities that
// these declare are not known. It checks what it needs to go on and no more:
// whether tags match is for its callers.
type xmlScan struct {
	b  []byte
	at int
}

// xmlMark is one piece of an XML message.
type xmlMark struct {
	kind       xmlKind
	start, end int // in the message
	name       []byte
	attributes []byte // what stands between the name and the end of a start tag
	empty      bool   // a start tag that is its end too
}

type xmlKind uint8

const (
	xmlEnd   xmlKind = iota // of the message
	xmlStart                // <name ...>
	xmlClose                // </name>
	xmlText                 // may hold entities
	xmlCDATA                // start and end are of the data
	xmlFault                // at start
)

// next returns the next mark.
func (x *xmlScan) next() xmlMark {
	b := x.b
	for x.at < len(b) {
		start := x.at
		if b[start] != '<' {
			n := bytes.IndexByte(b[start:], '<')
			if n < 0 {
				n = len(b) - start
			}
			x.at = start + n
			return xmlMark{kind: xmlText, start: start, end: x.at}
		}
		if start+1 >= len(b) {
			return xmlMark{kind: xmlFault, start: start}
		}
		switch b[start+1] {
		case '/':
			return x.close(start)
		case '?':
			if !x.pass(start+2, "?>") {
				return xmlMark{kind: xmlFault, start: start}
			}
		case '!':
			if m, ok := x.declaration(start); ok {
				return m
			}
		default:
			return x.open(start)
		}
	}
	return xmlMark{kind: xmlEnd, start: len(b)}
}

// pass goes behind a text.
func (x *xmlScan) pass(from int, text string) bool {
	n := bytes.Index(x.b[min(from, len(x.b)):], []byte(text))
	if n < 0 {
		return false
	}
	x.at = from + n + len(text)
	return true
}

// declaration reads what begins with <!; false for what is passed over.
func (x *xmlScan) declaration(start int) (xmlMark, bool) {
	const cdata = "<![CDATA["
	rest := x.b[start:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		if x.pass(start+4, "-->") {
			return xmlMark{}, false
		}
	case bytes.HasPrefix(rest, []byte(cdata)):
		if x.pass(start+len(cdata), "]]>") {
			return xmlMark{kind: xmlCDATA, start: start + len(cdata), end: x.at - len("]]>")}, true
		}
	case bytes.HasPrefix(rest, []byte("<!DOCTYPE")):
		if x.passDocumentType(start) {
			return xmlMark{}, false
		}
	}
	return xmlMark{kind: xmlFault, start: start}, true
}

// passDocumentType goes behind a document type, its own declarations included.
func (x *xmlScan) passDocumentType(start int) bool {
	depth := 0
	for i := start; i < len(x.b); i++ {
		switch c := x.b[i]; c {
		case '"', '\'':
			n := bytes.IndexByte(x.b[i+1:], c)
			if n < 0 {
				return false
			}
			i += n + 1
		case '<', '[':
			depth++
		case '>', ']':
			if depth--; depth == 0 {
				x.at = i + 1
				return true
			}
		}
	}
	return false
}

func (x *xmlScan) close(start int) xmlMark {
	end := bytes.IndexByte(x.b[start:], '>')
	if end < 0 {
		return xmlMark{kind: xmlFault, start: start}
	}
	x.at = start + end + 1
	name := x.b[start+2 : x.at-1]
	for len(name) > 0 && isXMLSpace(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	return xmlMark{kind: xmlClose, start: start, end: x.at, name: name}
}

// open reads a start tag. An angle bracket may stand in an attribute's value.
func (x *xmlScan) open(start int) xmlMark {
	b := x.b
	i := start + 1
	for i < len(b) && isXMLName(b[i]) {
		i++
	}
	m := xmlMark{kind: xmlStart, start: start, name: b[start+1 : i : i]}
	if len(m.name) == 0 {
		return xmlMark{kind: xmlFault, start: start}
	}
	from := i
	for i < len(b) {
		switch c := b[i]; c {
		case '>':
			x.at = i + 1
			m.end, m.attributes = x.at, b[from:i]
			if n := len(m.attributes); n > 0 && m.attributes[n-1] == '/' {
				m.empty, m.attributes = true, m.attributes[:n-1]
			}
			return m
		case '"', '\'':
			n := bytes.IndexByte(b[i+1:], c)
			if n < 0 {
				return xmlMark{kind: xmlFault, start: start}
			}
			i += n + 1
		case '<':
			return xmlMark{kind: xmlFault, start: i}
		}
		i++
	}
	return xmlMark{kind: xmlFault, start: start}
}

// xmlAttribute is one name="value" of a start tag, from its first byte.
type xmlAttribute struct {
	name, value, raw, rest []byte
}

// nextAttribute reads the first attribute of a tag's attributes; false at their
// end, or where there is something else: then rest is not empty.
func nextAttribute(text []byte) (xmlAttribute, bool) {
	space := 0
	for space < len(text) && isXMLSpace(text[space]) {
		space++
	}
	rest := text[space:]
	n := 0
	for n < len(rest) && isXMLName(rest[n]) {
		n++
	}
	i := n
	for i < len(rest) && isXMLSpace(rest[i]) {
		i++
	}
	if space == 0 || n == 0 || i >= len(rest) || rest[i] != '=' {
		return xmlAttribute{rest: rest}, false
	}
	for i++; i < len(rest) && isXMLSpace(rest[i]); i++ {
	}
	if i >= len(rest) || rest[i] != '"' && rest[i] != '\'' {
		return xmlAttribute{rest: rest}, false
	}
	end := bytes.IndexByte(rest[i+1:], rest[i])
	if end < 0 {
		return xmlAttribute{rest: rest}, false
	}
	end += i + 1
	return xmlAttribute{name: rest[:n:n], value: rest[i+1 : end : end], raw: rest[: end+1 : end+1], rest: rest[end+1:]}, true
}

func isXMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isBlank(text []byte) bool {
	for _, c := range text {
		if !isXMLSpace(c) {
			return false
		}
	}
	return true
}

// isXMLName tells the bytes of names: all but what has a meaning of its own.
func isXMLName(c byte) bool {
	return c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z' || c-'0' <= 9 || c == '_' || c == ':' || c == '-' || c == '.'
}

// appendDecoded appends a text with its entities decoded: the five that XML
// names and those of character numbers. Others stay as they are written.
func appendDecoded(dst, text []byte) []byte {
	for {
		n := bytes.IndexByte(text, '&')
		if n < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:n]...)
		text = text[n:]
		end := bytes.IndexByte(text[:min(len(text), entityBytesMax)], ';')
		r, ok := rune(0), false
		if end > 0 {
			r, ok = xmlEntity(text[1:end])
		}
		if !ok {
			dst, text = append(dst, '&'), text[1:]
			continue
		}
		dst, text = utf8.AppendRune(dst, r), text[end+1:]
	}
}

// entityBytesMax is the length of the longest entity that is known.
const entityBytesMax = len("&#x0010FFFF;")

func xmlEntity(name []byte) (rune, bool) {
	switch string(name) {
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "amp":
		return '&', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], rune(10)
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	r := rune(0)
	for _, c := range digits {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case base == 16 && c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		if r = r*base + rune(c); r > utf8.MaxRune {
			return 0, false
		}
	}
	return r, len(digits) > 0 && r > 0 && utf8.ValidRune(r)
}
