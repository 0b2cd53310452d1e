package expr

import (
	"math"

	"farad/expr/message"
)

// anchor is a condition on one path, or on one expression, that an index can
// answer for all filters at once: which of them have it for a given value.
type anchor struct {
	kind     anchorKind
	subject  subject
	literals []message.Value // equality: the subject equals one of them; none is NULL
	prefixes []string        // its text begins with one of them; none is empty
	span     span            // it is a number in a span
	// proof says that the condition holds whenever the index finds it, and so
	// needs not be evaluated where it is the filter.
	proof bool
}

// subject is what an anchor is about: the elements of a path, or the scalar of
// an expression.
type subject struct {
	path       int    // number of the path in the filter; -1 for an expression
	expression node   // nil for a path
	form       string // of the expression
	cost       int    // of finding its value
}

type anchorKind uint8

const (
	equality anchorKind = iota
	prefix
	interval
)

// span is the numbers from low to high, both included. One side may be
// infinite.
type span struct{ low, high float64 }

func (s span) bounded() bool { return !math.IsInf(s.low, 0) && !math.IsInf(s.high, 0) }

// A cover of a filter is a set of anchors of which at least one holds whenever
// the filter is true. An index that is asked for each of them finds the filter
// for every message that it could be true for.

// coverPartsMax bounds how many anchors a cover has, and coverLiteralsMax how
// many places in tables they take in all.
const (
	coverPartsMax    = 16
	coverLiteralsMax = 1024
)

// coversMax bounds the covers of one filter that are looked at.
const coversMax = 32

// covers lists the alternative covers of the filter: each term of a conjunction
// may give one.
func (f *Filter) covers() [][]anchor { return f.coversOf(f.root) }

func (f *Filter) coversOf(n node) [][]anchor {
	switch n := n.(type) {
	case *and:
		return f.conjunctionCovers(n)
	case *or:
		return f.disjunctionCovers(n)
	}
	if a, ok := f.anchorOf(n); ok {
		return [][]anchor{{a}}
	}
	return nil
}

// conjunctionCovers joins the spans that the terms give one path: two bounds
// tell more filters apart than one.
func (f *Filter) conjunctionCovers(n *and) [][]anchor {
	all := f.coversOf(n.left)
	if len(all) < coversMax {
		all = append(all, f.coversOf(n.right)...)
	}
	var joined [][]anchor
	for _, c := range all {
		if len(c) != 1 || c[0].kind != interval || !joinSpan(joined, &c[0]) {
			joined = append(joined, c)
		}
	}
	return joined
}

// joinSpan narrows the span of the cover on the same path; false when there is
// none.
func joinSpan(covers [][]anchor, a *anchor) bool {
	for _, c := range covers {
		if len(c) == 1 && c[0].kind == interval && c[0].subject.path == a.subject.path && c[0].subject.form == a.subject.form {
			c[0].span = span{max(c[0].span.low, a.span.low), min(c[0].span.high, a.span.high)}
			return true
		}
	}
	return false
}

// disjunctionCovers needs one cover of each side: the one that tells the most
// filters apart.
func (f *Filter) disjunctionCovers(n *or) [][]anchor {
	left, right := f.coversOf(n.left), f.coversOf(n.right)
	if len(left) == 0 || len(right) == 0 {
		return nil
	}
	both := append(preferred(left), preferred(right)...)
	if len(both) > coverPartsMax || places(both) > coverLiteralsMax {
		return nil
	}
	return [][]anchor{both}
}

func preferred(alternatives [][]anchor) []anchor {
	best := alternatives[0]
	for _, c := range alternatives[1:] {
		if lookUpCost(c) < lookUpCost(best) {
			best = c
		}
	}
	return append([]anchor(nil), best...)
}

// lookUpCost ranks covers before anything is known of the other filters.
func lookUpCost(cover []anchor) int {
	cost := 0
	for _, a := range cover {
		cost += int(a.kind) + a.subject.cost
	}
	return cost
}

// places is how many places in tables a cover takes.
func places(cover []anchor) int {
	n := 0
	for _, a := range cover {
		n += max(len(a.literals)+len(a.prefixes), 1)
	}
	return n
}

// isCover reports whether a condition is nothing but its only cover: then it
// is true as soon as one anchor is proven.
func (f *Filter) isCover(n node) bool {
	if o, ok := n.(*or); ok {
		return f.isCover(o.left) && f.isCover(o.right)
	}
	_, ok := f.anchorOf(n)
	return ok
}

// anchorOf makes an anchor of a single condition.
func (f *Filter) anchorOf(n node) (anchor, bool) {
	switch n := n.(type) {
	case *comparison:
		return f.comparisonAnchor(n)
	case *in:
		if len(n.list) > 0 || len(n.set.values) == 0 || len(n.set.values) > coverLiteralsMax {
			return anchor{}, false
		}
		of, ok := f.subjectOf(n.operand)
		return anchor{kind: equality, subject: of, literals: n.set.values, proof: true}, ok
	case *affix:
		return f.affixAnchor(n)
	case *like:
		text := n.pattern.Prefix()
		if text == "" {
			return anchor{}, false
		}
		of, ok := f.subjectOf(n.operand)
		return anchor{kind: prefix, subject: of, prefixes: []string{clipPrefix(text)}}, ok
	}
	return anchor{}, false
}

// wholePath is the path of an identifier without subscript.
func wholePath(n node) (int, bool) {
	if id, ok := n.(*identifier); ok && id.subscript < 0 {
		return id.path, true
	}
	return 0, false
}

// expressionCost is what finding the value of an expression counts for beside
// what is saved by an index: about this many filters tried.
const expressionCost = 8

// subjectOf makes a subject of an operand. An expression may be one if it has
// one value for a message, and the same for all filters that hold it.
func (f *Filter) subjectOf(n node) (subject, bool) {
	if path, ok := wholePath(n); ok {
		return subject{path: path}, true
	}
	if f.volatile || n.constant() {
		return subject{}, false
	}
	w := formWriter{paths: f.paths}
	if w.node(n); w.unknown {
		return subject{}, false
	}
	return subject{path: -1, expression: n, form: string(w.dst), cost: expressionCost}, true
}

func (f *Filter) comparisonAnchor(n *comparison) (anchor, bool) {
	o, operand := n.operator, n.left
	l, ok := n.right.(*literal)
	if !ok {
		operand, o = n.right, swapped[o]
		l, ok = n.left.(*literal)
	}
	if !ok || l.v.IsNull() || o == opUnequal {
		return anchor{}, false
	}
	// A string is compared with strings by bytes, so only numbers bound.
	if o != opEqual && (l.v.Kind == message.String || l.v.Number().IsNaN()) {
		return anchor{}, false
	}
	of, ok := f.subjectOf(operand)
	if o == opEqual {
		return anchor{kind: equality, subject: of, literals: []message.Value{l.v}, proof: true}, ok
	}
	a := anchor{kind: interval, subject: of, span: span{math.Inf(-1), math.Inf(1)}}
	if o == opLess || o == opNotGreater {
		a.span.high = l.v.Number().AsFloat()
	} else {
		a.span.low = l.v.Number().AsFloat()
	}
	return a, ok
}

func (f *Filter) affixAnchor(n *affix) (anchor, bool) {
	if n.suffix || len(n.list) > coverLiteralsMax {
		return anchor{}, false
	}
	a := anchor{kind: prefix, proof: true}
	for _, entry := range n.list {
		l, isLiteral := entry.(*literal)
		if !isLiteral {
			return anchor{}, false
		}
		if l.v.IsNull() {
			continue // matches nothing
		}
		text := string(l.v.AppendText(nil))
		a.proof = a.proof && len(text) <= prefixBytesMax
		a.prefixes = append(a.prefixes, clipPrefix(text))
	}
	of, ok := f.subjectOf(n.operand)
	a.subject = of
	return a, ok && len(a.prefixes) > 0
}

// prefixBytesMax bounds the prefixes that an index tells apart: it looks up as
// many texts for a value as there are lengths. Longer ones are cut.
const prefixBytesMax = 24

func clipPrefix(text string) string { return text[:min(len(text), prefixBytesMax)] }
