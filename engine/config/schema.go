package config

import (
	"slices"
	"strings"
)

// rule is what an element may be. The zero rule is a single element that
// holds a value.
type rule struct {
	// container: holds elements, no text.
	container bool
	// repeats: may stand several times.
	repeats bool
	// ignored is why the element and all it holds are accepted and ignored.
	ignored string
	// restIgnored is why unknown elements in it are.
	restIgnored string
}

const (
	noMinidumps = "Farad writes no minidumps"
	noLicence   = "Farad needs no licence"
	noLibraries = "Farad loads no native libraries"
	noNUMA      = "Farad leaves placement to the operating system"
	noTuning    = "Farad has no such tuning"

	noEventTopics = "this version of Farad publishes no event topics"
)

// schema are the elements that this version of Farad provides or ignores.
var schema = map[string]rule{
	"AMPSConfig":                               {container: true},
	"AMPSConfig/Name":                          {},
	"AMPSConfig/Group":                         {},
	"AMPSConfig/ProcessName":                   {},
	"AMPSConfig/Description":                   {},
	"AMPSConfig/Environment":                   {},
	"AMPSConfig/SuggestedMinimumVersion":       {},
	"AMPSConfig/RequiredMinimumVersion":        {},
	"AMPSConfig/ConfigIncludeCommentDefault":   {},
	"AMPSConfig/ConfigCycleDetectionThreshold": {},
	"AMPSConfig/ConfigValidation":              {},
	"AMPSConfig/RegexTopicSupport":             {},

	"AMPSConfig/MiniDumpDirectory": {ignored: noMinidumps},
	"AMPSConfig/MiniDumpFileMask":  {ignored: noMinidumps},
	"AMPSConfig/License":           {ignored: noLicence},
	"AMPSConfig/LicenseFile":       {ignored: noLicence},
	"AMPSConfig/LicenseKey":        {ignored: noLicence},
	"AMPSConfig/Licence":           {ignored: noLicence},

	"AMPSConfig/Externals":                   {container: true, restIgnored: noLibraries},
	"AMPSConfig/Tuning":                      {container: true, restIgnored: noTuning},
	"AMPSConfig/Tuning/NUMA":                 {ignored: noNUMA},
	"AMPSConfig/Tuning/EventLoops":           {},
	"AMPSConfig/Tuning/Client":               {container: true, restIgnored: noTuning},
	"AMPSConfig/Tuning/Client/OutboundLimit": {},

	"AMPSConfig/MessageTypes":                                          {container: true},
	"AMPSConfig/MessageTypes/MessageType":                              {container: true, repeats: true},
	"AMPSConfig/MessageTypes/MessageType/Name":                         {},
	"AMPSConfig/MessageTypes/MessageType/Module":                       {},
	"AMPSConfig/MessageTypes/MessageType/AMPSVersionCompliance":        {ignored: noEventTopics},
	"AMPSConfig/MessageTypes/MessageType/FieldSeparator":               {},
	"AMPSConfig/MessageTypes/MessageType/HeaderSeparator":              {},
	"AMPSConfig/MessageTypes/MessageType/MessageSeparator":             {},
	"AMPSConfig/MessageTypes/MessageType/EarlyTerminationOptimization": {},
	"AMPSConfig/MessageTypes/MessageType/MessageType":                  {repeats: true},
	"AMPSConfig/MessageTypes/MessageType/Type":                         {},
	"AMPSConfig/MessageTypes/MessageType/ProtoPath":                    {repeats: true},
	"AMPSConfig/MessageTypes/MessageType/ProtoFile":                    {repeats: true},
	"AMPSConfig/MessageTypes/MessageType/Field":                        {repeats: true},

	"AMPSConfig/Transports":                        {container: true},
	"AMPSConfig/Transports/Transport":              {container: true, repeats: true},
	"AMPSConfig/Transports/Transport/Name":         {},
	"AMPSConfig/Transports/Transport/Type":         {},
	"AMPSConfig/Transports/Transport/Protocol":     {},
	"AMPSConfig/Transports/Transport/InetAddr":     {},
	"AMPSConfig/Transports/Transport/MessageType":  {},
	"AMPSConfig/Transports/Transport/InitialState": {},

	"AMPSConfig/Logging":                      {container: true},
	"AMPSConfig/Logging/Target":               {container: true, repeats: true},
	"AMPSConfig/Logging/Target/Protocol":      {},
	"AMPSConfig/Logging/Target/Level":         {},
	"AMPSConfig/Logging/Target/Levels":        {},
	"AMPSConfig/Logging/Target/IncludeErrors": {},
	"AMPSConfig/Logging/Target/ExcludeErrors": {},
}

// knownChildren are, by path, the names that may stand in an element,
// provided or not, sorted.
var knownChildren = func() map[string][]string {
	known := map[string][]string{}
	add := func(path string) {
		if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
			known[path[:slash]] = append(known[path[:slash]], path[slash+1:])
		}
	}
	for path := range schema {
		add(path)
	}
	for path := range lackingElements {
		add(path)
	}
	for _, names := range known {
		slices.Sort(names)
	}
	return known
}()

// securityNames are the elements that decide who may do what. Nothing that
// resembles one of them is ever passed over with a warning.
var securityNames = []string{
	"Authentication", "Entitlement", "Authenticator", "Certificate", "PrivateKey", "Ciphers",
	"SecureSocketProtocols", "VerifyClient", "CAFile", "CAPath", "TransportFilter",
}

// securityParts are the parts of a name that show what was meant, however the
// rest is written.
var securityParts = []string{"auth", "entitle", "cert", "tls", "ssl", "privatekey", "cipher", "secur", "verify"}

// resemblesSecurity reports whether e, or an element in it, has a name near
// that of a security element.
func resemblesSecurity(e *element) bool {
	name := strings.ToLower(e.name)
	for _, part := range securityParts {
		if strings.Contains(name, part) {
			return true
		}
	}
	if nearest(e.name, securityNames) != "" {
		return true
	}
	return slices.ContainsFunc(e.items, func(i item) bool {
		return i.child != nil && resemblesSecurity(i.child)
	})
}
