package eventlog

import (
	"fmt"
	"regexp"

	"farad/engine/eventlog/level"
)

// Event is one kind of thing that the log can tell, an index of the
// catalogue.
type Event uint8

// Entry is what the catalogue says of an event. Users' scripts rely on ids and
// levels: once released, they stay.
type Entry struct {
	// ID is CC-NNNN: two hexadecimal digits of category, four digits. Numbers
	// from 9000 on are Farad's own; the others mean what they mean to scripts
	// written for AMPS.
	ID string
	// Level is the event's level wherever it is logged.
	Level level.Level
	// Description says what happened.
	Description string
	// Action says what to do about it.
	Action string
}

// The events.
const (
	// ProductLine and the following are category 00, startup.
	ProductLine Event = iota
	Configuration
	Initialized
	ConfigurationProblem
	ConfigurationWarning
	ConfigurationNotice
	// LibraryMessage is category 01, general: a record that came through
	// log/slog.
	LibraryMessage
	// CommandRefused and ProtocolError are category 02, message processing.
	CommandRefused
	ProtocolError
	// ClientDisconnected and the following are category 07, client.
	ClientDisconnected
	HeartbeatDisconnect
	LogonRefused
	// RegexTimeout is category 08, regex.
	RegexTimeout
	// Listening and AcceptFailed are category 11, connectivity.
	Listening
	AcceptFailed
	// PublishReceived and LogonReceived are category 12, trace in.
	PublishReceived
	LogonReceived
	// AckSent is category 17, trace out.
	AckSent
	// ClientLogon is category 1F, client session.
	ClientLogon
	// SlowClientDisconnected and NetworkProblem are category 70, networking.
	SlowClientDisconnected
	NetworkProblem
	// ShutdownStarted and ShutdownCompleted are category FF, shutdown.
	ShutdownStarted
	ShutdownCompleted

	eventCount // number of events
)

const nothingToDo = "Nothing; for information."

// catalogue has an entry for every event.
var catalogue = [eventCount]Entry{
	ProductLine: {"00-0001", level.Info,
		"The first line of a start: product, version and instance.",
		nothingToDo},
	Configuration: {"00-0002", level.Info,
		"The configuration that the instance starts with.",
		nothingToDo},
	Initialized: {"00-0015", level.Info,
		"The instance has started and serves clients; the text gives the seconds it took.",
		nothingToDo},
	ConfigurationProblem: {"00-9001", level.Error,
		"The configuration is wrong at the place given, so the instance does not start.",
		"Correct the file at the place given. farad serve --verify-config FILE shows everything that is wrong."},
	ConfigurationWarning: {"00-9002", level.Warning,
		"The configuration holds something that is probably not meant, at the place given.",
		"Correct the file at the place given, or leave it if it is meant."},
	ConfigurationNotice: {"00-9003", level.Info,
		"The configuration holds something that has no effect, at the place given.",
		nothingToDo},
	LibraryMessage: {"01-9001", level.Info,
		"A library that Farad uses reports something. The line has the level of the report.",
		"Judge by the text."},
	CommandRefused: {"02-9001", level.Warning,
		"A client's command was refused. The text gives the reason that the client got and details that the acknowledgement does not carry.",
		"Correct the client's command; nothing is wrong with the server."},
	ProtocolError: {"02-9002", level.Warning,
		"A client sent bytes that are not the protocol, so its connection was closed. The text says which.",
		"Check that the client speaks the protocol of this transport and that nothing between client and server changes the bytes."},
	ClientDisconnected: {"07-0013", level.Info,
		"A client's connection ended. The text gives the reason.",
		"Nothing if the client meant to leave; otherwise look for an earlier line on the same client."},
	HeartbeatDisconnect: {"07-0042", level.Error,
		"A client with heartbeats sent nothing for two intervals and was disconnected.",
		"Look for a hung or overloaded client, or a network that lost the connection; lengthen the interval if the client pauses by design."},
	LogonRefused: {"07-9001", level.Warning,
		"A logon was refused. The text gives the reason that the client got and details.",
		"Correct the client's logon: message type, credentials and name."},
	RegexTimeout: {"08-9001", level.Warning,
		"A regular expression took longer on a message than it may, so the message was taken as not matching.",
		"Simplify the expression: nested repetitions and alternatives that begin alike are the usual cause."},
	Listening: {"11-9001", level.Info,
		"A transport accepts connections on the address given.",
		nothingToDo},
	AcceptFailed: {"11-9002", level.Error,
		"A transport could not accept a connection. It goes on accepting.",
		"Judge by the text; too many open files means that the limit of the process (ulimit -n) is too low for its clients."},
	PublishReceived: {"12-0001", level.Trace,
		"A publish command was received; the text gives the command.",
		nothingToDo},
	LogonReceived: {"12-0010", level.Trace,
		"A logon command was received; the text gives the command.",
		nothingToDo},
	AckSent: {"17-0002", level.Trace,
		"An acknowledgement was sent; the text gives it.",
		nothingToDo},
	ClientLogon: {"1F-0004", level.Info,
		"A client logged on.",
		nothingToDo},
	SlowClientDisconnected: {"70-0004", level.Error,
		"More bytes waited for a client than one client may have waiting, so it was disconnected.",
		"Find out why the client or its network does not keep up, let it subscribe to less, or raise Tuning/Client/OutboundLimit."},
	NetworkProblem: {"70-9001", level.Error,
		"An event loop reports a failure of the network layer.",
		"Judge by the text; report it if the instance does not recover."},
	ShutdownStarted: {"FF-0001", level.Info,
		"The instance has begun to shut down.",
		nothingToDo},
	ShutdownCompleted: {"FF-0002", level.Info,
		"The instance has shut down.",
		nothingToDo},
}

// validID is the form of an id.
var validID = regexp.MustCompile(`^[0-9A-F]{2}-[0-9]{4}$`)

// A catalogue with a hole is a programmer error, found at the first start.
func init() {
	ids := map[string]bool{}
	for event, e := range catalogue {
		switch {
		case !validID.MatchString(e.ID):
			panic(fmt.Sprintf("eventlog: event %d has the id %q", event, e.ID))
		case ids[e.ID]:
			panic(fmt.Sprintf("eventlog: id %s stands twice in the catalogue", e.ID))
		case e.Level < level.Developer || e.Level >= level.None:
			panic(fmt.Sprintf("eventlog: event %s has no level", e.ID))
		case e.Description == "" || e.Action == "":
			panic(fmt.Sprintf("eventlog: event %s has no description or action", e.ID))
		}
		ids[e.ID] = true
	}
}

// Entry is what the catalogue says of e.
func (e Event) Entry() Entry { return catalogue[e] }

// Entries returns the catalogue, in the order of its events. The caller owns
// the slice.
func Entries() []Entry { return append([]Entry(nil), catalogue[:]...) }
