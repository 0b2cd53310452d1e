package expr

import (
	"farad/expr/message"
	"farad/expr/pattern"
)

// regexFunctions are those of 02-expressions §10.3 over regular expressions. A
// search that takes longer than pattern.TimeLimit counts as no match.
var regexFunctions = map[string]*function{
	"REGEXP_MATCH": {argumentsMin: 2, argumentsMax: 2, usage: "REGEXP_MATCH(text, pattern)", pattern: 1,
		make: func(a []node) node { return &regexMatch{a[0], a[1]} }},
	"REGEXP_REPLACE": {argumentsMin: 3, argumentsMax: 3, usage: "REGEXP_REPLACE(text, pattern, replacement)", pattern: 1, replacement: 2,
		make: func(a []node) node { return &regexReplace{a[0], a[1], a[2]} }},
}

// patternLiteral is a pattern that is known when the expression is compiled.
type patternLiteral struct{ pattern *pattern.Pattern }

func (n *patternLiteral) value(*environment) message.Value {
	return message.StringValue([]byte(n.pattern.String()))
}
func (n *patternLiteral) truth(e *environment) truth { return truthOfValue(n.value(e)) }

// constant is false, so that the pattern is not folded into its text.
func (n *patternLiteral) constant() bool { return false }

// Limits of patterns that are no literals.
const (
	// computedPatternBytesMax bounds the text of one; a longer one is as a bad
	// one.
	computedPatternBytesMax = 1 << 10
	// computedPatternsMax bounds how many are kept compiled.
	computedPatternsMax = 32
)

// patternCache holds patterns that were made from messages, by their text; nil
// for a text that is no regular expression. Patterns repeat: most come from
// few values of one field.
type patternCache map[string]*pattern.Pattern

func (c *patternCache) compiled(text []byte) *pattern.Pattern {
	if len(text) > computedPatternBytesMax {
		return nil
	}
	if p, known := (*c)[string(text)]; known {
		return p
	}
	if *c == nil || len(*c) >= computedPatternsMax {
		*c = patternCache{}
	}
	p, err := pattern.Compile(string(text))
	if err != nil {
		p = nil
	}
	(*c)[string(text)] = p
	return p
}

// patternOf is the pattern that a node stands for. Null says that there is
// none to search for; a nil pattern else, that it is no regular expression.
func patternOf(n node, e *environment) (p *pattern.Pattern, null bool) {
	if l, ok := n.(*patternLiteral); ok {
		return l.pattern, l.pattern.String() == ""
	}
	mark := e.mark()
	defer e.release(mark)
	v := n.value(e)
	if v.IsNull() {
		return nil, true
	}
	return e.patterns.compiled(e.stringOf(v)), false
}

// regexMatch is the text of the first match.
type regexMatch struct{ text, pattern node }

func (n *regexMatch) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *regexMatch) constant() bool             { return n.text.constant() && isConstantPattern(n.pattern) }

func (n *regexMatch) value(e *environment) message.Value {
	v := n.text.value(e)
	p, null := patternOf(n.pattern, e)
	if v.IsNull() || null || p == nil {
		return message.Value{}
	}
	if p.Backtracks() && e.slow >= slowMax {
		return message.Value{}
	}
	text := e.stringOf(v)
	start, before := len(e.texts), p.Strikes()
	e.texts, _ = p.AppendFind(e.texts, text)
	e.slow += p.Strikes() - before
	return e.produced(start)
}

// regexReplace replaces all matches; without a pattern the text stays, without
// a replacement what matches goes. A pattern that is no regular expression
// makes the result NULL.
type regexReplace struct{ text, pattern, replacement node }

func (n *regexReplace) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *regexReplace) constant() bool {
	return n.text.constant() && isConstantPattern(n.pattern) && n.replacement.constant()
}

func (n *regexReplace) value(e *environment) message.Value {
	v := n.text.value(e)
	p, null := patternOf(n.pattern, e)
	if v.IsNull() || !null && p == nil {
		return message.Value{}
	}
	text := e.stringOf(v)
	if null {
		return message.StringValue(text)
	}
	if p.Backtracks() && e.slow >= slowMax {
		return message.StringValue(text)
	}
	by := e.stringOf(n.replacement.value(e))
	start, before := len(e.texts), p.Strikes()
	var matches int
	e.texts, matches = p.AppendReplaced(e.texts, text, by, min(ProducedBytesMax, textsBytesMax-start))
	e.slow += p.Strikes() - before
	switch matches {
	case 0:
		return message.StringValue(text)
	case -1:
		return message.Value{}
	}
	return e.produced(start)
}

func isConstantPattern(n node) bool {
	_, literal := n.(*patternLiteral)
	return literal || n.constant()
}
