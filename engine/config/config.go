package config

import (
	_ "embed"
	"regexp"
	"strings"

	"farad/engine/eventlog/level"

	"farad/expr/message"
)

// Level of the AMPS configuration language that Farad implements: what
// RequiredMinimumVersion and SuggestedMinimumVersion are compared with, and
// the value of ${AMPS_VERSION}.
const Level = "5.3.5.0"

// Limits and defaults.
const (
	// EventLoopsMax bounds Tuning/EventLoops.
	EventLoopsMax = 64
	// OutboundLimitDefault is the default of Tuning/Client/OutboundLimit,
	// 256 MiB.
	OutboundLimitDefault = 256 << 20
	// OutboundLimitMin is the least Tuning/Client/OutboundLimit, 1 MiB.
	OutboundLimitMin = 1 << 20
	// OutboundLimitMax is the largest Tuning/Client/OutboundLimit, 1 TiB.
	OutboundLimitMax = 1 << 40
	// TransportsMax bounds the number of transports.
	TransportsMax = 256
	// LogTargetsMax bounds the number of log targets.
	LogTargetsMax = 64
)

// Config is a valid configuration. It is immutable: nobody writes to it after
// it was read.
type Config struct {
	// Source is the file as named by the operator, or DefaultSource.
	Source string
	// Expanded is the XML with includes and variables resolved, as
	// --dump-config prints it and the admin interface serves it.
	Expanded []byte

	// Name identifies the instance. Never empty.
	Name string
	// Group is the replication group, by default Name.
	Group string
	// ProcessName is the name for the system's process list; empty: leave it.
	ProcessName string
	// Description and Environment are shown by the admin interface.
	Description, Environment string
	// RegexTopicSupport makes a topic with regular-expression characters a
	// pattern.
	RegexTopicSupport bool

	// EventLoops is the number of event loops, 1 to EventLoopsMax; 0 leaves
	// the choice to the server.
	EventLoops int
	// OutboundLimit is how many bytes may wait for one client before it is
	// disconnected.
	OutboundLimit int64

	// Types are the message types: the built-in and the declared ones.
	Types *message.Types
	// Transports are the listeners, in the order of the file; there may be
	// none.
	Transports []Transport
	// LogTargets are the places where the event log goes, in the order of the
	// file.
	LogTargets []LogTarget
}

// Transport is one listener.
type Transport struct {
	// Name is unique among the transports.
	Name string
	// Type is how connections come, in lower case; only tcp so far.
	Type string
	// Protocol is amps, whether the file says amps or json.
	Protocol string
	// Network and Address are what net.Listen takes for InetAddr.
	Network, Address string
	// MessageType restricts the transport to one type; empty: any.
	MessageType string
}

// LogTarget is one place where the event log goes (10-configuration §7.1). An
// event passes if no pattern of Exclude matches its id, and if one of Include
// does, or its level is at least Threshold or one of Levels.
type LogTarget struct {
	// Protocol is stdout or stderr.
	Protocol string
	// Threshold is the value of the element Level; level.None if absent.
	Threshold level.Level
	// Levels are single levels that pass besides.
	Levels []level.Level
	// Include and Exclude match ids of events, unanchored.
	Include, Exclude []*regexp.Regexp
}

// DefaultSource is the Source of the embedded default configuration.
const DefaultSource = "embedded defaults"

//go:embed default.xml
var defaultText []byte

//go:embed sample.xml
var sampleText string

// Default returns the configuration of a server that was given none: every
// message type on 127.0.0.1:9007, the log on stderr at level info.
func Default() *Config {
	c, report := Parse(DefaultSource, defaultText, Options{Environ: noVariables})
	if report.Err() != nil {
		var text strings.Builder
		_, _ = report.WriteTo(&text)
		panic("config: the embedded default configuration is invalid:\n" + text.String())
	}
	return c
}

func noVariables(string) (string, bool) { return "", false }

// Sample returns a small configuration with comments to start from
// (10-configuration §1), as --sample-config prints it.
func Sample() string { return sampleText }
