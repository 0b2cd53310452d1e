package perf

import (
	"strings"

	"github.com/spf13/cobra"
)

// serverVariable is the environment variable in the place of --server.
const serverVariable = "FARAD_SERVER"

// defaultServer is where load goes when nothing says otherwise.
const defaultServer = "tcp://127.0.0.1:9007/amps/json"

// Command is farad perf with its commands.
func Command() *cobra.Command {
	c := &cobra.Command{
		Use:   "perf",
		Short: "Load generators: throughput and latency of a server",
		Long: strings.TrimSpace(`
Load generators for a running server. They report rates, percentiles, CPU
seconds of both sides and every lost, doubled or disordered message, and they
say so when they were the bottleneck themselves.`),
		Args: cobra.NoArgs,
	}
	return c
}
