package expr

import (
	"fmt"
	"strings"

	"farad/expr/message"
)

// FieldList is a block of constructed fields (02-expressions §12): expressions
// with the paths that their values go to. It is immutable and may be used by
// several goroutines, each with a Scratch of its own.
type FieldList struct {
	fields     []constructed
	paths      []message.Path
	qualifiers []Qualifier // of which messages are read
	volatile   bool
	trie       *message.Trie
	slots      []uint32
}

// constructed is one field of a list.
type constructed struct {
	source   node
	path     message.Path
	optional bool // is left out when it is NULL
	// written is the number of the path that later fields of the block read the
	// new value on; -1 when they read the message as it was.
	written int
}

// Made is a value that goes to a path of a message.
type Made struct {
	Path  message.Path
	Value message.Value
	// Optional: a NULL is left out, and takes away what the message has there.
	Optional bool
}

// FieldsMax bounds the fields of a list.
const FieldsMax = 10_000

// FieldRules say what the fields of a block may be.
type FieldRules struct {
	Previous   bool // OF PREVIOUS and OF CURRENT: enrichment
	SetCurrent bool // HINT SET_CURRENT: preprocessing and enrichment
	// Lookups are what VALUE_LOOKUP may name, in preprocessing and enrichment.
	Lookups map[string]Lookup
}

// Preprocessing and Enrichment are the rules of these blocks (02-expressions
// 12.5, 12.6).
var (
	Preprocessing = FieldRules{SetCurrent: true}
	Enrichment    = FieldRules{Previous: true, SetCurrent: true}
)

// CompileFields reads the fields of a block, each text a field or a list of
// them divided by commas. The error wraps a *SyntaxError.
func CompileFields(rules FieldRules, texts ...string) (*FieldList, error) {
	p := parser{byPath: map[string]int{}, rules: rules}
	fields, err := p.fieldTexts(texts)
	if err != nil {
		return nil, err
	}
	l := &FieldList{fields: fields, paths: p.paths, qualifiers: p.qualifiers, volatile: p.volatile}
	l.bind()
	return l, nil
}

// bind gives the paths slots. A path that is written for later fields gets one
// too.
func (l *FieldList) bind() {
	l.trie = message.NewTrie()
	for _, p := range l.paths {
		l.slots = append(l.slots, l.trie.Add(p))
	}
}

// Destinations are the paths that values go to, in order.
func (l *FieldList) Destinations() []message.Path {
	var paths []message.Path
	for _, f := range l.fields {
		paths = append(paths, f.path)
	}
	return paths
}

// Qualifiers are the messages beside the plain one that identifiers name.
func (l *FieldList) Qualifiers() []Qualifier { return l.qualifiers }

// Deterministic reports whether equal messages give equal fields.
func (l *FieldList) Deterministic() bool { return !l.volatile }

// Input is a message that fields are made of.
type Input struct {
	Kind      message.Type
	Body      []byte
	Qualifier Qualifier
}

// read extracts what expressions need of several messages.
func (s *Scratch) read(t *message.Trie, inputs []Input) {
	s.sources = s.sources[:0]
	size := 0
	for i, in := range inputs {
		s.sources = append(s.sources, message.Source{Kind: in.Kind, Body: in.Body, Step: in.Qualifier.step()})
		if i == 0 {
			size = len(in.Body)
		}
	}
	message.ExtractAll(s.sources, t, &s.values)
	clear(s.sources)
	s.environment.values, s.environment.context, s.environment.size = &s.values, s.Context, size
	s.environment.slow = 0
	s.environment.begin()
}

// Make evaluates the block over messages, of which the first is the one that
// message functions speak of. A message that is not there gives NULL. The
// fields are valid until the scratch is used again.
func (l *FieldList) Make(s *Scratch, inputs ...Input) []Made {
	s.read(l.trie, inputs)
	s.environment.slots = l.slots
	s.made = s.made[:0]
	for i := range l.fields {
		f := &l.fields[i]
		v := f.source.value(&s.environment)
		if v.Text != nil && f.written >= 0 {
			v = s.environment.keep(v)
		}
		s.made = append(s.made, Made{f.path, v, f.optional})
		if f.written >= 0 {
			s.values.Put(l.slots[f.written], v)
		}
	}
	return s.made
}

// keep copies a text to where it stays until the next evaluation.
func (e *environment) keep(v message.Value) message.Value {
	start := len(e.texts)
	e.texts = append(e.texts, v.Text...)
	v.Text = e.texts[start:len(e.texts):len(e.texts)]
	return v
}

// Put writes fields into a document.
func Put(d *message.Document, fields []Made) {
	for _, f := range fields {
		if f.Optional && f.Value.IsNull() {
			d.Remove(f.Path)
		} else {
			d.Set(f.Path, f.Value)
		}
	}
}

// fieldTexts reads all fields of a block.
func (p *parser) fieldTexts(texts []string) ([]constructed, error) {
	var all []constructed
	for i, text := range texts {
		fields, err := p.fields(text)
		if err != nil && len(texts) > 1 {
			err = fmt.Errorf("field %d: %w", i+1, err)
		}
		if err != nil {
			return nil, err
		}
		if all = append(all, fields...); len(all) > FieldsMax {
			return nil, &SyntaxError{Found: fmt.Sprintf("%d fields", len(all)), Expected: fmt.Sprintf("at most %d", FieldsMax)}
		}
	}
	p.linkWritten(all)
	return all, nil
}

// fields reads one text.
func (p *parser) fields(text string) ([]constructed, error) {
	if len(text) > FilterBytesMax {
		return nil, &SyntaxError{Offset: FilterBytesMax, Found: fmt.Sprintf("%d bytes", len(text)), Expected: fmt.Sprintf("at most %d", FilterBytesMax)}
	}
	p.lexer = lexer{text: text, topics: p.projecting}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var fields []constructed
	for {
		f, err := p.field()
		if err != nil {
			return nil, err
		}
		if fields = append(fields, f); p.token.kind == tokenEnd {
			return fields, nil
		}
		if !p.token.is(",") {
			return nil, p.fail("AS and a path, HINT, an operator, a comma or the end")
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
}

// field reads an expression with where its value goes.
func (p *parser) field() (constructed, error) {
	first := p.token
	source, err := p.expression()
	if err != nil {
		return constructed{}, err
	}
	f := constructed{source: source, written: -1}
	as, err := p.accept("AS")
	switch {
	case err != nil:
		return f, err
	case as:
		t := p.token
		if t.kind != tokenPath || t.subscript >= 0 || t.qualifier != (Qualifier{}) {
			return f, p.fail("a path such as /field, without a subscript or a topic, behind AS")
		}
		f.path = t.steps
		if err := p.advance(); err != nil {
			return f, err
		}
	default:
		id, ok := source.(*identifier)
		if !ok || id.subscript >= 0 {
			return f, p.lexer.fail(first.offset, "a path without a subscript, or an expression with AS and a path behind it")
		}
		f.path = first.steps
	}
	return f, p.hints(&f)
}

// hints reads HINT and what follows it. A comma goes on with the hints if one
// follows it, else with the fields.
func (p *parser) hints(f *constructed) error {
	hint, err := p.accept("HINT")
	if err != nil || !hint {
		return err
	}
	for {
		switch {
		case p.token.is("OPTIONAL"):
			f.optional = true
		case p.token.is("SET_CURRENT") && p.rules.SetCurrent:
			f.written = 0 // numbered by linkWritten
		case p.rules.SetCurrent:
			return p.fail("OPTIONAL or SET_CURRENT behind HINT")
		default:
			return p.fail("OPTIONAL behind HINT; SET_CURRENT is for preprocessing and enrichment")
		}
		if err := p.advance(); err != nil || !p.token.is(",") {
			return err
		}
		ahead := p.lexer
		t, err := ahead.next()
		if err != nil || !t.is("OPTIONAL") && !t.is("SET_CURRENT") {
			return nil
		}
		p.lexer, p.token = ahead, t
	}
}

// linkWritten finds which of the written paths are read at all.
func (p *parser) linkWritten(fields []constructed) {
	for i := range fields {
		if f := &fields[i]; f.written >= 0 {
			if number, ok := p.byPath[strings.Join(f.path, "\x00")]; ok {
				f.written = number
			} else {
				f.written = -1
			}
		}
	}
}
