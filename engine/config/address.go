package config

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// hostBytesMax is the length of the longest host name.
const hostBytesMax = 253

// Address is an address to listen on, as net.Listen takes it.
type Address struct {
	// Network is tcp, or tcp4 or tcp6 where only that family is meant.
	Network string
	// Host is empty for all addresses; an IPv6 address has no brackets.
	Host string
	// Port 0 is any free port.
	Port uint16
}

// String is the address as net.Listen takes it.
func (a Address) String() string {
	return net.JoinHostPort(a.Host, strconv.Itoa(int(a.Port)))
}

// ParseInetAddr reads an address to listen on (10-configuration §6.2): PORT or
// :PORT for all addresses of both families, HOST:PORT, IPv4:PORT or
// [IPv6]:PORT for that one, 0.0.0.0:PORT for all of IPv4, [::]:PORT for all of
// IPv6.
func ParseInetAddr(text string) (Address, error) {
	colon := strings.LastIndexByte(text, ':')
	host, port := "", text[colon+1:]
	if colon > 0 {
		host = text[:colon]
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || strings.HasPrefix(port, "+") {
		return Address{}, addressError(text, fmt.Sprintf("port %s is not a number from 0 to 65535", quoted(port)))
	}
	a := Address{Network: "tcp", Port: uint16(number)}
	if host == "" {
		return a, nil
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		ip, err := netip.ParseAddr(inner)
		if !ok || err != nil || ip.Is4() || strings.ContainsFunc(ip.Zone(), notInHost) {
			return Address{}, addressError(text, "there is no IPv6 address in the brackets")
		}
		a.Network, a.Host = "tcp6", ip.String()
		if ip.Is4In6() {
			a.Network = "tcp"
		}
		return a, nil
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		a.Network, a.Host = "tcp4", ip.String()
		return a, nil
	}
	if problem := hostProblem(host); problem != "" {
		return Address{}, addressError(text, problem)
	}
	a.Host = strings.ToLower(host)
	return a, nil
}

// hostProblem says what is wrong with a host name.
func hostProblem(host string) string {
	if strings.Contains(host, ":") {
		return "an IPv6 address needs brackets"
	}
	if len(host) > hostBytesMax {
		return fmt.Sprintf("the host name is longer than %d bytes", hostBytesMax)
	}
	digits := true
	for _, r := range host {
		if notInHost(r) {
			return fmt.Sprintf("%q cannot stand in a host name", r)
		}
		digits = digits && (r >= '0' && r <= '9' || r == '.')
	}
	if digits {
		return fmt.Sprintf("%s is not an IPv4 address", quoted(host))
	}
	return ""
}

// notInHost reports whether r cannot stand in the name of a host or of a
// network interface.
func notInHost(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
}

func addressError(text, problem string) error {
	return fmt.Errorf("%s is not an address: %s; expected PORT, HOST:PORT, IPv4:PORT or [IPv6]:PORT", quoted(text), problem)
}

// overlaps reports whether listening on both addresses is bound to fail. Host
// names are not resolved: a name overlaps with itself and with all addresses
// of both families.
func (a Address) overlaps(b Address) bool {
	if a.Port != b.Port || a.Port == 0 {
		return false
	}
	return a.Network == b.Network && a.Host == b.Host || a.covers(b) || b.covers(a)
}

// covers reports whether a is all addresses of a family, or of both, that b
// belongs to.
func (a Address) covers(b Address) bool {
	switch a.Host {
	case "":
		return true
	case "0.0.0.0":
		return b.Network == "tcp4"
	case "::":
		return b.Network == "tcp6"
	}
	return false
}
