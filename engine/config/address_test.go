package config_test

import (
	"net"
	"strings"
	"testing"

	"farad/engine/config"
)

func TestAddressesToListenOnAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]config.Address{
		"9007":                 {Network: "tcp", Port: 9007},
		":9007":                {Network: "tcp", Port: 9007},
		"0":                    {Network: "tcp"},
		"65535":                {Network: "tcp", Port: 65535},
		"0.0.0.0:9007":         {Network: "tcp4", Host: "0.0.0.0", Port: 9007},
		"127.0.0.1:9007":       {Network: "tcp4", Host: "127.0.0.1", Port: 9007},
		"[::]:9007":            {Network: "tcp6", Host: "::", Port: 9007},
		"[::1]:9007":           {Network: "tcp6", Host: "::1", Port: 9007},
		"[0:0:0::1]:9007":      {Network: "tcp6", Host: "::1", Port: 9007},
		"[::ffff:1.2.3.4]:80":  {Network: "tcp", Host: "::ffff:1.2.3.4", Port: 80},
		"localhost:9007":       {Network: "tcp", Host: "localhost", Port: 9007},
		"Desk-B.Example:10004": {Network: "tcp", Host: "desk-b.example", Port: 10004},
	} {
		if got, err := config.ParseInetAddr(text); err != nil || got != want {
			t.Errorf("ParseInetAddr(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestAddressesAreWrittenAsNetTakesThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"9007": ":9007", "[::1]:1": "[::1]:1", "127.0.0.1:0": "127.0.0.1:0", "localhost:7": "localhost:7",
	} {
		a, err := config.ParseInetAddr(text)
		if err != nil || a.String() != want {
			t.Errorf("%q is written as %q, %v, want %q", text, a, err, want)
		}
	}
}

func TestMalformedAddressesAreRefused(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		"":                                 "port",
		"localhost":                        "port",
		"localhost:":                       "port",
		"localhost:http":                   "port",
		"65536":                            "0 to 65535",
		"-1":                               "port",
		"+80":                              "port",
		"1.2.3.4:+80":                      "port",
		"::1:9007":                         "brackets",
		"[::1]":                            "port",
		"[::1:9007":                        "brackets",
		"[1.2.3.4]:9007":                   "IPv6",
		"[]:9007":                          "IPv6",
		"1.2.3:9007":                       "IPv4",
		"256.1.1.1:9007":                   "IPv4",
		"a b:9007":                         "host name",
		"tcp://a:9007":                     "IPv6 address needs brackets",
		strings.Repeat("a", 254) + ":9007": "longer than 253",
	} {
		_, err := config.ParseInetAddr(text)
		if err == nil {
			t.Errorf("ParseInetAddr(%q) is accepted", text)
		} else if !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "expected PORT, HOST:PORT") {
			t.Errorf("ParseInetAddr(%q): %v, want %q", text, err, part)
		}
	}
}

func TestListenersThatWouldCollideAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b     string
		collides bool
	}{
		{"9007", "9007", true}, {"9007", "127.0.0.1:9007", true}, {"[::1]:9007", "9007", true},
		{"0.0.0.0:9007", "127.0.0.1:9007", true}, {"0.0.0.0:9007", "0.0.0.0:9007", true},
		{"[::]:9007", "[::1]:9007", true}, {"[::0:1]:9007", "[::1]:9007", true}, {"Localhost:9007", "localhost:9007", true},
		{"0.0.0.0:9007", "[::]:9007", false}, {"0.0.0.0:9007", "[::1]:9007", false},
		{"127.0.0.1:9007", "127.0.0.2:9007", false}, {"9007", "9008", false}, {"0", "0", false},
	} {
		transport := func(name, address string) string {
			return "\n<Transport><Name>" + name + "</Name><Type>tcp</Type><InetAddr>" + address + "</InetAddr></Transport>"
		}
		got, report := parse(instance("<Transports>" + transport("x", c.a) + transport("y", c.b) + "</Transports>"))
		if !c.collides {
			if got == nil {
				t.Errorf("%s and %s: %s", c.a, c.b, written(report))
			}
			continue
		}
		wantError(t, got, report, "config.xml:3:", "AMPSConfig/Transports/Transport[2]/InetAddr", `"`+c.b+`" is taken by the transport at config.xml:2`, `"`+c.a+`"`)
	}
}

func FuzzParseInetAddr(f *testing.F) {
	for _, seed := range []string{"9007", ":1", "localhost:9007", "[::1]:9007", "0.0.0.0:0", "[fe80::1%lo]:7", "1.2.3:4", "", "a:b:c", "[::%]]:0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := config.ParseInetAddr(text)
		if err != nil {
			return
		}
		host, _, err := net.SplitHostPort(a.String())
		if err != nil || host != a.Host {
			t.Errorf("%q gives %q, which net splits into %q, %v", text, a, host, err)
		}
		again, err := config.ParseInetAddr(a.String())
		if err != nil || again != a {
			t.Errorf("%q gives %+v, which gives %+v, %v", text, a, again, err)
		}
	})
}
