package expr

import (
	"bytes"
	"slices"

	"farad/expr/message"
)

// stringFunctions are those of 02-expressions §10.3 without regular
// expressions. Everything counts bytes. Results that are a part of the
// argument alias it; others are made in the environment.
var stringFunctions = map[string]*function{
	"CONCAT":  {argumentsMin: 1, argumentsMax: argumentsUnlimited, usage: "CONCAT(value, ...)", apply: concat, takesNull: true},
	"UPPER":   {argumentsMin: 1, argumentsMax: 1, usage: "UPPER(text)", apply: func(e *environment, a []message.Value) message.Value { return e.mapped(a[0], upper) }},
	"LOWER":   {argumentsMin: 1, argumentsMax: 1, usage: "LOWER(text)", apply: func(e *environment, a []message.Value) message.Value { return e.mapped(a[0], lower) }},
	"SUBSTR":  {argumentsMin: 2, argumentsMax: 3, usage: "SUBSTR(text, position) or SUBSTR(text, position, length)", apply: substr},
	"REVERSE": {argumentsMin: 1, argumentsMax: 1, usage: "REVERSE(text)", apply: reverse},
	"LEFT":    {argumentsMin: 2, argumentsMax: 2, usage: "LEFT(text, length)", apply: left},
	"RIGHT":   {argumentsMin: 2, argumentsMax: 2, usage: "RIGHT(text, length)", apply: right},
	"TRIM":    {argumentsMin: 1, argumentsMax: 1, usage: "TRIM(text)", apply: func(e *environment, a []message.Value) message.Value { return trim(e, a[0], true, true) }},
	"LTRIM":   {argumentsMin: 1, argumentsMax: 1, usage: "LTRIM(text)", apply: func(e *environment, a []message.Value) message.Value { return trim(e, a[0], true, false) }},
	"RTRIM":   {argumentsMin: 1, argumentsMax: 1, usage: "RTRIM(text)", apply: func(e *environment, a []message.Value) message.Value { return trim(e, a[0], false, true) }},
	"LENGTH":  {argumentsMin: 1, argumentsMax: 1, usage: "LENGTH(text)", apply: length},
	"REPLACE": {argumentsMin: 3, argumentsMax: 3, usage: "REPLACE(text, find, replacement)", apply: replace, takesNull: true},
}

// concat joins the string forms of all arguments; NULL ones add nothing.
func concat(e *environment, a []message.Value) message.Value {
	start := len(e.texts)
	for _, v := range a {
		if !e.fits(start, len(v.Text)) {
			e.release(start)
			return message.Value{}
		}
		e.texts = v.AppendText(e.texts)
	}
	return e.produced(start)
}

// mapped is the string form of v with each byte replaced.
func (e *environment) mapped(v message.Value, to func(byte) byte) message.Value {
	text := e.stringOf(v)
	start := len(e.texts)
	if !e.fits(start, len(text)) {
		return message.Value{}
	}
	e.texts = append(e.texts, text...)
	for i, c := range e.texts[start:] {
		e.texts[start+i] = to(c)
	}
	return e.produced(start)
}

// substr is the text from a byte position on, the first being 1 and the last
// -1; a position outside of the text gives NULL.
func substr(e *environment, a []message.Value) message.Value {
	text := e.stringOf(a[0])
	position, ok := wholeOf(a[1].Number())
	if !ok {
		return notANumber()
	}
	size := len(text)
	if len(a) == 3 {
		if size, ok = wholeOf(a[2].Number()); !ok {
			return notANumber()
		}
	}
	start := max(position, 1) - 1
	if position < 0 {
		if position < -len(text) {
			return message.Value{}
		}
		start = len(text) + position
	}
	if start >= len(text) || size <= 0 {
		return message.Value{}
	}
	return message.StringValue(text[start : start+min(size, len(text)-start)])
}

func reverse(e *environment, a []message.Value) message.Value {
	text := e.stringOf(a[0])
	start := len(e.texts)
	if !e.fits(start, len(text)) {
		return message.Value{}
	}
	e.texts = append(e.texts, text...)
	slices.Reverse(e.texts[start:])
	return e.produced(start)
}

func left(e *environment, a []message.Value) message.Value {
	text := e.stringOf(a[0])
	size, ok := wholeOf(a[1].Number())
	if !ok {
		return notANumber()
	}
	return message.StringValue(text[:min(max(size, 0), len(text))])
}

func right(e *environment, a []message.Value) message.Value {
	text := e.stringOf(a[0])
	size, ok := wholeOf(a[1].Number())
	if !ok {
		return notANumber()
	}
	return message.StringValue(text[len(text)-min(max(size, 0), len(text)):])
}

func trim(e *environment, v message.Value, atLeft, atRight bool) message.Value {
	const blanks = " \t\r\n"
	text := e.stringOf(v)
	if atLeft {
		text = bytes.TrimLeft(text, blanks)
	}
	if atRight {
		text = bytes.TrimRight(text, blanks)
	}
	return message.StringValue(text)
}

func length(e *environment, a []message.Value) message.Value {
	return message.IntValue(int64(len(e.stringOf(a[0]))))
}

// replace replaces all occurrences from left to right; without something to
// find the text stays, without a replacement what is found goes.
func replace(e *environment, a []message.Value) message.Value {
	if a[0].IsNull() {
		return message.Value{}
	}
	text, find, by := e.stringOf(a[0]), e.stringOf(a[1]), e.stringOf(a[2])
	if len(find) == 0 {
		return message.StringValue(text)
	}
	start := len(e.texts)
	for {
		i := bytes.Index(text, find)
		if i < 0 {
			break
		}
		if !e.fits(start, i+len(by)) {
			e.release(start)
			return message.Value{}
		}
		e.texts = append(e.texts, text[:i]...)
		e.texts = append(e.texts, by...)
		text = text[i+len(find):]
	}
	if !e.fits(start, len(text)) {
		e.release(start)
		return message.Value{}
	}
	e.texts = append(e.texts, text...)
	return e.produced(start)
}
