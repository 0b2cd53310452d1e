package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"farad/tools/record"

	"github.com/spf13/cobra"
)

// publishOptions are the options of the publish command.
type publishOptions struct {
	target
	topic      string
	file       string
	delimiter  separator
	delta      yesNo
	rate       rate
	count      count
	timeout    interval
	statistics yesNo
}

func publishCommand() *cobra.Command {
	o := publishOptions{delimiter: separator{value: '\n'}, timeout: interval(connectTimeout)}
	c := &cobra.Command{
		Use:   "publish -topic TOPIC [options]",
		Short: "Publish records from standard input or a file",
		Long: `
Publishes each record of standard input, or of a file, as one message. Records
are lines, or separated by another byte with -delimiter. With message type json
and no -delimiter, input that starts with [ is a JSON array, and each of its
elements is a message. Empty records are skipped.

The command ends when the server has processed everything, with the total on
standard error, or when it is interrupted. Required: -topic. Exit codes: 0 all
published, 1 the server refused messages or its logon, 2 the options or the
input are wrong, 3 no connection, or it was lost.`,
		Example: "  farad publish -server localhost:9007 -topic flights -file flights.json -rate 1000",
	}
	f := c.Flags()
	f.StringVar(&o.topic, "topic", "", "the `topic` to publish to; required")
	o.target.addTo(f)
	f.StringVar(&o.file, "file", "", "`file` of records; without it, or as -, standard input")
	f.Var(&o.delimiter, "delimiter", "byte between records, its decimal `ascii` value")
	yesNoFlag(f, &o.delta, "delta", "publish the records as deltas (delta_publish)")
	f.Var(&o.rate, "rate", "messages a second, a decimal `number`: .25 is one in 4 seconds (default as fast as possible)")
	f.Var(&o.count, "count", "end after this `number` of messages")
	f.Var(&o.timeout, "timeout", "give up when connecting, or the server's last answer, takes this `time`")
	yesNoFlag(f, &o.statistics, "stats", "print the rate every second, on standard error")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := requireTopic(c, o.topic); err != nil {
			return err
		}
		return o.run(c)
	}
	return c
}

// run connects, publishes all records and waits until the server has
// processed them.
func (o *publishOptions) run(c *cobra.Command) error {
	uri, err := o.uri()
	if err != nil {
		return err
	}
	input, closeInput, err := openInput(o.file, "-file", c.InOrStdin())
	if err != nil {
		return err
	}
	defer closeInput()
	connection, err := connect(c.Context(), uri, time.Duration(o.timeout))
	if err != nil {
		return err
	}
	defer connection.Close()

	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	stderr := c.ErrOrStderr()
	meter := &meter{verb: "published", out: stderr, statistics: bool(o.statistics), progress: isTerminal(stderr)}
	sending := newPublisher(connection, bool(o.delta), stderr)
	meter.run()
	err = o.publishAll(ctx, sending, meter, newInterruptible(ctx, input))
	if err == nil || ctx.Err() != nil {
		err = sending.finish(context.WithoutCancel(ctx), time.Duration(o.timeout))
	} else if ExitCode(err) != ExitConnection {
		err = errors.Join(err, sending.finish(context.WithoutCancel(ctx), time.Duration(o.timeout)))
	}
	_, took := meter.end()
	total := sending.processed.Load()
	fmt.Fprintf(stderr, "total messages published: %d (%s)\n", total, perSecond(total, took))
	return err
}

// publishAll publishes records at their pace until they end.
func (o *publishOptions) publishAll(ctx context.Context, sending *publisher, meter *meter, input io.Reader) error {
	records, err := record.NewReader(input, o.delimiter.value, readsArrays(o.messageType, o.delimiter))
	if err != nil {
		return inputError(err)
	}
	pace := pacer{rate: o.rate}
	for n := count(0); o.count == 0 || n < o.count; n++ {
		body, err := records.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return inputError(err)
		}
		if err := pace.wait(ctx); err != nil {
			return err
		}
		if err := sending.publish(ctx, o.topic, body); err != nil {
			return err
		}
		meter.messages.Add(1)
	}
	return nil
}

// inputError gives an error of reading its exit code, unless it has one.
func inputError(err error) error {
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	if _, ok := errors.AsType[*record.Error](err); ok {
		return &failure{ExitUsage, err}
	}
	return usagef("reading the records: %w", err)
}
