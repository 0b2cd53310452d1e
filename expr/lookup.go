package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"farad/expr/message"
)

// Lookup finds a field of the record whose lookup fields have some values, as
// VALUE_LOOKUP does (02-expressions §10.9).
type Lookup struct {
	// Arguments is how many values a call gives.
	Arguments int
	// Find returns the text of the field, appended to dst, of any record that
	// matches exactly; false for none. It keeps none of the values.
	Find func(dst []byte, values []message.Value) ([]byte, bool)
}

// lookupCall is a call of VALUE_LOOKUP. Records change, so it is never
// deterministic.
type lookupCall struct {
	find      func(dst []byte, values []message.Value) ([]byte, bool)
	arguments []node
}

func (n *lookupCall) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *lookupCall) constant() bool             { return false }

func (n *lookupCall) value(e *environment) message.Value {
	base := len(e.stack)
	for _, argument := range n.arguments {
		v := argument.value(e)
		e.stack = append(e.stack, v)
	}
	start := len(e.texts)
	text, found := n.find(e.texts, e.stack[base:])
	e.stack = e.stack[:base]
	if !found {
		return message.Value{}
	}
	e.texts = text
	return e.produced(start)
}

// lookup reads the arguments of VALUE_LOOKUP: the name of a lookup, and values.
func (p *parser) lookup(t token) (node, error) {
	fail := func(offset int, found, expected string) (node, error) {
		return nil, &SyntaxError{Offset: offset, Found: found, Expected: expected}
	}
	if p.rules.Lookups == nil {
		return fail(t.offset, fmt.Sprintf("%q", t.source), "another function: VALUE_LOOKUP is for preprocessing and enrichment, where lookups are configured")
	}
	arguments, err := p.arguments(&function{})
	if err != nil {
		return nil, err
	}
	p.volatile = true
	names := strings.Join(slices.Sorted(maps.Keys(p.rules.Lookups)), ", ")
	if len(arguments) == 0 {
		return fail(t.offset, "VALUE_LOOKUP without arguments", "the name of a lookup and values; lookups are "+names)
	}
	name, _ := arguments[0].(*literal)
	if name == nil || name.v.Kind != message.String {
		return fail(t.offset, "VALUE_LOOKUP without a literal name", "the name of a lookup as a literal; lookups are "+names)
	}
	l, ok := p.rules.Lookups[string(name.v.Text)]
	switch {
	case !ok:
		return fail(t.offset, fmt.Sprintf("lookup %q", name.v.Text), "one of "+names)
	case len(arguments) != l.Arguments+1:
		return fail(t.offset, fmt.Sprintf("lookup %q with %d values", name.v.Text, len(arguments)-1), fmt.Sprint(l.Arguments))
	}
	return p.made(&lookupCall{l.Find, arguments[1:]})
}
