package perf

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"farad/perf/amps"
	"farad/perf/load"
	"farad/perf/relay"

	"github.com/spf13/cobra"
)

// serverVariable is the environment variable in the place of --server.
const serverVariable = "FARAD_SERVER"

// defaultServer is where load goes when nothing says otherwise.
const defaultServer = "tcp://127.0.0.1:9007/amps/json"

// Exit codes (14-tools-and-capacity §3).
const (
	exitOK     = 0
	exitFailed = 1 // the server failed, or messages were lost
	exitUsage  = 2 // the command line can't be used
)

// usageError is a command line that can't be used.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// ExitCode is the exit code for what a command of this package returned.
func ExitCode(err error) int {
	if err == nil {
		return exitOK
	}
	_, usage := errors.AsType[usageError](err)
	_, setting := errors.AsType[*load.SettingError](err)
	if usage || setting {
		return exitUsage
	}
	return exitFailed
}

// Command is farad perf with its commands.
func Command() *cobra.Command {
	c := &cobra.Command{
		Use:   "perf",
		Short: "Load generators for a server, and the cost of message types",
		Long: strings.TrimSpace(`
pubsub and latency load a running server. They report rates, percentiles, CPU
seconds of both sides and every lost, doubled or disordered message, and they
say so when they were the bottleneck themselves. Nothing is stored: all figures
are of durability class V.

parse needs no server: it measures what looking into messages costs.`),
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(pubsubCommand(), latencyCommand(), parseCommand(), relayCommand())
	for _, child := range c.Commands() {
		child.SilenceUsage = true
		child.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
			return usageError{fmt.Errorf("%s: %w; see farad perf %s --help", c.Name(), err, c.Name())}
		})
	}
	return c
}

// target is which server to load and whose CPU to read: flags of all loads.
type target struct {
	server string
	pid    int
	topic  string
	size   int
	json   bool
}

func (t *target) addTo(c *cobra.Command) {
	server := defaultServer
	if value := os.Getenv(serverVariable); value != "" {
		server = value
	}
	f := c.Flags()
	f.StringVar(&t.server, "server", server, "the server, `tcp://[user[:password]@]host:port/amps/TYPE`; "+serverVariable+" sets it too")
	f.IntVar(&t.pid, "server-pid", 0, "process `id` of a server on this machine, whose CPU seconds and peak memory to report")
	f.StringVar(&t.topic, "topic", "perf", "`topic` to publish to")
	f.IntVar(&t.size, "size", 128, "`bytes` of a message body, a JSON object")
	f.BoolVar(&t.json, "json", false, "print the result as JSON")
}

func (t *target) protocol() (*amps.Protocol, error) {
	p, err := amps.New(t.server)
	if err != nil {
		return nil, usageError{err}
	}
	return p, nil
}

// relayCommand is the child process of latency --baseline.
func relayCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "relay",
		Short:  "Copy bytes from one TCP connection to another",
		Long:   "Listens on two ports of 127.0.0.1, prints both, and copies what comes in at the first to the second,\nuntil a connection or standard input ends. perf latency --baseline starts it.",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			return relay.ServeChild(c.Context(), c.InOrStdin(), c.OutOrStdout())
		},
	}
}

// verdict turns what must not happen to messages into an error, so that a
// script notices it.
func verdict(faults load.Faults, stalled bool) error {
	switch {
	case stalled:
		return errors.New("the run ended because nothing moved any more")
	case faults.Any():
		return fmt.Errorf("%d messages lost, %d duplicates, %d out of order, %d not of this load",
			faults.Losses, faults.Duplicates, faults.Disorder, faults.Foreign)
	}
	return nil
}
