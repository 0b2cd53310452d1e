package message

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Composite is the types composite-local and composite-global (03-message-types
// §3.10): messages of several parts, each with a type of its own.
//
//	length of part 0 (4 bytes, big-endian) part 0 ... length of part n part n payload
//
// What is behind the declared parts, the payload, belongs to nobody and passes.
// In a local composite the first step of a path is the number of the part; in
// a global one all parts share their paths. Parts that are missing at the end
// are empty; a part that is longer than the message, and all behind it, have no
// values.
type Composite struct {
	name   string
	global bool
	parts  []compositePart
}

// compositePart is a declared part.
type compositePart struct {
	kind    Type
	extract extractor // nil for a part that cannot be parsed
	step    []byte    // its number
	// whole: the part of a local composite is one field, which deltas replace
	// or leave, because its type knows no deltas.
	whole bool
}

// lengthBytes are those in front of each part.
const lengthBytes = 4

// compositePartsMax bounds the parts of a declaration.
const compositePartsMax = 1000

// payloadKey tells the payload from parts that are opaque.
var payloadKey = []byte("payload")

func newLocalComposite(d Definition, known *Types) (Type, error) {
	return compositeType(d, known, false)
}
func newGlobalComposite(d Definition, known *Types) (Type, error) {
	return compositeType(d, known, true)
}

func compositeType(d Definition, known *Types, global bool) (Type, error) {
	c := &Composite{name: d.Name, global: global}
	for i, s := range d.Settings {
		if s.Name != "MessageType" {
			return nil, noSetting(d, i, "MessageType")
		}
		kind, ok := known.ByName(s.Value)
		if !ok {
			return nil, &DefinitionError{i, fmt.Sprintf("message type %q", s.Value), "one that is built in or declared before: " + strings.Join(known.Names(), ", ")}
		}
		if i == compositePartsMax {
			return nil, &DefinitionError{i, "more parts", fmt.Sprintf("at most %d", compositePartsMax)}
		}
		part := compositePart{kind: kind, step: []byte(strconv.Itoa(i)), whole: !kind.Capabilities().Delta}
		if kind.Capabilities().Parsed {
			part.extract, _ = kind.(extractor)
		}
		c.parts = append(c.parts, part)
	}
	if len(c.parts) == 0 {
		return nil, &DefinitionError{-1, "no MessageType", "the message type of at least one part"}
	}
	return c, nil
}

// Name returns the name that the type was defined under.
func (c *Composite) Name() string { return c.name }

// Capabilities of a global composite end at reading: nobody could tell which
// part a field goes to.
func (c *Composite) Capabilities() Capabilities {
	if c.global {
		return Capabilities{Parsed: true, Select: true}
	}
	return Capabilities{Parsed: true, Delta: true, Select: true, Output: true, Enrich: true}
}

// CanHold says that a path begins with the number of a part that can be written
// and goes on with a path that this can hold.
func (c *Composite) CanHold(p Path) error {
	number := -1
	if len(p) > 0 {
		if n, err := strconv.Atoi(p[0]); err == nil && n < len(c.parts) && strconv.Itoa(n) == p[0] {
			number = n
		}
	}
	if number < 0 || len(p) < 2 {
		return fmt.Errorf("paths of %s messages begin with the number of a part, 0 to %d: found %s", c.name, len(c.parts)-1, p)
	}
	kind := c.parts[number].kind
	if !kind.Capabilities().Output {
		return fmt.Errorf("part %d of %s messages, of type %s, cannot be written: found path %s", number, c.name, kind.Name(), p)
	}
	if h, ok := kind.(Holder); ok {
		return h.CanHold(p[1:])
	}
	return nil
}

// cutPart finds the part whose length is at i; false when it is not there.
func cutPart(body []byte, i int) (part []byte, end int, ok bool) {
	if i+lengthBytes > len(body) {
		return nil, i, false
	}
	start := i + lengthBytes
	length := binary.BigEndian.Uint32(body[i:])
	if uint64(length) > uint64(len(body)-start) {
		return nil, i, false
	}
	end = start + int(length)
	return body[start:end:end], end, true
}

// Extract reads the parts that somebody wants something of.
func (c *Composite) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	c.extractAt(body, t.root, out)
}

func (c *Composite) extractAt(body []byte, n *node, out *Values) {
	at := 0
	for i := range c.parts {
		part, end, ok := cutPart(body, at)
		if !ok {
			return
		}
		at = end
		p := &c.parts[i]
		if p.extract == nil || len(part) == 0 {
			continue
		}
		target := n
		if !c.global {
			if target = n.child(p.step); target == nil {
				continue
			}
		}
		p.extract.extractAt(part, target, out)
	}
}

// Parse makes a field of each part that is not empty: of a local composite an
// object under its number, whole where its type knows no deltas; of a global
// one an element without a name.
func (c *Composite) Parse(body []byte, d *Document, at int32) error {
	if c.global {
		d.fields[at].Form = Array
	}
	offset := 0
	for i := range c.parts {
		part, end, ok := cutPart(body, offset)
		if !ok {
			if offset == len(body) {
				break
			}
			return &ParseError{Type: c.name, Offset: offset, Found: fmt.Sprintf("%d bytes", len(body)-offset), Expected: fmt.Sprintf("part %d with its length in front", i)}
		}
		if err := c.parsePart(i, part, d, at); err != nil {
			return c.fault(err, i, offset+lengthBytes)
		}
		offset = end
	}
	if rest := body[offset:]; len(rest) > 0 {
		d.Append(at, Field{Form: Opaque, Key: payloadKey, Raw: rest})
	}
	d.fields[at].Raw = body
	return nil
}

// fault says of the fault in a part, which begins at offset, where it is in the
// whole message.
func (c *Composite) fault(err error, part, offset int) error {
	var fault *ParseError
	if !errors.As(err, &fault) {
		return err
	}
	return &ParseError{
		Type: fmt.Sprintf("%s, part %d: %s", c.name, part, fault.Type), Offset: offset + fault.Offset,
		Found: fault.Found, Expected: fault.Expected,
	}
}

func (c *Composite) parsePart(i int, part []byte, d *Document, at int32) error {
	p := &c.parts[i]
	switch {
	case d.Full():
		return &ParseError{Type: p.kind.Name(), Found: "more fields", Expected: fmt.Sprintf("at most %d", FieldsMax)}
	case c.global && (p.extract == nil || len(part) == 0):
		d.Append(at, Field{Form: Opaque, Key: p.step, Raw: part})
		return nil
	case c.global:
		return p.kind.Parse(part, d, d.Append(at, Field{Form: Object}))
	case len(part) == 0:
		return nil
	case p.whole:
		d.Append(at, Field{Name: p.step, Raw: part, sealed: p.extract != nil})
		return nil
	}
	return p.kind.Parse(part, d, d.Append(at, Field{Name: p.step, Form: Object}))
}

// Write writes all parts, those without a field as empty ones, and the payload.
// A part of a global composite that a select list took something of is written
// empty when its type knows no select lists.
func (c *Composite) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	field := d.fields[at].first
	for i := range c.parts {
		f := int32(-1)
		switch {
		case !c.global:
			f = d.Child(at, string(c.parts[i].step))
		case field >= 0 && !isPayload(&d.fields[field]):
			f, field = field, d.fields[field].next
		}
		start := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		switch {
		case f < 0:
		case d.fields[f].Raw != nil:
			dst = append(dst, d.fields[f].Raw...)
		case c.global && !c.parts[i].kind.Capabilities().Select:
		default:
			dst = c.parts[i].kind.Write(dst, d, f)
		}
		binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-lengthBytes))
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		if isPayload(&d.fields[i]) {
			dst = append(dst, d.fields[i].Raw...)
		}
	}
	return dst
}

func isPayload(f *Field) bool { return f.Form == Opaque && string(f.Key) == string(payloadKey) }
