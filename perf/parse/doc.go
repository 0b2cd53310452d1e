// Package parse measures what the message types cost: finding fields, taking
// whole messages apart, writing them after a change, and filters
// (14-tools-and-capacity §1, farad perf parse).
//
// In come message types, or a user's own messages; out come Cells, each one
// operation on one Corpus, on one core. Messages are made through the registry
// of farad/expr/message, so that a type that is new there is measured without
// a line here. The package sees farad/expr and nothing of the engine: what it
// measures is the part of a message's way that depends on its content.
package parse
