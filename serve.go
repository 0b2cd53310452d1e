package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"farad/engine"
	"farad/engine/config"
	"farad/engine/eventlog"
	"farad/netio"
	"farad/tools"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// serveOptions are the flags of a server (10-configuration §1).
type serveOptions struct {
	verify, dump, sample, version bool
	variables                     []string
}

func (o *serveOptions) flags(f *pflag.FlagSet) {
	f.BoolVar(&o.verify, "verify-config", false, "check the configuration file, print every finding and exit")
	f.BoolVar(&o.dump, "dump-config", false, "print the configuration with includes and variables resolved and exit")
	f.BoolVar(&o.sample, "sample-config", false, "print a small configuration file to start from and exit")
	f.BoolVar(&o.version, "version", false, "print the version and exit")
	f.StringArrayVarP(&o.variables, "define", "D", nil, "set a variable of the configuration, `NAME=VALUE`; may be repeated")
}

func serveCommand() *cobra.Command {
	var o serveOptions
	c := &cobra.Command{
		Use:   "serve [flags] [config.xml]",
		Short: "Run the server",
		Long: strings.TrimSpace(`
Runs the server until it is interrupted (SIGINT or SIGTERM); then it stops
accepting, sends what is still to be sent, closes and exits 0. Without a
configuration file it uses embedded defaults.`),
		Example: "  farad serve\n  farad serve -D PORT=9100 config.xml\n  farad serve --verify-config config.xml",
		Args:    atMostOneFile,
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.flags(c.Flags())
	return c
}

func (o *serveOptions) run(c *cobra.Command, args []string) error {
	out := c.OutOrStdout()
	switch {
	case o.version:
		_, err := fmt.Fprintf(out, "farad %s (amps %s)\n", Version, engine.Version)
		return err
	case o.sample:
		_, err := io.WriteString(out, config.Sample())
		return err
	case (o.verify || o.dump) && len(args) == 0:
		return exitError{exitUsage, "--verify-config and --dump-config need a configuration file"}
	}
	settings, report, err := o.load(c.ErrOrStderr(), args)
	if err != nil {
		return err
	}
	switch {
	case o.verify:
		return nil
	case o.dump:
		_, err = out.Write(settings.Expanded)
		return err
	}
	return serve(c.Context(), settings, report, out)
}

// load reads the configuration and prints its findings. Without a file there
// is no report.
func (o *serveOptions) load(stderr io.Writer, args []string) (*config.Config, *config.Report, error) {
	variables := map[string]string{}
	for _, definition := range o.variables {
		name, value, ok := strings.Cut(definition, "=")
		if !ok || name == "" {
			return nil, nil, exitError{exitUsage, fmt.Sprintf("-D %q: expected NAME=VALUE", definition)}
		}
		variables[name] = value
	}
	if len(args) == 0 {
		return config.Default(), nil, nil
	}
	settings, report := config.Load(args[0], config.Options{Variables: variables})
	if len(report.Findings) > 0 || o.verify {
		if _, err := report.WriteTo(stderr); err != nil {
			return nil, nil, err
		}
	}
	if report.Err() != nil {
		return nil, nil, exitError{code: exitFailed}
	}
	return settings, report, nil
}

// serve runs an instance until ctx ends. Whoever comes without a configuration
// file, and so without a report on one, is told what is there and what to try.
func serve(ctx context.Context, settings *config.Config, report *config.Report, out io.Writer) error {
	started := time.Now()
	log := eventlog.FromConfig(settings, os.Stdout, os.Stderr)
	log.Event(eventlog.ProductLine, 1, "Farad %s, amps %s, instance %s", Version, engine.Version, settings.Name)
	log.Event(eventlog.Configuration, 1, "configuration %s", settings.Source)
	if report != nil {
		log.Findings(report)
	}
	e, err := engine.New(engine.Options{
		Name:        settings.Name,
		Group:       settings.Group,
		Types:       settings.Types,
		RegexTopics: settings.RegexTopicSupport,
		Log:         log,
	})
	if err != nil {
		return exitError{exitFailed, err.Error()}
	}
	defer e.Close()
	server, err := netio.Start(e, networkOptions(settings))
	if err != nil {
		return exitError{exitFailed, err.Error()}
	}
	log.Event(eventlog.Initialized, 1, "initialization completed (%d seconds).", int(time.Since(started).Seconds()))
	if report == nil {
		greeting(out, server.Addresses())
	}
	<-ctx.Done()
	log.Event(eventlog.ShutdownStarted, 1, "shutdown started")
	err = server.Stop(context.WithoutCancel(ctx))
	total := e.Statistics()
	log.Event(eventlog.ShutdownCompleted, 1, "shutdown completed: %d messages published, %d delivered", total.Published, total.Delivered)
	if err != nil {
		return exitError{exitFailed, err.Error()}
	}
	return nil
}

// networkOptions are the settings as netio takes them.
func networkOptions(settings *config.Config) netio.Options {
	o := netio.Options{
		Instance:      settings.Name,
		EventLoops:    settings.EventLoops,
		OutboundLimit: int(settings.OutboundLimit),
	}
	for _, t := range settings.Transports {
		o.Transports = append(o.Transports, netio.Transport{
			Name: t.Name, Network: t.Network, Address: t.Address, MessageType: t.MessageType,
		})
	}
	return o
}

// greeting tells a newcomer how to connect and what to try.
func greeting(out io.Writer, addresses []net.Addr) {
	if len(addresses) == 0 {
		return
	}
	address := addresses[0].String()
	server := ""
	if address != tools.DefaultServer {
		server = " -server " + address
	}
	fmt.Fprintf(out, `
Farad is ready. Connect with  tcp://%[1]s/amps/json  (or any other message type).
Every topic works at once; nothing is kept, messages go to the current subscribers.

Try, in a second terminal:
  go run . subscribe%[2]s -topic flights -filter "/delay > 60 AND /origin = 'ORD'"
and in a third:
  echo '{"origin":"ORD","destination":"SFO","delay":75}' | go run . publish%[2]s -topic flights

Stop with Ctrl-C.

`, address, server)
}
