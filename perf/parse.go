package perf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"farad/expr"
	"farad/expr/message"
	"farad/perf/parse"
	"farad/tools/record"

	"github.com/spf13/cobra"
)

// parseOptions are the flags of farad perf parse.
type parseOptions struct {
	types    []string
	wanted   []int
	sizes    []int
	duration time.Duration
	json     bool

	file        string
	messageType string
	paths       []string
	filters     []string
	delimiter   uint8
	whole       bool
}

// Limits of the flags.
const (
	wantedMax    = 10_000
	sizeMin      = 16
	cellMin      = time.Millisecond
	cellMax      = 10 * time.Minute
	cellDuration = 300 * time.Millisecond
)

func parseCommand() *cobra.Command {
	var o parseOptions
	c := &cobra.Command{
		Use:   "parse",
		Short: "Message types: the cost of fields, whole messages, changes and filters",
		Long: strings.TrimSpace(`
Measures on one core, without a server, what looking into messages costs: with
generated messages of every type, flat and nested, or with your own.

  extract N   find N fields, as filters and keys do; reading stops behind the
              last one. They are spread evenly over the message; the rest is
              absent when it has fewer fields
  parse       take the whole message apart, as deltas and views do
  write       change the field in the middle of a message that has been taken
              apart, and write it
  filter N    a filter of N predicates, spread in the same way and all true

The median of twenty rounds is shown. Nothing may allocate: the exit code is 1
when something does. Messages of --file are divided as publish divides them:
lines, the elements of a JSON array, or what another byte separates.`),
		Example: `  farad perf parse
  farad perf parse --types json --size 1024 --fields 1,5,20
  farad perf parse --file trades.json --type json --field /price --field /order/qty
  farad perf parse --file trades.json --filter "/price > 100 AND /symbol LIKE '^IB'" --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c) },
	}
	f := c.Flags()
	f.StringSliceVar(&o.types, "types", nil, "message `types` to generate (default all)")
	f.IntSliceVar(&o.wanted, "fields", []int{1, 5, 20}, "`numbers` of fields to find")
	f.IntSliceVar(&o.sizes, "size", []int{150, 1024, 10240}, "`bytes` of a generated message, about; several are possible")
	f.DurationVar(&o.duration, "duration", cellDuration, "`time` of each measurement")
	f.StringVar(&o.file, "file", "", "measure the messages of this `file`, or of standard input as -, instead of generated ones")
	f.StringVar(&o.messageType, "type", "json", "message `type` of the file")
	f.StringArrayVar(&o.paths, "field", nil, "find this `field` of the file's messages; may be repeated (default --fields of those of the first message)")
	f.StringArrayVar(&o.filters, "filter", nil, "measure this `filter` on the file's messages too; may be repeated")
	f.Uint8Var(&o.delimiter, "delimiter", '\n', "byte between the file's messages, its decimal `ascii` value")
	f.BoolVar(&o.whole, "whole", false, "the file is one message")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

// check refuses values out of bounds, and flags without what they act on.
func (o *parseOptions) check(c *cobra.Command) error {
	for _, n := range o.wanted {
		if n < 1 || n > wantedMax {
			return fmt.Errorf("fields %d: expected 1 to %d", n, wantedMax)
		}
	}
	for _, n := range o.sizes {
		if n < sizeMin || n > parse.SizeMax {
			return fmt.Errorf("size %d: expected %d to %d bytes", n, sizeMin, parse.SizeMax)
		}
	}
	if len(o.wanted) == 0 || len(o.sizes) == 0 {
		return errors.New("fields and size: expected a number at least")
	}
	if o.duration < cellMin || o.duration > cellMax {
		return fmt.Errorf("duration %v: expected %v to %v", o.duration, cellMin, cellMax)
	}
	unused, needed := []string{"type", "field", "filter", "delimiter", "whole"}, "with a --file"
	if o.file != "" {
		unused, needed = []string{"types", "size"}, "without a --file"
	}
	for _, flag := range unused {
		if c.Flags().Changed(flag) {
			return fmt.Errorf("--%s has a meaning only %s", flag, needed)
		}
	}
	if o.whole && c.Flags().Changed("delimiter") {
		return errors.New("--whole and --delimiter exclude each other")
	}
	return nil
}

func (o *parseOptions) run(c *cobra.Command) error {
	if err := o.check(c); err != nil {
		return usageError{err}
	}
	r := newParseReport()
	r.Duration = o.duration.String()
	settings := parse.Settings{Wanted: o.wanted, Duration: o.duration}
	measure := o.measureGenerated
	if o.file != "" {
		measure = o.measureFile
	}
	if err := measure(c, settings, r); err != nil {
		return usageError{err}
	}
	r.Interrupted = c.Context().Err() != nil
	if err := r.print(c.OutOrStdout(), o.json); err != nil {
		return err
	}
	if len(r.Cells) == 0 && !r.Interrupted {
		return usageError{errors.New("nothing was measured: no message could be generated")}
	}
	return r.verdict()
}

// measureGenerated measures messages of the types, in all shapes and sizes.
func (o *parseOptions) measureGenerated(c *cobra.Command, s parse.Settings, r *parseReport) error {
	types := message.NewTypes()
	if len(o.types) == 0 {
		o.types = types.Names()
	}
	kinds := make([]message.Type, len(o.types))
	for i, name := range o.types {
		kind, err := typeNamed(types, name)
		if err != nil {
			return fmt.Errorf("types %w", err)
		}
		kinds[i] = kind
	}
	shapes := []string{parse.Flat, parse.Nested}
	progress := newCellProgress(c.ErrOrStderr(), len(kinds)*len(o.sizes)*len(shapes)*s.Cells())
	defer progress.clear()
	for _, kind := range kinds {
		if !kind.Capabilities().Output {
			_, err := parse.Generate(kind, parse.Flat, sizeMin)
			r.skip(kind.Name(), "", err)
			progress.skip(len(o.sizes) * len(shapes) * s.Cells())
			continue
		}
		for _, shape := range shapes {
			o.measureShape(c.Context(), kind, shape, s, r, progress)
		}
	}
	return nil
}

// measureShape measures messages of one type and shape in all sizes.
func (o *parseOptions) measureShape(ctx context.Context, kind message.Type, shape string, s parse.Settings, r *parseReport, progress *cellProgress) {
	for i, size := range o.sizes {
		if ctx.Err() != nil {
			return
		}
		corpus, err := parse.Generate(kind, shape, size)
		if err != nil {
			r.skip(kind.Name(), shape, err)
			progress.skip((len(o.sizes) - i) * s.Cells())
			return
		}
		s.Done = func() { progress.done(kind.Name() + " " + shape) }
		r.Cells = append(r.Cells, s.Measure(ctx, corpus)...)
	}
}

// measureFile measures a user's own messages.
func (o *parseOptions) measureFile(c *cobra.Command, s parse.Settings, r *parseReport) error {
	kind, err := typeNamed(message.NewTypes(), o.messageType)
	if err != nil {
		return fmt.Errorf("type %w", err)
	}
	for _, field := range o.paths {
		path, err := parse.PathOf(field)
		if err != nil {
			return fmt.Errorf("field %s: %w", field, err)
		}
		s.Paths = append(s.Paths, path)
	}
	for _, text := range o.filters {
		filter, err := expr.CompileFilter(text)
		if err != nil {
			return fmt.Errorf("filter %s: %w", text, err)
		}
		s.Filters = append(s.Filters, filter)
	}
	corpus, err := o.read(c, kind)
	if err != nil {
		return err
	}
	if corpus.Bad > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s of %s left out: not well-formed", plural(corpus.Bad, "message"), o.file))
	}
	if len(corpus.Messages) == parse.MessagesMax {
		r.Notes = append(r.Notes, fmt.Sprintf("the first %s messages of %s", grouped(parse.MessagesMax), o.file))
	}
	if !corpus.Writable() {
		r.Notes = append(r.Notes, "write is left out: "+kind.Name()+" messages cannot be written field by field")
	}
	progress := newCellProgress(c.ErrOrStderr(), s.Cells())
	defer progress.clear()
	s.Done = func() { progress.done(o.file) }
	r.Cells = s.Measure(c.Context(), corpus)
	return nil
}

// read reads the messages of the file.
func (o *parseOptions) read(c *cobra.Command, kind message.Type) (*parse.Corpus, error) {
	stream := c.InOrStdin()
	if o.file != "-" {
		file, err := os.Open(o.file)
		if err != nil {
			return nil, fmt.Errorf("file: %w", err)
		}
		defer file.Close()
		stream = file
	}
	records, err := o.records(c, stream)
	if err != nil {
		return nil, fmt.Errorf("file: %w", err)
	}
	return parse.Read(kind, o.file, records)
}

func (o *parseOptions) records(c *cobra.Command, stream io.Reader) (record.Reader, error) {
	if o.whole {
		return record.Whole(stream), nil
	}
	arrays := o.messageType == "json" && !c.Flags().Changed("delimiter")
	return record.NewReader(stream, o.delimiter, arrays)
}

// typeNamed finds a message type.
func typeNamed(types *message.Types, name string) (message.Type, error) {
	if kind, ok := types.ByName(name); ok {
		return kind, nil
	}
	return nil, fmt.Errorf("%s: there is no such message type; known are %s", name, strings.Join(types.Names(), ", "))
}
