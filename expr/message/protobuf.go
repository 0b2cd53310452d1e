package message

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// Protobuf is the type protobuf (03-message-types §3.7): one kind of message,
// declared by .proto files. Steps are field names; the message's own name and
// those of oneofs are none. A message within the message has a value of its own
// on its path, true, so that it is not NULL where it is present.
//
// An absent field has its default value in filters and keys, but in documents,
// and so in deltas, it is absent; so is a member of a oneof that another one
// was chosen of, and every field of a message that is absent itself. Of a
// field that is not repeated the last value on the wire counts, so a message is
// read to its end.
type Protobuf struct {
	name    string
	version int // of the syntax: 2 or 3
	table   *protoTable
}

// protoDepthMax bounds how deep messages are followed.
const protoDepthMax = 100

func newProtobuf(d Definition, _ *Types) (Type, error) {
	paths := protoPaths{}
	var files []string
	var fileSettings []int
	typeName, typeSetting := "", -1
	for i, s := range d.Settings {
		switch s.Name {
		case "ProtoPath":
			paths.add(s.Value)
		case "ProtoFile":
			files, fileSettings = append(files, strings.TrimPrefix(s.Value, "/")), append(fileSettings, i)
		case "Type":
			typeName, typeSetting = s.Value, i
		default:
			return nil, noSetting(d, i, "ProtoPath", "ProtoFile", "Type")
		}
	}
	switch {
	case len(paths) == 0:
		return nil, &DefinitionError{-1, "no ProtoPath", "at least one directory of .proto files"}
	case len(files) == 0:
		return nil, &DefinitionError{-1, "no ProtoFile", "the .proto file of the message"}
	case typeName == "":
		return nil, &DefinitionError{-1, "no Type", "the message's name with its package"}
	}
	schema, file, err := paths.compile(files)
	if err != nil {
		return nil, &DefinitionError{fileSettings[file], err.Error(), "files that can be compiled"}
	}
	descriptor, err := schema.FindDescriptorByName(protoreflect.FullName(typeName))
	if err != nil {
		return nil, &DefinitionError{typeSetting, fmt.Sprintf("no %q in %s", typeName, strings.Join(files, ", ")), "a message's name with its package"}
	}
	message, ok := descriptor.(protoreflect.MessageDescriptor)
	if !ok {
		return nil, &DefinitionError{typeSetting, fmt.Sprintf("%q, which is no message", typeName), "a message's name with its package"}
	}
	p := &Protobuf{name: d.Name}
	switch message.ParentFile().Syntax() {
	case protoreflect.Proto2:
		p.version = 2
	case protoreflect.Proto3:
		p.version = 3
	default:
		return nil, &DefinitionError{typeSetting, fmt.Sprintf("%s with another syntax", message.ParentFile().Path()), "proto2 or proto3"}
	}
	p.table = (&protoCompiler{tables: map[protoreflect.FullName]*protoTable{}}).table(message)
	return p, nil
}

// Name returns the name that the type was defined under.
func (p *Protobuf) Name() string { return p.name }

// Capabilities are to be read, and with version 2, which tells absent fields
// from others, deltas.
func (p *Protobuf) Capabilities() Capabilities {
	return Capabilities{Parsed: true, Delta: p.version == 2}
}

// protoPending is what a message holds in a wanted field that is not repeated,
// as far as it has been read.
type protoPending struct {
	field    *protoField // nil for a step that the schema does not have
	from, to int         // the value of a scalar, the last if there are several
	pieces   int         // of a message
	found    bool
}

// Extract walks the message.
func (p *Protobuf) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	p.extractAt(body, t.root, out)
}

func (p *Protobuf) extractAt(body []byte, n *node, out *Values) {
	if len(n.children) > 0 {
		w := protoWalk{b: body, out: out}
		out.pending, out.pieces = out.pending[:0], out.pieces[:0]
		w.message(out.pieces.add(noPiece, 0, len(body)), n, p.table, 1)
	}
}

// protoWalk is one pass over a message.
type protoWalk struct {
	b   []byte
	out *Values
}

// message reads a message for the children of n. What is not repeated is kept
// until the message's end, since it may come again.
func (w *protoWalk) message(pieces int, n *node, t *protoTable, depth int) {
	v := w.out
	pendingBase, piecesBase := len(v.pending), len(v.pieces)
	wanted := uint64(0) // protoField.bits of what has to be looked at
	for _, child := range n.children {
		f := t.byName[child.name]
		v.pending = append(v.pending, protoPending{field: f})
		if f != nil {
			wanted |= f.bits
		}
	}
	for at, more := v.pieces.first(pieces), wanted != 0; more; {
		piece := v.pieces[at]
		more = w.fields(piece.from, piece.to, n, t, pendingBase, wanted, depth) && at != pieces
		at = piece.next
	}
	for i, child := range n.children {
		p := v.pending[pendingBase+i]
		switch f := p.field; {
		case f == nil || f.repeated:
		case f.table != nil && p.found:
			w.present(p.pieces, child, f.table, depth)
		case f.table != nil || child.slot < 0:
		case p.found:
			v.add(child.slot, f.value(w.b[p.from:p.to]))
		case !f.fallback.IsNull():
			v.add(child.slot, f.fallback)
		}
	}
	v.pending, v.pieces = v.pending[:pendingBase], v.pieces[:piecesBase]
}

// present adds a message within the message.
func (w *protoWalk) present(pieces int, n *node, t *protoTable, depth int) {
	if n.slot >= 0 {
		w.out.add(n.slot, BoolValue(true))
	}
	if len(n.children) > 0 && depth < protoDepthMax {
		w.message(pieces, n, t, depth+1)
	}
}

// fields reads the fields of a message between two offsets; false at a fault.
func (w *protoWalk) fields(i, to int, n *node, t *protoTable, base int, wanted uint64, depth int) bool {
	v, b := w.out, w.b[:to]
	for i < to {
		tag, from, to, end := cutProto(b, i)
		if end < 0 {
			return false
		}
		if i = end; wanted>>(tag.number()&63)&1 == 0 {
			continue
		}
		f := t.field(tag.number())
		if f == nil {
			continue
		}
		if f.choice != 0 && tag == f.tag() {
			v.forgetRivals(base, f)
		}
		child := n.child(f.name)
		if child == nil {
			continue
		}
		switch {
		case tag == f.tag() && f.repeated && f.table != nil:
			piece := v.pieces.add(noPiece, from, to)
			w.present(piece, child, f.table, depth)
			v.pieces = v.pieces[:piece]
		case tag == f.tag() && f.repeated:
			if child.slot >= 0 {
				v.add(child.slot, f.value(b[from:to]))
			}
		case tag == f.tag():
			p := &v.pending[base+child.place]
			if f.table != nil {
				if !p.found {
					p.pieces = noPiece
				}
				p.pieces = v.pieces.add(p.pieces, from, to)
			}
			p.from, p.to, p.found = from, to, true
		case f.packs(tag.wire()) && child.slot >= 0:
			if !w.packed(from, to, child.slot, f) {
				return false
			}
		}
	}
	return true
}

// packed adds values that stand together; false when the last one does not
// end.
func (w *protoWalk) packed(i, to int, slot int32, f *protoField) bool {
	for b := w.b[:to]; i < to; {
		end := scalarEnd(b, i, f.wire)
		if end < 0 {
			return false
		}
		w.out.add(slot, f.value(b[i:end]))
		i = end
	}
	return true
}

// forgetRivals forgets the other members of a oneof: the last one that stands
// in a message is the one that was chosen.
func (v *Values) forgetRivals(base int, f *protoField) {
	for i := base; i < len(v.pending); i++ {
		if p := &v.pending[i]; p.field != nil && p.field != f && p.field.choice == f.choice {
			p.found = false
		}
	}
}
