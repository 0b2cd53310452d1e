package config

import (
	"fmt"
	"strings"
)

// lack is one element, or one value of an element, that the configuration
// language has and this version of Farad does not provide. Whoever provides
// the capability deletes its rows.
type lack struct {
	path string
	// value is in lower case; empty means that the element itself lacks.
	value string
	// capability completes "this version of Farad does not provide ...".
	capability string
	// security: passing over it would open what was meant to be closed.
	security bool
}

// lacks is that table.
var lacks = []lack{
	{path: "AMPSConfig/SOWStatsInterval", capability: "State-of-the-World statistics"},
	{path: "AMPSConfig/SOWStatisticsInterval", capability: "State-of-the-World statistics"},
	{path: "AMPSConfig/MessageMemoryLimit", capability: offlining},
	{path: "AMPSConfig/MessageDiskLimit", capability: offlining},
	{path: "AMPSConfig/MessageDiskPath", capability: offlining},
	{path: "AMPSConfig/ClientMessageAgeLimit", capability: offlining},
	{path: "AMPSConfig/ClientMaxCapacity", capability: offlining},
	{path: "AMPSConfig/Modules", capability: "modules"},
	{path: "AMPSConfig/UserDefinedFunctions", capability: "user-defined functions"},
	{path: "AMPSConfig/Protocols", capability: "declared protocols; amps needs no declaration"},
	{path: "AMPSConfig/Authentication", capability: "authentication", security: true},
	{path: "AMPSConfig/Entitlement", capability: "entitlement", security: true},
	{path: "AMPSConfig/Authenticator", capability: "authenticators", security: true},
	{path: "AMPSConfig/Admin", capability: "the admin interface"},
	{path: "AMPSConfig/SOW", capability: sow},
	{path: "AMPSConfig/TopicMetaData", capability: sow},
	{path: "AMPSConfig/TransactionLog", capability: "the transaction log"},
	{path: "AMPSConfig/Replication", capability: "replication"},
	{path: "AMPSConfig/Actions", capability: "actions"},

	{path: transportPath + "/Authentication", capability: "authentication", security: true},
	{path: transportPath + "/Entitlement", capability: "entitlement", security: true},
	{path: transportPath + "/MessageMemoryLimit", capability: offlining},
	{path: transportPath + "/MessageDiskLimit", capability: offlining},
	{path: transportPath + "/MessageDiskPath", capability: offlining},
	{path: transportPath + "/ClientMessageAgeLimit", capability: offlining},
	{path: transportPath + "/ClientMaxCapacity", capability: offlining},
	{path: transportPath + "/TransportFilter", capability: "transport filters", security: true},
	{path: transportPath + "/Certificate", capability: tls, security: true},
	{path: transportPath + "/PrivateKey", capability: tls, security: true},
	{path: transportPath + "/Ciphers", capability: tls, security: true},
	{path: transportPath + "/SecureSocketProtocols", capability: tls, security: true},
	{path: transportPath + "/VerifyClient", capability: tls, security: true},
	{path: transportPath + "/CAFile", capability: tls, security: true},
	{path: transportPath + "/CAPath", capability: tls, security: true},
	{path: transportPath + "/FileName", capability: unixSockets},
	{path: transportPath + "/FileMask", capability: unixSockets},
	{path: transportPath + "/PerMessageDeflate", capability: websocket},
	{path: transportPath + "/HTTPHeader", capability: websocket},
	{path: transportPath + "/Type", value: "tcps", capability: tls, security: true},
	{path: transportPath + "/Type", value: "amps-unix", capability: unixSockets},
	{path: transportPath + "/Type", value: "amps-replication", capability: "replication"},
	{path: transportPath + "/Type", value: "amps-replication-secure", capability: "replication", security: true},
	{path: transportPath + "/Protocol", value: "websocket", capability: websocket},
	{path: messageTypePath + "/Options", capability: "modules"},
	{path: transportPath + "/InitialState", value: "disabled", capability: "anything that could enable a transport later"},

	{path: targetPath + "/FileName", capability: logFiles},
	{path: targetPath + "/RotationThreshold", capability: logFiles},
	{path: targetPath + "/Ident", capability: syslog},
	{path: targetPath + "/Options", capability: syslog},
	{path: targetPath + "/Facility", capability: syslog},
	{path: targetPath + "/Protocol", value: "file", capability: logFiles},
	{path: targetPath + "/Protocol", value: "gzip", capability: logFiles},
	{path: targetPath + "/Protocol", value: "syslog", capability: syslog},
}

const (
	transportPath = "AMPSConfig/Transports/Transport"
	targetPath    = "AMPSConfig/Logging/Target"

	messageTypePath = "AMPSConfig/MessageTypes/MessageType"

	logFiles    = "log files; use stdout or stderr and redirect it"
	offlining   = "offlining of messages; Tuning/Client/OutboundLimit bounds what waits for one client"
	sow         = "the State-of-the-World database"
	syslog      = "logging to syslog; use stdout or stderr"
	tls         = "TLS"
	unixSockets = "Unix domain sockets"
	websocket   = "websocket"
)

// lackingElements and lackingValues are the table by path, and by path and
// value.
var lackingElements, lackingValues = func() (map[string]lack, map[[2]string]lack) {
	elements, values := map[string]lack{}, map[[2]string]lack{}
	for _, l := range lacks {
		if l.value == "" {
			elements[l.path] = l
		} else {
			values[[2]string{l.path, l.value}] = l
		}
	}
	return elements, values
}()

func (l lack) message() string {
	if l.value == "" {
		return "this version of Farad does not provide " + l.capability
	}
	return fmt.Sprintf("%q: this version of Farad does not provide %s", l.value, l.capability)
}

// lacking returns the row of a value of e, if this version lacks it.
func lacking(e *element, value string) (lack, bool) {
	l, ok := lackingValues[[2]string{e.schemaPath(), strings.ToLower(value)}]
	return l, ok
}
