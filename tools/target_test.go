package tools

import (
	"strings"
	"testing"
)

func TestTargetMakesTheURIOfItsOptions(t *testing.T) {
	t.Parallel()
	plain := target{server: "localhost:9007", messageType: "json", protocol: "amps"}
	for _, c := range []struct {
		name   string
		change func(*target)
		want   string
	}{
		{"host and port", func(*target) {}, "tcp://localhost:9007/amps/json"},
		{"user and password", func(t *target) { t.server = "u:p@h:1" }, "tcp://u:p@h:1/amps/json"},
		{"a password of any characters", func(t *target) { t.server = "u:50%/@?@h:1" }, "tcp://u:50%25%2F%40%3F@h:1/amps/json"},
		{"an escaped password", func(t *target) { t.server = "u:a%40b@h:1" }, "tcp://u:a%40b@h:1/amps/json"},
		{"type", func(t *target) { t.messageType = "nvfix" }, "tcp://localhost:9007/amps/nvfix"},
		{"proto json is amps", func(t *target) { t.protocol = "json" }, "tcp://localhost:9007/amps/json"},
		{"secure", func(t *target) { t.secure = true }, "tcps://localhost:9007/amps/json"},
		{"urischeme beats secure", func(t *target) { t.secure, t.scheme = true, "ws" }, "ws://localhost:9007/amps/json"},
		{"uriopts", func(t *target) { t.uriOptions = "tcp_nodelay=true&tcp_sndbuf=8192" }, "tcp://localhost:9007/amps/json?tcp_nodelay=true&tcp_sndbuf=8192"},
		{"a whole URI", func(t *target) { t.server = "tcp://h:1/amps/fix" }, "tcp://h:1/amps/fix"},
		{"IPv6", func(t *target) { t.server = "[::1]:9007" }, "tcp://[::1]:9007/amps/json"},
	} {
		one := plain
		c.change(&one)
		if got, err := one.uri(); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestTargetRefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ server, protocol, want string }{
		{"localhost", "amps", "expected [user[:password]@]host:port"},
		{"", "amps", "expected [user[:password]@]host:port"},
		{"u:secret@h", "amps", "u@h"},
		{":9007", "amps", "expected"},
		{"h:1", "fix", "-type fix"},
		{"h:1", "smoke", "expected amps or json"},
	} {
		one := target{server: c.server, messageType: "json", protocol: c.protocol}
		_, err := one.uri()
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") || ExitCode(err) != ExitUsage {
			t.Errorf("%s over %s: got %v, exit code %d; want %q", c.server, c.protocol, err, ExitCode(err), c.want)
		}
	}
}

func TestPasswordsAreHidden(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"tcp://u:p@h:1/amps/json?x=1": "tcp://u@h:1/amps/json",
		"tcp://h:1/amps/json":         "tcp://h:1/amps/json",
		"u:p@ss@h:1":                  "u@h:1",
	} {
		if got := hidePassword(in); got != want {
			t.Errorf("hidePassword(%q) = %q, want %q", in, got, want)
		}
	}
}
