package perf_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"farad/perf"

	"github.com/spf13/cobra"
	"go.uber.org/goleak"
)

// TestMain also plays the program that latency --baseline starts.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "perf" && os.Args[2] == "relay" {
		c := perf.Command()
		c.SetArgs(os.Args[2:])
		os.Exit(perf.ExitCode(c.Execute()))
	}
	goleak.VerifyTestMain(m)
}

// runPerf runs a command line and returns what it printed.
func runPerf(ctx context.Context, args ...string) (stdout string, err error) {
	var out, errOut bytes.Buffer
	root := &cobra.Command{Use: "farad", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(perf.Command())
	root.SetOut(&out)
	root.SetErr(&errOut)
	root.SetArgs(append([]string{"perf"}, args...))
	err = root.ExecuteContext(ctx)
	return out.String(), err
}
