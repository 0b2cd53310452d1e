package message

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// Parse makes a field of each that the schema knows, and opaque ones of the
// others.
func (p *Protobuf) Parse(body []byte, d *Document, at int32) error {
	d.marks, d.pieces = d.marks[:0], d.pieces[:0]
	w := protoParse{name: p.name, b: body, d: d}
	if err := w.message(d.pieces.add(noPiece, 0, len(body)), at, p.table, 1); err != nil {
		return err
	}
	d.fields[at].Raw = body
	return nil
}

// protoParse takes one message apart.
type protoParse struct {
	name string
	b    []byte
	d    *Document
}

// protoMark is where a field of an open message is that is not repeated.
type protoMark struct {
	field  int32 // -1 for none
	pieces int   // of a message
}

func (w *protoParse) fault(i int, found, expected string) error {
	return &ParseError{Type: w.name, Offset: i, Found: found, Expected: expected}
}

func (w *protoParse) full(i int) error {
	return w.fault(i, "more fields", fmt.Sprintf("at most %d", FieldsMax))
}

// message reads a message into at. Messages below it that are not repeated wait
// until its end, since more of them may come.
func (w *protoParse) message(pieces int, at int32, t *protoTable, depth int) error {
	d := w.d
	next := d.pieces.first(pieces)
	if depth > protoDepthMax {
		return w.fault(d.pieces[next].from, fmt.Sprintf("%d levels", depth), fmt.Sprintf("at most %d", protoDepthMax))
	}
	marksBase, piecesBase := len(d.marks), len(d.pieces)
	for range t.fields {
		d.marks = append(d.marks, protoMark{field: -1})
	}
	for last := false; !last; {
		piece := d.pieces[next]
		if err := w.fields(piece.from, piece.to, at, t, marksBase, depth); err != nil {
			return err
		}
		last, next = next == pieces, piece.next
	}
	for i := range t.fields {
		mark := d.marks[marksBase+i]
		if f := &t.fields[i]; mark.field >= 0 && f.table != nil && !f.repeated {
			if err := w.message(mark.pieces, mark.field, f.table, depth+1); err != nil {
				return err
			}
		}
	}
	d.marks, d.pieces = d.marks[:marksBase], d.pieces[:piecesBase]
	return nil
}

// fields reads the fields between two offsets into at. The marks of at's
// message begin at base.
func (w *protoParse) fields(i, to int, at int32, t *protoTable, base, depth int) error {
	for b := w.b[:to]; i < to; {
		c := protoCut{start: i}
		if c.tag, c.from, c.to, c.end = cutProto(b, i); c.end < 0 {
			found, expected := protoFault(b, i)
			return w.fault(i, found, expected)
		}
		if w.d.Full() {
			return w.full(i)
		}
		if err := w.field(&c, at, t, base, depth); err != nil {
			return err
		}
		i = c.end
	}
	return nil
}

// protoCut is a field as it stands in the message: its tag, where it begins,
// where its value is, and where it ends.
type protoCut struct {
	tag                  protoTag
	start, from, to, end int
}

// field appends what has been cut to at.
func (w *protoParse) field(c *protoCut, at int32, t *protoTable, base, depth int) error {
	d := w.d
	f := t.field(c.tag.number())
	keyEnd := c.start + 1
	for w.b[keyEnd-1] >= 0x80 {
		keyEnd++
	}
	field := Field{Key: w.b[c.start:keyEnd:keyEnd], Raw: w.b[c.start:c.end:c.end]}
	if f == nil || c.tag != f.tag() && !f.packs(c.tag.wire()) {
		field.Form = Opaque
		d.Append(at, field)
		return nil
	}
	field.Name, field.choice, field.replaced = f.name, f.choice, f.repeated
	for _, rival := range f.rivals {
		w.forget(&d.marks[base+rival])
	}
	mark := &d.marks[base+f.index]
	switch {
	case c.tag != f.tag():
		field.Form = Array
		return w.packed(c, d.Append(at, field), f)
	case f.table == nil:
		field.Value = f.value(w.b[c.from:c.to])
		if !f.repeated {
			w.forget(mark)
		}
		mark.field = d.Append(at, field)
		return nil
	}
	field.Form, field.Value = Object, BoolValue(true)
	switch {
	case f.repeated:
		piece := d.pieces.add(noPiece, c.from, c.to)
		err := w.message(piece, d.Append(at, field), f.table, depth+1)
		d.pieces = d.pieces[:piece]
		return err
	case mark.field < 0:
		mark.field, mark.pieces = d.Append(at, field), d.pieces.add(noPiece, c.from, c.to)
	default: // it came before: both are one
		d.fields[mark.field].Raw = nil
		mark.pieces = d.pieces.add(mark.pieces, c.from, c.to)
	}
	return nil
}

// forget takes out a field that another one later in the message replaces.
func (w *protoParse) forget(mark *protoMark) {
	if mark.field >= 0 {
		w.d.unlink(mark.field)
		mark.field = -1
	}
}

func (w *protoParse) packed(c *protoCut, array int32, f *protoField) error {
	for i := c.from; i < c.to; {
		end := scalarEnd(w.b[:c.to], i, f.wire)
		if end < 0 {
			return w.fault(i, fmt.Sprintf("the last of the values of field %d cut off or too long", f.number), "whole values")
		}
		if w.d.Full() {
			return w.full(i)
		}
		w.d.Append(array, Field{Value: f.value(w.b[i:end])})
		i = end
	}
	return nil
}

// Write writes what was parsed, with messages that were merged composed anew.
// Fields that were made cannot be written and are not.
func (p *Protobuf) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		switch f := &d.fields[i]; {
		case f.Raw != nil:
			dst = append(dst, f.Raw...)
		case f.Key != nil && f.Form == Object:
			dst = p.appendMessage(dst, d, i)
		}
	}
	return dst
}

func (p *Protobuf) appendMessage(dst []byte, d *Document, i int32) []byte {
	key := d.fields[i].Key
	dst = append(dst, key...)
	start := len(dst)
	dst = p.Write(dst, d, i)
	number, wire, _ := protowire.ConsumeTag(key)
	if wire == protowire.StartGroupType {
		return protowire.AppendTag(dst, number, protowire.EndGroupType)
	}
	size := len(dst) - start
	var room [10]byte
	length := protowire.AppendVarint(room[:0], uint64(size))
	dst = append(dst, length...) // room; then the body moves behind the length
	copy(dst[start+len(length):], dst[start:start+size])
	copy(dst[start:], length)
	return dst
}
