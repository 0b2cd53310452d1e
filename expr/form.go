package expr

import (
	"encoding/binary"
	"slices"

	"farad/expr/message"
)

// Filters of equal form have equal outcomes for every message, though their
// texts may differ in white space, case of keywords, parentheses, aliases of
// operators, the side a literal stands on, or the order of a list.

// appendForm appends the form of the filter. A part of a kind that has none
// makes the text the form.
func (f *Filter) appendForm(dst []byte) []byte {
	start := len(dst)
	w := formWriter{paths: f.paths, dst: append(dst, 'f')}
	if w.node(f.root); w.unknown {
		return append(append(w.dst[:start], 't'), f.text...)
	}
	return w.dst
}

type formWriter struct {
	paths   []message.Path
	dst     []byte
	unknown bool
}

// reads lists the numbers of the paths that a part of an expression reads.
func reads(n node, numbers []int) []int {
	for _, part := range partsOf(n) {
		numbers = reads(part, numbers)
	}
	if id, ok := n.(*identifier); ok {
		numbers = append(numbers, id.path)
	}
	return numbers
}

// partsOf are the operands of a part.
func partsOf(n node) []node {
	switch n := n.(type) {
	case *and:
		return []node{n.left, n.right}
	case *or:
		return []node{n.left, n.right}
	case *not:
		return []node{n.operand}
	case *isNull:
		return []node{n.operand}
	case *isNaN:
		return []node{n.operand}
	case *conditional:
		return []node{n.condition, n.then, n.otherwise}
	case *positive:
		return []node{n.operand}
	case *negative:
		return []node{n.operand}
	case *arithmetic:
		return []node{n.left, n.right}
	case *comparison:
		return []node{n.left, n.right}
	case *in:
		return append([]node{n.operand}, n.list...)
	case *like:
		return []node{n.operand}
	case *affix:
		return append([]node{n.operand}, n.list...)
	case *coalesce:
		return n.arguments
	case *call:
		return n.arguments
	case *arrayReduction:
		return []node{n.array}
	case *arrayJoin:
		return []node{n.array, n.delimiter, n.replacement}
	case *regexMatch:
		return []node{n.text, n.pattern}
	case *regexReplace:
		return []node{n.text, n.pattern, n.replacement}
	case *unfolded:
		return []node{n.node}
	case *lookupCall:
		return n.arguments
	}
	return nil
}

// list writes how many parts follow, and them.
func (w *formWriter) list(kind string, parts ...node) {
	w.dst = binary.AppendUvarint(append(w.dst, kind...), uint64(len(parts)))
	for _, n := range parts {
		w.node(n)
	}
}

func (w *formWriter) text(text string) {
	w.dst = append(binary.AppendUvarint(w.dst, uint64(len(text))), text...)
}

func (w *formWriter) node(n node) {
	switch n := n.(type) {
	case *literal:
		w.dst = append(w.dst, 'l')
		w.value(n.v)
	case *identifier:
		w.dst = append(w.dst, 'i')
		w.dst = binary.AppendVarint(w.dst, int64(n.subscript))
		w.dst = binary.AppendUvarint(w.dst, uint64(len(w.paths[n.path])))
		for _, step := range w.paths[n.path] {
			w.text(step)
		}
	case *and:
		w.list("&", n.left, n.right)
	case *or:
		w.list("|", n.left, n.right)
	case *not:
		w.list("!", n.operand)
	case *isNull:
		w.list("0", n.operand)
	case *isNaN:
		w.list("N", n.operand)
	case *conditional:
		w.list("?", n.condition, n.then, n.otherwise)
	case *positive:
		w.list("+", n.operand)
	case *negative:
		w.list("-", n.operand)
	case *arithmetic:
		w.list("a"+string(n.operator), n.left, n.right)
	case *comparison:
		w.comparison(n)
	case *in:
		w.in(n)
	case *like:
		w.list("r", n.operand)
		w.text(n.pattern.String())
		if n.pattern.Raw() {
			w.dst = append(w.dst, 'r')
		}
	case *affix:
		kind := "b"
		if n.suffix {
			kind = "e"
		}
		w.list(kind, n.operand)
		w.list("", n.list...)
	case *coalesce:
		w.list("c", n.arguments...)
	case *contextValue:
		w.list("C")
		w.text(n.usage)
	case *call:
		w.list("F", n.arguments...)
		w.text(n.function.usage)
	default:
		w.unknown = true
	}
}

// value writes a constant: numbers by kind and text, since LIKE and functions
// see the text.
func (w *formWriter) value(v message.Value) {
	var room [32]byte
	w.dst = append(w.dst, byte(v.Kind))
	w.text(string(v.AppendText(room[:0])))
}

// swapped are the operators that say the same with the sides exchanged.
var swapped = [...]operator{opEqual: opEqual, opUnequal: opUnequal, opLess: opGreater, opNotGreater: opNotLess, opGreater: opLess, opNotLess: opNotGreater}

func (w *formWriter) comparison(n *comparison) {
	o, left, right := n.operator, n.left, n.right
	if _, isLiteral := left.(*literal); isLiteral {
		o, left, right = swapped[o], right, left
	}
	if l, isLiteral := right.(*literal); isLiteral && o == opEqual && !l.v.IsNull() {
		w.list("I", left) // as IN with one literal
		w.list("")
		w.literals([]message.Value{l.v})
		return
	}
	w.list("="+string(rune('0'+o)), left, right)
}

func (w *formWriter) in(n *in) {
	w.list("I", n.operand)
	w.list("", n.list...)
	w.literals(n.set.values)
}

func (w *formWriter) literals(values []message.Value) {
	var forms []string
	for _, v := range values {
		var one formWriter
		one.value(v)
		forms = append(forms, string(one.dst))
	}
	slices.Sort(forms)
	forms = slices.Compact(forms)
	w.dst = binary.AppendUvarint(w.dst, uint64(len(forms)))
	for _, form := range forms {
		w.dst = append(w.dst, form...)
	}
}
