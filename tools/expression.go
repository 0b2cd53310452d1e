package tools

import (
	"errors"
	"strings"
	"unicode/utf8"

	"farad/expr"
)

// compileFilter reads an expression. Its error shows the place.
func compileFilter(text string) (*expr.Filter, error) {
	filter, err := expr.CompileFilter(text)
	if err == nil {
		return filter, nil
	}
	if syntax, ok := errors.AsType[*expr.SyntaxError](err); ok {
		return nil, usagef("the expression cannot be used: %w\n%s", err, pointed(text, syntax.Offset))
	}
	return nil, usagef("the expression cannot be used: %w", err)
}

// pointedBytesMax is how much of a long line is shown on either side of the
// place that is pointed at.
const pointedBytesMax = 60

// pointed is the line of a text that holds an offset, and a caret under it.
func pointed(text string, offset int) string {
	offset = min(offset, len(text))
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	before, after := text[start:offset], text[offset:end]
	if len(before) > pointedBytesMax {
		cut := len(before) - pointedBytesMax
		for cut < len(before) && !utf8.RuneStart(before[cut]) {
			cut++
		}
		before = "..." + before[cut:]
	}
	if len(after) > pointedBytesMax {
		cut := pointedBytesMax
		for cut > 0 && !utf8.RuneStart(after[cut]) {
			cut--
		}
		after = after[:cut] + "..."
	}
	before, after = printable(before), printable(after)
	return "  " + before + after + "\n  " + strings.Repeat(" ", utf8.RuneCountInString(before)) + "^"
}

// printable shows control characters and what is no UTF-8 as a single mark
// each, so that they neither move what stands behind them nor reach a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError:
			return '?'
		}
		return r
	}, text)
}
