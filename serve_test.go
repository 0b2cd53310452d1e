package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"farad/engine/config"
)

// 10-configuration #1: a file with only a name starts, opens no port and ends
// without an error when it is told to.
func TestInstanceWithOnlyANameStartsAndStops(t *testing.T) {
	t.Parallel()
	settings, report := config.Parse("only.xml", []byte(`<AMPSConfig><Name>only</Name></AMPSConfig>`), config.Options{})
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
	if len(settings.Transports) > 0 {
		t.Fatalf("transports %v", settings.Transports)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	if err := serve(ctx, settings, report, &out); err != nil {
		t.Errorf("serve: %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("it wrote %q", out.String())
	}
}

// A newcomer is told what is there and what to try.
func TestGreetingShowsHowToConnect(t *testing.T) {
	t.Parallel()
	settings := config.Default()
	settings.Transports[0].Address = "127.0.0.1:0"
	settings.LogTargets = nil
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	if err := serve(ctx, settings, nil, &out); err != nil {
		t.Fatalf("serve: %v", err)
	}
	for _, want := range []string{"tcp://127.0.0.1:", "subscribe -server 127.0.0.1:", "publish -server 127.0.0.1:"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the greeting lacks %q:\n%s", want, out.String())
		}
	}
}
