package message

import (
	"bytes"
	"cmp"
)

// Ordering is the outcome of a comparison.
type Ordering int8

// The outcomes. Nothing compares with NULL; NaN is unequal to everything
// (02-expressions §6).
const (
	Less      Ordering = -1
	Equal     Ordering = 0
	Greater   Ordering = 1
	Unordered Ordering = 2 // NaN takes part
	Unknown   Ordering = 3 // NULL takes part
)

// Compare compares two scalars by the table of 02-expressions §6: strings by
// bytes, anything else as numbers; a string that is no number is greater than
// every number.
func Compare(a, b Value) Ordering { return CompareTo(&a, &b) }

// CompareTo is Compare without copying.
func CompareTo(a, b *Value) Ordering {
	switch {
	case a.Kind == Int && b.Kind == Int:
		return Ordering(cmp.Compare(a.Int(), b.Int()))
	case a.Kind == String && b.Kind == String:
		return Ordering(bytes.Compare(a.Text, b.Text))
	}
	return compareOthers(a, b)
}

func compareOthers(a, b *Value) Ordering {
	if a.Kind == Null || b.Kind == Null {
		return Unknown
	}
	x, y := a.Number(), b.Number()
	if x.Kind == Int && y.Kind == Int {
		return Ordering(cmp.Compare(x.Int(), y.Int()))
	}
	return compareNumbers(a.Kind, b.Kind, x, y)
}

func compareNumbers(a, b Kind, x, y Value) Ordering {
	if x.IsNaN() || y.IsNaN() {
		switch {
		case x.IsNaN() && a == String && !y.IsNaN():
			return Greater
		case y.IsNaN() && b == String && !x.IsNaN():
			return Less
		}
		return Unordered
	}
	switch {
	case x.Kind == Float || y.Kind == Float:
		return Ordering(cmp.Compare(x.AsFloat(), y.AsFloat()))
	case x.Kind == Uint && y.Kind == Uint:
		return Ordering(cmp.Compare(x.Uint(), y.Uint()))
	case x.Kind == Uint:
		return Greater
	case y.Kind == Uint:
		return Less
	}
	return Ordering(cmp.Compare(x.Int(), y.Int()))
}
