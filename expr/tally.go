package expr

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"farad/expr/message"

	"github.com/google/btree"
)

// tally is the state of one aggregate over the values that are in a group. A
// value that goes takes back exactly what it brought: integers are summed
// exactly, NaN is counted, and the sum of floats is exact to 106 bits and back
// at zero when no float is left.
type tally interface {
	add(v message.Value)
	remove(v message.Value)
	// result is valid until the tally changes. Texts that have to be made go
	// to the environment.
	result(e *environment) message.Value
}

func newTally(a *aggregate) tally {
	switch a.kind {
	case aggregateSum, aggregateAverage:
		return &sumTally{average: a.kind == aggregateAverage}
	case aggregateCount:
		return &countTally{all: a.argument == nil}
	case aggregateDeviation, aggregateSampleDeviation:
		return &deviationTally{sample: a.kind == aggregateSampleDeviation}
	}
	t := &distinctTally{kind: a.kind, delimiter: a.delimiter, byKey: map[string]*member{}}
	switch a.kind {
	case aggregateMin, aggregateMax:
		t.order = btree.NewG(btreeDegree, func(a, b *member) bool { return a.lessByValue(b) })
	case aggregateAny, aggregateConcat, aggregateUnique:
		t.order = btree.NewG(btreeDegree, func(a, b *member) bool { return a.arrival < b.arrival })
	}
	return t
}

// btreeDegree suits small groups, which most are.
const btreeDegree = 8

// countTally counts the values that are not NULL, or all messages.
type countTally struct {
	all bool
	n   int64
}

func (t *countTally) add(v message.Value) {
	if t.all || !v.IsNull() {
		t.n++
	}
}

func (t *countTally) remove(v message.Value) {
	if t.all || !v.IsNull() {
		t.n--
	}
}

func (t *countTally) result(*environment) message.Value { return message.IntValue(t.n) }

// total is a sum that forgets what is taken back. About 64 bytes.
type total struct {
	count, floats, nans int64
	high, low           uint64 // of the integers, as one number of 128 bits
	sum, rest           float64
}

// change adds a Number that is not NULL, or takes it back.
func (t *total) change(n message.Value, sign int64) {
	t.count += sign
	switch {
	case n.IsNaN():
		t.nans += sign
	case n.Kind == message.Float:
		if t.floats += sign; t.floats == 0 {
			t.sum, t.rest = 0, 0
			return
		}
		t.addFloat(float64(sign) * n.Float())
	default:
		high, low := uint64(0), n.Uint()
		if n.Kind == message.Int && n.Int() < 0 {
			high = math.MaxUint64
		}
		if sign < 0 {
			var borrow uint64
			t.low, borrow = bits.Sub64(t.low, low, 0)
			t.high, _ = bits.Sub64(t.high, high, borrow)
			return
		}
		var carry uint64
		t.low, carry = bits.Add64(t.low, low, 0)
		t.high, _ = bits.Add64(t.high, high, carry)
	}
}

// addFloat keeps what rounding loses.
func (t *total) addFloat(f float64) {
	sum := t.sum + f
	back := sum - t.sum
	t.rest += (t.sum - (sum - back)) + (f - back)
	t.sum = sum + t.rest
	t.rest -= t.sum - sum
}

// integer is the sum of the integers; false when it does not fit one.
func (t *total) integer() (message.Value, bool) {
	switch {
	case t.high == 0:
		return message.UintValue(t.low), true
	case t.high == math.MaxUint64 && int64(t.low) < 0:
		return message.IntValue(int64(t.low)), true
	}
	return message.Value{}, false
}

func (t *total) float() float64 {
	if v, ok := t.integer(); ok {
		return t.sum + (t.rest + v.AsFloat())
	}
	return t.sum + (t.rest + float64(int64(t.high))*(1<<64) + float64(t.low))
}

func (t *total) value() message.Value {
	switch {
	case t.count == 0:
		return message.Value{}
	case t.nans > 0:
		return notANumber()
	case t.floats == 0:
		if v, ok := t.integer(); ok {
			return v
		}
	}
	return message.FloatValue(t.float())
}

// sumTally is SUM and AVG.
type sumTally struct {
	total
	average bool
}

func (t *sumTally) add(v message.Value) {
	if n := v.Number(); !n.IsNull() {
		t.change(n, 1)
	}
}

func (t *sumTally) remove(v message.Value) {
	if n := v.Number(); !n.IsNull() {
		t.change(n, -1)
	}
}

func (t *sumTally) result(*environment) message.Value {
	if !t.average || t.count == 0 || t.nans > 0 {
		return t.value()
	}
	return message.FloatValue(t.float() / float64(t.count))
}

// deviationTally is STDDEV_POP and STDDEV_SAMP, of the exact sums of the values
// and of their squares: values that go leave no trace, however large they
// were. About 200 bytes for values of usual size.
type deviationTally struct {
	sample       bool
	count, nans  int64
	sum, squares big.Float
}

// exactBits is enough for sums of the squares of all floats.
const exactBits = 4400

func (t *deviationTally) add(v message.Value)    { t.change(v, 1) }
func (t *deviationTally) remove(v message.Value) { t.change(v, -1) }

func (t *deviationTally) change(v message.Value, sign int64) {
	n := v.Number()
	if n.IsNull() {
		return
	}
	t.count += sign
	if n.IsNaN() {
		t.nans += sign
		return
	}
	x := new(big.Float).SetPrec(exactBits).SetFloat64(n.AsFloat())
	square := new(big.Float).SetPrec(exactBits).Mul(x, x)
	t.sum.SetPrec(exactBits)
	t.squares.SetPrec(exactBits)
	if sign < 0 {
		t.sum.Sub(&t.sum, x)
		t.squares.Sub(&t.squares, square)
		return
	}
	t.sum.Add(&t.sum, x)
	t.squares.Add(&t.squares, square)
}

func (t *deviationTally) result(*environment) message.Value {
	n := float64(t.count)
	switch {
	case n == 0 || t.sample && n == 1:
		return message.Value{}
	case t.nans > 0:
		return notANumber()
	}
	mean := new(big.Float).SetPrec(exactBits).Quo(&t.sum, big.NewFloat(n))
	spread, _ := new(big.Float).SetPrec(exactBits).Sub(&t.squares, mean.Mul(mean, &t.sum)).Float64()
	if t.sample {
		n--
	}
	return message.FloatValue(math.Sqrt(max(spread, 0) / n))
}

// member is one distinct value of a group, with how often it is there.
type member struct {
	key     string
	value   message.Value
	number  message.Value // NaN for what is none
	count   int64
	arrival uint64
}

// lessByValue puts numbers by their value in front of all other texts by their
// bytes (02-expressions §6, §11).
func (m *member) lessByValue(other *member) bool {
	switch x := message.Compare(m.number, other.number); {
	case m.number.IsNaN() && other.number.IsNaN():
		return m.key < other.key
	case m.number.IsNaN() || other.number.IsNaN():
		return other.number.IsNaN()
	case x == message.Equal: // but not one: large integers and floats
		return m.key < other.key
	default:
		return x == message.Less
	}
}

// distinctTally keeps the distinct values: COUNT_DISTINCT, MIN, MAX, ANY,
// GROUP_CONCAT and UNIQUE. Numbers of equal value, and texts in their form, are
// one. About 200 bytes and its text for each distinct value.
type distinctTally struct {
	kind      aggregateKind
	delimiter []byte
	byKey     map[string]*member
	order     *btree.BTreeG[*member] // by value or by arrival; nil for COUNT_DISTINCT
	arrivals  uint64
	key       []byte
}

// keyOf is the same for values that are one. NULL has none.
func (t *distinctTally) keyOf(v message.Value) ([]byte, message.Value) {
	n := v.Number()
	switch {
	case v.Kind == message.String && n.IsNaN():
		t.key = append(append(t.key[:0], 's'), v.Text...)
	case n.IsNaN():
		t.key = append(t.key[:0], 'N')
	case n.Kind == message.Float:
		t.key = n.AppendText(append(t.key[:0], 'n'))
		t.key = trimDecimal(t.key)
	default:
		t.key = n.AppendText(append(t.key[:0], 'n'))
	}
	return t.key, n
}

// trimDecimal writes a whole float as the integer is written.
func trimDecimal(key []byte) []byte {
	if n := len(key); n > 2 && key[n-1] == '0' && key[n-2] == '.' {
		key = key[:n-2]
	}
	if string(key) == "n-0" {
		return append(key[:0], "n0"...)
	}
	return key
}

func (t *distinctTally) add(v message.Value) {
	if v.IsNull() {
		return
	}
	key, number := t.keyOf(v)
	if m := t.byKey[string(key)]; m != nil {
		m.count++
		return
	}
	t.arrivals++
	v.Text = slices.Clone(v.Text)
	m := &member{key: string(key), value: v, number: number, count: 1, arrival: t.arrivals}
	t.byKey[m.key] = m
	if t.order != nil {
		t.order.ReplaceOrInsert(m)
	}
}

func (t *distinctTally) remove(v message.Value) {
	if v.IsNull() {
		return
	}
	key, _ := t.keyOf(v)
	m := t.byKey[string(key)]
	if m == nil {
		return
	}
	if m.count--; m.count > 0 {
		return
	}
	delete(t.byKey, m.key)
	if t.order != nil {
		t.order.Delete(m)
	}
}

func (t *distinctTally) result(e *environment) message.Value {
	if t.kind == aggregateCountDistinct {
		return message.IntValue(int64(len(t.byKey)))
	}
	var first *member
	switch ok := t.order.Len() > 0; {
	case !ok, t.kind == aggregateUnique && t.order.Len() > 1:
		return message.Value{}
	case t.kind == aggregateMax:
		first, _ = t.order.Max()
	default:
		first, _ = t.order.Min()
	}
	if t.kind != aggregateConcat {
		return first.value
	}
	start := len(e.texts)
	fits := true
	t.order.Ascend(func(m *member) bool {
		if m != first {
			e.texts = append(e.texts, t.delimiter...)
		}
		fits = e.fits(start, len(m.value.Text)+len(t.delimiter)+longestNumber)
		e.texts = m.value.AppendText(e.texts)
		return fits
	})
	if !fits {
		e.release(start)
		return message.Value{}
	}
	return e.produced(start)
}

// longestNumber is more than the text of any number takes.
const longestNumber = 32
