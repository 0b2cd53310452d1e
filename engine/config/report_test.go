package config_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"farad/engine/config"
)

// 10-configuration #6, for which the server exits with 1 on Err.
func TestThreeIndependentErrorsGiveThreeLinesAndASummary(t *testing.T) {
	t.Parallel()
	c, report := parse(`<AMPSConfig><Name>my amps</Name>
  <MiniDumpDirectory>/tmp</MiniDumpDirectory>
  <Transports>
    <Transport><Name>x</Name><Type>tpc</Type><InetAddr>1</InetAddr></Transport>
    <Transport><Name>y</Name><Type>tcp</Type><InetAddr>99999</InetAddr></Transport>
  </Transports>
  <Loging/>
</AMPSConfig>`)
	const want = `config.xml:1:13: warning: AMPSConfig/Name: "my amps" contains a space
config.xml:2:3: notice: AMPSConfig/MiniDumpDirectory: accepted and ignored (Farad writes no minidumps)
config.xml:4:30: error: AMPSConfig/Transports/Transport[1]/Type: "tpc" is not a transport type; expected one of tcp, tcps, amps-unix, amps-replication, amps-replication-secure
config.xml:5:46: error: AMPSConfig/Transports/Transport[2]/InetAddr: "99999" is not an address: port "99999" is not a number from 0 to 65535; expected PORT, HOST:PORT, IPv4:PORT or [IPv6]:PORT
config.xml:7:3: error: AMPSConfig/Loging: "Loging" is not a known element here; did you mean Logging?
config.xml: 3 errors, 1 warning, 1 notice
`
	if got := written(report); got != want {
		t.Errorf("report\n%s\nwant\n%s", got, want)
	}
	err := report.Err()
	if c != nil || !errors.Is(err, config.ErrInvalid) {
		t.Fatalf("config %v, error %v", c, err)
	}
	if !strings.Contains(err.Error(), "config.xml:4:30: ") || !strings.HasSuffix(err.Error(), "(the first of 3 errors)") {
		t.Errorf("error %v", err)
	}
}

func TestReportOfAValidFileIsItsSummary(t *testing.T) {
	t.Parallel()
	_, report := parse(instance(""))
	if got := written(report); got != "config.xml: 0 errors, 0 warnings, 0 notices\n" || report.Err() != nil {
		t.Errorf("%q, %v", got, report.Err())
	}
}

func TestOneErrorIsTheErrorOfTheReport(t *testing.T) {
	t.Parallel()
	_, report := parse("<AMPSConfig/>")
	if want := "invalid configuration: config.xml:1:1: error: AMPSConfig/Name: missing in config.xml; it is required"; report.Err() == nil || report.Err().Error() != want {
		t.Errorf("%v, want %s", report.Err(), want)
	}
}

func TestFindingIsOneLineWhateverItsValueHolds(t *testing.T) {
	t.Parallel()
	_, report := parse(target("<Protocol>a\nb\x7f\u202e" + strings.Repeat("x", 1000) + "</Protocol>"))
	text := written(report)
	if strings.Count(text, "\n") != 2 || !strings.Contains(text, `"a\nb\x7f\u202exxx`) || strings.Contains(text, strings.Repeat("x", 300)) {
		t.Errorf("%q", text)
	}
}

// failingWriter refuses everything.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestReportPassesOnTheErrorOfItsWriter(t *testing.T) {
	t.Parallel()
	_, report := parse(instance(""))
	if _, err := report.WriteTo(failingWriter{}); err == nil || err.Error() != "full" {
		t.Errorf("%v", err)
	}
}

func TestReadingAConfigurationTakesNoPortAndWritesNothing(t *testing.T) {
	t.Parallel()
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	text := instance(fmt.Sprintf("<Transports><Transport><Name>x</Name><Type>tcp</Type><InetAddr>%s</InetAddr></Transport></Transports>", busy.Addr()))
	d := write(t, map[string]string{"main.xml": text})
	before := listing(t, d)
	if c, report := config.Load(filepath.Join(d, "main.xml"), in(d)); c == nil {
		t.Error(written(report))
	}
	if after := listing(t, d); after != before {
		t.Errorf("the directory was\n%s\nand is\n%s", before, after)
	}
}

// listing is what a directory holds, with sizes and times.
func listing(t *testing.T, directory string) string {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&text, e.Name(), info.Size(), info.Mode(), info.ModTime())
	}
	return text.String()
}
