package tools_test

import (
	"slices"
	"strings"
	"testing"

	"farad/tools"

	"github.com/spf13/cobra"
)

// testRoot is a program with the commands of the package beside one that has
// shorthands.
func testRoot() *cobra.Command {
	root := &cobra.Command{Use: "farad", SilenceUsage: true, SilenceErrors: true}
	serve := &cobra.Command{Use: "serve", RunE: func(*cobra.Command, []string) error { return nil }}
	serve.Flags().StringArrayP("define", "D", nil, "variable")
	serve.Flags().Bool("verify-config", false, "check")
	root.AddCommand(serve)
	root.AddCommand(tools.Commands()...)
	return root
}

func TestNormalizeArgsGivesWordsTheirSecondDashAndLeavesValuesAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"publish -server h:1 -topic t", "publish --server h:1 --topic t"},
		{"publish --server h:1 --topic=t", "publish --server h:1 --topic=t"},
		{"publish -server=h:1", "publish --server=h:1"},
		{"publish -rate .25", "publish --rate .25"},
		{"publish -topic -topic", "publish --topic -topic"},
		{"subscribe -filter -/x>1 -topic t", "subscribe --filter -/x>1 --topic t"},
		{"publish -secure true -topic t", "publish --secure=true --topic t"},
		{"publish -secure -topic t", "publish --secure --topic t"},
		{"publish -secure=no -delta yes", "publish --secure=no --delta=yes"},
		{"publish -delta", "publish --delta"},
		{"publish -unknown 1", "publish --unknown 1"},
		{"publish -host 1", "publish --host 1"},
		{"publish -h", "publish -h"},
		{"publish -help", "publish --help"},
		{"publish -- -topic", "publish -- -topic"},
		{"publish -file - -topic t", "publish --file - --topic t"},
		{"serve -DPORT=9100 -verify-config c.xml", "serve -DPORT=9100 --verify-config c.xml"},
		{"serve -D PORT=9100", "serve -D PORT=9100"},
		{"help publish", "help publish"},
		{"-", "-"},
		{"", ""},
	} {
		got := tools.NormalizeArgs(testRoot(), strings.Fields(c.in))
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("NormalizeArgs(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
