package expr

import (
	"farad/expr/message"
)

// Outcome is what a condition comes to.
type Outcome uint8

// The outcomes. A filter passes messages for which it is True alone.
const (
	False   = Outcome(isFalse)
	True    = Outcome(isTrue)
	Unknown = Outcome(isUnknown) // NULL
)

// String is false, true or NULL.
func (o Outcome) String() string {
	switch o {
	case False:
		return "false"
	case True:
		return "true"
	}
	return "NULL"
}

// ExplainedConditionsMax bounds the conditions that an Explainer looks at one
// by one. An expression of more is not taken apart.
const ExplainedConditionsMax = 1000

// Explainer tells how an expression comes to its outcome, for people who look
// for the reason: it evaluates every condition, also where the outcome is
// known before. Owned by one goroutine.
type Explainer struct {
	filter     *Filter
	conditions []condition
	paths      *message.Trie
	slots      []uint32
	values     message.Values
	scratch    *Scratch // of the whole, whose value has to stay
	part       *Scratch // of the conditions
	result     Explanation
}

// condition is a part of the expression that is true, false or NULL.
type condition struct {
	filter *Filter
	depth  int
}

// Explanation is what one message makes of an expression. It is valid until
// its Explainer is used again.
type Explanation struct {
	Outcome Outcome
	// Value is the expression's value, for those that are no condition.
	Value message.Value
	// Fields are the places that the expression reads, each once.
	Fields []FieldValues
	// Conditions are the conditions that AND, OR and NOT join, each joined one
	// in front of its parts; none when nothing is joined.
	Conditions []ConditionOutcome
}

// FieldValues is what a message holds on one path: nothing, one value, or an
// array in document order.
type FieldValues struct {
	Path   message.Path
	Values []message.Value
}

// ConditionOutcome is the outcome of one condition on its own.
type ConditionOutcome struct {
	Text    string
	Depth   int // how many conditions are around it
	Outcome Outcome
}

// NewExplainer makes an explainer of an expression.
func NewExplainer(f *Filter) *Explainer {
	x := &Explainer{filter: f, paths: message.NewTrie(), scratch: NewScratch(), part: NewScratch()}
	for _, p := range f.Paths() {
		x.slots = append(x.slots, x.paths.Add(p))
		x.result.Fields = append(x.result.Fields, FieldValues{Path: p})
	}
	o := outline{text: f.Text()}
	if !o.take(0, len(o.text), 0) || len(o.conditions) == 1 {
		return x
	}
	x.conditions = o.conditions
	for _, c := range x.conditions {
		x.result.Conditions = append(x.result.Conditions, ConditionOutcome{Text: c.filter.Text(), Depth: c.depth})
	}
	return x
}

// Explain evaluates the expression over one message.
func (x *Explainer) Explain(kind message.Type, body []byte) *Explanation {
	kind.Extract(body, x.paths, &x.values)
	for i, slot := range x.slots {
		field := &x.result.Fields[i]
		field.Values = field.Values[:0]
		if x.values.Count(slot) > 0 {
			for v := range x.values.All(slot) {
				field.Values = append(field.Values, v)
			}
		}
	}
	for i, c := range x.conditions {
		x.result.Conditions[i].Outcome = outcomeOf(c.filter.Eval(kind, body, x.part))
	}
	x.result.Value = x.filter.Eval(kind, body, x.scratch)
	x.result.Outcome = outcomeOf(x.result.Value)
	return &x.result
}

// outcomeOf is the outcome of a value: every node of an expression makes the
// one from the other.
func outcomeOf(v message.Value) Outcome { return Outcome(truthOfValue(v)) }

// outline takes the text of an expression apart into its conditions. The text
// has been compiled, so that only the joints have to be found.
type outline struct {
	text       string
	conditions []condition
}

// take enters the condition in text[start:end] and its parts; false when it
// cannot be taken apart.
func (o *outline) take(start, end, depth int) bool {
	j, ok := o.joints(start, end)
	for ok && j.enclosed && j.first < j.last {
		j, ok = o.joints(j.first+1, j.last)
	}
	if !ok || len(o.conditions) == ExplainedConditionsMax {
		return false
	}
	f, err := CompileFilter(o.text[j.first:j.end])
	if err != nil {
		return false
	}
	o.conditions = append(o.conditions, condition{f, depth})
	cuts := j.or
	if len(cuts) == 0 {
		cuts = j.and
	}
	if len(cuts) == 0 {
		return !j.negated || o.take(j.first+len("NOT"), j.end, depth+1)
	}
	from := j.first
	for _, cut := range cuts {
		if !o.take(from, cut.offset, depth+1) {
			return false
		}
		from = cut.offset + len(cut.text)
	}
	return o.take(from, j.end, depth+1)
}

// joints are the places where a part of an expression can be divided.
type joints struct {
	or, and  []token // outside of all parentheses
	first    int     // offset of the first token
	last     int     // offset of the last token
	end      int     // offset behind the last token
	negated  bool    // the first token is NOT
	enclosed bool    // one pair of parentheses holds everything
}

// joints reads the tokens of text[start:end].
func (o *outline) joints(start, end int) (j joints, ok bool) {
	l := lexer{text: o.text[:end], at: start}
	depth, between, previous := 0, 0, token{}
	j.first, j.enclosed = -1, true
	for {
		t, err := o.next(&l, previous)
		if err != nil {
			return j, false
		}
		if t.kind == tokenEnd {
			return j, j.first >= 0
		}
		if j.first < 0 {
			j.first, j.negated = t.offset, t.is("NOT")
			j.enclosed = t.is("(")
		} else if depth == 0 {
			j.enclosed = false
		}
		j.last, j.end, previous = t.offset, l.at, t
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth > 0:
		case t.is("BETWEEN"):
			between++
		case t.is("AND") && between > 0:
			between-- // the AND of BETWEEN
		case t.is("AND"):
			j.and = append(j.and, t)
		case t.is("OR"):
			j.or = append(j.or, t)
		}
	}
}

// next reads a token. Patterns follow rules of their own: behind LIKE always,
// and as arguments of functions, where they may hold what is no escape.
func (o *outline) next(l *lexer, previous token) (token, error) {
	if previous.is("LIKE") {
		return l.pattern()
	}
	start := l.at
	t, err := l.next()
	if err != nil {
		l.at = start
		return l.pattern()
	}
	return t, nil
}
