package tools

import (
	"strings"

	"farad/engine/config"
	"farad/expr/message"

	"github.com/spf13/cobra"
)

// filterOptions are the options of the filter command.
type filterOptions struct {
	messageType string
	config      string
	delimiter   separator
	whole       yesNo
	invert      yesNo
	count       yesNo
	quiet       yesNo
	explain     yesNo
	json        yesNo
	limit       count
}

func filterCommand() *cobra.Command {
	o := filterOptions{delimiter: separator{value: '\n'}}
	c := &cobra.Command{
		Use:   "filter EXPRESSION [FILE...] [options]",
		Short: "Try a content filter on messages from files or standard input",
		Long: `
Prints the messages for which an expression of the filter language is true, as
a server would pass them to a subscriber: what comes before a fault in a message
counts, what comes behind it is NULL. Messages come from the files, or from
standard input without any or as -. They are divided as publish divides them:
lines, or separated by another byte with -delimiter, or the elements of a JSON
array. No server is needed.

-explain prints, for every message, the outcome (true, false or NULL), what each
field of the expression holds in it, with arrays in full, and the outcome of
each condition that AND, OR and NOT join, evaluated on its own. The conditions
are those of the expression's text; a server stops at the first that decides.

A summary on standard error counts messages, those that matched, and those that
are not well-formed, with the place of the first. Exit codes: 0 a message
matched, 1 none did, 2 the expression, the options or a file cannot be used.`,
		Example: `  farad filter "/delay > 60 AND /origin = 'ORD'" flights.json
  farad filter -explain -max 3 "/legs/airline LIKE '^U'" flights.json
  farad filter -type json -count "/price IS NULL" <trades.json
  farad filter -type quotes -config farad.xml -explain "/bid > 100" quotes.bin -whole
  farad filter -quiet -- "-/delay > 60" flights.json && echo early`,
		Args: func(*cobra.Command, []string) error { return nil }, // run says more
	}
	f := c.Flags()
	f.StringVar(&o.messageType, "type", environment(typeVariable, DefaultType), "message `type`; "+typeVariable+" sets it too")
	f.StringVar(&o.config, "config", "", "configuration `file` that declares the message type")
	f.Var(&o.delimiter, "delimiter", "byte between messages, its decimal `ascii` value")
	yesNoFlag(f, &o.whole, "whole", "each file is one message")
	yesNoShorthand(f, &o.invert, "invert", "v", "print the messages for which the expression is false or NULL")
	yesNoShorthand(f, &o.count, "count", "c", "print how many messages matched, a line for each file, and nothing else")
	yesNoShorthand(f, &o.quiet, "quiet", "q", "print nothing and end with the first match: the exit code tells")
	yesNoShorthand(f, &o.explain, "explain", "e", "print for every message how its outcome comes about")
	yesNoFlag(f, &o.json, "json", "print an object, one a line, for each message that matched, was explained, or file that was counted")
	f.VarP(&o.limit, "max", "m", "end after this `number` of matches; with -explain, of messages")
	c.RunE = func(c *cobra.Command, words []string) error {
		if len(words) == 0 {
			return usagef("filter: the expression is missing, as in: farad filter \"/delay > 60\" flights.json")
		}
		return o.run(c, words[0], words[1:])
	}
	return c
}

// check refuses options that contradict each other.
func (o *filterOptions) check() error {
	var given []string
	for _, option := range []struct {
		name string
		set  yesNo
	}{{"-quiet", o.quiet}, {"-count", o.count}, {"-explain", o.explain}} {
		if option.set {
			given = append(given, option.name)
		}
	}
	if len(given) > 1 {
		return usagef("filter: %s exclude each other", strings.Join(given, " and "))
	}
	if bool(o.whole) && o.delimiter.given {
		return usagef("filter: -whole and -delimiter exclude each other")
	}
	return nil
}

// run reads all files, says what there was and whether anything matched.
func (o *filterOptions) run(c *cobra.Command, expression string, files []string) error {
	if err := o.check(); err != nil {
		return err
	}
	kind, err := o.messageTypeOf()
	if err != nil {
		return err
	}
	filter, err := compileFilter(expression)
	if err != nil {
		return err
	}
	if paths := filter.Paths(); len(paths) > 0 && !kind.Capabilities().Parsed {
		return usagef("filter: %s cannot be read: messages of type %s have no fields", paths[0], kind.Name())
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	t := &trial{
		options: o, kind: kind, filter: filter, several: len(files) > 1,
		room: newRoom(filter), out: openOutput(stdout),
		meter: meter{verb: "read", out: stderr, progress: !bool(o.quiet) && isTerminal(stderr) && !isTerminal(stdout)},
	}
	t.meter.run()
	for _, name := range files {
		if err = t.file(c, name); err != nil || t.over {
			break
		}
	}
	t.meter.end()
	return t.finish(c.Context(), err, stderr)
}

// messageTypeOf finds the message type, which a configuration may declare.
func (o *filterOptions) messageTypeOf() (message.Type, error) {
	types := message.NewTypes()
	if o.config != "" {
		settings, report := config.Load(o.config, config.Options{})
		if err := report.Err(); err != nil {
			return nil, usagef("-config: %v", err)
		}
		types = settings.Types
	}
	return messageType(o.messageType, types)
}

// messageType finds a message type by its name.
func messageType(name string, types *message.Types) (message.Type, error) {
	if kind, ok := types.ByName(name); ok {
		return kind, nil
	}
	known := types.Names()
	if near := nearest(name, known); near != "" {
		return nil, usagef("-type %q: there is no such message type, did you mean %s?", name, near)
	}
	return nil, usagef("-type %q: there is no such message type; known are %s", name, strings.Join(known, ", "))
}
