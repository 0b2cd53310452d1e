//go:build !race

// The race detector makes pools of scratch space forget at random.

package expr_test

import (
	"testing"

	"farad/expr"
	"farad/expr/message"
)

func TestFunctionsAllocateNothing(t *testing.T) {
	s, body := expr.NewScratch(), []byte(messageF)
	for _, call := range everyCall {
		f := compile(t, call)
		f.Eval(message.JSON{}, body, s)
		if n := testing.AllocsPerRun(50, func() { f.Eval(message.JSON{}, body, s) }); n != 0 {
			t.Errorf("%s: %v allocations", call, n)
		}
	}
}
