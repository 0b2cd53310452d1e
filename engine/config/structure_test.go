package config_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"farad/engine/config"
)

// 10-configuration #19
func TestMisspeltElementIsAnErrorThatSuggestsTheKnownOne(t *testing.T) {
	t.Parallel()
	c, report := parse("<AMPSConfig>\n<Name>a</Name>\n  <Transprots/></AMPSConfig>")
	if c != nil {
		t.Error("the configuration is accepted")
	}
	wantFindings(t, report, `config.xml:3:3: error: AMPSConfig/Transprots: "Transprots" is not a known element here; did you mean Transports?`)
}

func TestUnknownElementsAreRefusedWithWhatMayStandThere(t *testing.T) {
	t.Parallel()
	for text, parts := range map[string][]string{
		instance("<transports/>"):        {`"transports"`, "did you mean Transports?"},
		instance("<Quux/>"):              {`"Quux"`, "expected one of ConfigCycleDetectionThreshold, ", "Transports, Tuning"},
		instance("<Replicaton/>"):        {"did you mean Replication?"},
		instance("<x:Group>g</x:Group>"): {`"x:Group"`},
		listener("<Tpye>tcp</Tpye>"):     {"Transport/Tpye: ", "did you mean Type?"},
		target("<Protocl>x</Protocl>"):   {"Target/Protocl: ", "did you mean Protocol?"},
		instance("<Group><b/></Group>"):  {"AMPSConfig/Group/b: ", "expected text alone"},
	} {
		c, report := parse(text)
		if c != nil {
			t.Errorf("%s is accepted", text)
		}
		for _, part := range parts {
			if !strings.Contains(written(report), part) {
				t.Errorf("%s lacks %s:\n%s", text, part, written(report))
			}
		}
	}
}

func TestRepeatedElementIsAnErrorThatNamesBothPlaces(t *testing.T) {
	t.Parallel()
	c, report := parse("<AMPSConfig><Name>a</Name>\n<Group>g</Group>\n<Group>h</Group></AMPSConfig>")
	wantError(t, c, report, "config.xml:3:1: error: AMPSConfig/Group[2]: stands twice, at config.xml:2 and at config.xml:3; expected once")
	for _, text := range []string{
		instance("<Transports/><Transports/>"), instance("<MiniDumpDirectory/><MiniDumpDirectory/>"),
		instance("<Tuning><EventLoops>1</EventLoops><EventLoops>1</EventLoops></Tuning>"),
	} {
		if c, report := parse(text); c != nil || !strings.Contains(written(report), "stands twice") {
			t.Errorf("%s\n%s", text, written(report))
		}
	}
}

func TestRepeatedElementOfAnIncludedFileNamesBothFiles(t *testing.T) {
	t.Parallel()
	d := write(t, map[string]string{"p.xml": "<Group>h</Group>"})
	c, report := config.Parse("main.xml", []byte("<AMPSConfig><Name>a</Name>\n<Group>g</Group><Include>p.xml</Include></AMPSConfig>"), in(d))
	wantError(t, c, report, "p.xml:1:1: error: ", "at main.xml:2 and at p.xml:1")
}

func TestTextBetweenElementsAndAttributesAreRefused(t *testing.T) {
	t.Parallel()
	c, report := parse(instance("<Transports>\n 9007 \n</Transports>"))
	wantError(t, c, report, "AMPSConfig/Transports: ", `text "9007" where only elements may stand`)
	c, report = parse(instance(`<Group name="x">g</Group>`))
	wantError(t, c, report, "AMPSConfig/Group: ", `attribute "name" is not known`)
}

func TestWhatThisVersionLacksIsRefusedAndNeverPassedOver(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		instance("<SOWStatsInterval>1s</SOWStatsInterval>"), instance("<MessageMemoryLimit>2GB</MessageMemoryLimit>"),
		instance("<ClientMessageAgeLimit>1s</ClientMessageAgeLimit>"), instance("<Modules/>"), instance("<UserDefinedFunctions/>"),
		instance("<MessageTypes><MessageType><Name>x</Name><Module>json</Module><Options/></MessageType></MessageTypes>"), instance("<Protocols/>"), instance("<Authentication/>"), instance("<Entitlement/>"),
		instance("<Admin><InetAddr>8085</InetAddr></Admin>"), instance("<SOW/>"), instance("<TopicMetaData/>"),
		instance("<TransactionLog/>"), instance("<Replication/>"), instance("<Actions/>"),
		listener("<Type>tcps</Type>"), listener("<Type>amps-unix</Type>"), listener("<Type>AMPS-Replication</Type>"),
		listener("<Type>tcp</Type><Protocol>websocket</Protocol>"), listener("<Type>tcp</Type><Certificate>c</Certificate>"),
		listener("<Type>tcp</Type><InitialState>disabled</InitialState>"),
		listener("<Type>tcp</Type><Entitlement/>"), listener("<Type>tcp</Type><TransportFilter/>"),
		target("<Protocol>file</Protocol>"), target("<Protocol>gzip</Protocol>"), target("<Protocol>syslog</Protocol>"),
		target("<Protocol>stderr</Protocol><RotationThreshold>2G</RotationThreshold>"),
	} {
		c, report := parse(text)
		if c != nil || len(report.Findings) != 1 || !strings.Contains(written(report), "this version of Farad does not provide ") {
			t.Errorf("%s\n%s", text, written(report))
		}
	}
}

// 10-configuration #20
func TestWithoutValidationAnUnknownElementOnlyWarnsButNotNearSecurity(t *testing.T) {
	t.Parallel()
	const off = "<ConfigValidation>disabled</ConfigValidation>"
	c, report := parse(instance(off + "<Quux/>"))
	if c == nil || report.Count(config.SeverityWarning) != 1 || len(report.Findings) != 1 {
		t.Fatal(written(report))
	}
	for _, misspelt := range []string{"Authentification", "authentication", "Authetication", "Auth", "Entitlements", "PrivateKye", "Certifcate", "VerifyClients", "CAFiles", "TransportFilters", "Authentication", "TLSCertificate"} {
		c, report := parse(instance(off + "<Transports><Transport><Name>t</Name><Type>tcp</Type><InetAddr>1</InetAddr><" + misspelt + "/></Transport></Transports>"))
		wantError(t, c, report, "AMPSConfig/Transports/Transport/"+misspelt+": ")
	}
	c, report = parse(instance(off + "<Wrapper><Inner><Authentication/></Inner></Wrapper>"))
	wantError(t, c, report, "AMPSConfig/Wrapper: ")
}

func TestWithoutValidationErrorsAreWarningsAndWhatIsWrongStaysOut(t *testing.T) {
	t.Parallel()
	const good = "<Transport><Name>good</Name><Type>tcp</Type><InetAddr>1</InetAddr></Transport>"
	for _, bad := range []string{
		"<Type>tcp</Type>", "<Type>tpc</Type><InetAddr>2</InetAddr>", "<Type>tcp</Type><InetAddr>1</InetAddr>",
		"<Type>tcp</Type><InetAddr>2</InetAddr><Protocol>soap</Protocol>", "<Type>tcp</Type><InetAddr>2</InetAddr><MessageType>x</MessageType>",
		"<Type>tcp</Type><InetAddr>2</InetAddr><InitialState>disabled</InitialState>",
		"<Type>tcp</Type><InetAddr>2</InetAddr><InitialState>off<x/></InitialState>",
		"<Type>tcp</Type><InetAddr>2</InetAddr><MessageType><json/></MessageType>",
		"<Type>tcp</Type><InetAddr>2</InetAddr><InetAddr>3</InetAddr>",
	} {
		text := instance("<ConfigValidation>disabled</ConfigValidation><Transports>" + good + "<Transport><Name>bad</Name>" + bad + "</Transport></Transports>")
		c, report := parse(text)
		if c == nil || report.Count(config.SeverityWarning) == 0 {
			t.Errorf("%s\n%s", bad, written(report))
			continue
		}
		if len(c.Transports) != 1 || c.Transports[0].Name != "good" {
			t.Errorf("%s gives %+v\n%s", bad, c.Transports, written(report))
		}
	}
	c, report := parse(instance("<ConfigValidation>disabled</ConfigValidation><Logging><Target><Protocol>stderr</Protocol><Level>x</Level></Target></Logging>"))
	if c == nil || len(c.LogTargets) != 0 {
		t.Error(written(report))
	}
}

func TestWithoutValidationNameAndReadableXMLAreStillRequired(t *testing.T) {
	t.Parallel()
	const off = "<ConfigValidation>disabled</ConfigValidation>"
	for _, text := range []string{
		"<AMPSConfig>" + off + "</AMPSConfig>", "<AMPSConfig>" + off + "<Name/></AMPSConfig>",
		"<AMPSConfig>" + off + "<Name><x/></Name></AMPSConfig>", "<AMPSConfig>" + off + "<Name>a</Name>",
		"<AMPSConfig>" + off + "<Name>a</Name><Include>none.xml</Include></AMPSConfig>",
	} {
		if c, report := parse(text); c != nil || report.Err() == nil {
			t.Errorf("%s\n%s", text, written(report))
		}
	}
	c, report := parse("<AMPSConfig>" + off + off + "<Name>a</Name><Quux/></AMPSConfig>")
	if c != nil {
		t.Errorf("validation is turned off by a repeated element: %s", written(report))
	}
}

// The elements of 10-configuration §10 whose parents this version provides.
func TestIgnoredElementsGiveOneNoticeEachAndChangeNothing(t *testing.T) {
	t.Parallel()
	plain := mustParse(t, instance(""))
	for _, text := range []string{
		"<MiniDumpDirectory>/tmp</MiniDumpDirectory>", "<MiniDumpFileMask>0640</MiniDumpFileMask>",
		"<Tuning><NUMA><Enabled>disabled</Enabled></NUMA></Tuning>", "<Tuning><TopicIndexFile>x</TopicIndexFile></Tuning>",
		"<Tuning><Queue><QueueDeliveryFlushInterval>1us</QueueDeliveryFlushInterval></Queue></Tuning>",
		"<Externals><SSL><Library>libssl.so</Library></SSL></Externals>", "<Externals><Curl><Library>x</Library></Curl></Externals>",
		"<License><Key>k</Key></License>", "<LicenseFile>f</LicenseFile>",
	} {
		c, report := parse(instance(text))
		if c == nil || len(report.Findings) != 1 || report.Count(config.SeverityNotice) != 1 {
			t.Errorf("%s\n%s", text, written(report))
			continue
		}
		if !strings.Contains(written(report), ": accepted and ignored (Farad ") {
			t.Errorf("%s\n%s", text, written(report))
		}
		c.Expanded, c.Types = plain.Expanded, plain.Types
		if fmt.Sprintf("%+v", c) != fmt.Sprintf("%+v", plain) {
			t.Errorf("%s changes\n%+v\nto\n%+v", text, plain, c)
		}
	}
}

func TestUnknownTuningSuggestsAKnownName(t *testing.T) {
	t.Parallel()
	c, report := parse(instance("<Tuning><EventLoop>3</EventLoop></Tuning>"))
	if c == nil || !strings.Contains(written(report), "did you mean EventLoops?") {
		t.Error(written(report))
	}
}

func TestManyFindingsAreCountedAndTakeLittleTime(t *testing.T) {
	t.Parallel()
	const unknown = 90_000
	started := time.Now()
	_, report := parse(instance(strings.Repeat("<q/>", unknown/2) + strings.Repeat("<Group>${X}</Group>", unknown/2)))
	if elapsed := time.Since(started); elapsed > 20*time.Second {
		t.Errorf("%v for %d elements", elapsed, unknown)
	}
	if len(report.Findings) != config.FindingsMax || report.Count(config.SeverityError) < unknown {
		t.Errorf("%d findings of %d", len(report.Findings), report.Count(config.SeverityError))
	}
	if !strings.Contains(written(report), "more are not shown\n") {
		t.Error("the report does not say that it is cut")
	}
}
