// Package client is Farad's client library: it connects to a server of the
// amps protocol, publishes, and subscribes by content.
//
// In come URIs, messages to publish and subscriptions; out go frames to the
// server, and messages and acknowledgements to the program's handlers. The
// package shares the framing with the server (farad/netio/wire) and knows
// nothing else of it: neither the engine nor its event loops.
//
// # Connecting
//
//	c, err := client.Dial(ctx, "tcp://ann:secret@localhost:9007/amps/json",
//		client.WithName("pricer-1"), client.WithHeartbeat(10*time.Second))
//	if err != nil {
//		return err
//	}
//	defer c.Close()
//
// Dial logs on as well: a refusal is an error there. Done and Err tell of the
// end of the connection; a client does not reconnect.
//
// # Publishing
//
// Publish copies the message into a buffer and returns. One goroutine writes
// the buffer to the socket whenever the previous write is done, so that a
// lone message goes out at once and a burst shares few writes. A full buffer
// blocks the publisher. Errors of the server are not seen there: Flush tells
// when all was processed, PublishSync and PublishAck how each message fared.
//
// # Subscribing
//
// Subscribe calls a function with each message; Stream and Messages give an
// iterator instead:
//
//	for m, err := range c.Messages(ctx, client.Subscription{Topic: "orders", Filter: "/price > 100"}) {
//		if err != nil {
//			return err
//		}
//		fmt.Printf("%s %s\n", m.Topic(), m.Body)
//	}
//
// A handler runs on the goroutine that receives: it costs no hand-over, sees
// the messages of all subscriptions in the server's order, and holds
// everything up while it runs. A stream hands over to the goroutine that
// reads it, receives a bounded amount ahead (StreamBytes), and then holds the
// connection up as well. In both cases the server sees a slow client and
// treats it as its configuration says.
//
// A Message lies in the receive buffer and is gone when the handler returns
// or the iterator steps on. Clone keeps it.
//
// # What a handler may do
//
// It may call Publish, PublishMessage, PublishAck, Send, Unsubscribe, Stats
// and Close. A method that waits for the server's answer cannot work there,
// since the answer comes in on the goroutine that the handler occupies; it
// returns ErrInHandler. The same goes for the done function of PublishAck and
// for the error handler. A publish from a handler blocks as long as the write
// buffer is full, and receives nothing meanwhile.
//
// # Errors
//
// What the server refuses is a *CommandError; errors.Is compares it with
// ErrBadFilter, ErrNotEntitled and so on. A lost connection is
// ErrDisconnected, with ErrProtocol beside it when the server sent something
// malformed. ErrTimedOut and the context's error end a wait.
//
// # Everything else
//
// Commands and options without a method of their own go through Do (waits for
// acknowledgements), Execute (brings messages) and Send (does neither).
package client
