package message

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// protoTable is what reading needs of one kind of protobuf message, compiled
// from its descriptor once.
type protoTable struct {
	fields   []protoField
	byNumber map[protowire.Number]*protoField
	byName   map[string]*protoField
}

// protoField is a field of a table.
type protoField struct {
	index    int // in the table
	number   protowire.Number
	name     []byte
	kind     protoreflect.Kind
	wire     protowire.Type // of one value
	repeated bool
	table    *protoTable // of messages and groups
	// fallback is the value of an absent field; NULL for those that are just
	// absent.
	fallback Value
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
	t := &protoTable{byNumber: map[protowire.Number]*protoField{}, byName: map[string]*protoField{}}
	c.tables[d.FullName()] = t
	t.fields = make([]protoField, d.Fields().Len())
	for i := range t.fields {
		fd := d.Fields().Get(i)
		f := &t.fields[i]
		*f = protoField{
			index: i, number: fd.Number(), name: []byte(fd.Name()), kind: fd.Kind(), wire: protoWireType(fd.Kind()),
			repeated: fd.Cardinality() == protoreflect.Repeated, fallback: protoDefault(fd),
		}
		t.byNumber[f.number], t.byName[string(f.name)] = f, f
		if fd.Message() != nil {
			f.table = c.table(fd.Message())
		}
	}
	return t
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

// number64 makes a value of a number's bits as they stand on the wire.
func (f *protoField) number64(bits uint64) Value {
	switch f.kind {
	case protoreflect.BoolKind:
		return BoolValue(bits != 0)
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return IntValue(protowire.DecodeZigZag(bits))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return UintValue(uint64(uint32(bits)))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return UintValue(bits)
	case protoreflect.Int32Kind, protoreflect.EnumKind, protoreflect.Sfixed32Kind:
		return IntValue(int64(int32(bits)))
	case protoreflect.FloatKind:
		return FloatValue(float64(math.Float32frombits(uint32(bits))))
	case protoreflect.DoubleKind:
		return FloatValue(math.Float64frombits(bits))
	}
	return IntValue(int64(bits))
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

// compile reads the files and finds a message in them.
func (p protoPaths) compile(files []string, name string) (protoreflect.MessageDescriptor, error) {
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{Accessor: p.open})}
	compiled, err := compiler.Compile(context.Background(), files...)
	if err != nil {
		return nil, err
	}
	d, err := compiled.AsResolver().FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return nil, fmt.Errorf("no message %q in %s", name, strings.Join(files, ", "))
	}
	message, ok := d.(protoreflect.MessageDescriptor)
	if !ok {
		return nil, fmt.Errorf("%q is no message", name)
	}
	return message, nil
}
