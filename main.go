// Command farad is a message engine for latency-sensitive trading systems,
// its command-line client and its tools, in one binary. Without a command it
// serves: see serve.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"farad/perf"
	"farad/tools"

	"github.com/spf13/cobra"
)

// Version of this build: MAJOR.MINOR.FEATURE.HOTFIX.TIMESTAMP.TAG as far as
// known (10-configuration §1). The build may set it with -ldflags -X.
var Version = "0.1.0.0"

// Exit codes (10-configuration §1, 14-tools-and-capacity §1).
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run()) }

// run does what the command line says and returns the exit code.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	root := rootCommand()
	root.SetArgs(tools.NormalizeArgs(root, os.Args[1:]))
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var exit exitError
	if errors.As(err, &exit) {
		if exit.message != "" {
			fmt.Fprintln(os.Stderr, "farad: "+exit.message)
		}
		return exit.code
	}
	if code := perf.ExitCode(err); code > exitFailed {
		fmt.Fprintln(os.Stderr, "farad: "+err.Error())
		return code
	}
	if code := tools.ExitCode(err); code != exitOK {
		if err.Error() != "" {
			fmt.Fprintln(os.Stderr, "farad: "+err.Error())
		}
		return code
	}
	return exitFailed
}

// exitError carries an exit code of its own; an empty message means that
// everything has been said.
type exitError struct {
	code    int
	message string
}

func (e exitError) Error() string { return e.message }

// rootCommand is farad itself: with no command it serves, so that the options
// of a server may stand right behind it, as in farad --verify-config FILE.
func rootCommand() *cobra.Command {
	var o serveOptions
	root := &cobra.Command{
		Use:   "farad [flags] [config.xml]",
		Short: "A message engine for latency-sensitive trading systems",
		Long: strings.TrimSpace(`
Farad is a message engine: content-filtered publish and subscribe over the amps
protocol, in one process. Without a command it serves; without a configuration
file it serves embedded defaults on 127.0.0.1:9007, for every message type.`),
		Example: `  farad                          serve the embedded defaults
  farad serve config.xml         serve a configuration
  farad publish -topic flights -file flights.json
  farad subscribe -topic flights -filter "/delay > 60"`,
		Args:          atMostOneFile,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return exitError{exitUsage, fmt.Sprintf("%v; see %s --help", err, c.CommandPath())}
	})
	o.flags(root.Flags())
	root.AddCommand(serveCommand())
	root.AddCommand(tools.Commands()...)
	root.AddCommand(perf.Command())
	return root
}

// atMostOneFile is the argument of a server: its configuration.
func atMostOneFile(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return exitError{exitUsage, fmt.Sprintf("%s takes one configuration file, not %d", c.Name(), len(args))}
	}
	return nil
}
