package config_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"farad/engine/config"
)

func TestTransportIsReadWithItsDefaults(t *testing.T) {
	t.Parallel()
	c := mustParse(t, instance(`<Transports>
		<Transport><Name> any </Name><Type>TCP</Type><InetAddr>9007</InetAddr></Transport>
		<Transport><Name>one</Name><Type>tcp</Type><Protocol>JSON</Protocol><InetAddr>[::1]:9008</InetAddr>
			<MessageType>msgpack</MessageType><InitialState>Enabled</InitialState></Transport>
	</Transports>`))
	want := []config.Transport{
		{Name: "any", Type: "tcp", Protocol: "amps", Network: "tcp", Address: ":9007"},
		{Name: "one", Type: "tcp", Protocol: "amps", Network: "tcp6", Address: "[::1]:9008", MessageType: "msgpack"},
	}
	if !reflect.DeepEqual(c.Transports, want) {
		t.Errorf("transports %+v, want %+v", c.Transports, want)
	}
}

func TestEachBuiltInMessageTypeMayRestrictATransport(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"fix", "nvfix", "xml", "json", "msgpack", "bson", "bflat", "binary"} {
		c := mustParse(t, listener("<Type>tcp</Type><MessageType>"+name+"</MessageType>"))
		if c.Transports[0].MessageType != name {
			t.Errorf("%s gives %+v", name, c.Transports)
		}
	}
}

func TestMistakesInATransportAreNamedWithWhatWouldBeRight(t *testing.T) {
	t.Parallel()
	for text, parts := range map[string][]string{
		listener("<Type>tpc</Type>"):       {`/Type: "tpc" is not a transport type; expected one of tcp, tcps, amps-unix, amps-replication, amps-replication-secure`},
		listener("<Type>websocket</Type>"): {`"websocket" is not a transport type; it is a Protocol`},
		listener(""):                       {"Transport/Type: missing in config.xml; it is required"},
		listener("<Type/>"):                {"Transport/Type: is empty; expected a value"},
		listener("<Type>tcp</Type><Protocol>nvfix</Protocol>"):                                                                                          {`protocol "nvfix" is not supported`},
		listener("<Type>tcp</Type><Protocol>mine</Protocol>"):                                                                                           {`"mine" is neither a built-in protocol nor defined`},
		listener("<Type>tcp</Type><MessageType>JSON</MessageType>"):                                                                                     {`"JSON" is not a message type; expected one of bflat, binary, bson, fix,`},
		listener("<Type>tcp</Type><InitialState>maybe</InitialState>"):                                                                                  {`"maybe" is not a boolean`},
		instance("<Transports><Transport><Type>tcp</Type><InetAddr>1</InetAddr></Transport></Transports>"):                                              {"Transport/Name: missing"},
		instance("<Transports><Transport><Name/><Type>tcp</Type><InetAddr>1</InetAddr></Transport></Transports>"):                                       {"Transport/Name: is empty"},
		instance("<Transports><Transport><Name>x</Name><Type>tcp</Type></Transport></Transports>"):                                                      {"Transport/InetAddr: missing"},
		instance("<Transports><Transport><Name>x</Name><Type>tcp</Type><InetAddr>x</InetAddr></Transport></Transports>"):                                {`/InetAddr: "x" is not an address`},
		instance("<Transports><Transport><Name>" + strings.Repeat("x", 256) + "</Name><Type>tcp</Type><InetAddr>1</InetAddr></Transport></Transports>"): {"longer than 255 bytes"},
	} {
		c, report := parse(text)
		wantError(t, c, report, append(parts, "AMPSConfig/Transports/Transport")...)
	}
}

func TestTransportNamesAreUnique(t *testing.T) {
	t.Parallel()
	c, report := parse(`<AMPSConfig><Name>a</Name><Transports>
<Transport><Name>x</Name><Type>tcp</Type><InetAddr>1</InetAddr></Transport>
<Transport><Name>x</Name><Type>tcp</Type><InetAddr>2</InetAddr></Transport></Transports></AMPSConfig>`)
	wantError(t, c, report, "config.xml:3:12: ", "AMPSConfig/Transports/Transport[2]/Name: ", `"x" is also the name of the transport at config.xml:2`)
}

func TestTransportsHaveALimit(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range config.TransportsMax + 1 {
		fmt.Fprintf(&text, "<Transport><Name>t%d</Name><Type>tcp</Type><InetAddr>%d</InetAddr></Transport>", i, i+1)
	}
	c, report := parse(instance("<Transports>" + text.String() + "</Transports>"))
	wantError(t, c, report, fmt.Sprintf("more than %d transports", config.TransportsMax))
}
