package message

import (
	"bytes"
	"fmt"
)

// Form is the shape of a field.
type Form uint8

const (
	// Scalar fields have a Value.
	Scalar Form = iota
	// Object fields hold named fields. One with a Value too is on its own path
	// as well, such as a protobuf message, which is not NULL when present.
	Object
	// Element fields are those of XML: named fields, of which attributes begin
	// with @, or text, the Value, or both.
	Element
	// Array fields hold fields without names, on the same path.
	Array
	// Opaque fields are bytes that have to stay in the message but are on no
	// path, such as a field that a schema does not know. Key tells them apart.
	Opaque
)

// Field is one node of a Document.
type Field struct {
	// Name is the step that leads here from the field around it; nil in
	// arrays and for opaque fields.
	Name []byte
	// Raw is the whole field as it stands in the message, its name included;
	// nil when it was made, or when something below it was changed. Write
	// copies it.
	Raw []byte
	// Key is the name as it stands in the message, for types that copy it when
	// the rest of the field has to be composed; nil for others, and for fields
	// that were made.
	Key []byte
	// Value is the scalar.
	Value Value
	Form  Form

	keep  keeping
	again bool // an earlier sibling has the same name
	// replaced: it is one of a repeated field of a schema, alone or not, so that
	// a delta replaces it and does not merge with it.
	replaced bool
	// choice: of the siblings with the same number, only one may be there; 0
	// for none.
	choice uint16
	// sealed: it holds fields that the document does not show, so that a select
	// list takes it whole or not at all.
	sealed bool

	twin int32 // field of the same name in the other document
	peer int32 // next sibling of the same name

	parent, first, last, prev, next int32 // -1 for none
}

// keeping says how much of a field stays when a document is pruned.
type keeping uint8

const (
	keepNothing keeping = iota
	keepPart
	keepWhole
)

// Document is one message taken apart: a tree of fields in document order.
// Field 0, the root, is an object, or an array for types whose parts share
// their paths. Fields are known by number, which stays valid while the
// document is not reset. A document is used again from message to message
// without allocating once it has grown. Owned by one goroutine.
type Document struct {
	fields []Field
	marks  []protoMark // of open protobuf messages: where their fields are
	pieces protoPieces
	arena  []byte    // names and texts that had to be decoded
	names  nameTable // of wide objects, while they are looked at
}

// FieldsMax bounds the fields of one document: a message of more cannot be
// taken apart. It keeps what a message costs in memory below 1 GB.
const FieldsMax = 4 << 20

// ParseError reports a message that cannot be taken apart.
type ParseError struct {
	Type     string // the message type's name
	Offset   int    // in bytes from the start of the message
	Found    string
	Expected string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%s message, byte %d: found %s, expected %s", e.Type, e.Offset, e.Found, e.Expected)
}

// Reset empties the document but for its root.
func (d *Document) Reset() {
	d.fields = append(emptied(d.fields, keptElements), Field{Form: Object, parent: -1, first: -1, last: -1, prev: -1, next: -1})
	d.arena = emptied(d.arena, keptBytes)
}

// Read resets the document and takes a message apart into it. The document
// aliases body.
func (d *Document) Read(t Type, body []byte) error {
	d.Reset()
	return t.Parse(body, d, 0)
}

// Field returns a field, valid until another one is appended.
func (d *Document) Field(i int32) *Field { return &d.fields[i] }

// First is the first child of a field, -1 when it has none.
func (d *Document) First(i int32) int32 { return d.fields[i].first }

// Next is the field behind a field in the same parent, -1 at the end.
func (d *Document) Next(i int32) int32 { return d.fields[i].next }

// Full reports whether the document holds FieldsMax fields.
func (d *Document) Full() bool { return len(d.fields) >= FieldsMax }

// Append adds a last child to a field. The field's links are set here.
func (d *Document) Append(parent int32, f Field) int32 {
	i := int32(len(d.fields))
	f.first, f.last = -1, -1
	d.fields = append(d.fields, f)
	d.link(parent, d.fields[parent].last, i)
	return i
}

// link puts a field behind a sibling, in front of all when that is -1.
func (d *Document) link(parent, behind, i int32) {
	p, f := &d.fields[parent], &d.fields[i]
	f.parent, f.prev = parent, behind
	if behind < 0 {
		f.next, p.first = p.first, i
	} else {
		f.next, d.fields[behind].next = d.fields[behind].next, i
	}
	if f.next < 0 {
		p.last = i
	} else {
		d.fields[f.next].prev = i
	}
}

// unlink takes a field out. Its own links stay, so that a walk over its
// siblings can go on from it.
func (d *Document) unlink(i int32) {
	f := &d.fields[i]
	if f.prev < 0 {
		d.fields[f.parent].first = f.next
	} else {
		d.fields[f.prev].next = f.next
	}
	if f.next < 0 {
		d.fields[f.parent].last = f.prev
	} else {
		d.fields[f.next].prev = f.prev
	}
}

// changed takes back the raw bytes of a field and of all around it: they no
// longer say what the document says.
func (d *Document) changed(i int32) {
	for ; i >= 0; i = d.fields[i].parent {
		d.fields[i].Raw = nil
	}
}

// keepText copies a text into the document.
func (d *Document) keepText(text string) []byte {
	start := len(d.arena)
	d.arena = append(d.arena, text...)
	return d.arena[start:len(d.arena):len(d.arena)]
}

// Child finds the first child with a name, -1 when there is none.
func (d *Document) Child(parent int32, name string) int32 {
	for i := d.fields[parent].first; i >= 0; i = d.fields[i].next {
		if f := &d.fields[i]; f.Name != nil && string(f.Name) == name {
			return i
		}
	}
	return -1
}

// Find walks down a path by the first child of each name, -1 when it leads
// nowhere.
func (d *Document) Find(p Path) int32 {
	at := int32(0)
	for _, step := range p {
		if at = d.Child(at, step); at < 0 {
			return -1
		}
	}
	return at
}

// Set makes a path a scalar, and objects of the steps that lead there. What
// stood on the path is replaced, in all its occurrences, at the place of the
// first; attributes of an XML element stay.
func (d *Document) Set(p Path, v Value) {
	at := int32(0)
	for _, step := range p {
		d.openFor(at, step)
		i := d.Child(at, step)
		if i < 0 {
			d.changed(at)
			i = d.Append(at, Field{Name: d.keepText(step)})
		}
		d.removeOthers(at, i)
		at = i
	}
	d.changed(at)
	f := &d.fields[at]
	switch f.Form {
	case Element, Object:
		d.removeContent(at)
		if f.first < 0 {
			f.Form = Scalar
		}
	default:
		f.Form, f.first, f.last = Scalar, -1, -1
	}
	f.Value = v
}

// Remove takes a path out, in all its occurrences, and nothing around it. A
// path that is not there is left alone.
func (d *Document) Remove(p Path) {
	i := d.Find(p)
	if i < 0 || i == 0 {
		return
	}
	at := d.fields[i].parent
	d.removeOthers(at, i)
	d.changed(at)
	d.unlink(i)
}

// openFor makes a field ready to hold a child.
func (d *Document) openFor(i int32, step string) {
	f := &d.fields[i]
	switch f.Form {
	case Object:
		return
	case Element, Scalar:
		if f.Form == Scalar {
			f.Form = Object
		}
		if step[0] != '@' && !f.Value.IsNull() {
			d.changed(i)
			f.Value = Value{}
		}
	default:
		d.changed(i)
		f.Form, f.first, f.last = Object, -1, -1
	}
}

// removeContent takes everything out of a field but attributes.
func (d *Document) removeContent(i int32) {
	for c := d.fields[i].first; c >= 0; c = d.fields[c].next {
		if !d.fields[c].isAttribute() {
			d.unlink(c)
			d.changed(i)
		}
	}
}

func (f *Field) isAttribute() bool { return len(f.Name) > 0 && f.Name[0] == '@' }

// removeOthers takes out the siblings of a field that have its name.
func (d *Document) removeOthers(parent, only int32) {
	name := d.fields[only].Name
	for c := d.fields[parent].first; c >= 0; c = d.fields[c].next {
		if f := &d.fields[c]; c != only && f.Name != nil && bytes.Equal(f.Name, name) {
			d.unlink(c)
			d.changed(parent)
		}
	}
}

// Extract fills out with what the document holds on the trie's paths.
func (d *Document) Extract(t *Trie, out *Values) {
	out.begin(t)
	d.extract(0, t.root, out)
}

func (d *Document) extract(i int32, n *node, out *Values) {
	f := &d.fields[i]
	switch f.Form {
	case Opaque:
		return
	case Scalar:
		if n.slot >= 0 {
			out.add(n.slot, f.Value)
		}
		return
	case Array:
		for c := f.first; c >= 0; c = d.fields[c].next {
			d.extract(c, n, out)
		}
		return
	}
	if n.slot >= 0 && (!f.Value.IsNull() || f.Form == Element && !d.hasElements(i)) {
		out.add(n.slot, f.Value)
	}
	if len(n.children) == 0 {
		return
	}
	for c := f.first; c >= 0; c = d.fields[c].next {
		if child := n.child(d.fields[c].Name); child != nil {
			d.extract(c, child, out)
		}
	}
}

// hasElements reports whether a field holds more than attributes.
func (d *Document) hasElements(i int32) bool {
	for c := d.fields[i].first; c >= 0; c = d.fields[c].next {
		if !d.fields[c].isAttribute() {
			return true
		}
	}
	return false
}
