package message

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Struct is the type struct (03-message-types §3.8): fields at fixed offsets, as
// declared, without alignment. Messages cannot be written. Of one that is too
// short the fields that it does not hold are NULL; what is behind the last
// field is not read.
type Struct struct {
	name   string
	fields []structField
	byPath structStep
}

// structField is a declared field.
type structField struct {
	path   Path
	code   byte
	big    bool // byte order
	offset int
	size   int // bytes
}

// structStep is a step of the fields' paths.
type structStep struct {
	steps map[string]*structStep
	field int // number of the field whose path ends here; -1 for none
}

// Limits of a declaration.
const (
	structFieldsMax = 10_000
	structBytesMax  = 200 << 20
)

// structSizes are the sizes of codes that have one.
var structSizes = map[byte]int{
	'c': 1, 'b': 1, 'B': 1, '?': 1, 'h': 2, 'H': 2, 'i': 4, 'I': 4, 'l': 4, 'L': 4, 'q': 8, 'Q': 8, 'n': 8, 'N': 8, 'f': 4, 'd': 8,
}

// structCounted are the codes that need a count.
const structCounted = "xsSp"

func newStruct(d Definition, _ *Types) (Type, error) {
	s := &Struct{name: d.Name, byPath: structStep{field: -1}}
	offset := 0
	for i, setting := range d.Settings {
		if setting.Name != "Field" {
			return nil, noSetting(d, i, "Field")
		}
		f, err := parseStructField(setting.Value)
		if err != nil {
			return nil, &DefinitionError{i, err.Found, err.Want}
		}
		f.offset = offset
		if offset += f.size; offset > structBytesMax || i >= structFieldsMax {
			return nil, &DefinitionError{i, fmt.Sprintf("%d fields of %d bytes", i+1, offset), fmt.Sprintf("at most %d fields and %d bytes", structFieldsMax, structBytesMax)}
		}
		if f.code == 'x' {
			continue
		}
		if !s.byPath.add(f.path, len(s.fields)) {
			return nil, &DefinitionError{i, "field " + f.path.String(), "a path that is not taken and neither above nor below another field's"}
		}
		s.fields = append(s.fields, f)
	}
	if len(s.fields) == 0 {
		return nil, &DefinitionError{-1, "no Field", "at least one Field that is not padding"}
	}
	return s, nil
}

// parseStructField reads /name = [order][count]code.
func parseStructField(text string) (structField, *DefinitionError) {
	fail := func(found, want string) (structField, *DefinitionError) {
		return structField{}, &DefinitionError{-1, fmt.Sprintf("%s in %q", found, text), want}
	}
	path, layout, ok := strings.Cut(text, "=")
	path, layout = strings.TrimSpace(path), strings.TrimSpace(layout)
	if !ok {
		return fail("no equals sign", "/name = [order][count]code")
	}
	f := structField{path: strings.Split(strings.TrimPrefix(path, "/"), "/")}
	for _, step := range f.path {
		if !strings.HasPrefix(path, "/") || step == "" {
			return fail(fmt.Sprintf("path %q", path), "a path such as /name")
		}
	}
	if layout != "" && strings.IndexByte("@=<>", layout[0]) >= 0 {
		f.big = layout[0] == '>'
		layout = layout[1:]
	}
	digits := 0
	for digits < len(layout) && layout[digits]-'0' <= 9 {
		digits++
	}
	if len(layout) != digits+1 {
		return fail(fmt.Sprintf("layout %q", layout), "an order @ = < or > if any, a count if any, and one letter")
	}
	f.code = layout[digits]
	f.size, ok = structSizes[f.code]
	counted := strings.IndexByte(structCounted, f.code) >= 0
	if !ok && !counted {
		return fail(fmt.Sprintf("code %q", f.code), "one of x c b B ? h H i I l L q Q n N f d s S p")
	}
	if digits == 0 {
		if counted {
			return fail(fmt.Sprintf("code %q without a count", f.code), "a count in front of it")
		}
		return f, nil
	}
	count, err := strconv.Atoi(layout[:digits])
	if err != nil || count < 1 || count > structBytesMax {
		return fail("count "+layout[:digits], fmt.Sprintf("1 to %d", structBytesMax))
	}
	if !counted && f.code != 'c' && count != 1 {
		return fail(fmt.Sprintf("count %d of code %q", count, f.code), "a count only with x c s S p")
	}
	if counted || f.code == 'c' {
		f.size = count
	}
	return f, nil
}

// add enters a path; false when it meets another one.
func (s *structStep) add(p Path, field int) bool {
	for _, step := range p {
		if s.field >= 0 {
			return false
		}
		if s.steps == nil {
			s.steps = map[string]*structStep{}
		}
		next := s.steps[step]
		if next == nil {
			next = &structStep{field: -1}
			s.steps[step] = next
		}
		s = next
	}
	if s.field >= 0 || len(s.steps) > 0 {
		return false
	}
	s.field = field
	return true
}

// Name returns the name that the type was defined under.
func (s *Struct) Name() string { return s.name }

// Capabilities are to be read.
func (s *Struct) Capabilities() Capabilities { return Capabilities{Parsed: true} }

// Extract reads the wanted fields from where they are.
func (s *Struct) Extract(body []byte, t *Trie, out *Values) {
	out.begin(t)
	s.extractAt(body, t.root, out)
}

func (s *Struct) extractAt(body []byte, n *node, out *Values) { s.extract(body, n, &s.byPath, out) }

func (s *Struct) extract(body []byte, n *node, at *structStep, out *Values) {
	for _, child := range n.children {
		step := at.steps[child.name]
		switch {
		case step == nil:
		case step.field < 0:
			s.extract(body, child, step, out)
		case child.slot >= 0:
			if v, ok := s.fields[step.field].value(body); ok {
				out.add(child.slot, v)
			}
		}
	}
}

// value reads the field; false when the message does not hold it.
func (f *structField) value(body []byte) (Value, bool) {
	if f.offset+f.size > len(body) {
		return Value{}, false
	}
	b := body[f.offset : f.offset+f.size : f.offset+f.size]
	switch f.code {
	case 'c', 's':
		return StringValue(b), true
	case 'S':
		end := 0
		for end < len(b) && b[end] != 0 {
			end++
		}
		return StringValue(b[:end]), true
	case 'p':
		return StringValue(b[1 : 1+min(int(b[0]), len(b)-1)]), true
	}
	var room [8]byte
	if f.big {
		for i, c := range b {
			room[len(b)-1-i] = c
		}
	} else {
		copy(room[:], b)
	}
	bits := binary.LittleEndian.Uint64(room[:])
	shift := 64 - 8*f.size
	switch f.code {
	case '?':
		return BoolValue(bits != 0), true
	case 'f':
		return FloatValue(float64(math.Float32frombits(uint32(bits)))), true
	case 'd':
		return FloatValue(math.Float64frombits(bits)), true
	case 'B', 'H', 'I', 'L', 'Q', 'N':
		return UintValue(bits), true
	}
	return IntValue(int64(bits<<shift) >> shift), true
}

// Parse makes a field of each declared one that the message holds.
func (s *Struct) Parse(body []byte, d *Document, at int32) error {
	for i := range s.fields {
		f := &s.fields[i]
		v, ok := f.value(body)
		if !ok {
			continue
		}
		parent := at
		for _, step := range f.path[:len(f.path)-1] {
			next := d.Child(parent, step)
			if next < 0 {
				next = d.Append(parent, Field{Name: d.keepText(step), Form: Object})
			}
			parent = next
		}
		d.Append(parent, Field{Name: d.keepText(f.path[len(f.path)-1]), Value: v, Raw: body[f.offset : f.offset+f.size : f.offset+f.size]})
	}
	d.fields[at].Raw = body
	return nil
}

// Write copies a message that was not changed; nothing else can be written.
func (s *Struct) Write(dst []byte, d *Document, at int32) []byte {
	return append(dst, d.fields[at].Raw...)
}
