package tools

import (
	"context"
	"errors"
	"fmt"
	"io"

	"farad/expr"
	"farad/expr/message"
	"farad/tools/record"

	"github.com/spf13/cobra"
)

// trial is one run of the filter command.
type trial struct {
	options *filterOptions
	kind    message.Type
	filter  *expr.Filter
	room    room
	out     *output
	meter   meter
	several bool // files: outputs name theirs

	all   tally
	over  bool   // nothing more has to be read
	fault string // the first message that is not well-formed, and its place
}

// tally is what there was in one file, or in all.
type tally struct{ messages, matched, unparsable uint64 }

func (t *tally) add(u tally) {
	t.messages += u.messages
	t.matched += u.matched
	t.unparsable += u.unparsable
}

// room is what messages are read into. It is given up behind a long one, so
// that it does not stay for all that follow.
type room struct {
	scratch   *expr.Scratch
	document  *message.Document
	explainer *expr.Explainer
}

func newRoom(filter *expr.Filter) room {
	return room{expr.NewScratch(), &message.Document{}, expr.NewExplainer(filter)}
}

// roomBytesMax is the longest message whose room is kept for the next.
const roomBytesMax = 1 << 20

// file tries the filter on the messages of one file.
func (t *trial) file(c *cobra.Command, name string) error {
	input, closeInput, err := openInput(name, "filter", c.InOrStdin())
	if err != nil {
		return err
	}
	defer closeInput()
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	found := tally{}
	err = t.messages(newInterruptible(ctx, input), place{file: name}, &found)
	t.all.add(found)
	if err != nil && c.Context().Err() == nil {
		return usagef("%s: %w", place{file: name}.fileName(), err)
	}
	t.over = t.over || c.Context().Err() != nil
	if t.options.count {
		t.print(func(waiting []byte) []byte { return t.appendCount(waiting, name, found) })
	}
	return nil
}

// messages tries the filter on each record of a stream.
func (t *trial) messages(stream io.Reader, at place, found *tally) error {
	records, err := t.records(stream)
	if err != nil {
		return err
	}
	for !t.over {
		body, err := records.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at.unit, at.number = records.Unit(), records.Number()
		t.message(body, at, found)
		if len(body) > roomBytesMax {
			t.room = newRoom(t.filter)
		}
	}
	return nil
}

func (t *trial) records(stream io.Reader) (record.Reader, error) {
	if t.options.whole {
		return record.Whole(stream), nil
	}
	return record.NewReader(stream, t.options.delimiter.value, readsArrays(t.options.messageType, t.options.delimiter))
}

// readsArrays says whether input that starts with a bracket is a JSON array.
func readsArrays(messageType string, delimiter separator) bool {
	return messageType == "json" && !delimiter.given
}

// message tries the filter on one message and prints what is asked for.
func (t *trial) message(body []byte, at place, found *tally) {
	o := t.options
	found.messages++
	t.meter.messages.Add(1)
	v := verdict{place: at, body: body}
	if !o.quiet {
		if v.fault = t.room.document.Read(t.kind, body); v.fault != nil {
			if found.unparsable++; t.fault == "" {
				t.fault = fmt.Sprintf("%s: %v", at, v.fault)
			}
		}
	}
	outcome := false
	if o.explain {
		v.explanation = t.room.explainer.Explain(t.kind, body)
		outcome = v.explanation.Outcome == expr.True
	} else {
		outcome = t.filter.Match(t.kind, body, t.room.scratch)
	}
	v.matched = outcome != bool(o.invert)
	limited := t.all.messages + found.messages
	if v.matched {
		found.matched++
	}
	if !o.explain {
		limited = t.all.matched + found.matched
	}
	t.over = bool(o.quiet) && v.matched || o.limit > 0 && limited >= uint64(o.limit)
	if !bool(o.quiet) && !bool(o.count) && (v.matched || bool(o.explain)) {
		t.print(func(waiting []byte) []byte { return t.appendVerdict(waiting, &v) })
	}
}

// print appends to the output. Why it takes no more is finish's to say.
func (t *trial) print(render func(waiting []byte) []byte) {
	if t.out.append(render) != nil {
		t.over = true
	}
}

// finish waits until everything is printed and turns what was found into the
// exit code.
func (t *trial) finish(ctx context.Context, err error, stderr io.Writer) error {
	if outErr := t.out.close(ctx); outErr != nil {
		if isClosedPipe(outErr) { // the reader has seen enough
			return t.nothingFound()
		}
		err = errors.Join(err, usagef("standard output: %w", outErr))
	}
	if !t.options.quiet {
		fmt.Fprintln(stderr, t.summary())
	}
	if err != nil {
		return err
	}
	return t.nothingFound()
}

// nothingFound is an error without words, for the exit code, if nothing
// matched.
func (t *trial) nothingFound() error {
	if t.all.matched > 0 {
		return nil
	}
	return &failure{ExitNothing, errors.New("")}
}

func (t *trial) summary() string {
	noun := "messages"
	if t.all.messages == 1 {
		noun = "message"
	}
	text := fmt.Sprintf("%d %s, %d matched", t.all.messages, noun, t.all.matched)
	if t.all.unparsable > 0 {
		text += fmt.Sprintf(", %d unparsable, the first at %s", t.all.unparsable, t.fault)
	}
	return text
}
