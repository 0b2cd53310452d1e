package expr

import (
	"fmt"
	"slices"
	"sync"

	"farad/expr/message"
	"farad/expr/pattern"
)

// Filter is a compiled expression. It is immutable and may be used by several
// goroutines, each with a Scratch of its own.
type Filter struct {
	text  string
	root  node
	paths []message.Path

	backtracks bool               // holds a regular expression whose match may take long
	slow       []*pattern.Pattern // those that are known

	volatile bool // calls a function that is not deterministic

	once  sync.Once // makes own
	own   *message.Trie
	slots []uint32
}

// CompileFilter reads an expression. The error is a *SyntaxError.
func CompileFilter(text string) (*Filter, error) {
	if len(text) > FilterBytesMax {
		return nil, &SyntaxError{Offset: FilterBytesMax, Found: fmt.Sprintf("a filter of %d bytes", len(text)), Expected: fmt.Sprintf("at most %d", FilterBytesMax)}
	}
	p := parser{lexer: lexer{text: text}, byPath: map[string]int{}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	root, err := p.expression()
	if err != nil {
		return nil, err
	}
	if p.token.kind != tokenEnd {
		return nil, p.fail("an operator or the end of the expression")
	}
	return &Filter{text: text, root: root, paths: p.paths, volatile: p.volatile, backtracks: p.backtracks, slow: p.slow}, nil
}

// Text is the expression as it was given.
func (f *Filter) Text() string { return f.text }

// Paths are the places that the expression reads.
func (f *Filter) Paths() []message.Path { return f.paths }

// Deterministic reports whether equal messages always have equal outcomes:
// whether no function is called that is not deterministic, even where its
// value is never used (02-expressions §9).
func (f *Filter) Deterministic() bool { return !f.volatile }

// Backtracks reports whether the expression holds a regular expression whose
// match may take up to pattern.TimeLimit, or one that is only known when it is
// evaluated.
func (f *Filter) Backtracks() bool { return f.backtracks }

// GivenUp reports whether one of the expression's regular expressions took too
// long so often that it is not tried any more.
func (f *Filter) GivenUp() bool {
	return slices.ContainsFunc(f.slow, (*pattern.Pattern).GivenUp)
}

// Scratch is what evaluating needs, used again from message to message. Owned
// by one goroutine.
type Scratch struct {
	// Context is what functions that look beyond the message say; nil when
	// they are NULL.
	Context *Context

	values      message.Values
	environment environment
	ids         []uint32
	sources     []message.Source
	made        []Made
	subject     []byte // text of an expression that an index is asked for
}

// NewScratch returns an empty scratch.
func NewScratch() *Scratch { return &Scratch{} }

// Eval evaluates the expression over one message on its own, outside of a
// Matcher. The value is valid until the scratch is used again.
func (f *Filter) Eval(kind message.Type, body []byte, s *Scratch) message.Value {
	return f.root.value(f.bind(kind, body, s))
}

// Match reports whether the expression is true for one message on its own.
func (f *Filter) Match(kind message.Type, body []byte, s *Scratch) bool {
	return f.root.truth(f.bind(kind, body, s)) == isTrue
}

// begin prepares evaluations over one message, whose values are there.
func (s *Scratch) begin(body []byte) {
	s.environment.values, s.environment.context, s.environment.size = &s.values, s.Context, len(body)
	s.environment.slow = 0
}

func (f *Filter) bind(kind message.Type, body []byte, s *Scratch) *environment {
	f.once.Do(func() {
		f.own = message.NewTrie()
		for _, p := range f.paths {
			f.slots = append(f.slots, f.own.Add(p))
		}
	})
	kind.Extract(body, f.own, &s.values)
	s.environment.slots = f.slots
	s.begin(body)
	s.environment.begin()
	return &s.environment
}
