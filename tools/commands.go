package tools

import (
	"strings"

	"github.com/spf13/cobra"
)

// Commands are the commands of this package, for the program to mount. Give
// the program's arguments to NormalizeArgs first, and what it returns to
// ExitCode.
func Commands() []*cobra.Command {
	commands := []*cobra.Command{pingCommand(), publishCommand(), subscribeCommand(), filterCommand()}
	for _, c := range commands {
		if c.Args == nil {
			c.Args = noArguments
		}
		c.SilenceUsage, c.SilenceErrors = true, true
		c.DisableFlagsInUseLine = true
		c.SetFlagErrorFunc(unknownOption)
		c.Flags().SortFlags = false
		c.Long = strings.TrimSpace(c.Long) + "\n\nOptions may be given with one dash or with two."
	}
	return commands
}

// noArguments refuses words that belong to no option.
func noArguments(c *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return usagef("%s: %q belongs to no option; see farad help %s", c.Name(), words[0], c.Name())
}

// requireTopic says what to write if -topic is missing.
func requireTopic(c *cobra.Command, topic string) error {
	if topic != "" {
		return nil
	}
	example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
	return usagef("%s: -topic is required, as in: %s", c.Name(), example)
}
