// Package engine is what each command does: sessions, topics, subscriptions
// and the way of a published message from its publisher to its subscribers.
//
// In come decoded commands, in the order of one connection, through a Worker
// that belongs to the event loop that read them. Out go frames, appended to
// the outbound buffers of the sessions they are for. The package knows the
// protocol (netio/wire) and the buffers (netio/outbound), never a socket, an
// event loop or a listener: it sees those as a Connection.
//
// Ownership. A Session's commands are handled by one Worker at a time. A
// topic's subscriptions are guarded by topic.mu, the set of topics and
// patterns by space.mu. Lock order: space.mu, topic.mu, outbound buffer.
// Nothing blocks while holding one of them.
//
// Invariants of delivery:
//
//  1. A message is appended to all its subscribers while its topic is locked,
//     so all of them see a topic's messages in one order.
//  2. A Worker handles a connection's commands in their order, and delivers
//     what one command caused before the next begins, so a subscriber sees one
//     publisher's messages in the order of publishing, across topics too.
//  3. The success ack of a subscribe is in its session's buffer before the
//     subscription can receive, so the ack comes first on the wire.
//  4. A subscription that was removed is in no topic, under that topic's lock,
//     before the ack of the removal is written.
package engine
