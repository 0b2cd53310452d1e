package config_test

import (
	"slices"
	"strings"
	"testing"

	"farad/expr/message"
)

func declaring(types string) string {
	return instance("<MessageTypes>" + types + "</MessageTypes>" + `<Transports><Transport><Name>t</Name><Type>tcp</Type><InetAddr>1</InetAddr></Transport></Transports>`)
}

func TestDeclaredMessageTypesAreMadeOfTheirModules(t *testing.T) {
	t.Parallel()
	c, report := parse(declaring(`
		<MessageType><Name>pipes</Name><Module>fix</Module><FieldSeparator>124</FieldSeparator></MessageType>
		<MessageType><Name>last</Name><Module>json</Module><EarlyTerminationOptimization>false</EarlyTerminationOptimization></MessageType>
		<MessageType><Name>fix</Name><Module>fix</Module><AMPSVersionCompliance>5</AMPSVersionCompliance><Type>old</Type></MessageType>
		<MessageType><Name>quote</Name><Module>struct</Module><Field>/id = i</Field><Field>/pad = 4x</Field><Field>/px = d</Field></MessageType>`))
	if c == nil || !strings.Contains(written(report), "0 errors, 0 warnings, 2 notices") {
		t.Fatal(written(report))
	}
	for _, name := range []string{"pipes", "last", "fix", "quote", "json", "binary"} {
		if !slices.Contains(c.Types.Names(), name) {
			t.Errorf("no type %s among %v", name, c.Types.Names())
		}
	}
	kind, _ := c.Types.ByName("quote")
	trie := message.NewTrie()
	slot := trie.Add(message.Path{"px"})
	var values message.Values
	kind.Extract([]byte("\x01\x00\x00\x00____\x00\x00\x00\x00\x00\x00\x04\x40"), trie, &values)
	if v := values.First(slot); v.Float() != 2.5 {
		t.Errorf("px is %v", v)
	}
}

func TestMistakesInMessageTypesAreNamedAtTheirElement(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`<MessageType><Name>x</Name></MessageType>`:                                                                                        "MessageTypes/MessageType/Module: missing",
		`<MessageType><Module>json</Module></MessageType>`:                                                                                 "MessageTypes/MessageType/Name: missing",
		`<MessageType><Name>x</Name><Module>jsno</Module></MessageType>`:                                                                   `/Module: found module "jsno", expected one of `,
		`<MessageType><Name>x</Name><Module>fix</Module><FieldSeparator>|</FieldSeparator></MessageType>`:                                  `/FieldSeparator: found "|", expected the decimal code`,
		`<MessageType><Name>x</Name><Module>xml</Module><FieldSeparator>1</FieldSeparator></MessageType>`:                                  `/FieldSeparator: found setting FieldSeparator, expected no setting: module xml has none`,
		`<MessageType><Name>x</Name><Module>json</Module><EarlyTerminationOptimization>maybe</EarlyTerminationOptimization></MessageType>`: `/EarlyTerminationOptimization: found "maybe", expected true or false`,
		`<MessageType><Name>x</Name><Module>struct</Module><Field>/a = i</Field><Field>/b = s</Field></MessageType>`:                       `/Field[2]: found code 's' without a count in "/b = s"`,
		`<MessageType><Name>x</Name><Module>json</Module></MessageType><MessageType><Name>x</Name><Module>xml</Module></MessageType>`:      `"x" is also the name of the message type at`,
		`<MessageType><Name>x</Name><Module>json</Module><Quux/></MessageType>`:                                                            "MessageType/Quux: ",
	} {
		c, report := parse(declaring(text))
		if c != nil || !strings.Contains(written(report), want) {
			t.Errorf("%s\nwant %s\n%s", text, want, written(report))
		}
	}
}
