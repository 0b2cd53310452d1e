package client

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// SocketBufferBytesMax bounds tcp_sndbuf and tcp_rcvbuf, in bytes.
const SocketBufferBytesMax = 1 << 30

// URI is where a client connects and what it asks for there
// (01-protocol §1.4):
//
//	tcp://[user[:password]@]host:port/amps[/message-type][?option=value&...]
type URI struct {
	// User and Password go into the logon. Empty: not sent.
	User, Password string
	// Address is host:port.
	Address string
	// MessageType is the type of the connection. Empty: the transport's own.
	MessageType string
	// NoDelay turns off the kernel's joining of small packets (option
	// tcp_nodelay). Default true.
	NoDelay bool
	// SendBuffer and ReceiveBuffer are the kernel's buffers for the socket in
	// bytes (options tcp_sndbuf, tcp_rcvbuf). 0 leaves them to the kernel.
	SendBuffer, ReceiveBuffer int
}

// ParseURI reads a URI. Its errors never show the password.
func ParseURI(text string) (URI, error) {
	u := URI{NoDelay: true}
	fail := func(format string, args ...any) (URI, error) {
		return URI{}, &URIError{URI: hidePassword(text), Problem: fmt.Sprintf(format, args...)}
	}
	scheme, _, found := strings.Cut(text, "://")
	if !found {
		return fail("expected tcp://[user[:password]@]host:port/amps[/message-type]")
	}
	switch scheme {
	case "tcp":
	case "tcps", "ws", "wss", "unix":
		return fail("the scheme %s is not provided by this version, use tcp", scheme)
	default:
		return fail("unknown scheme %q, expected tcp", scheme)
	}
	parsed, err := url.Parse(text)
	if err != nil {
		return fail("the parts are malformed; special characters in user and password must be written as %%XX")
	}
	u.User = parsed.User.Username()
	u.Password, _ = parsed.User.Password()
	if parsed.Hostname() == "" || parsed.Port() == "" {
		return fail("found the address %q, expected host:port", parsed.Host)
	}
	if strings.Contains(parsed.Hostname(), ":") != strings.HasPrefix(parsed.Host, "[") {
		return fail("found the address %q, expected an IPv6 address in brackets", parsed.Host)
	}
	if port, err := strconv.ParseUint(parsed.Port(), 10, 16); err != nil || port == 0 {
		return fail("port %q, expected 1 to 65535", parsed.Port())
	}
	u.Address = net.JoinHostPort(parsed.Hostname(), parsed.Port())
	path := strings.Split(strings.Trim(parsed.Path, "/"), "/")
	if path[0] != "amps" || len(path) > 2 {
		return fail("found the path %q, expected /amps or /amps/<message-type>", parsed.Path)
	}
	if len(path) == 2 {
		u.MessageType = path[1]
	}
	if problem := u.parseOptions(parsed.RawQuery); problem != "" {
		return fail("%s", problem)
	}
	return u, nil
}

// parseOptions reads the part behind the question mark; the result says what
// is wrong with it, if anything is.
func (u *URI) parseOptions(query string) (problem string) {
	options, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Sprintf("malformed options %q, expected name=value joined by &", query)
	}
	for name, values := range options {
		value := values[len(values)-1]
		ok := true
		switch name {
		case "tcp_nodelay":
			u.NoDelay, err = strconv.ParseBool(value)
			ok = err == nil
		case "tcp_sndbuf":
			u.SendBuffer, ok = parseBufferSize(value)
		case "tcp_rcvbuf":
			u.ReceiveBuffer, ok = parseBufferSize(value)
		case "compression", "bind", "ip_protocol_prefer", "http_preflight":
			return fmt.Sprintf("the option %s is not provided by this version", name)
		default:
			return fmt.Sprintf("unknown option %q, expected tcp_nodelay, tcp_sndbuf or tcp_rcvbuf", name)
		}
		if !ok {
			return fmt.Sprintf("option %s=%s, expected true or false for tcp_nodelay, 1 to %d bytes for the buffers",
				name, value, SocketBufferBytesMax)
		}
	}
	return ""
}

func parseBufferSize(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= SocketBufferBytesMax
}

// String returns the URI without the password.
func (u URI) String() string {
	out := url.URL{Scheme: "tcp", Host: u.Address, Path: "/amps"}
	if u.User != "" {
		out.User = url.User(u.User)
	}
	if u.MessageType != "" {
		out.Path += "/" + u.MessageType
	}
	return out.String()
}

// hidePassword blanks what may be a password in a text that may not even be a
// URI: all between the scheme and the last @ but the user's name.
func hidePassword(text string) string {
	start := 0
	if i := strings.Index(text, "://"); i >= 0 {
		start = i + len("://")
	}
	end := strings.LastIndexByte(text, '@')
	if end < start {
		return text
	}
	user, _, found := strings.Cut(text[start:end], ":")
	if !found {
		return text
	}
	return text[:start] + user + ":***" + text[end:]
}
