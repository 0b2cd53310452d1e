// Package eventlog is the event log: numbered events, filtered by level and
// id, as lines on one or more targets (10-configuration §7).
//
// In come events of the catalogue, from any goroutine, and records of log/slog
// from libraries. Out go lines such as
//
//	2021-11-23T14:49:38.3442510-08:00 [1] info: 00-0015 initialization completed (0 seconds).
//
// that is local time with seven fractional digits, the number of the event
// loop, level, id and text. A record may go on over further lines, which begin
// with a tab and so never with a timestamp. Characters that cannot be seen and
// bytes that are not UTF-8, which clients may send, are written as \xNN, so that
// nobody can forge a record or steer a terminal.
//
// The package must never know sessions, topics or transports; what is said of
// them comes as text.
//
// Whether an event passes a target depends on its level and id alone, so it is
// decided once, when the log is made: asking costs one load and no allocation.
// Arguments of Event are made before it can ask; where making them costs
// something on a hot path, ask Enabled first:
//
//	if log.Enabled(eventlog.AckSent) {
//		log.Event(eventlog.AckSent, thread, "client[%s] %s", name, frame)
//	}
package eventlog
