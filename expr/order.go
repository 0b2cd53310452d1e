package expr

import (
	"bytes"
	"cmp"

	"farad/expr/message"
)

// Order sorts messages by their fields (04-sow 6.10). It is immutable.
type Order struct{ keys []orderKey }

type orderKey struct {
	path       message.Path
	descending bool
	text       bool
}

// CompileOrder reads /field [ASC|DESC] [TEXT], divided by commas. The error is a
// *SyntaxError.
func CompileOrder(text string) (*Order, error) {
	l := lexer{text: text}
	o := &Order{}
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		if t.kind != tokenPath || t.subscript >= 0 {
			return nil, l.fail(t.offset, "a path such as /field, without a subscript, to order by")
		}
		k := orderKey{path: t.steps}
		if t, err = l.next(); err != nil {
			return nil, err
		}
		if t.is("ASC") || t.is("DESC") {
			k.descending = t.is("DESC")
			if t, err = l.next(); err != nil {
				return nil, err
			}
		}
		if t.is("TEXT") {
			k.text = true
			if t, err = l.next(); err != nil {
				return nil, err
			}
		}
		o.keys = append(o.keys, k)
		switch {
		case t.kind == tokenEnd:
			return o, nil
		case !t.is(","):
			return nil, l.fail(t.offset, "ASC, DESC, TEXT, a comma or the end of the order")
		}
	}
}

// Paths are the fields that messages are ordered by.
func (o *Order) Paths() []message.Path {
	var paths []message.Path
	for _, k := range o.keys {
		paths = append(paths, k.path)
	}
	return paths
}

// Compare orders two messages by the values of Paths: NULL comes first, then
// numbers by value, then texts by bytes; the other way round where a field is
// descending. It is 0 for messages that the order does not tell apart.
func (o *Order) Compare(a, b []message.Value) int {
	for i, k := range o.keys {
		c := k.compare(a[i], b[i])
		if k.descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func (k *orderKey) compare(a, b message.Value) int {
	if a.IsNull() || b.IsNull() {
		return cmp.Compare(nullRank(a), nullRank(b))
	}
	x, y := a.Number(), b.Number()
	if k.text || x.IsNaN() && y.IsNaN() {
		var roomA, roomB [64]byte
		return bytes.Compare(a.AppendText(roomA[:0]), b.AppendText(roomB[:0]))
	}
	if x.IsNaN() || y.IsNaN() {
		return cmp.Compare(nanRank(x), nanRank(y))
	}
	return int(message.Compare(x, y))
}

func nullRank(v message.Value) int {
	if v.IsNull() {
		return 0
	}
	return 1
}

func nanRank(n message.Value) int {
	if n.IsNaN() {
		return 1
	}
	return 0
}
