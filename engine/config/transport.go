package config

import (
	"slices"
	"strings"

	"farad/expr/message"
)

var transportTypes = []string{"tcp", "tcps", "amps-unix", "amps-replication", "amps-replication-secure"}

// legacyProtocols are those that Farad does not implement.
var legacyProtocols = []string{"fix", "nvfix", "soap", "xml", "fix-session"}

const (
	protocolAMPS = "amps"
	protocolJSON = "json" // old name of amps
)

// transports reads Transports (10-configuration §5.6). A transport with a
// problem is left out of the Config, so that disabled validation never opens
// a listener that was not meant.
func (c *checker) transports() {
	all := c.root.first("Transports")
	if all == nil {
		return
	}
	var names, addresses taken
	for i, e := range all.named("Transport") {
		if i == TransportsMax {
			c.problem(e, "more than %d transports", TransportsMax)
			return
		}
		before := c.problems
		t := Transport{Protocol: protocolAMPS}
		if name, ok := c.required(e, "Name"); ok {
			t.Name = c.name(name)
			if other := names.by(t.Name, name); other != nil {
				c.problem(name, "%s is also the name of the transport at %s", quoted(t.Name), other.at)
			}
		}
		t.Type = c.transportType(e)
		t.Protocol = c.protocol(e)
		t.MessageType = c.messageType(e)
		c.initialState(e)
		if t.Type == "tcp" || t.Type == "" {
			t.Network, t.Address = c.listenAddress(e, &addresses)
		}
		if c.problems == before && t.usable() && e.unambiguous() {
			c.config.Transports = append(c.config.Transports, t)
		}
	}
}

// usable reports whether nothing is missing, as it may be without a further
// finding when a value refers to an undefined variable.
func (t Transport) usable() bool {
	return t.Name != "" && t.Type != "" && t.Protocol != "" && t.Address != ""
}

func (c *checker) transportType(transport *element) string {
	e, ok := c.required(transport, "Type")
	if !ok {
		return ""
	}
	value := strings.ToLower(e.value())
	if l, ok := lacking(e, value); ok {
		c.refuse(e, l.security, l.message())
		return value
	}
	switch {
	case value == "websocket":
		c.problem(e, "%s is not a transport type; it is a Protocol, with Type tcp", quoted(e.value()))
	case !slices.Contains(transportTypes, value):
		c.problem(e, "%s is not a transport type; expected one of %s", quoted(e.value()), strings.Join(transportTypes, ", "))
	default:
		return value
	}
	return ""
}

func (c *checker) protocol(transport *element) string {
	e, ok := c.present(transport, "Protocol")
	if e == nil {
		return protocolAMPS
	}
	if !ok {
		return ""
	}
	value := strings.ToLower(e.value())
	l, isLacking := lacking(e, value)
	switch {
	case value == protocolAMPS, value == protocolJSON:
		return protocolAMPS
	case isLacking:
		c.refuse(e, l.security, l.message())
	case slices.Contains(legacyProtocols, value):
		c.problem(e, "protocol %s is not supported; expected %s", quoted(e.value()), protocolAMPS)
	default:
		c.problem(e, "%s is neither a built-in protocol nor defined in Protocols; expected %s", quoted(e.value()), protocolAMPS)
	}
	return ""
}

func (c *checker) messageType(transport *element) string {
	e, ok := c.present(transport, "MessageType")
	if !ok {
		return ""
	}
	value := e.value()
	if _, ok := c.config.Types.ByName(value); ok {
		return value
	}
	advice := ""
	if slices.Contains(message.Modules(), value) {
		advice = "; " + value + " has to be declared in MessageTypes, under a name"
	}
	c.problem(e, "%s is not a message type; expected one of %s%s", quoted(value), strings.Join(c.config.Types.Names(), ", "), advice)
	return ""
}

func (c *checker) initialState(transport *element) {
	enabled := true
	e := read(c, transport, "InitialState", ParseBool, &enabled)
	if e == nil || enabled {
		return
	}
	if l, ok := lacking(e, "disabled"); ok {
		c.refuse(e, l.security, l.message())
	}
}

// listenAddress reads InetAddr and compares it with those of the transports
// before.
func (c *checker) listenAddress(transport *element, addresses *taken) (network, address string) {
	e, ok := c.required(transport, "InetAddr")
	if !ok {
		return "", ""
	}
	a, err := ParseInetAddr(e.value())
	if err != nil {
		c.problem(e, "%v", err)
		return "", ""
	}
	if other := addresses.byAddress(a, e); other != nil {
		c.problem(e, "%s is taken by the transport at %s, which listens on %s", quoted(e.value()), other.parent.at, quoted(other.value()))
	}
	return a.Network, a.String()
}

// taken remembers what earlier transports use, and which element says so.
type taken struct {
	names     map[string]*element
	addresses []takenAddress
}

type takenAddress struct {
	Address
	by *element
}

// by takes a name for e, or returns who has it.
func (t *taken) by(name string, e *element) *element {
	if other := t.names[name]; other != nil {
		return other
	}
	if t.names == nil {
		t.names = map[string]*element{}
	}
	t.names[name] = e
	return nil
}

// byAddress takes an address for e, or returns who has it or one that
// overlaps with it.
func (t *taken) byAddress(a Address, e *element) *element {
	for _, other := range t.addresses {
		if a.overlaps(other.Address) {
			return other.by
		}
	}
	t.addresses = append(t.addresses, takenAddress{a, e})
	return nil
}
