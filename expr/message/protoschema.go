package message

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// protoTable is what reading needs of one kind of protobuf message, compiled
// from its descriptor once.
type protoTable struct {
	fields []protoField
	near   []*protoField // by number, up to protoNearMax
	far    map[protowire.Number]*protoField
	byName map[string]*protoField
}

// protoNearMax bounds the field numbers that are looked up in a slice.
const protoNearMax = 1023

// protoField is a field of a table.
type protoField struct {
	index    int // in the table
	number   protowire.Number
	name     []byte
	kind     protoreflect.Kind
	wire     protowire.Type // of one value
	repeated bool
	table    *protoTable // of messages and groups
	choice   uint16      // the oneof that it is a member of, from 1; 0 for none
	rivals   []int       // the other members, by their places in the table
	// fallback is the value of an absent field; NULL for those that are just
	// absent.
	fallback Value
	// bits are those of the numbers that have to be looked at to know the
	// field's value, its own and those of its rivals: bit n%64 for number n.
	bits uint64
}

// tag is what stands in front of one value.
func (f *protoField) tag() protoTag { return protoTag(f.number)<<3 | protoTag(f.wire) }

// field finds a field by its number; nil for one that the schema does not have.
func (t *protoTable) field(number protowire.Number) *protoField {
	if int(number) < len(t.near) {
		return t.near[number]
	}
	return t.far[number]
}

// protoCompiler makes tables of descriptors, each once: messages may hold
// themselves.
type protoCompiler struct {
	tables map[protoreflect.FullName]*protoTable
}

func (c *protoCompiler) table(d protoreflect.MessageDescriptor) *protoTable {
	if t := c.tables[d.FullName()]; t != nil {
		return t
	}
	t := &protoTable{far: map[protowire.Number]*protoField{}, byName: map[string]*protoField{}}
	c.tables[d.FullName()] = t
	t.fields = make([]protoField, d.Fields().Len())
	for i := range t.fields {
		fd := d.Fields().Get(i)
		f := &t.fields[i]
		*f = protoField{
			index: i, number: fd.Number(), name: []byte(fd.Name()), kind: fd.Kind(), wire: protoWireType(fd.Kind()),
			repeated: fd.Cardinality() == protoreflect.Repeated, fallback: protoDefault(fd), bits: 1 << (fd.Number() & 63),
		}
		if oneof := fd.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
			f.choice = uint16(oneof.Index() + 1)
		}
		t.enter(f)
		if fd.Message() != nil {
			f.table = c.table(fd.Message())
		}
	}
	t.findRivals()
	return t
}

func (t *protoTable) enter(f *protoField) {
	t.byName[string(f.name)] = f
	if f.number > protoNearMax {
		t.far[f.number] = f
		return
	}
	for int(f.number) >= len(t.near) {
		t.near = append(t.near, nil)
	}
	t.near[f.number] = f
}

// findRivals tells the members of each oneof of each other.
func (t *protoTable) findRivals() {
	members := map[uint16][]int{}
	for i := range t.fields {
		if choice := t.fields[i].choice; choice != 0 {
			members[choice] = append(members[choice], i)
		}
	}
	for i := range t.fields {
		f := &t.fields[i]
		for _, other := range members[f.choice] {
			if other != i {
				f.rivals = append(f.rivals, other)
				f.bits |= 1 << (t.fields[other].number & 63)
			}
		}
	}
}

// protoDefault is what an absent field counts as. Members of a oneof, messages
// and repeated fields are just absent; an empty text is NULL.
func protoDefault(fd protoreflect.FieldDescriptor) Value {
	if fd.Cardinality() == protoreflect.Repeated || fd.Message() != nil || fd.ContainingOneof() != nil && !fd.ContainingOneof().IsSynthetic() {
		return Value{}
	}
	v := fd.Default()
	switch fd.Kind() {
	case protoreflect.BoolKind:
		return BoolValue(v.Bool())
	case protoreflect.EnumKind:
		return IntValue(int64(v.Enum()))
	case protoreflect.StringKind:
		return StringValue([]byte(v.String()))
	case protoreflect.BytesKind:
		return StringValue(v.Bytes())
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return FloatValue(v.Float())
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind:
		return UintValue(v.Uint())
	}
	return IntValue(v.Int())
}

func protoWireType(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	}
	return protowire.VarintType
}

// protoPaths are the directories that files are looked for in, by alias.
type protoPaths map[string][]string

func (p protoPaths) add(setting string) {
	alias, directory, found := strings.Cut(setting, ";")
	if !found {
		alias, directory = "", setting
	}
	p[alias] = append(p[alias], directory)
}

// open finds a file as a ProtoFile or an import names it: with an alias in
// front, or in the directories without one.
func (p protoPaths) open(name string) (io.ReadCloser, error) {
	directories, rest := p[""], name
	if alias, below, found := strings.Cut(name, "/"); found && alias != "" && p[alias] != nil {
		directories, rest = p[alias], below
	}
	for _, directory := range directories {
		file, err := os.Open(filepath.Join(directory, filepath.FromSlash(rest)))
		if err == nil || !os.IsNotExist(err) {
			return file, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// compile reads the files and what they import. An error comes with the file
// that it is about, by its place among the given ones.
func (p protoPaths) compile(files []string) (schema linker.Resolver, file int, err error) {
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{Accessor: p.open})}
	compiled, err := compiler.Compile(context.Background(), files...)
	if err != nil {
		var placed reporter.ErrorWithPos
		if errors.As(err, &placed) {
			file = slices.Index(files, placed.GetPosition().Filename)
		}
		return nil, max(file, 0), err
	}
	return compiled.AsResolver(), 0, nil
}
