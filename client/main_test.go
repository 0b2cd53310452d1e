package client_test

import (
	"testing"

	"go.uber.org/goleak"
)

// No test leaves a goroutine behind: every client ends all of its own.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
