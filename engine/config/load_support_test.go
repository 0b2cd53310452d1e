package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"farad/engine/config"
)

// environment is an Environ that knows exactly these variables.
func environment(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

// parse reads a text with an empty environment.
func parse(text string) (*config.Config, *config.Report) {
	return config.Parse("config.xml", []byte(text), config.Options{Environ: environment(nil)})
}

// mustParse is parse for texts without any finding.
func mustParse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, report := parse(text)
	if len(report.Findings) > 0 || c == nil {
		t.Fatalf("findings on\n%s\n%s", text, written(report))
	}
	return c
}

// written is the report as it is printed.
func written(report *config.Report) string {
	var text strings.Builder
	_, _ = report.WriteTo(&text)
	return text.String()
}

// instance is a configuration with a name and what else is given.
func instance(elements string) string {
	return "<AMPSConfig><Name>a</Name>" + elements + "</AMPSConfig>"
}

// listener is a configuration with one transport that has these elements
// besides name and address.
func listener(elements string) string {
	return instance("<Transports><Transport><Name>t</Name><InetAddr>127.0.0.1:9007</InetAddr>" + elements + "</Transport></Transports>")
}

// target is a configuration with one log target that has these elements.
func target(elements string) string {
	return instance("<Logging><Target>" + elements + "</Target></Logging>")
}

// write makes a directory with these files, by name, and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for name, text := range files {
		path := filepath.Join(directory, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

// in are the options of a server that was started in the directory.
func in(directory string) config.Options {
	return config.Options{Environ: environment(nil), WorkingDirectory: directory}
}

// wantFindings compares the lines of a report, without the summary.
func wantFindings(t *testing.T, report *config.Report, want ...string) {
	t.Helper()
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// wantError wants a refusal whose only finding contains all parts.
func wantError(t *testing.T, c *config.Config, report *config.Report, parts ...string) {
	t.Helper()
	if c != nil || report.Err() == nil || len(report.Findings) != 1 {
		t.Fatalf("config %v, report\n%s", c, written(report))
	}
	for _, part := range parts {
		if line := report.Findings[0].String(); !strings.Contains(line, part) {
			t.Errorf("finding %s\nlacks %s", line, part)
		}
	}
}
