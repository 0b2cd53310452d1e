package message

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is the type json (03-message-types §3.1). It reads no further than
// needed: once every wanted member of an object has been met, the rest of the
// object is skipped, and at the root not even that. Of duplicate members the
// first counts. What it does not read it does not check.
//
// With EarlyTerminationOptimization false the whole message is always read,
// and the last of duplicate members counts. The zero JSON is the built-in type.
type JSON struct {
	name     string
	readsAll bool
}

// jsonDepthMax bounds how deep arrays and objects are followed.
const jsonDepthMax = 512

func newJSON(d Definition, _ *Types) (Type, error) {
	j := JSON{name: d.Name}
	for i, s := range d.Settings {
		if s.Name != "EarlyTerminationOptimization" {
			return nil, noSetting(d, i, "EarlyTerminationOptimization")
		}
		switch strings.ToLower(s.Value) {
		case "true", "enabled":
			j.readsAll = false
		case "false", "disabled":
			j.readsAll = true
		default:
			return nil, &DefinitionError{i, fmt.Sprintf("%q", s.Value), "true or false"}
		}
	}
	return j, nil
}

// Name returns the name that the type was defined under.
func (j JSON) Name() string {
	if j.name == "" {
		return "json"
	}
	return j.name
}

// Capabilities are all.
func (JSON) Capabilities() Capabilities { return everything }

// Extract walks one document. A root that is no object has no paths.
func (j JSON) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	j.extractAt(body, t.root, out)
}

func (j JSON) extractAt(body []byte, n *node, out *Values) {
	if j.readsAll {
		d := out.wholeDocument()
		d.Reset()
		_ = j.Parse(body, d, 0) // what stands before a fault counts
		d.extract(0, n, out)
		return
	}
	w := jsonWalk{b: body, out: out, keys: out.keys}
	if i := w.space(0); i < len(body) && body[i] == '{' && len(n.children) > 0 {
		w.object(i+1, n, 0, true)
	}
	out.keys = w.keys
}

// jsonWalk is one pass over a document. Its methods take the offset to read
// at and return the offset behind what they read, or -1 at a fault.
type jsonWalk struct {
	b    []byte
	out  *Values
	keys int // read so far
}

// object reads an object from behind its brace, for the children of n.
func (w *jsonWalk) object(i int, n *node, depth int, root bool) int {
	w.out.object++
	serial := w.out.object
	missing := len(n.children)
	b := w.b
	if i = jsonSpace(b, i); i < len(b) && b[i] == '}' {
		return i + 1
	}
	for {
		var child *node
		if i, child = w.key(i, n); i < 0 || i >= len(b) {
			return -1
		}
		switch {
		case child != nil && w.out.seen[child.id] != serial:
			w.out.seen[child.id] = serial
			if i = w.value(i, child, depth); i < 0 {
				return -1
			}
			if missing--; missing == 0 {
				if root {
					return i
				}
				return jsonContainerEnd(b, i, 1)
			}
		case b[i] == '"':
			i = jsonStringEnd(b, i)
		default:
			i = w.skip(i)
		}
		if i < 0 || i >= len(b) {
			return -1
		}
		if b[i] <= ' ' {
			if i = jsonSpace(b, i); i >= len(b) {
				return -1
			}
		}
		switch b[i] {
		case ',':
			i++
		case '}':
			return i + 1
		default:
			return -1
		}
	}
}

// keyRoom is what the fast ways of key look at: a quote, two words, the
// closing quote, a colon and the first byte of the value.
const keyRoom = 1 + 2*wordBytes + 3

// expectedKey is a member's name where one stood in the message before. Most
// messages have the same names in the same order as the last: then comparing
// is all, and reading goes on without having searched for the name's end.
type expectedKey struct {
	first, second         uint64
	firstMask, secondMask uint64
	parent                *node // whose child is sought
	version               uint32
	length                int32
	child                 *node
}

// expectedKeysMax bounds how many names of a message are remembered, at 64 bytes
// each.
const expectedKeysMax = 1024

// key reads a member's name and colon, up to the value.
func (w *jsonWalk) key(i int, n *node) (int, *node) {
	if i < 0 || i+keyRoom > len(w.b) || w.b[i] != '"' {
		return w.spacedKey(i, n)
	}
	p := (*[keyRoom]byte)(w.b[i:])
	first, second := binary.LittleEndian.Uint64(p[1:]), binary.LittleEndian.Uint64(p[1+wordBytes:])
	if w.keys >= len(w.out.expected) {
		if w.keys >= expectedKeysMax {
			return w.newKey(i, n, nil, first, second)
		}
		w.out.expected = append(w.out.expected, expectedKey{})
	}
	e := &w.out.expected[w.keys]
	w.keys++
	if e.parent == n && e.version == n.version && (first^e.first)&e.firstMask == 0 && (second^e.second)&e.secondMask == 0 {
		end := uint32(e.length)
		if end <= 2*wordBytes && p[end+1] == '"' && p[end+2] == ':' && p[end+3] > ' ' {
			return i + int(end) + 3, e.child
		}
	}
	return w.newKey(i, n, e, first, second)
}

// newKey reads a member's name that was not expected, by its first words.
// Names of up to sixteen bytes without escapes are compared as those.
func (w *jsonWalk) newKey(i int, n *node, e *expectedKey, first, second uint64) (int, *node) {
	marks := bytesEqual(first, '"')
	length := lowest(marks)
	if marks != 0 {
		first, second = firstBytes(first, length), 0
	} else {
		if marks = bytesEqual(second, '"'); marks == 0 {
			return w.longKey(i+1, n)
		}
		length = lowest(marks)
		second = firstBytes(second, length)
		length += wordBytes
	}
	if bytesEqual(first, '\\')|bytesEqual(second, '\\') != 0 {
		return w.longKey(i+1, n)
	}
	child := n.childByWords(first, second, length)
	if e != nil {
		*e = expectedKey{
			first: first, second: second, firstMask: firstBytes(^uint64(0), min(length, wordBytes)), secondMask: firstBytes(^uint64(0), max(length-wordBytes, 0)),
			parent: n, version: n.version, length: int32(length), child: child,
		}
	}
	return w.colon(i + length + 2), child
}

// spacedKey reads a member's name where there may be space before it, or
// little behind it.
func (w *jsonWalk) spacedKey(i int, n *node) (int, *node) {
	b := w.b
	if i = jsonSpace(b, i); i >= len(b) || b[i] != '"' {
		return -1, nil
	}
	if i+keyRoom <= len(b) {
		return w.key(i, n)
	}
	return w.longKey(i+1, n)
}

// longKey reads the rest of a member's name of any kind.
func (w *jsonWalk) longKey(i int, n *node) (int, *node) {
	b := w.b
	start := i
	for i < len(b) && b[i] != '"' && b[i] != '\\' {
		i++
	}
	if i >= len(b) {
		return -1, nil
	}
	name := b[start:i]
	if b[i] == '\\' {
		if name, i = w.unescape(start, i); i < 0 {
			return -1, nil
		}
	}
	return w.colon(i + 1), n.child(name)
}

// colon reads up to the value behind a member's name, -1 at a fault.
func (w *jsonWalk) colon(i int) int {
	if i = w.space(i); i >= len(w.b) || w.b[i] != ':' {
		return -1
	}
	return w.space(i + 1)
}

// value reads one value onto the paths at and below n.
func (w *jsonWalk) value(i int, n *node, depth int) int {
	if i >= len(w.b) || depth > jsonDepthMax {
		return -1
	}
	switch c := w.b[i]; {
	case c == '"':
		if n.slot < 0 {
			return jsonStringEnd(w.b, i)
		}
		return w.text(i+1, n)
	case c == '{':
		if len(n.children) == 0 {
			return jsonContainerEnd(w.b, i+1, 1)
		}
		return w.object(i+1, n, depth+1, false)
	case c == '[':
		return w.array(i+1, n, depth+1)
	case c == '-' || c-'0' <= 9:
		return w.number(i, n)
	case c == 't':
		return w.word(i, "true", n, BoolValue(true))
	case c == 'f':
		return w.word(i, "false", n, BoolValue(false))
	case c == 'n':
		return w.word(i, "null", n, Value{})
	}
	return -1
}

// array reads the elements of an array, from behind its bracket, onto the
// paths at and below n: arrays of objects give an array a leaf, nested arrays
// are one (02-expressions 8.2).
func (w *jsonWalk) array(i int, n *node, depth int) int {
	if i = w.space(i); i < len(w.b) && w.b[i] == ']' {
		return i + 1
	}
	for {
		if i = w.value(w.space(i), n, depth); i < 0 {
			return -1
		}
		if i = w.space(i); i >= len(w.b) {
			return -1
		}
		switch w.b[i] {
		case ',':
			i++
		case ']':
			return i + 1
		default:
			return -1
		}
	}
}

func (w *jsonWalk) text(i int, n *node) int {
	b := w.b
	start := i
	for i < len(b) {
		switch b[i] {
		case '"':
			w.out.add(n.slot, StringValue(b[start:i]))
			return i + 1
		case '\\':
			text, end := w.unescape(start, i)
			if end < 0 {
				return -1
			}
			w.out.add(n.slot, StringValue(text))
			return end + 1
		}
		i++
	}
	return -1
}

func (w *jsonWalk) number(i int, n *node) int {
	start := i
	i = w.numberEnd(i)
	text := w.b[start:i]
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || digits[0]-'0' > 9 {
		return -1
	}
	if _, ok := literalForm(digits); !ok {
		return -1
	}
	if n.slot >= 0 {
		w.out.add(n.slot, NumeralValue(text))
	}
	return i
}

func (w *jsonWalk) numberEnd(i int) int { return jsonNumberEnd(w.b, i) }

func jsonNumberEnd(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; {
		case c-'0' <= 9, c == '.', c == '-', c == '+', c|0x20 == 'e':
			i++
		default:
			return i
		}
	}
	return i
}

func (w *jsonWalk) word(i int, word string, n *node, v Value) int {
	end := i + len(word)
	if end > len(w.b) || string(w.b[i:end]) != word {
		return -1
	}
	if n.slot >= 0 {
		w.out.add(n.slot, v)
	}
	return end
}

// skip passes one value that nobody wants.
func (w *jsonWalk) skip(i int) int {
	if i >= len(w.b) {
		return -1
	}
	switch c := w.b[i]; {
	case c == '"':
		return jsonStringEnd(w.b, i)
	case c == '{' || c == '[':
		return jsonContainerEnd(w.b, i+1, 1)
	case c == '-', c-'0' <= 9, c == 't', c == 'f', c == 'n':
		return jsonScalarEnd(w.b, i)
	}
	return -1
}

func (w *jsonWalk) space(i int) int { return jsonSpace(w.b, i) }

func jsonSpace(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

// unescape decodes a string that starts at start and has its first backslash
// at i. It returns the text, in the arena, and the offset of the closing
// quote.
func (w *jsonWalk) unescape(start, i int) ([]byte, int) {
	at := len(w.out.arena)
	arena, end := jsonUnescape(w.out.arena, w.b, start, i)
	if end < 0 {
		return nil, -1
	}
	w.out.arena = arena
	return arena[at:len(arena):len(arena)], end
}

// jsonUnescape appends the string that starts at start and has its first
// backslash at i. It returns the offset of the closing quote, -1 at a fault.
func jsonUnescape(arena, b []byte, start, i int) ([]byte, int) {
	arena = append(arena, b[start:i]...)
	for i < len(b) {
		c := b[i]
		switch {
		case c == '"':
			return arena, i
		case c != '\\':
			arena = append(arena, c)
			i++
		case i+1 >= len(b):
			return arena, -1
		case b[i+1] == 'u':
			r, next := jsonRune(b, i)
			if next < 0 {
				return arena, -1
			}
			arena = utf8.AppendRune(arena, r)
			i = next
		default:
			e := jsonEscapes[b[i+1]]
			if e == 0 {
				return arena, -1
			}
			arena = append(arena, e)
			i += 2
		}
	}
	return arena, -1
}

var jsonEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// jsonRune decodes the \u escape at i, and its partner if it is the first of a
// surrogate pair; a lone surrogate gives U+FFFD.
func jsonRune(b []byte, i int) (rune, int) {
	r, next := jsonHex(b, i)
	if next < 0 || !utf16.IsSurrogate(r) {
		return r, next
	}
	if next+1 < len(b) && b[next] == '\\' && b[next+1] == 'u' {
		if low, end := jsonHex(b, next); end >= 0 {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, end
			}
		}
	}
	return utf8.RuneError, next
}

func jsonHex(b []byte, i int) (rune, int) {
	if i+6 > len(b) {
		return 0, -1
	}
	var r rune
	for _, c := range b[i+2 : i+6] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, -1
		}
		r = r<<4 | rune(c)
	}
	return r, i + 6
}
