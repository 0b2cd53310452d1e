package message

import "fmt"

// XML is the type xml (03-message-types §3.2). The root element is the first
// step of every path, attributes are last steps that begin with @. The text of
// an element is its character data and CDATA joined, without the white space
// between elements. Repeated elements make arrays, so that a message is read to
// its end; but only the tags of what nobody wants.
type XML struct{ name string }

// xmlDepthMax bounds how deep elements are looked into. What is deeper has no
// values.
const xmlDepthMax = 64

func newXML(d Definition, _ *Types) (Type, error) {
	if len(d.Settings) > 0 {
		return nil, noSetting(d, 0)
	}
	return XML{d.Name}, nil
}

// Name returns the name that the type was defined under.
func (x XML) Name() string { return x.name }

// Capabilities are all.
func (XML) Capabilities() Capabilities { return everything }

// CanHold says that steps are names, and only the last one an attribute.
func (x XML) CanHold(p Path) error {
	for i, step := range p {
		name := step
		if i > 0 && i == len(p)-1 && step[:1] == "@" {
			name = step[1:]
		}
		if !isXMLWord([]byte(name)) {
			return fmt.Errorf("%s messages cannot hold path %s: found step %q, expected a name of letters, digits, _ : - or ., not beginning with a digit, or behind an element @ and such a name", x.name, p, step)
		}
	}
	if len(p) == 0 || len(p) > xmlDepthMax {
		return fmt.Errorf("paths of %s messages have 1 to %d steps: found %d", x.name, xmlDepthMax, len(p))
	}
	return nil
}

// isXMLWord reports whether a text is a name of an element or attribute.
func isXMLWord(name []byte) bool {
	if len(name) == 0 || name[0]-'0' <= 9 || name[0] == '-' || name[0] == '.' {
		return false
	}
	for _, c := range name {
		if !isXMLName(c) {
			return false
		}
	}
	return true
}

// xmlContent gathers the text of one open element.
type xmlContent struct {
	from     int     // where the content begins
	first    xmlMark // the first piece
	solid    xmlMark // the first piece that is more than white space
	pieces   int
	solids   int
	elements bool
}

func (c *xmlContent) add(b []byte, m xmlMark) {
	if m.start == m.end {
		return
	}
	if c.pieces++; c.pieces == 1 {
		c.first = m
	}
	if m.kind == xmlCDATA || !isBlank(b[m.start:m.end]) {
		if c.solids++; c.solids == 1 {
			c.solid = m
		}
	}
}

// text returns the element's text, decoded in the arena if that is necessary;
// to is where the content ends.
func (c *xmlContent) text(b []byte, to int, arena *[]byte) []byte {
	pieces, only := c.pieces, c.first
	if c.elements {
		pieces, only = c.solids, c.solid
	}
	switch {
	case pieces == 0:
		return nil
	case pieces == 1 && (only.kind == xmlCDATA || !hasEntity(b[only.start:only.end])):
		return b[only.start:only.end:only.end]
	}
	start := len(*arena)
	depth := 0
	scan := xmlScan{b: b[:to], at: c.from}
	for m := scan.next(); m.kind != xmlEnd && m.kind != xmlFault; m = scan.next() {
		switch {
		case m.kind == xmlStart && !m.empty:
			depth++
		case m.kind == xmlClose:
			depth--
		case depth > 0:
		case m.kind == xmlCDATA:
			*arena = append(*arena, b[m.start:m.end]...)
		case m.kind == xmlText && !(c.elements && isBlank(b[m.start:m.end])):
			*arena = appendDecoded(*arena, b[m.start:m.end])
		}
	}
	return (*arena)[start:len(*arena):len(*arena)]
}

func hasEntity(text []byte) bool {
	for _, c := range text {
		if c == '&' {
			return true
		}
	}
	return false
}

// decoded is a text without entities, in the arena if it has any.
func decoded(text []byte, arena *[]byte) []byte {
	if !hasEntity(text) {
		return text
	}
	start := len(*arena)
	*arena = appendDecoded(*arena, text)
	return (*arena)[start:len(*arena):len(*arena)]
}

// Extract walks the tags of one message. Tags that do not match their element
// end the walk.
func (XML) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	out.extractXML(body, t.root)
}

func (XML) extractAt(body []byte, n *node, out *Values) { out.extractXML(body, n) }

type xmlLevel struct {
	node    *node
	name    []byte
	content xmlContent
}

func (v *Values) extractXML(body []byte, root *node) {
	if len(root.children) == 0 {
		return
	}
	if v.levels == nil {
		v.levels = new([xmlDepthMax + 1]xmlLevel)
	}
	levels := v.levels
	levels[0] = xmlLevel{node: root}
	depth := 0
	scan := xmlScan{b: body}
	for {
		m := scan.next()
		level := &levels[depth]
		switch m.kind {
		case xmlEnd, xmlFault:
			return
		case xmlText, xmlCDATA:
			if depth > 0 && level.node.slot >= 0 {
				level.content.add(body, m)
			}
		case xmlClose:
			if depth == 0 || string(level.name) != string(m.name) {
				return
			}
			v.addXML(body, level, m.start)
			depth--
		case xmlStart:
			level.content.elements = true
			n := level.node.child(m.name)
			if n == nil || depth == xmlDepthMax {
				if !m.empty && !scan.skip() {
					return
				}
				continue
			}
			v.addAttributes(m.attributes, n)
			depth++
			levels[depth] = xmlLevel{node: n, name: m.name, content: xmlContent{from: m.end}}
			if m.empty {
				v.addXML(body, &levels[depth], m.end)
				depth--
			}
		}
	}
}

// addXML adds the value of an element that ends: its text, or NULL if it holds
// nothing else either.
func (v *Values) addXML(body []byte, level *xmlLevel, end int) {
	if level.node.slot < 0 {
		return
	}
	if text := level.content.text(body, end, &v.arena); len(text) > 0 || !level.content.elements {
		v.add(level.node.slot, TextValue(text))
	}
}

func (v *Values) addAttributes(text []byte, n *node) {
	if len(text) == 0 || len(n.children) == 0 {
		return
	}
	for a, ok := nextAttribute(text); ok; a, ok = nextAttribute(a.rest) {
		var room [64]byte
		if child := n.child(append(append(room[:0], '@'), a.name...)); child != nil && child.slot >= 0 {
			v.add(child.slot, TextValue(decoded(a.value, &v.arena)))
		}
	}
}

// skip goes behind the end of the element that was just opened; false when it
// does not come. Tags are counted, not matched.
func (x *xmlScan) skip() bool {
	depth := 1
	for {
		switch m := x.next(); m.kind {
		case xmlEnd, xmlFault:
			return false
		case xmlStart:
			if !m.empty {
				depth++
			}
		case xmlClose:
			if depth--; depth == 0 {
				return true
			}
		}
	}
}
