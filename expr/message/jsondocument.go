package message

import (
	"fmt"
)

// Parse reads one document, whose root must be an object.
func (j JSON) Parse(body []byte, d *Document, at int32) error {
	p := jsonParse{b: body, d: d, last: j.readsAll}
	end, err := p.object(p.space(0), at, 1)
	if err != nil {
		return err
	}
	if i := p.space(end); i < len(body) {
		return p.fault(i, "the end of the message")
	}
	d.fields[at].Raw = body
	return nil
}

// jsonParse takes one document apart. Its methods take the offset to read at
// and return the offset behind what they read.
type jsonParse struct {
	b    []byte
	d    *Document
	last bool // of duplicate members
}

func (p *jsonParse) space(i int) int { return jsonSpace(p.b, i) }

func (p *jsonParse) fault(i int, expected string) error {
	found := "the end of the message"
	if i < len(p.b) {
		found = fmt.Sprintf("%q", p.b[i:min(i+1, len(p.b))])
	}
	return &ParseError{Type: "json", Offset: min(i, len(p.b)), Found: found, Expected: expected}
}

// object reads an object, from its brace, into at.
func (p *jsonParse) object(i int, at int32, depth int) (int, error) {
	if i >= len(p.b) || p.b[i] != '{' {
		return 0, p.fault(i, "an object")
	}
	if i = p.space(i + 1); i < len(p.b) && p.b[i] == '}' {
		return i + 1, nil
	}
	for {
		name, keyEnd, err := p.string(i, "a member's name")
		if err != nil {
			return 0, err
		}
		start := i
		if i = p.space(keyEnd); i >= len(p.b) || p.b[i] != ':' {
			return 0, p.fault(i, "a colon")
		}
		if i, err = p.value(p.space(i+1), at, Field{Name: name, Key: p.b[start:keyEnd]}, start, depth); err != nil {
			return 0, err
		}
		if i = p.space(i); i < len(p.b) && p.b[i] == ',' {
			i = p.space(i + 1)
			continue
		}
		if i < len(p.b) && p.b[i] == '}' {
			p.d.dropRepeats(at, p.last)
			return i + 1, nil
		}
		return 0, p.fault(i, "a comma or a closing brace")
	}
}

// array reads an array, from its bracket, into at.
func (p *jsonParse) array(i int, at int32, depth int) (int, error) {
	if i = p.space(i + 1); i < len(p.b) && p.b[i] == ']' {
		return i + 1, nil
	}
	for {
		var err error
		if i, err = p.value(i, at, Field{}, i, depth); err != nil {
			return 0, err
		}
		if i = p.space(i); i < len(p.b) && p.b[i] == ',' {
			i = p.space(i + 1)
			continue
		}
		if i < len(p.b) && p.b[i] == ']' {
			return i + 1, nil
		}
		return 0, p.fault(i, "a comma or a closing bracket")
	}
}

// value reads one value and appends it to at as the field f, which began at
// start.
func (p *jsonParse) value(i int, at int32, f Field, start, depth int) (int, error) {
	const expected = "a value"
	switch {
	case i >= len(p.b):
		return 0, p.fault(i, expected)
	case depth > jsonDepthMax:
		return 0, &ParseError{Type: "json", Offset: i, Found: fmt.Sprintf("%d levels", depth), Expected: fmt.Sprintf("at most %d", jsonDepthMax)}
	case p.d.Full():
		return 0, &ParseError{Type: "json", Offset: i, Found: "more fields", Expected: fmt.Sprintf("at most %d", FieldsMax)}
	}
	var err error
	end := i
	switch c := p.b[i]; {
	case c == '{' || c == '[':
		return p.container(i, at, f, start, depth)
	case c == '"':
		var text []byte
		text, end, err = p.string(i, expected)
		f.Value = StringValue(text)
	case c == '-' || c-'0' <= 9:
		if end = jsonNumberEnd(p.b, i); end < 0 {
			return 0, p.fault(i, "a number")
		}
		f.Value = NumeralValue(p.b[i:end])
	default:
		f.Value, end = p.word(i)
		if end < 0 {
			return 0, p.fault(i, expected)
		}
	}
	if err != nil {
		return 0, err
	}
	f.Raw = p.b[start:end]
	p.d.Append(at, f)
	return end, nil
}

func (p *jsonParse) container(i int, at int32, f Field, start, depth int) (int, error) {
	f.Form = Object
	read := p.object
	if p.b[i] == '[' {
		f.Form, read = Array, p.array
	}
	field := p.d.Append(at, f)
	end, err := read(i, field, depth+1)
	if err == nil {
		p.d.fields[field].Raw = p.b[start:end]
	}
	return end, err
}

func (p *jsonParse) word(i int) (Value, int) {
	rest := p.b[i:min(i+5, len(p.b))]
	switch {
	case len(rest) >= 4 && string(rest[:4]) == "true":
		return BoolValue(true), i + 4
	case string(rest) == "false":
		return BoolValue(false), i + 5
	case len(rest) >= 4 && string(rest[:4]) == "null":
		return Value{}, i + 4
	}
	return Value{}, -1
}

// string reads a string from its opening quote.
func (p *jsonParse) string(i int, expected string) ([]byte, int, error) {
	if i >= len(p.b) || p.b[i] != '"' {
		return nil, 0, p.fault(i, expected)
	}
	start := i + 1
	for i = start; i < len(p.b) && p.b[i] != '"' && p.b[i] != '\\'; i++ {
	}
	if i < len(p.b) && p.b[i] == '"' {
		return p.b[start:i:i], i + 1, nil
	}
	from := len(p.d.arena)
	arena, end := jsonUnescape(p.d.arena, p.b, start, min(i, len(p.b)))
	if end < 0 {
		return nil, 0, p.fault(start-1, "a string that ends, with known escapes")
	}
	p.d.arena = arena
	return arena[from:len(arena):len(arena)], end + 1, nil
}

// Write writes one object without white space. Members that are copied keep
// theirs.
func (j JSON) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	return jsonContainer(dst, d, at)
}

func jsonContainer(dst []byte, d *Document, at int32) []byte {
	opening, closing := byte('{'), byte('}')
	if d.fields[at].Form == Array {
		opening, closing = '[', ']'
	}
	dst = append(dst, opening)
	for c := d.fields[at].first; c >= 0; c = d.fields[c].next {
		if c != d.fields[at].first {
			dst = append(dst, ',')
		}
		dst = jsonField(dst, d, c)
	}
	return append(dst, closing)
}

func jsonField(dst []byte, d *Document, i int32) []byte {
	f := &d.fields[i]
	switch {
	case f.Raw != nil:
		return append(dst, f.Raw...)
	case f.Key != nil:
		dst = append(append(dst, f.Key...), ':')
	case f.Name != nil:
		dst = append(appendJSONString(dst, f.Name), ':')
	}
	if f.Form != Scalar {
		return jsonContainer(dst, d, i)
	}
	return appendJSONValue(dst, f.Value)
}

// appendJSONValue writes a scalar; NaN is written as 0.
func appendJSONValue(dst []byte, v Value) []byte {
	switch {
	case v.Kind == Null:
		return append(dst, "null"...)
	case v.Kind == String:
		return appendJSONString(dst, v.Text)
	case v.Text != nil:
		return appendJSONNumeral(dst, v.Text)
	case v.IsNaN():
		return append(dst, '0')
	}
	return v.AppendText(dst)
}

// appendJSONNumeral copies a number of another text format, in the form that
// JSON has for it: .5, 5. and leading zeros are literal numbers here only.
func appendJSONNumeral(dst, text []byte) []byte {
	digits := text
	if digits[0] == '-' || digits[0] == '+' {
		if digits[0] == '-' {
			dst = append(dst, '-')
		}
		digits = digits[1:]
	}
	for len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9 {
		digits = digits[1:]
	}
	if digits[0] == '.' {
		dst = append(dst, '0')
	}
	for i, c := range digits {
		dst = append(dst, c)
		if c == '.' && (i+1 == len(digits) || digits[i+1]-'0' > 9) {
			dst = append(dst, '0')
		}
	}
	return dst
}

// appendJSONString writes a string with the escapes that are required. Bytes
// that are no UTF-8 pass through.
func appendJSONString(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(dst, '"')
}
