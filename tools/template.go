package tools

import (
	"slices"
	"strings"
)

// templateBytesMax bounds a template, in bytes.
const templateBytesMax = 64 << 10

// tags are what a template may name between braces (14-tools-and-capacity
// §3).
var tags = []string{
	"bookmark", "command", "correlation_id", "data", "expiration", "lease_period",
	"length", "sowkey", "user_id", "timestamp", "topic",
}

// template is how a message is printed: literal text with tags in braces.
type template struct {
	pieces []piece
}

// piece is literal text, or a tag if text is empty.
type piece struct {
	text []byte
	tag  string
}

// parseTemplate reads a template. A brace pair around a lower-case word is a
// tag, and must be a known one; other braces are text, so that a template may
// be a JSON document. \n, \t, \\ and \{ are a line feed, a tab, a backslash
// and a brace that starts no tag. A line feed is added at the end unless the
// template has one there.
func parseTemplate(text string) (*template, error) {
	if len(text) > templateBytesMax {
		return nil, usagef("-format: the text has %d bytes, at most %d are allowed", len(text), templateBytesMax)
	}
	t := &template{}
	var literal []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
			escape, err := unescape(text[i:])
			if err != nil {
				return nil, err
			}
			literal = append(literal, escape)
		case '{':
			tag := tagAt(text[i:])
			if tag == "" {
				literal = append(literal, c)
				continue
			}
			if err := checkTag(tag); err != nil {
				return nil, err
			}
			t.add(literal)
			literal = nil
			t.pieces = append(t.pieces, piece{tag: tag})
			i += len(tag) + 1
		default:
			literal = append(literal, c)
		}
	}
	if n := len(literal); n == 0 || literal[n-1] != '\n' {
		literal = append(literal, '\n')
	}
	t.add(literal)
	return t, nil
}

func (t *template) add(literal []byte) {
	if len(literal) > 0 {
		t.pieces = append(t.pieces, piece{text: literal})
	}
}

// unescape reads the byte behind a backslash.
func unescape(behind string) (byte, error) {
	if behind == "" {
		return 0, usagef(`-format: a \ at the end stands for nothing; write \\ for a backslash`)
	}
	switch behind[0] {
	case 'n':
		return '\n', nil
	case 't':
		return '\t', nil
	case '\\', '{':
		return behind[0], nil
	}
	return 0, usagef(`-format: \%c stands for nothing; known are \n, \t, \\ and \{`, behind[0])
}

// tagAt is the word of the tag that text starts with, "" if it starts with
// none.
func tagAt(text string) string {
	word, _, closed := strings.Cut(text[1:], "}")
	if !closed || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return word
}

func checkTag(tag string) error {
	if slices.Contains(tags, tag) {
		return nil
	}
	if near := nearest(tag, tags); near != "" {
		return usagef("-format: there is no tag {%s}, did you mean {%s}?", tag, near)
	}
	return usagef(`-format: there is no tag {%s}; known are {%s}; write \{ for a brace as text`, tag, strings.Join(tags, "} {"))
}

// names says whether the template uses a tag.
func (t *template) names(tag string) bool {
	return slices.ContainsFunc(t.pieces, func(p piece) bool { return p.tag == tag })
}
