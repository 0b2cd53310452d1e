package expr

import (
	"math"

	"farad/expr/message"
)

// Limits of the texts that functions make.
const (
	// ProducedBytesMax bounds one text that a function makes; a longer one is
	// NULL.
	ProducedBytesMax = 1 << 20
	// textsBytesMax bounds all texts that one evaluation holds at a time; what
	// finds no room any more is NULL.
	textsBytesMax = 8 * ProducedBytesMax
	// textsKeptBytes is how much room an environment keeps from one evaluation
	// to the next.
	textsKeptBytes = 1 << 20
)

// begin makes an environment ready for one evaluation: the texts made for the
// last one are given up.
func (e *environment) begin() {
	if cap(e.texts) > textsKeptBytes {
		e.texts = nil
	}
	e.texts = e.texts[:0]
}

// stringOf is the string form of a value, valid until the texts are released
// or the next evaluation begins. NULL has none.
func (e *environment) stringOf(v message.Value) []byte {
	switch {
	case v.Text != nil:
		return v.Text
	case v.IsNull():
		return nil
	}
	start := len(e.texts)
	e.texts = v.AppendText(e.texts)
	return e.texts[start:]
}

// mark remembers how much text there is; release gives up what has been made
// since. A text that was made before stays where it is.
func (e *environment) mark() int { return len(e.texts) }

func (e *environment) release(mark int) { e.texts = e.texts[:mark] }

// fits reports whether the text that begins at start may grow by so many
// bytes.
func (e *environment) fits(start, more int) bool {
	return len(e.texts)-start+more <= ProducedBytesMax && len(e.texts)+more <= textsBytesMax
}

// produced makes the value of the text that was appended behind start.
func (e *environment) produced(start int) message.Value {
	end := len(e.texts)
	if end-start > ProducedBytesMax || end > textsBytesMax {
		e.texts = e.texts[:start]
		return message.Value{}
	}
	return message.StringValue(e.texts[start:end:end])
}

// wholeOf truncates a number toward zero, to the range of int; false for NaN.
func wholeOf(n message.Value) (int, bool) {
	switch n.Kind {
	case message.Int:
		return int(n.Int()), true
	case message.Uint:
		return math.MaxInt, true
	}
	f := n.AsFloat()
	switch {
	case math.IsNaN(f):
		return 0, false
	case f >= math.MaxInt:
		return math.MaxInt, true
	case f <= math.MinInt:
		return math.MinInt, true
	}
	return int(f), true
}
