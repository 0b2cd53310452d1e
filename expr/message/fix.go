package message

import (
	"bytes"
	"fmt"
	"strconv"
)

// FIX is the types fix and nvfix (03-message-types §3.3): fields tag=value, each
// ended by a separator, the last one at least by the end. Tags of fix are
// numbers, those of nvfix any text. Nothing is nested and nothing is checked:
// what has no tag is passed over. A tag may come again, as in repeating groups,
// and is an array then, so every message is read to its end.
type FIX struct {
	name    string
	numeric bool // tags are numbers
	// field ends a field and is written behind each; header and message, which
	// divide the parts of the old transport, end one too.
	field, header, message byte
}

func newFIX(d Definition, _ *Types) (Type, error)   { return fixType(d, true) }
func newNVFIX(d Definition, _ *Types) (Type, error) { return fixType(d, false) }

func fixType(d Definition, numeric bool) (Type, error) {
	f := FIX{name: d.Name, numeric: numeric, field: 1, header: 2, message: 3}
	for i, s := range d.Settings {
		var target *byte
		switch s.Name {
		case "FieldSeparator":
			target = &f.field
		case "HeaderSeparator":
			target = &f.header
		case "MessageSeparator":
			target = &f.message
		default:
			return nil, noSetting(d, i, "FieldSeparator", "HeaderSeparator", "MessageSeparator")
		}
		code, err := strconv.ParseUint(s.Value, 10, 8)
		if err != nil || code == '=' {
			return nil, &DefinitionError{i, fmt.Sprintf("%q", s.Value), "the decimal code of a byte, 0 to 255, but not 61, the equals sign"}
		}
		*target = byte(code)
	}
	if f.field == f.header || f.field == f.message || f.header == f.message {
		return nil, &DefinitionError{-1, fmt.Sprintf("separators %d, %d and %d for fields, headers and messages", f.field, f.header, f.message), "three different ones"}
	}
	return f, nil
}

// Name returns the name that the type was defined under.
func (f FIX) Name() string { return f.name }

// Capabilities are all.
func (FIX) Capabilities() Capabilities { return everything }

// CanHold says that a path has one step, of digits for fix.
func (f FIX) CanHold(p Path) error {
	switch {
	case len(p) != 1:
		return fmt.Errorf("%s messages are flat: path %s has %d steps, expected one", f.name, p, len(p))
	case f.numeric && !isDigits([]byte(p[0])):
		return fmt.Errorf("tags of %s messages are numbers: found path %s", f.name, p)
	case len(p[0]) == 0 || bytes.IndexByte([]byte(p[0]), '=') >= 0 || f.next([]byte(p[0]), 0) < len(p[0]):
		return fmt.Errorf("a tag of %s messages holds no equals sign and no separator: found path %s", f.name, p)
	}
	return nil
}

func isDigits(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}

// next is the offset of the separator at or behind i, or the end.
func (f FIX) next(b []byte, i int) int {
	for ; i+wordBytes <= len(b); i += wordBytes {
		word := load(b, i)
		if marks := bytesEqual(word, f.field) | bytesEqual(word, f.header) | bytesEqual(word, f.message); marks != 0 {
			return i + lowest(marks)
		}
	}
	for i < len(b) && b[i] != f.field && b[i] != f.header && b[i] != f.message {
		i++
	}
	return i
}

// cut finds the field at i: its tag, its value and where it ends. The tag is
// nil when there is none.
func (f FIX) cut(b []byte, i int) (tag, value []byte, end int) {
	end = f.next(b, i)
	equals := bytes.IndexByte(b[i:end], '=')
	if equals <= 0 || f.numeric && !isDigits(b[i:i+equals]) {
		return nil, nil, end
	}
	return b[i : i+equals : i+equals], b[i+equals+1 : end : end], end
}

// Extract reads all fields.
func (f FIX) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	f.extractAt(body, t.root, out)
}

func (f FIX) extractAt(body []byte, n *node, out *Values) {
	if len(n.children) == 0 {
		return
	}
	for i := 0; i < len(body); {
		tag, value, end := f.cut(body, i)
		if tag != nil {
			if child := n.child(tag); child != nil && child.slot >= 0 {
				out.add(child.slot, TextValue(value))
			}
		}
		i = end + 1
	}
}

// Parse makes a field of each tag, and opaque ones of what has none.
func (f FIX) Parse(body []byte, d *Document, at int32) error {
	for i := 0; i < len(body); {
		if d.Full() {
			return &ParseError{Type: f.name, Offset: i, Found: "more fields", Expected: fmt.Sprintf("at most %d", FieldsMax)}
		}
		tag, value, end := f.cut(body, i)
		switch raw := body[i:end:end]; {
		case tag != nil:
			d.Append(at, Field{Name: tag, Raw: raw, Value: TextValue(value)})
		case len(raw) > 0:
			d.Append(at, Field{Form: Opaque, Key: raw, Raw: raw})
		}
		i = end + 1
	}
	d.fields[at].Raw = body
	return nil
}

// Write ends each field by the field separator, the last one too. A separator
// within a value is left out. Nested fields cannot be written and are not.
func (f FIX) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		field := &d.fields[i]
		switch {
		case field.Raw != nil:
			dst = append(dst, field.Raw...)
		case field.Form == Scalar:
			dst = append(append(dst, field.Name...), '=')
			start := len(dst)
			dst = appendPlainText(dst, field.Value)
			dst = f.dropSeparators(dst, start)
		default:
			continue
		}
		dst = append(dst, f.field)
	}
	return dst
}

func (f FIX) dropSeparators(dst []byte, start int) []byte {
	kept := start
	for _, c := range dst[start:] {
		if c != f.field && c != f.header && c != f.message {
			dst[kept] = c
			kept++
		}
	}
	return dst[:kept]
}

// appendPlainText writes a scalar for formats without types: Booleans are 1 and
// 0, NaN is 0, NULL is nothing.
func appendPlainText(dst []byte, v Value) []byte {
	switch {
	case v.Kind == Bool && v.Int() != 0:
		return append(dst, '1')
	case v.Kind == Bool, v.IsNaN():
		return append(dst, '0')
	}
	return v.AppendText(dst)
}
