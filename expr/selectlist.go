package expr

import (
	"farad/expr/message"
)

// CompileSelectList reads what stands between the brackets of a select list:
// directives + or - with a path each, or with / for all fields, divided by
// commas (02-expressions §3, 05-subscriptions §5). The error is a *SyntaxError.
func CompileSelectList(text string) (*message.SelectList, error) {
	l := lexer{text: text}
	t, err := l.next()
	if err != nil {
		return nil, err
	}
	var directives []message.Directive
	for {
		var d message.Directive
		if !t.is("+") && !t.is("-") {
			return nil, l.fail(t.offset, "+ or - in front of a path")
		}
		d.Include = t.is("+")
		if t, err = l.next(); err != nil {
			return nil, err
		}
		switch {
		case t.is("/"):
		case t.kind != tokenPath:
			return nil, l.fail(t.offset, "a path such as /field, or / for all fields")
		case t.subscript >= 0:
			return nil, l.fail(t.offset, "a path without a subscript: a select list takes arrays whole")
		default:
			d.Path = t.steps
		}
		directives = append(directives, d)
		if t, err = l.next(); err != nil {
			return nil, err
		}
		if t.kind == tokenEnd {
			return message.NewSelectList(directives), nil
		}
		if !t.is(",") {
			return nil, l.fail(t.offset, "a comma or the end of the list")
		}
		if t, err = l.next(); err != nil {
			return nil, err
		}
	}
}
