package expr

import "fmt"

// Limits of one expression.
const (
	// FilterBytesMax bounds the text.
	FilterBytesMax = 64 << 10
	// DepthMax bounds the nesting of parentheses, calls and signs.
	DepthMax = 200
	// NodesMax bounds the parts of an expression.
	NodesMax = 20_000
)

// SyntaxError reports an expression that cannot be used (02-expressions 1.8).
type SyntaxError struct {
	Offset   int    // byte offset in the text
	Found    string // what stands there
	Expected string // what would have been right
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("at byte %d: found %s, expected %s", e.Offset, e.Found, e.Expected)
}
