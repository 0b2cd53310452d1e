package expr

import (
	"fmt"
	"slices"
	"strings"

	"farad/expr/message"
	"farad/expr/pattern"
)

// parser builds the tree of one expression by the grammar of 02-expressions
// §3, a method a rule.
type parser struct {
	lexer  lexer
	token  token // the one to be read
	depth  int
	nodes  int
	paths  []message.Path
	byPath map[string]int

	volatile   bool               // a function that is not deterministic is called
	backtracks bool               // there is a pattern whose match may take long
	slow       []*pattern.Pattern // these patterns, as far as they are known

	rules      FieldRules
	projecting bool        // identifiers may name topics, and aggregates are allowed
	qualifiers []Qualifier // that were used
	aggregates []*aggregate
	within     bool // an aggregate's argument is read
}

func (p *parser) advance() (err error) {
	p.token, err = p.lexer.next()
	return err
}

// accept reads the token if it is that operator or keyword.
func (p *parser) accept(text string) (bool, error) {
	if !p.token.is(text) {
		return false, nil
	}
	return true, p.advance()
}

func (p *parser) expect(text string) error {
	if ok, err := p.accept(text); ok || err != nil {
		return err
	}
	return p.fail(text)
}

func (p *parser) fail(expected string) error {
	return p.lexer.fail(p.token.offset, expected)
}

// enter counts a level of nesting; leave ends it.
func (p *parser) enter() error {
	if p.depth++; p.depth > DepthMax {
		return p.fail(fmt.Sprintf("at most %d levels of nesting", DepthMax))
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// made counts a part and folds it if it is constant.
func (p *parser) made(n node) (node, error) {
	if p.nodes++; p.nodes > NodesMax {
		return nil, p.fail(fmt.Sprintf("an expression of at most %d parts", NodesMax))
	}
	return fold(n), nil
}

func (p *parser) expression() (node, error) {
	left, err := p.conjunction()
	for err == nil && p.token.is("OR") {
		var right node
		if err = p.advance(); err != nil {
			break
		}
		if right, err = p.conjunction(); err == nil {
			left, err = p.made(&or{left, right})
		}
	}
	return left, err
}

func (p *parser) conjunction() (node, error) {
	left, err := p.negation()
	for err == nil && p.token.is("AND") {
		var right node
		if err = p.advance(); err != nil {
			break
		}
		if right, err = p.negation(); err == nil {
			left, err = p.made(&and{left, right})
		}
	}
	return left, err
}

func (p *parser) negation() (node, error) {
	if !p.token.is("NOT") {
		return p.relation()
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if err := p.advance(); err != nil {
		return nil, err
	}
	operand, err := p.negation()
	if err != nil {
		return nil, err
	}
	return p.made(&not{operand})
}

// relation handles > >= < <= != <>, which bind less than equality.
func (p *parser) relation() (node, error) {
	left, err := p.equality()
	for err == nil {
		operator, ok := relations[p.token.text]
		if !ok || p.token.kind != tokenOperator {
			return left, nil
		}
		var right node
		if err = p.advance(); err != nil {
			break
		}
		if right, err = p.equality(); err == nil {
			left, err = p.made(newComparison(operator, left, right))
		}
	}
	return nil, err
}

func (p *parser) equality() (node, error) {
	left, err := p.test()
	for err == nil && (p.token.is("=") || p.token.is("==")) {
		var right node
		if err = p.advance(); err != nil {
			break
		}
		if right, err = p.test(); err == nil {
			left, err = p.made(newComparison(opEqual, left, right))
		}
	}
	return left, err
}

// test reads a sum with an optional IS, IN, BETWEEN, LIKE, BEGINS or ENDS.
func (p *parser) test() (node, error) {
	left, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.token.is("IS") {
		return p.is(left)
	}
	negated := false
	if p.token.is("NOT") {
		negated = true
		if err = p.advance(); err != nil {
			return nil, err
		}
	}
	var n node
	switch {
	case p.token.is("IN"):
		n, err = p.in(left)
	case p.token.is("BETWEEN"):
		n, err = p.between(left)
	case p.token.is("LIKE"):
		n, err = p.like(left)
	case p.token.is("BEGINS"):
		n, err = p.affix(left, false)
	case p.token.is("ENDS"):
		n, err = p.affix(left, true)
	case negated:
		return nil, p.fail("IN, BETWEEN, LIKE, BEGINS WITH or ENDS WITH behind NOT")
	default:
		return left, nil
	}
	if err != nil || !negated {
		return n, err
	}
	return p.made(&not{n})
}

func (p *parser) is(left node) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	negated, err := p.accept("NOT")
	if err != nil {
		return nil, err
	}
	var n node
	switch {
	case p.token.is("NULL"):
		n = &isNull{left}
	case p.token.is("NAN"):
		n = &isNaN{left}
	default:
		return nil, p.fail("NULL or NAN")
	}
	if err = p.advance(); err != nil {
		return nil, err
	}
	if negated {
		n = &not{n}
	}
	return p.made(n)
}

// list reads ( expr , ... ).
func (p *parser) list() ([]node, error) { return p.listOf(&function{}) }

// listOf reads the arguments of a function, one or more.
func (p *parser) listOf(f *function) ([]node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if !p.token.is("(") {
		return nil, p.fail("(")
	}
	var list []node
	for {
		n, err := p.special(f, len(list))
		if n == nil && err == nil {
			p.backtracks = p.backtracks || f.pattern > 0 && f.pattern == len(list)
			if err = p.advance(); err == nil {
				n, err = p.expression()
			}
		}
		if err != nil {
			return nil, err
		}
		if list = append(list, n); !p.token.is(",") {
			return list, p.expect(")")
		}
	}
}

func (p *parser) in(left node) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	list, err := p.list()
	if err != nil {
		return nil, err
	}
	return p.made(newIn(left, list))
}

func (p *parser) between(left node) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	low, err := p.sum()
	if err != nil {
		return nil, err
	}
	if err = p.expect("AND"); err != nil {
		return nil, err
	}
	high, err := p.sum()
	if err != nil {
		return nil, err
	}
	return p.made(&and{newComparison(opNotLess, left, low), newComparison(opNotGreater, left, high)})
}

func (p *parser) like(left node) (node, error) {
	t, err := p.lexer.pattern()
	if err != nil {
		return nil, err
	}
	compiled, err := p.compileLiteral(t)
	if err != nil {
		return nil, err
	}
	if err = p.advance(); err != nil {
		return nil, err
	}
	return p.made(&like{left, compiled})
}

func (p *parser) affix(left node, suffix bool) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.expect("WITH"); err != nil {
		return nil, err
	}
	list, err := p.list()
	if err != nil {
		return nil, err
	}
	return p.made(&affix{operand: left, list: list, suffix: suffix})
}

func (p *parser) sum() (node, error) {
	left, err := p.product()
	for err == nil && (p.token.is("+") || p.token.is("-")) {
		operator := p.token.text[0]
		var right node
		if err = p.advance(); err != nil {
			break
		}
		if right, err = p.product(); err == nil {
			left, err = p.made(&arithmetic{operator, left, right})
		}
	}
	return left, err
}

func (p *parser) product() (node, error) {
	left, err := p.unary()
	for err == nil && (p.token.is("*") || p.token.is("/") || p.token.is("%") || p.token.is("MOD")) {
		operator := p.token.text[0]
		if operator == 'M' {
			operator = '%'
		}
		var right node
		if err = p.advance(); err != nil {
			break
		}
		if right, err = p.unary(); err == nil {
			left, err = p.made(&arithmetic{operator, left, right})
		}
	}
	return left, err
}

func (p *parser) unary() (node, error) {
	minus := p.token.is("-")
	if !minus && !p.token.is("+") {
		return p.primary()
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if err := p.advance(); err != nil {
		return nil, err
	}
	operand, err := p.unary()
	if err != nil {
		return nil, err
	}
	if !minus {
		return p.made(&positive{operand})
	}
	return p.made(&negative{operand})
}

func (p *parser) primary() (node, error) {
	t := p.token
	switch t.kind {
	case tokenNumber:
		return p.literal(message.NumeralValue([]byte(t.text)).Parsed())
	case tokenString, tokenRaw:
		return p.literal(message.StringValue([]byte(t.text)))
	case tokenPath:
		return p.identifier(t)
	case tokenWord:
		return p.word(t)
	}
	if !t.is("(") {
		return nil, p.fail("a literal, an identifier such as /field, a function or (")
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if err := p.advance(); err != nil {
		return nil, err
	}
	n, err := p.expression()
	if err != nil {
		return nil, err
	}
	return n, p.expect(")")
}

func (p *parser) literal(v message.Value) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	return p.made(&literal{v})
}

func (p *parser) identifier(t token) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if err := p.qualify(&t); err != nil {
		return nil, err
	}
	key := strings.Join(t.steps, "\x00")
	number, known := p.byPath[key]
	if !known {
		number = len(p.paths)
		p.byPath[key] = number
		p.paths = append(p.paths, t.steps)
	}
	return p.made(&identifier{path: number, subscript: t.subscript})
}

// qualify reads OF behind a path, and puts the step of what qualifies it in
// front of the others.
func (p *parser) qualify(t *token) error {
	if p.token.is("OF") {
		if !p.rules.Previous {
			return p.fail("an operator: OF CURRENT and OF PREVIOUS are for enrichment")
		}
		if err := p.advance(); err != nil {
			return err
		}
		if !p.token.is("CURRENT") && !p.token.is("PREVIOUS") {
			return p.fail("CURRENT or PREVIOUS")
		}
		t.qualifier.Previous = p.token.is("PREVIOUS")
		if err := p.advance(); err != nil {
			return err
		}
	}
	if t.qualifier == (Qualifier{}) {
		return nil
	}
	if !slices.Contains(p.qualifiers, t.qualifier) {
		p.qualifiers = append(p.qualifiers, t.qualifier)
	}
	t.steps = append([]string{t.qualifier.step()}, t.steps...)
	return nil
}

// word reads NULL or a call.
func (p *parser) word(t token) (node, error) {
	if t.text == "NULL" {
		return p.literal(message.Value{})
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if !p.token.is("(") {
		return nil, p.lexer.fail(t.offset, "a literal, an identifier such as /field or a function")
	}
	if kind, ok := aggregateKinds[t.text]; ok {
		return p.aggregate(t, kind)
	}
	if t.text == "VALUE_LOOKUP" {
		return p.lookup(t)
	}
	f, ok := functions[t.text]
	if !ok {
		return nil, &SyntaxError{Offset: t.offset, Found: fmt.Sprintf("%q", clip(t.source)), Expected: "the name of a function; known are " + functionNames()}
	}
	arguments, err := p.arguments(f)
	if err != nil {
		return nil, err
	}
	if n := len(arguments); n < f.argumentsMin || n > f.argumentsMax {
		return nil, &SyntaxError{Offset: t.offset, Found: fmt.Sprintf("%s with %d arguments", t.text, n), Expected: f.usage}
	}
	p.volatile = p.volatile || f.volatile
	if f.make != nil {
		return p.made(f.make(arguments))
	}
	return p.made(&call{f, arguments})
}

// arguments reads ( [ expr , ... ] ) of a function.
func (p *parser) arguments(f *function) ([]node, error) {
	ahead := p.lexer
	if t, err := ahead.next(); err == nil && t.is(")") {
		p.lexer = ahead
		return nil, p.advance()
	}
	return p.listOf(f)
}

// special reads an argument that is lexed in a way of its own: the literal of
// a pattern or of its replacement. Nil when something else stands there, which
// is then an expression as any other. The token before it is still the comma.
func (p *parser) special(f *function, number int) (node, error) {
	ahead := p.lexer
	var t token
	var err error
	switch {
	case number == 0:
		return nil, nil
	case number == f.pattern:
		t, err = ahead.pattern()
	case number == f.replacement:
		t, err = ahead.replacement()
	default:
		return nil, nil
	}
	if err != nil || t.kind != tokenString && t.kind != tokenRaw {
		return nil, nil
	}
	behind, err := ahead.next()
	if err != nil || !behind.is(",") && !behind.is(")") {
		return nil, nil
	}
	var n node = &literal{message.StringValue([]byte(t.text))}
	if number == f.pattern {
		compiled, err := p.compileLiteral(t)
		if err != nil {
			return nil, err
		}
		n = &patternLiteral{compiled}
	}
	p.lexer, p.token = ahead, behind
	return p.made(n)
}

// compileLiteral makes the pattern of a literal: a raw one is plain text.
func (p *parser) compileLiteral(t token) (*pattern.Pattern, error) {
	if t.kind == tokenRaw {
		return pattern.Literal(t.text), nil
	}
	compiled, err := pattern.Compile(t.text)
	if err != nil {
		return nil, &SyntaxError{Offset: t.offset, Found: err.Error(), Expected: "a regular expression"}
	}
	if compiled.Backtracks() {
		p.backtracks = true
		p.slow = append(p.slow, compiled)
	}
	return compiled, nil
}
