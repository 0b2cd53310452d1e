package netio_test

import (
	"os"
	"testing"

	"farad/netio"
)

// Every test of this package runs with inbound buffers poisoned after their
// batch: 15-performance-anchors #6.
func TestMain(m *testing.M) {
	netio.PoisonInbound()
	os.Exit(m.Run())
}
