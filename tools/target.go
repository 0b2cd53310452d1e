package tools

import (
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// What a command connects to when nothing says otherwise.
const (
	DefaultServer = "127.0.0.1:9007"
	DefaultType   = "json"
)

// Environment variables in the place of -server and -type.
const (
	serverVariable = "FARAD_SERVER"
	typeVariable   = "FARAD_TYPE"
)

// connectTimeout is how long a connection and its logon may take, unless
// -timeout of a command says otherwise.
const connectTimeout = 10 * time.Second

// target is which server to talk to and how: the options that all commands
// have (14-tools-and-capacity §3).
type target struct {
	server      string // [user[:password]@]host:port, or a whole URI
	messageType string
	protocol    string
	secure      yesNo
	scheme      string // beats secure
	uriOptions  string
}

func (t *target) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&t.server, "server", environment(serverVariable, DefaultServer),
		"the server, `[user[:password]@]host:port`; "+serverVariable+" sets it too")
	flags.Lookup("server").DefValue = hidePassword(t.server) // the help prints it
	flags.StringVar(&t.messageType, "type", environment(typeVariable, DefaultType),
		"message `type` of the connection; "+typeVariable+" sets it too")
	flags.StringVar(&t.protocol, "proto", "amps", "header `protocol`: amps, or json, which is the same")
	flags.StringVar(&t.protocol, "prot", "amps", "the same as -proto")
	flags.Lookup("prot").Hidden = true
	yesNoFlag(flags, &t.secure, "secure", "connect with TLS: true, yes or 1 (scheme tcps)")
	flags.StringVar(&t.scheme, "urischeme", "", "`scheme` of the connection, whatever -secure says")
	flags.StringVar(&t.uriOptions, "uriopts", "", "connection `options`, such as \"tcp_nodelay=true&tcp_sndbuf=8192\"")
}

func environment(variable, otherwise string) string {
	if value := os.Getenv(variable); value != "" {
		return value
	}
	return otherwise
}

// uri is the address of the target, in the form of 01-protocol §1.4.
func (t *target) uri() (string, error) {
	switch t.protocol {
	case "amps", "json":
	case "fix", "nvfix", "xml", "soap":
		return "", usagef("-proto %s: the old header protocols are not spoken; use -type %s for messages of that type", t.protocol, t.protocol)
	default:
		return "", usagef("-proto %q: expected amps or json", t.protocol)
	}
	return t.address(t.server, "-server")
}

// uriScheme is the scheme of an address that names none.
func (t *target) uriScheme() string {
	switch {
	case t.scheme != "":
		return t.scheme
	case bool(t.secure):
		return "tcps"
	}
	return "tcp"
}

// address makes a URI of what an option says: a host and port, with a user
// and password if needed, or a URI whose missing parts are filled in.
func (t *target) address(server, option string) (string, error) {
	if !strings.Contains(server, "://") {
		server = t.uriScheme() + "://" + escapeUser(server)
	}
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || u.Port() == "" {
		return "", usagef("%s %q: expected [user[:password]@]host:port, such as %s", option, hidePassword(server), DefaultServer)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/amps/" + t.messageType
	}
	if t.uriOptions != "" && u.RawQuery == "" {
		u.RawQuery = t.uriOptions
	}
	return u.String(), nil
}

// escapeUser makes a user and a password that are given as they are fit for a
// URI. What is escaped already, or needs no escape, stays.
func escapeUser(server string) string {
	at := strings.LastIndexByte(server, '@')
	if at < 0 {
		return server
	}
	login, host := server[:at], server[at:]
	if _, err := url.PathUnescape(login); err == nil && !strings.ContainsAny(login, "/?#@[]") {
		return server
	}
	user, password, hasPassword := strings.Cut(login, ":")
	if !hasPassword {
		return url.User(user).String() + host
	}
	return url.UserPassword(user, password).String() + host
}

// hidePassword is an address for people: without its password and options.
func hidePassword(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
	} else {
		scheme += "://"
	}
	rest, _, _ = strings.Cut(rest, "?")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		user, _, _ := strings.Cut(rest[:at], ":")
		rest = user + rest[at:]
	}
	return scheme + rest
}
