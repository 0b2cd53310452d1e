package expr

import "farad/expr/message"

// arrayFunctions are those of 02-expressions §10.6, which take the whole array
// of one message. A scalar is an array of one.
var arrayFunctions = map[string]*function{
	"ARRAY_COUNT": arrayFunction("ARRAY_COUNT", message.IntValue(0), countElement),
	"ARRAY_MAX":   arrayFunction("ARRAY_MAX", message.Value{}, greaterElement),
	"ARRAY_MIN":   arrayFunction("ARRAY_MIN", message.Value{}, lesserElement),
	"ARRAY_SUM":   arrayFunction("ARRAY_SUM", message.Value{}, addElement),
	"ARRAY_TO_STRING": {argumentsMin: 3, argumentsMax: 3, usage: "ARRAY_TO_STRING(array, delimiter, replacement for NULL)",
		make: func(a []node) node { return &arrayJoin{a[0], a[1], a[2]} }},
}

func arrayFunction(name string, start message.Value, step func(sofar, element message.Value) message.Value) *function {
	return &function{argumentsMin: 1, argumentsMax: 1, usage: name + "(array)",
		make: func(a []node) node { return &arrayReduction{a[0], start, step} }}
}

// arrayReduction makes one value of all elements, one after the other.
type arrayReduction struct {
	array node
	start message.Value
	step  func(sofar, element message.Value) message.Value
}

func (n *arrayReduction) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *arrayReduction) constant() bool             { return n.array.constant() }

func (n *arrayReduction) value(e *environment) message.Value {
	result := n.start
	slot, many := array(n.array, e)
	if !many {
		if v, ok := onlyElement(n.array, e); ok {
			return n.step(result, v)
		}
		return result
	}
	for v := range e.values.All(slot) {
		result = n.step(result, v)
	}
	return result
}

// onlyElement is the element of what is no array of several; false when there
// is none at all. A path that holds one NULL has an element.
func onlyElement(n node, e *environment) (message.Value, bool) {
	if i, ok := n.(*identifier); ok && i.subscript < 0 {
		slot := e.slots[i.path]
		return e.values.First(slot), e.values.Count(slot) > 0
	}
	v := n.value(e)
	return v, !v.IsNull()
}

func countElement(sofar, _ message.Value) message.Value { return message.IntValue(sofar.Int() + 1) }

func greaterElement(sofar, v message.Value) message.Value {
	return moreExtreme(sofar, v, message.Greater)
}

func lesserElement(sofar, v message.Value) message.Value {
	return moreExtreme(sofar, v, message.Less)
}

// addElement leaves NULL out; what is no number makes the sum NaN.
func addElement(sofar, v message.Value) message.Value {
	n := v.Number()
	switch {
	case n.IsNull():
		return sofar
	case sofar.IsNull():
		return n
	}
	return calculate('+', sofar, n)
}

// arrayJoin joins the string forms of all elements. NULL elements become the
// replacement; a NULL delimiter or replacement is an empty text.
type arrayJoin struct{ array, delimiter, replacement node }

func (n *arrayJoin) truth(e *environment) truth { return truthOfValue(n.value(e)) }
func (n *arrayJoin) constant() bool {
	return n.array.constant() && n.delimiter.constant() && n.replacement.constant()
}

func (n *arrayJoin) value(e *environment) message.Value {
	slot, many := array(n.array, e)
	var only message.Value
	if !many {
		var ok bool
		if only, ok = onlyElement(n.array, e); !ok {
			return message.Value{}
		}
	}
	delimiter, replacement := e.stringOf(n.delimiter.value(e)), e.stringOf(n.replacement.value(e))
	start := len(e.texts)
	if !many {
		if !e.appendElement(start, only, replacement) {
			return message.Value{}
		}
		return e.produced(start)
	}
	first := true
	for v := range e.values.All(slot) {
		if !first {
			e.texts = append(e.texts, delimiter...)
		}
		first = false
		if !e.fits(start, len(delimiter)) || !e.appendElement(start, v, replacement) {
			e.release(start)
			return message.Value{}
		}
	}
	return e.produced(start)
}

// appendElement appends to the text that begins at start; false when there is
// no room.
func (e *environment) appendElement(start int, v message.Value, replacement []byte) bool {
	if v.IsNull() {
		v = message.StringValue(replacement)
	}
	if !e.fits(start, len(v.Text)) {
		return false
	}
	e.texts = v.AppendText(e.texts)
	return true
}
