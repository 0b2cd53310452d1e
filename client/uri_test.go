package client_test

import (
	"strings"
	"testing"

	"farad/client"
)

func TestURIIsTakenApart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]client.URI{
		"tcp://localhost:9007/amps": {Address: "localhost:9007", NoDelay: true},
		"tcp://ann:s%23cret@127.0.0.1:9007/amps/json": {
			User: "ann", Password: "s#cret", Address: "127.0.0.1:9007", MessageType: "json", NoDelay: true},
		"tcp://ann@[::1]:1/amps/nvfix?tcp_nodelay=false&tcp_sndbuf=8192&tcp_rcvbuf=65536": {
			User: "ann", Address: "[::1]:1", MessageType: "nvfix", SendBuffer: 8192, ReceiveBuffer: 65536},
	} {
		got, err := client.ParseURI(text)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestBadURIIsRefusedWithWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		"localhost:9007":                                    "expected tcp://",
		"tcps://localhost:9007/amps":                        "tcps is not provided by this version",
		"ws://localhost:9007/amps":                          "ws is not provided by this version",
		"wss://localhost:9007/amps":                         "wss is not provided by this version",
		"unix://localhost:0/amps/json?path=/x":              "unix is not provided by this version",
		"http://localhost:9007/amps":                        `unknown scheme "http"`,
		"tcp://localhost/amps":                              "expected host:port",
		"tcp://:9007/amps":                                  "expected host:port",
		"tcp://::1:9007/amps":                               "IPv6 address in brackets",
		"tcp://localhost:0/amps":                            "expected 1 to 65535",
		"tcp://localhost:70000/amps":                        "expected 1 to 65535",
		"tcp://localhost:9007":                              "expected /amps or /amps/<message-type>",
		"tcp://localhost:9007/json":                         "expected /amps or /amps/<message-type>",
		"tcp://localhost:9007/amps/json/x":                  "expected /amps or /amps/<message-type>",
		"tcp://localhost:9007/amps?compression=zlib":        "compression is not provided by this version",
		"tcp://localhost:9007/amps?fast=1":                  `unknown option "fast"`,
		"tcp://localhost:9007/amps?tcp_nodelay=perhaps":     "tcp_nodelay=perhaps",
		"tcp://localhost:9007/amps?tcp_sndbuf=0":            "tcp_sndbuf=0",
		"tcp://localhost:9007/amps?tcp_rcvbuf=999999999999": "tcp_rcvbuf=999999999999",
	} {
		if _, err := client.ParseURI(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: got error %v, want one with %q", text, err, part)
		}
	}
}

func TestNoTextOfAURIShowsThePassword(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"tcp://ann:s3cret@localhost:9007/amps/json",
		"tcp://ann:s3cret@localhost:99999/amps",
		"tcp://ann:s3cret#@localhost:1/amps",
		"http://ann:s3cret@localhost",
		"ann:s3cret@localhost:9007",
		"tcp://ann:s3cret@x@localhost:1/amps?bad=1",
	} {
		u, err := client.ParseURI(text)
		shown := u.String()
		if err != nil {
			shown = err.Error()
		}
		if strings.Contains(shown, "s3cret") {
			t.Errorf("%q shows the password", shown)
		}
		if !strings.Contains(shown, "ann") {
			t.Errorf("%q does not show the user", shown)
		}
	}
}

func FuzzParseURI(f *testing.F) {
	for _, seed := range []string{
		"tcp://ann:pw@localhost:9007/amps/json?tcp_nodelay=true&tcp_sndbuf=8192", "tcp://[::1]:1/amps", "://", "tcp://%zz@:/", "ws://x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := client.ParseURI(text)
		if err != nil {
			return
		}
		again, err := client.ParseURI(u.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", text, u.String(), err)
		}
		u.Password, u.NoDelay, u.SendBuffer, u.ReceiveBuffer = "", true, 0, 0
		if again != u {
			t.Fatalf("%q became %+v, want %+v", text, again, u)
		}
	})
}
