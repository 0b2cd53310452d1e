// Package tools holds the commands of the farad program that talk to a server
// from the command line (ping, publish and subscribe, 14-tools-and-capacity
// §3), and those that work without one: filter tries an expression on messages
// from files, and explains its outcome.
//
// In come arguments, records on standard input or in files, and messages from
// a server; out go messages to a server and payloads on standard output.
// Standard output carries data only: totals, progress and errors go to
// standard error, so that pipes stay clean. The package speaks to servers
// through farad/client alone, and looks into messages through farad/expr; it
// must never know the engine, the wire format or the files of a server, since
// its commands run on machines without one.
//
// Options are words after one dash or two, in the way of the command-line
// clients that users of the amps protocol know: NormalizeArgs turns the one
// into the other before the flag parser sees them.
package tools
