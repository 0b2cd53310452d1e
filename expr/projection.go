package expr

import (
	"slices"

	"farad/expr/message"
)

// Projection is what a view or an aggregated query makes of groups of messages
// (02-expressions §11, §12; 06-views §4): fields over aggregates and over the
// last message, and the paths whose values tell groups apart. It is immutable
// and may be used by several goroutines, each with a Scratch of its own.
type Projection struct {
	list       FieldList
	aggregates []*aggregate
	grouping   []int  // numbers of paths
	plain      []bool // fields without aggregates: their value is kept of the last message
	kept       []int  // numbers of the paths that the other fields read of it
}

// CompileProjection reads the fields of a projection, each text a field or a
// list of them, and the identifiers that messages are grouped by. The error
// wraps a *SyntaxError.
func CompileProjection(fields, grouping []string) (*Projection, error) {
	p := parser{byPath: map[string]int{}, projecting: true}
	made, err := p.fieldTexts(fields)
	if err != nil {
		return nil, err
	}
	l := &Projection{list: FieldList{fields: made}, aggregates: p.aggregates}
	for _, f := range made {
		plain := !aggregates(f.source)
		if l.plain = append(l.plain, plain); !plain {
			l.kept = reads(f.source, l.kept)
		}
	}
	slices.Sort(l.kept)
	l.kept = slices.Compact(l.kept)
	for _, text := range grouping {
		numbers, err := p.grouping(text)
		if err != nil {
			return nil, err
		}
		l.grouping = append(l.grouping, numbers...)
	}
	l.list.paths, l.list.qualifiers, l.list.volatile = p.paths, p.qualifiers, p.volatile
	l.list.bind()
	return l, nil
}

// Destinations are the paths that the fields' values go to, in order.
func (l *Projection) Destinations() []message.Path { return l.list.Destinations() }

// Qualifiers are the topics that identifiers name.
func (l *Projection) Qualifiers() []Qualifier { return l.list.Qualifiers() }

// Deterministic reports whether equal messages give equal fields.
func (l *Projection) Deterministic() bool { return l.list.Deterministic() }

// aggregates reports whether an expression takes an aggregate's value.
func aggregates(n node) bool {
	if _, ok := n.(*aggregateValue); ok {
		return true
	}
	return slices.ContainsFunc(partsOf(n), aggregates)
}

// grouping reads identifiers divided by commas.
func (p *parser) grouping(text string) ([]int, error) {
	p.lexer = lexer{text: text, topics: true}
	if err := p.advance(); err != nil {
		return nil, err
	}
	var numbers []int
	for {
		t := p.token
		if t.kind != tokenPath || t.subscript >= 0 {
			return nil, p.fail("a path such as /field, without a subscript, to group by")
		}
		n, err := p.primary()
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n.(*identifier).path)
		switch {
		case p.token.kind == tokenEnd:
			return numbers, nil
		case !p.token.is(","):
			return nil, p.fail("a comma or the end of the grouping")
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
}

// Read prepares the scratch for messages that belong together: one, or those
// that a join brings together, each with its qualifier. AppendKey, Add and
// Remove then speak of these.
func (l *Projection) Read(s *Scratch, inputs ...Input) {
	s.read(l.list.trie, inputs)
	s.environment.slots = l.list.slots
}

// AppendKey appends what tells the group of the messages apart: the texts of
// the grouping values (06-views 4.14). NULL is a value of its own.
func (l *Projection) AppendKey(dst []byte, s *Scratch) []byte {
	for _, number := range l.grouping {
		v := s.values.First(l.list.slots[number])
		if v.IsNull() {
			dst = append(dst, 0)
			continue
		}
		dst = append(dst, 1)
		start := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		dst = v.AppendText(dst)
		size := uint32(len(dst) - start - 4)
		for i := range 4 {
			dst[start+i] = byte(size >> (8 * i))
		}
	}
	return dst
}

// Group is one group's state: about 100 bytes, and what its aggregates and the
// last message's values take. Guarded by its owner.
type Group struct {
	projection *Projection
	tallies    []tally
	fields     []message.Value // of the last message, where Projection.plain
	last       []message.Value // of the last message, by Projection.kept
	messages   int64
}

// NewGroup returns a group without messages.
func (l *Projection) NewGroup() *Group {
	g := &Group{projection: l, fields: make([]message.Value, len(l.plain)), last: make([]message.Value, len(l.kept))}
	for _, a := range l.aggregates {
		g.tallies = append(g.tallies, newTally(a))
	}
	return g
}

// Messages is how many messages are in the group.
func (g *Group) Messages() int64 { return g.messages }

// Add enters the messages that the scratch has read.
func (g *Group) Add(s *Scratch) {
	g.messages++
	for i, t := range g.tallies {
		t.add(g.argument(i, s))
	}
	for i, number := range g.projection.kept {
		retain(&g.last[i], s.values.First(g.projection.list.slots[number]))
	}
	s.environment.begin()
	for i, plain := range g.projection.plain {
		if plain {
			retain(&g.fields[i], g.projection.list.fields[i].source.value(&s.environment))
		}
	}
}

// retain copies a value with its text, in the room of the last one.
func retain(to *message.Value, v message.Value) {
	if v.Text != nil {
		v.Text = append(to.Text[:0], v.Text...)
	}
	*to = v
}

// Remove takes the messages out that the scratch has read, which have been
// added. Fields of the last message stay as they are.
func (g *Group) Remove(s *Scratch) {
	g.messages--
	for i, t := range g.tallies {
		t.remove(g.argument(i, s))
	}
}

func (g *Group) argument(i int, s *Scratch) message.Value {
	argument := g.projection.aggregates[i].argument
	if argument == nil {
		return message.Value{}
	}
	s.environment.begin()
	return argument.value(&s.environment)
}

// Make evaluates the fields of the group. They are valid until the scratch is
// used again or the group changes.
func (g *Group) Make(s *Scratch) []Made {
	l := &g.projection.list
	e := &s.environment
	s.values.Begin(l.trie)
	e.values, e.slots, e.context = &s.values, l.slots, s.Context
	e.begin()
	for i, number := range g.projection.kept {
		if !g.last[i].IsNull() {
			s.values.Put(l.slots[number], g.last[i])
		}
	}
	e.aggregates = e.aggregates[:0]
	for _, t := range g.tallies {
		e.aggregates = append(e.aggregates, t.result(e))
	}
	s.made = s.made[:0]
	for i := range l.fields {
		f := &l.fields[i]
		v := g.fields[i]
		if !g.projection.plain[i] {
			v = f.source.value(e)
		}
		s.made = append(s.made, Made{f.path, v, f.optional})
	}
	return s.made
}
