package tools

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NormalizeArgs rewrites the arguments of a command line for pflag: a word
// after a single dash gets its second one, so that -server works like
// --server, and a yes/no option takes a value that follows it as a word of
// its own, as in -secure true. Values, shorthands (-h, -DNAME=VALUE) and
// everything behind a lone -- stay as they are.
//
// An unknown word gets its second dash too, unless it starts with a shorthand
// of the command, so that the error names the word and not its first letter.
func NormalizeArgs(root *cobra.Command, args []string) []string {
	command, depth := addressed(root, args)
	command.InitDefaultHelpFlag()
	flags := command.Flags()
	normal := append(make([]string, 0, len(args)), args[:depth]...)
	for i := depth; i < len(args); i++ {
		word := args[i]
		if word == "--" {
			return append(normal, args[i:]...)
		}
		name, assigned := optionName(word)
		flag := flags.Lookup(name)
		if name == "" || (flag == nil && isShorthand(flags, word)) {
			normal = append(normal, word)
			continue
		}
		word = "--" + strings.TrimLeft(word, "-")
		follows := flag != nil && !assigned && i+1 < len(args)
		switch {
		case follows && flag.NoOptDefVal == "":
			normal = append(normal, word, args[i+1])
			i++
		case follows && isYesNo(args[i+1]):
			normal = append(normal, word+"="+args[i+1])
			i++
		default:
			normal = append(normal, word)
		}
	}
	return normal
}

// addressed finds the command that the leading words of args name, and how
// many words that takes. The help command addresses none: its arguments are
// commands.
func addressed(root *cobra.Command, args []string) (command *cobra.Command, depth int) {
	command = root
	for depth < len(args) {
		child := childNamed(command, args[depth])
		if child == nil {
			break
		}
		command = child
		depth++
	}
	return command, depth
}

func childNamed(parent *cobra.Command, name string) *cobra.Command {
	for _, c := range parent.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}

// optionName is the option that a word names, "" if it names none, and
// whether the word carries the value too.
func optionName(word string) (name string, assigned bool) {
	dashless, ok := strings.CutPrefix(word, "-")
	if !ok {
		return "", false
	}
	dashless = strings.TrimPrefix(dashless, "-")
	name, _, assigned = strings.Cut(dashless, "=")
	return name, assigned
}

// isShorthand says whether a single-dash word is a one-letter option of the
// command, or starts with one that takes a value.
func isShorthand(flags *pflag.FlagSet, word string) bool {
	if len(word) < 2 || word[1] == '-' {
		return false
	}
	flag := flags.ShorthandLookup(word[1:2])
	return flag != nil && (len(word) == 2 || flag.NoOptDefVal == "")
}

// unknownOption turns pflag's complaint about an unknown option into ours,
// with the nearest option that the command has. Other complaints stay.
func unknownOption(command *cobra.Command, err error) error {
	missing, ok := err.(*pflag.NotExistError)
	if !ok {
		return usagef("%s: %w", command.Name(), err)
	}
	name := missing.GetSpecifiedName()
	var known []string
	command.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near := nearest(name, known); near != "" {
		return usagef("%s has no option -%s, did you mean -%s?", command.Name(), name, near)
	}
	return usagef("%s has no option -%s; see farad help %s", command.Name(), name, command.Name())
}
