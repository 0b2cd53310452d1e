package tools

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// unableToConnect is what scripts look for in the output of a failed ping.
const unableToConnect = "Unable to connect to AMPS"

// pingCommand connects, logs on and says how that went. The ways to fail have
// exit codes of their own: a logon that is refused 1, a message type that the
// server does not have 2, no connection 3.
func pingCommand() *cobra.Command {
	var server target
	timeout := interval(connectTimeout)
	c := &cobra.Command{
		Use:   "ping [options]",
		Short: "Connect to a server, log on and say how that went",
		Long: `
Connects to a server, logs on and prints the address on standard output.

No option is required. Exit codes: 0 connected, 1 the server refused the
logon, 2 the options are wrong or the server does not know the message type,
3 no connection.`,
		Example: "  farad ping -server localhost:9007 -type json",
	}
	server.addTo(c.Flags())
	c.Flags().Var(&timeout, "timeout", "give up after this `time`")
	c.RunE = func(c *cobra.Command, _ []string) error {
		uri, err := server.uri()
		if err != nil {
			return err
		}
		connection, err := connect(c.Context(), uri, time.Duration(timeout))
		if err != nil {
			return fmt.Errorf("%s (%w)", unableToConnect, err)
		}
		defer connection.Close()
		_, err = fmt.Fprintf(c.OutOrStdout(), "Successfully connected to %s\n", connection.URI())
		return err
	}
	return c
}
