package perf

import (
	"strings"
	"time"

	"farad/perf/load"

	"github.com/spf13/cobra"
)

// durationDefault is how long a load lasts when nothing says otherwise.
const durationDefault = 10 * time.Second

// pubsubOptions are the flags of farad perf pubsub.
type pubsubOptions struct {
	target
	load.Throughput
}

func pubsubCommand() *cobra.Command {
	var o pubsubOptions
	c := &cobra.Command{
		Use:   "pubsub",
		Short: "Throughput: publish as fast as it can, or at a rate, and check what arrives",
		Long: strings.TrimSpace(`
Publishes JSON messages that carry publisher and sequence, receives them, and
checks every one: losses, duplicates, order. Each publisher and subscriber is a
connection of its own, and every message goes to every subscriber.

A window bounds what is on its way between the publishers and the slowest
subscriber, so that the server's buffers are not what is measured. Where a
filter keeps messages from arriving, or there is no subscriber, the server's
acknowledgements of flushes keep the window.

The exit code is 1 when messages were lost, doubled or disordered.`),
		Example: `  farad perf pubsub --server-pid $(pidof farad)
  farad perf pubsub --publishers 1 --subscribers 8 --size 1024 --duration 30s
  farad perf pubsub --filters 1000 --duration 10s        1,000 subscriptions by key, one matches
  farad perf pubsub --rate 50000 --messages 1000000 --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c) },
	}
	o.addTo(c)
	f := c.Flags()
	f.IntVar(&o.Publishers, "publishers", 1, "`number` of publishing connections")
	f.IntVar(&o.Subscribers, "subscribers", 1, "`number` of subscribing connections; 0 for publishing alone")
	f.IntVar(&o.Topics, "topics", 1, "spread the messages over this `number` of topics, TOPIC-0, TOPIC-1 and so on")
	f.StringVar(&o.Filter, "filter", "", "content `filter` of the subscriptions")
	f.BoolVar(&o.FilterPassesAll, "filter-passes-all", false, "the filter lets every message through, so check for losses too")
	f.IntVar(&o.Filters, "filters", 0, "make this `number` of subscriptions by key, /k = '000017', on the one subscriber")
	f.IntVar(&o.Match, "match", 1, "`number` of the --filters subscriptions that match each message; 0 for none")
	f.Uint64Var(&o.Messages, "messages", 0, "end after this `number` of messages, all publishers together")
	f.DurationVar(&o.Duration, "duration", 0, "end after this `time`; 10s when there is no --messages either")
	f.DurationVar(&o.Warmup, "warmup", 0, "`time` of load in front that does not count")
	f.Float64Var(&o.Rate, "rate", 0, "`messages` a second, all publishers together; 0 for as fast as it can")
	f.IntVar(&o.BatchBytes, "batch", load.BatchBytesDefault, "`bytes` a publisher writes at once")
	f.IntVar(&o.WindowMessages, "window", load.WindowMessagesDefault, "`messages` that may be on their way; 0 for no limit")
	f.IntVar(&o.WindowBytes, "window-bytes", load.WindowBytesDefault, "`bytes` that may be on their way; 0 for no limit")
	return c
}

func (o *pubsubOptions) run(c *cobra.Command) error {
	protocol, err := o.protocol()
	if err != nil {
		return err
	}
	t := o.Throughput
	t.Protocol, t.Topic, t.Size, t.ServerPID = protocol, o.topic, o.size, o.pid
	if t.Messages == 0 && t.Duration == 0 {
		t.Duration = durationDefault
	}
	progress := newProgress(c.ErrOrStderr())
	t.Progress = progress.show
	result, err := t.Run(c.Context())
	progress.clear()
	if result == nil {
		return err
	}
	report := newReport(protocol)
	report.Settings, report.Throughput = describeThroughput(&t), result
	if printErr := report.print(c.OutOrStdout(), o.json); err == nil {
		err = printErr
	}
	if err != nil {
		return err
	}
	return verdict(result.Faults, result.Stalled)
}
