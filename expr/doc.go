// Package expr is the expression language: filters now, and whatever else
// looks inside messages (02-expressions).
//
// In comes the text of an expression, out comes a Filter: a tree whose
// identifiers are numbered and that evaluates without allocating. A Matcher
// holds the filters of one topic and finds, in one walk over a message, those
// that are true for it. A FieldList makes fields of messages, a Projection of
// groups of messages, and an Order sorts messages. The package knows message types (expr/message) and
// regular expressions (expr/pattern), never topics, subscribers or the
// protocol.
//
// A reader follows the text through lexer.go (tokens), parser.go (grammar of
// 02-expressions §3), node.go and its neighbours (evaluation), filter.go and
// matcher.go (cover.go: which filters an index finds; form.go: which are equal),
// fieldlist.go, and projection.go (tally.go: aggregates over what comes and
// goes). Functions are entered in functions.go, a family a file; call.go
// evaluates them and texts.go holds the texts they make.
package expr
