package message

import (
	"fmt"
	"slices"
	"strings"
)

// Setting is one element of a MessageType in a configuration, in document
// order. Elements may be repeated.
type Setting struct{ Name, Value string }

// Definition declares a message type (10-configuration §5.4).
type Definition struct {
	Name     string
	Module   string // what the type is made of, one of Modules
	Settings []Setting
}

// DefinitionError reports a definition that cannot be used.
type DefinitionError struct {
	Setting int    // which of the definition's settings; -1 for the definition itself
	Found   string // what stands there
	Want    string // what would have been right
}

func (e *DefinitionError) Error() string {
	return fmt.Sprintf("found %s, expected %s", e.Found, e.Want)
}

// Types are the message types of one instance, by name: the built-in ones, and
// those that a configuration declares. It is immutable once an engine uses it.
type Types struct{ byName map[string]Type }

// builder makes a type of a definition that may name types defined before it.
type builder func(d Definition, known *Types) (Type, error)

// modules are what declared types are made of.
var modules = map[string]builder{
	"json":             newJSON,
	"fix":              newFIX,
	"nvfix":            newNVFIX,
	"xml":              newXML,
	"bson":             newBSON,
	"msgpack":          newMessagePack,
	"bflat":            newBFlat,
	"struct":           newStruct,
	"protobuf":         newProtobuf,
	"composite-local":  newLocalComposite,
	"composite-global": newGlobalComposite,
	"binary":           newBinary,
}

// builtIn are the types that need no declaration; each is its module without
// settings.
var builtIn = []string{"json", "fix", "nvfix", "xml", "bson", "msgpack", "bflat", "binary"}

// NewTypes returns the built-in types.
func NewTypes() *Types {
	t := &Types{byName: map[string]Type{}}
	for _, name := range builtIn {
		if err := t.Define(Definition{Name: name, Module: name}); err != nil {
			panic("message: built-in type " + name + ": " + err.Error())
		}
	}
	return t
}

// Define adds a declared type. The error is a *DefinitionError. A built-in
// type may be declared again, with settings of its own, once.
func (t *Types) Define(d Definition) error {
	build := modules[d.Module]
	if build == nil {
		return &DefinitionError{-1, fmt.Sprintf("module %q", d.Module), "one of " + strings.Join(Modules(), ", ")}
	}
	kind, err := build(d, t)
	if err != nil {
		return err
	}
	t.byName[d.Name] = kind
	return nil
}

// ByName finds a type.
func (t *Types) ByName(name string) (Type, bool) {
	kind, ok := t.byName[name]
	return kind, ok
}

// Names are the names of all types, sorted.
func (t *Types) Names() []string {
	names := make([]string, 0, len(t.byName))
	for name := range t.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Modules are the names of what declared types can be made of, sorted.
func Modules() []string {
	names := make([]string, 0, len(modules))
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// noSetting reports a setting that a module does not have.
func noSetting(d Definition, i int, known ...string) error {
	want := "no setting: module " + d.Module + " has none"
	if len(known) > 0 {
		want = "one of " + strings.Join(known, ", ")
	}
	return &DefinitionError{i, "setting " + d.Settings[i].Name, want}
}
