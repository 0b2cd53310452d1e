package message

import (
	"bytes"
	"fmt"
)

// Parse makes an element of each element and a scalar of each attribute, whose
// name has the @. It checks that tags match, that attributes are quoted and
// unique, and that there is no text around the roots, of which there may be
// several: a fragment. An element at the 65th level is opaque.
func (x XML) Parse(body []byte, d *Document, at int32) error {
	p := xmlParse{scan: xmlScan{b: body}, d: d, name: x.name}
	if err := p.run(at); err != nil {
		return err
	}
	d.fields[at].Raw = body
	return nil
}

type xmlParse struct {
	scan   xmlScan
	d      *Document
	name   string // of the type
	depth  int
	levels [xmlDepthMax + 1]xmlOpen
}

// xmlOpen is an open element.
type xmlOpen struct {
	field   int32
	start   int
	content xmlContent
}

func (p *xmlParse) fault(at int, expected string) error {
	found := "the end of the message"
	if at < len(p.scan.b) {
		found = fmt.Sprintf("%q", p.scan.b[at:min(at+16, len(p.scan.b))])
	}
	return &ParseError{Type: p.name, Offset: at, Found: found, Expected: expected}
}

func (p *xmlParse) run(root int32) error {
	b := p.scan.b
	p.levels[0].field = root
	for {
		m := p.scan.next()
		level := &p.levels[p.depth]
		switch m.kind {
		case xmlFault:
			return p.fault(m.start, "a tag, a comment or CDATA that ends")
		case xmlEnd:
			if p.depth > 0 {
				return p.fault(m.start, fmt.Sprintf("</%s>", p.d.fields[level.field].Name))
			}
			return nil
		case xmlText, xmlCDATA:
			if p.depth == 0 && (m.kind == xmlCDATA || !isBlank(b[m.start:m.end])) {
				return p.fault(m.start, "an element")
			}
			level.content.add(b, m)
		case xmlClose:
			if p.depth == 0 || !bytes.Equal(m.name, p.d.fields[level.field].Name) {
				return p.fault(m.start, "the end tag of the element that was opened last")
			}
			p.close(m.start, m.end)
		case xmlStart:
			if err := p.open(m); err != nil {
				return err
			}
		}
	}
}

func (p *xmlParse) open(m xmlMark) error {
	if !isXMLWord(m.name) {
		return p.fault(m.start, "the name of an element, not beginning with a digit, - or .")
	}
	if p.d.Full() {
		return &ParseError{Type: p.name, Offset: m.start, Found: "more fields", Expected: fmt.Sprintf("at most %d", FieldsMax)}
	}
	parent := &p.levels[p.depth]
	parent.content.elements = true
	if p.depth == xmlDepthMax {
		if !m.empty && !p.scan.skip() {
			return p.fault(m.start, "an element that ends")
		}
		raw := p.scan.b[m.start:p.scan.at:p.scan.at]
		p.d.Append(parent.field, Field{Form: Opaque, Key: m.name, Raw: raw})
		return nil
	}
	field := p.d.Append(parent.field, Field{Name: m.name, Form: Element})
	if err := p.attributes(m, field); err != nil {
		return err
	}
	p.depth++
	p.levels[p.depth] = xmlOpen{field: field, start: m.start, content: xmlContent{from: m.end}}
	if m.empty {
		p.close(m.end, m.end)
	}
	return nil
}

// close ends the element that was opened last.
func (p *xmlParse) close(contentEnd, end int) {
	level := &p.levels[p.depth]
	text := level.content.text(p.scan.b, contentEnd, &p.d.arena)
	f := &p.d.fields[level.field]
	f.Value, f.Raw = TextValue(text), p.scan.b[level.start:end:end]
	p.depth--
}

// attributesCompared bounds the attributes of an element that are looked at
// for repeats one by one; more than that are refused.
const attributesCompared = 1000

func (p *xmlParse) attributes(m xmlMark, field int32) error {
	a, ok := nextAttribute(m.attributes)
	for n := 0; ok; a, ok = nextAttribute(a.rest) {
		if n++; n > attributesCompared {
			return p.fault(m.start, fmt.Sprintf("an element of at most %d attributes", attributesCompared))
		}
		start := len(p.d.arena)
		p.d.arena = append(append(p.d.arena, '@'), a.name...)
		name := p.d.arena[start:len(p.d.arena):len(p.d.arena)]
		if p.d.Child(field, string(name)) >= 0 || p.d.Full() || !isXMLWord(a.name) {
			return p.fault(m.start, "an element whose attributes have a name each, and each another one")
		}
		p.d.Append(field, Field{Name: name, Raw: a.raw, Value: TextValue(decoded(a.value, &p.d.arena))})
	}
	if !isBlank(a.rest) {
		return p.fault(m.start, `attributes of the form name="value", with space between them`)
	}
	return nil
}

// Write writes elements without white space between them and without a
// declaration; what is copied keeps what it has. Several roots make a fragment.
func (x XML) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		dst = appendElement(dst, d, i)
	}
	return dst
}

func appendElement(dst []byte, d *Document, i int32) []byte {
	f := &d.fields[i]
	if f.Raw != nil {
		return append(dst, f.Raw...)
	}
	dst = append(append(dst, '<'), f.Name...)
	content := false
	for c := f.first; c >= 0; c = d.fields[c].next {
		if a := &d.fields[c]; !a.isAttribute() {
			content = true
		} else if dst = append(dst, ' '); a.Raw != nil {
			dst = append(dst, a.Raw...)
		} else {
			dst = append(append(dst, a.Name[1:]...), '=', '"')
			dst = append(appendXMLText(dst, a.Value), '"')
		}
	}
	if !content && f.Value.IsNull() {
		return append(dst, '/', '>')
	}
	dst = appendXMLText(append(dst, '>'), f.Value)
	for c := f.first; c >= 0; c = d.fields[c].next {
		if !d.fields[c].isAttribute() {
			dst = appendElement(dst, d, c)
		}
	}
	dst = append(append(dst, '<', '/'), f.Name...)
	return append(dst, '>')
}

// appendXMLText writes a scalar with what has a meaning in XML escaped.
func appendXMLText(dst []byte, v Value) []byte {
	if v.Kind != String {
		return appendPlainText(dst, v)
	}
	for _, c := range v.Text {
		switch c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
