package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"farad/client"

	"github.com/spf13/cobra"
)

// subscribeOptions are the options of the subscribe command.
type subscribeOptions struct {
	target
	topic      string
	filter     string
	delta      yesNo
	format     string
	timestamps yesNo
	selects    string
	copyTo     string
	count      count
	timeout    interval
	statistics yesNo
}

func subscribeCommand() *cobra.Command {
	var o subscribeOptions
	c := &cobra.Command{
		Use:   "subscribe -topic TOPIC [options]",
		Short: "Print the messages of a topic as they come",
		Long: `
Subscribes to a topic and prints the payload of each message, one a line, on
standard output; on a terminal JSON is laid out over several lines. A line on
standard error says when the subscription stands.

-format prints something else of each message: text with the tags
` + "{" + strings.Join(tags[:6], "} {") + "}\n{" + strings.Join(tags[6:], "} {") + `}
and the escapes \n, \t, \\ and \{. What a message does not have is empty.

The command runs until it is interrupted, has printed -count messages, or
-timeout is over. Required: -topic. Exit codes: 0 done, 1 the server refused,
or fewer messages came within -timeout than -count asks for, 2 the options are
wrong, 3 no connection, or it was lost.`,
		Example: `  farad subscribe -server localhost:9007 -topic flights -filter "/delay > 60 AND /origin = 'ORD'"`,
	}
	f := c.Flags()
	f.StringVar(&o.topic, "topic", "", "the `topic`, or a regular expression for several; required")
	o.target.addTo(f)
	f.StringVar(&o.filter, "filter", "", "content `filter`: only messages for which it is true")
	yesNoFlag(f, &o.delta, "delta", "receive changes only, where the server can tell (delta_subscribe)")
	f.StringVar(&o.format, "format", "", "what to print of each message, a `text` with tags (default the payload)")
	yesNoFlag(f, &o.timestamps, "ts", "print the time at which the server processed the message, and a tab, before it")
	f.StringVar(&o.selects, "select", "", "the fields to receive: a `list` of + and - with paths, such as -/,+/id,+/price/bid")
	f.StringVar(&o.copyTo, "copy", "", "publish what arrives to this second `server` too, host:port or a URI, in order")
	f.Var(&o.count, "count", "end after this `number` of messages")
	f.Var(&o.timeout, "timeout", "end after this `time` (default never)")
	yesNoFlag(f, &o.statistics, "stats", "print the rate every second, on standard error")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := requireTopic(c, o.topic); err != nil {
			return err
		}
		return o.run(c)
	}
	return c
}

// run subscribes, prints until there is a reason to end, and says the total.
func (o *subscribeOptions) run(c *cobra.Command) error {
	printer, err := o.newPrinter(c.OutOrStdout())
	if err != nil {
		return err
	}
	uri, err := o.uri()
	if err != nil {
		return err
	}
	source, err := connect(c.Context(), uri, connectTimeout)
	if err != nil {
		return err
	}
	defer source.Close()
	stderr := c.ErrOrStderr()
	second, err := o.openCopy(c.Context(), stderr)
	if err != nil {
		return err
	}
	if second != nil {
		defer second.connection.Close()
	}
	reception := &reception{
		print: printer, copy: second, limit: uint64(o.count),
		out:   openOutput(c.OutOrStdout()),
		meter: meter{verb: "received", out: stderr, statistics: bool(o.statistics)},
		ended: make(chan error, 1),
	}
	reception.meter.run()
	err = o.receive(c.Context(), source, reception, stderr)
	printErr := reception.finish(c.Context())
	messages, took := reception.meter.end()
	if isClosedPipe(printErr) {
		return err
	}
	err = errors.Join(err, printErr)
	fmt.Fprintf(stderr, "total messages received: %d (%s)\n", messages, perSecond(messages, took))
	return err
}

// receive subscribes and waits for a reason to end.
func (o *subscribeOptions) receive(ctx context.Context, source *client.Client, r *reception, stderr io.Writer) error {
	subscription := client.Subscription{Topic: o.topic, Filter: o.filter, Delta: bool(o.delta)}
	var options []string
	if r.print.needsTimestamp() {
		options = append(options, "timestamp")
	}
	if o.selects != "" {
		options = append(options, "select=["+strings.TrimSuffix(strings.TrimPrefix(o.selects, "["), "]")+"]")
	}
	subscription.Options = strings.Join(options, ",")
	copying, cancel := outlive(ctx, drainTimeout)
	defer cancel()
	feed, err := source.Subscribe(ctx, subscription, func(m *client.Message) { r.receive(copying, m) })
	if err != nil {
		return classified(err)
	}
	fmt.Fprintf(stderr, "subscribed to %s\n", o.topic)
	var timeUp <-chan time.Time
	if o.timeout > 0 {
		timer := time.NewTimer(time.Duration(o.timeout))
		defer timer.Stop()
		timeUp = timer.C
	}
	select {
	case err = <-r.ended:
	case <-r.out.ended():
	case <-ctx.Done():
	case <-timeUp:
		if messages := r.meter.messages.Load(); messages < r.limit {
			err = refusedf("%d messages expected within %v, %d came", r.limit, time.Duration(o.timeout), messages)
		}
	case <-source.Done():
		return connectionf("connection to %s lost: %w", source.URI(), source.Err())
	}
	// Closing the connection ends the subscription too, so a failure to say it
	// politely is none.
	polite, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	_ = feed.Unsubscribe(polite)
	return err
}

// openCopy connects to the server that gets a copy, if one is named.
func (o *subscribeOptions) openCopy(ctx context.Context, stderr io.Writer) (*publisher, error) {
	if o.copyTo == "" {
		return nil, nil
	}
	uri, err := o.address(o.copyTo, "-copy")
	if err != nil {
		return nil, err
	}
	connection, err := connect(ctx, uri, connectTimeout)
	if err != nil {
		return nil, fmt.Errorf("-copy: %w", err)
	}
	return newPublisher(connection, false, stderr), nil
}

// openOutput makes an output of the stream. A reader of standard output that
// goes away must be an error of the next write, and not the signal that ends
// the program before it can say goodbye to the server.
func openOutput(stream io.Writer) *output {
	if stream == os.Stdout {
		signal.Ignore(syscall.SIGPIPE)
	}
	return newOutput(stream)
}

// reception is what becomes of the messages of a subscription. Its methods
// run on the receiving goroutine of the connection.
type reception struct {
	print *printer
	out   *output
	copy  *publisher // nil: none
	limit uint64     // of messages, 0: none
	meter meter
	ended chan error // the first reason to end; holds one
}

// receive prints and copies one message. Behind the limit, messages that were
// on their way are dropped.
func (r *reception) receive(ctx context.Context, m *client.Message) {
	if r.limit > 0 && r.meter.messages.Load() >= r.limit {
		return
	}
	if r.copy != nil {
		if err := r.copy.publish(ctx, string(m.Topic()), m.Body); err != nil {
			r.end(fmt.Errorf("-copy: %w", err))
			return
		}
	}
	if r.out.append(func(waiting []byte) []byte { return r.print.append(waiting, m) }) != nil {
		return // finish says why
	}
	if messages := r.meter.messages.Add(1); messages == r.limit {
		r.end(nil)
	}
}

func (r *reception) end(reason error) {
	select {
	case r.ended <- reason:
	default:
	}
}

// finish waits until everything is printed, and processed by the server that
// gets a copy.
func (r *reception) finish(ctx context.Context) error {
	err := r.out.close(ctx)
	if r.copy != nil {
		if copyErr := r.copy.finish(context.WithoutCancel(ctx), connectTimeout); copyErr != nil {
			err = errors.Join(err, fmt.Errorf("-copy: %w", copyErr))
		}
	}
	return err
}
