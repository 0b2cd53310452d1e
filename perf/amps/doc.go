// Package amps tells perf/load how to speak to Farad: logon, subscribe,
// publish and flush over the amps protocol (01-protocol), on package wire and
// leaner than the client library, so that the load's own cost stays small. In
// goes a server's address, out come connections, frames and a reader of what
// the server sends. The package knows nothing of rates, windows and checks.
package amps
