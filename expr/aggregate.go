package expr

import (
	"fmt"

	"farad/expr/message"
)

// aggregateKind is an aggregate function (02-expressions §11).
type aggregateKind uint8

const (
	aggregateSum aggregateKind = iota
	aggregateAverage
	aggregateCount
	aggregateCountDistinct
	aggregateMin
	aggregateMax
	aggregateAny
	aggregateConcat
	aggregateDeviation
	aggregateSampleDeviation
	aggregateUnique
)

var aggregateKinds = map[string]aggregateKind{
	"SUM": aggregateSum, "AVG": aggregateAverage, "COUNT": aggregateCount, "COUNT_DISTINCT": aggregateCountDistinct, "MIN": aggregateMin, "MAX": aggregateMax,
	"ANY": aggregateAny, "GROUP_CONCAT": aggregateConcat, "STDDEV_POP": aggregateDeviation, "STDDEV_SAMP": aggregateSampleDeviation, "UNIQUE": aggregateUnique,
}

// aggregate is one call of an aggregate function. Equal calls of a projection
// are one.
type aggregate struct {
	kind      aggregateKind
	argument  node // nil for COUNT(*)
	delimiter []byte
	form      string
}

// aggregateValue is where an expression takes an aggregate's value.
type aggregateValue struct{ number int }

func (n *aggregateValue) value(e *environment) message.Value { return e.aggregates[n.number] }
func (n *aggregateValue) truth(e *environment) truth         { return truthOfValue(n.value(e)) }
func (n *aggregateValue) constant() bool                     { return false }

// aggregate reads the arguments of an aggregate function, whose name is t.
func (p *parser) aggregate(t token, kind aggregateKind) (node, error) {
	fail := func(expected string) (node, error) {
		return nil, &SyntaxError{Offset: t.offset, Found: fmt.Sprintf("%q", t.source), Expected: expected}
	}
	switch {
	case !p.projecting:
		return fail("a function of one message; aggregates are for the projections of views and aggregated queries")
	case p.within:
		return fail("an aggregate's argument without aggregates")
	}
	outside := p.volatile
	p.within, p.volatile = true, false
	a, err := p.aggregateArguments(kind)
	inside := p.volatile
	p.within, p.volatile = false, outside
	switch {
	case err != nil:
		return nil, err
	case inside:
		return fail("an aggregate whose argument calls only deterministic functions")
	}
	for i, other := range p.aggregates {
		if a.form != "" && other.form == a.form {
			return p.made(&aggregateValue{i})
		}
	}
	p.aggregates = append(p.aggregates, a)
	return p.made(&aggregateValue{len(p.aggregates) - 1})
}

func (p *parser) aggregateArguments(kind aggregateKind) (*aggregate, error) {
	a := &aggregate{kind: kind, delimiter: []byte{','}}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if star, err := p.acceptStar(kind); star || err != nil {
		a.form = "COUNT(*)"
		return a, err
	}
	var err error
	if a.argument, err = p.expression(); err != nil {
		return nil, err
	}
	if kind == aggregateConcat && p.token.is(",") {
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.token.kind != tokenString && p.token.kind != tokenRaw {
			return nil, p.fail("a literal text, the delimiter")
		}
		a.delimiter = []byte(p.token.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	w := formWriter{paths: p.paths, dst: []byte{byte(kind)}}
	w.text(string(a.delimiter))
	if w.node(a.argument); !w.unknown {
		a.form = string(w.dst)
	}
	return a, p.expect(")")
}

// acceptStar reads *) of COUNT(*).
func (p *parser) acceptStar(kind aggregateKind) (bool, error) {
	if kind != aggregateCount || !p.token.is("*") {
		return false, nil
	}
	if err := p.advance(); err != nil {
		return false, err
	}
	return true, p.expect(")")
}
