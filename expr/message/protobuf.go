package message

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
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
	typeName, typeSetting, fileSetting := "", -1, -1
	for i, s := range d.Settings {
		switch s.Name {
		case "ProtoPath":
			paths.add(s.Value)
		case "ProtoFile":
			files, fileSetting = append(files, strings.TrimPrefix(s.Value, "/")), i
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
	message, err := paths.compile(files, typeName)
	if err != nil {
		at := fileSetting
		if message == nil && strings.HasPrefix(err.Error(), "no message") || strings.HasSuffix(err.Error(), "is no message") {
			at = typeSetting
		}
		return nil, &DefinitionError{at, err.Error(), "files that can be compiled, with a message of that name"}
	}
	p := &Protobuf{name: d.Name}
	switch message.ParentFile().Syntax() {
	case protoreflect.Proto2:
		p.version = 2
	case protoreflect.Proto3:
		p.version = 3
	default:
		return nil, &DefinitionError{fileSetting, "a syntax other than proto2 and proto3", "one of these"}
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

// protoPending is what a message holds in a field that is not repeated, as far
// as it has been read.
type protoPending struct {
	value Value
	body  []byte // of a message; the last, if there are several
	found bool
	again bool // several messages are to be joined, which merges them
}

// Extract walks the message.
func (p *Protobuf) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	p.extractAt(body, t.root, out)
}

func (p *Protobuf) extractAt(body []byte, n *node, out *Values) {
	out.pending = out.pending[:0]
	out.extractProto(body, n, p.table, 0)
}

// extractProto reads one message for the children of n. What is not repeated is
// kept until the message's end, since it may come again.
func (v *Values) extractProto(b []byte, n *node, t *protoTable, depth int) {
	base := len(v.pending)
	for range n.children {
		v.pending = append(v.pending, protoPending{})
	}
	v.readProto(b, n, t, base, depth)
	for i, child := range n.children {
		f := t.byName[child.name]
		if f == nil || f.repeated {
			continue
		}
		switch p := v.pending[base+i]; {
		case f.table == nil && p.found && child.slot >= 0:
			v.add(child.slot, p.value)
		case f.table == nil && child.slot >= 0:
			if !f.fallback.IsNull() {
				v.add(child.slot, f.fallback)
			}
		case f.table != nil && p.found:
			body := p.body
			if p.again {
				body = v.joinProto(b, f)
			}
			v.addProto(body, child, f.table, depth)
		}
	}
	v.pending = v.pending[:base]
}

// joinProto joins all messages of one field.
func (v *Values) joinProto(b []byte, f *protoField) []byte {
	start := len(v.arena)
	for len(b) > 0 {
		number, wire, size := protowire.ConsumeTag(b)
		if size < 0 {
			break
		}
		b = b[size:]
		value, size := protoRaw(number, wire, b)
		if size < 0 {
			break
		}
		if b = b[size:]; number == f.number && wire == f.wire {
			v.arena = append(v.arena, value...)
		}
	}
	return v.arena[start:len(v.arena):len(v.arena)]
}

// addProto adds a message that is present.
func (v *Values) addProto(b []byte, n *node, t *protoTable, depth int) {
	if n.slot >= 0 {
		v.add(n.slot, BoolValue(true))
	}
	if len(n.children) > 0 && depth < protoDepthMax {
		v.extractProto(b, n, t, depth+1)
	}
}

// readProto reads the fields of a message up to its end or a fault.
func (v *Values) readProto(b []byte, n *node, t *protoTable, base, depth int) {
	for len(b) > 0 {
		number, wire, size := protowire.ConsumeTag(b)
		if size < 0 {
			return
		}
		b = b[size:]
		f := t.byNumber[number]
		var child *node
		if f != nil {
			child = n.child(f.name)
		}
		if child == nil {
			if size = protowire.ConsumeFieldValue(number, wire, b); size < 0 {
				return
			}
			b = b[size:]
			continue
		}
		value, size := protoRaw(number, wire, b)
		if size < 0 {
			return
		}
		b = b[size:]
		switch {
		case wire == f.wire && f.table != nil && f.repeated:
			v.addProto(value, child, f.table, depth)
		case wire == f.wire && f.table != nil:
			p := &v.pending[base+child.place]
			p.again, p.found, p.body = p.found, true, value
		case wire == f.wire && f.repeated:
			if child.slot >= 0 {
				v.add(child.slot, f.value(value))
			}
		case wire == f.wire:
			v.pending[base+child.place] = protoPending{value: f.value(value), found: true}
		case wire == protowire.BytesType && f.repeated && f.table == nil && child.slot >= 0:
			for len(value) > 0 { // packed
				one, size := protoRaw(number, f.wire, value)
				if size < 0 {
					return
				}
				v.add(child.slot, f.value(one))
				value = value[size:]
			}
		}
	}
}

// protoRaw cuts a value, without the length or the end that is around it.
func protoRaw(number protowire.Number, wire protowire.Type, b []byte) ([]byte, int) {
	switch wire {
	case protowire.BytesType:
		return protowire.ConsumeBytes(b)
	case protowire.StartGroupType:
		return protowire.ConsumeGroup(number, b)
	}
	size := protowire.ConsumeFieldValue(number, wire, b)
	if size < 0 {
		return nil, size
	}
	return b[:size:size], size
}

// value reads a scalar that has been cut.
func (f *protoField) value(b []byte) Value {
	switch f.wire {
	case protowire.BytesType:
		return StringValue(b[:len(b):len(b)])
	case protowire.Fixed32Type:
		bits, _ := protowire.ConsumeFixed32(b)
		return f.number64(uint64(bits))
	case protowire.Fixed64Type:
		bits, _ := protowire.ConsumeFixed64(b)
		return f.number64(bits)
	}
	bits, _ := protowire.ConsumeVarint(b)
	return f.number64(bits)
}

// Parse makes a field of each that the schema knows, and opaque ones of the
// others.
func (p *Protobuf) Parse(body []byte, d *Document, at int32) error {
	d.marks = d.marks[:0]
	if offset, expected := d.parseProto(body, at, p.table, 1); expected != "" {
		return &ParseError{Type: p.name, Offset: len(body) - offset, Found: fmt.Sprintf("bytes % x", body[len(body)-offset:min(len(body), len(body)-offset+8)]), Expected: expected}
	}
	d.fields[at].Raw = body
	return nil
}

// parseProto reads one message into at. At a fault it says what was expected,
// and how many bytes of the message were left.
func (d *Document) parseProto(b []byte, at int32, t *protoTable, depth int) (left int, expected string) {
	if depth > protoDepthMax {
		return len(b), fmt.Sprintf("at most %d levels", protoDepthMax)
	}
	base := len(d.marks)
	for range t.fields {
		d.marks = append(d.marks, -1)
	}
	for len(b) > 0 {
		whole := b
		number, wire, tagSize := protowire.ConsumeTag(b)
		if tagSize < 0 || d.Full() {
			return len(b), fmt.Sprintf("the tag of a field, of at most %d", FieldsMax)
		}
		value, size := protoRaw(number, wire, b[tagSize:])
		if size < 0 {
			return len(b), "a field whose value ends"
		}
		size += tagSize
		b = b[size:]
		f := t.byNumber[number]
		raw, tag := whole[:size:size], whole[:tagSize:tagSize]
		packed := f != nil && wire == protowire.BytesType && f.wire != wire && f.repeated && f.table == nil
		if f == nil || wire != f.wire && !packed {
			d.Append(at, Field{Form: Opaque, Key: tag, Raw: raw})
			continue
		}
		mark := &d.marks[base+f.index]
		switch {
		case packed:
			array := d.Append(at, Field{Name: f.name, Key: tag, Raw: raw, Form: Array})
			for len(value) > 0 {
				one, size := protoRaw(number, f.wire, value)
				if size < 0 {
					return len(b), "packed values that end"
				}
				d.Append(array, Field{Value: f.value(one)})
				value = value[size:]
			}
		case f.table != nil:
			object := *mark
			if object < 0 || f.repeated {
				object = d.Append(at, Field{Name: f.name, Key: tag, Raw: raw, Form: Object, Value: BoolValue(true)})
				d.marks[base+f.index] = object
			} else {
				d.fields[object].Raw = nil // joined of several
			}
			if left, expected = d.parseProto(value, object, f.table, depth+1); expected != "" {
				return left + len(b), expected
			}
		default:
			if *mark >= 0 && !f.repeated {
				d.unlink(*mark)
			}
			*mark = d.Append(at, Field{Name: f.name, Key: tag, Raw: raw, Value: f.value(value)})
		}
	}
	d.marks = d.marks[:base]
	return 0, ""
}

// Write writes what was parsed, with messages that were merged composed anew.
// Fields that were made cannot be written and are not.
func (p *Protobuf) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		f := &d.fields[i]
		switch {
		case f.Raw != nil:
			dst = append(dst, f.Raw...)
		case f.Key == nil || f.Form != Object:
		default:
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
