package config_test

import (
	"reflect"
	"testing"

	"farad/engine/config"
	"farad/engine/eventlog/level"
)

func TestDefaultListensLocallyForEveryMessageTypeAndLogsToStderr(t *testing.T) {
	t.Parallel()
	c := config.Default()
	if c.Name != "farad" || c.Group != "farad" || c.Source != config.DefaultSource || len(c.Expanded) == 0 {
		t.Errorf("%+v", c)
	}
	transports := []config.Transport{{Name: "any-tcp", Type: "tcp", Protocol: "amps", Network: "tcp4", Address: "127.0.0.1:9007"}}
	targets := []config.LogTarget{{Protocol: "stderr", Threshold: level.Info}}
	if !reflect.DeepEqual(c.Transports, transports) || !reflect.DeepEqual(c.LogTargets, targets) {
		t.Errorf("transports %+v, targets %+v", c.Transports, c.LogTargets)
	}
}

// 10-configuration #3
func TestSamplePassesWithoutAnyFinding(t *testing.T) {
	t.Parallel()
	c := mustParse(t, config.Sample())
	if len(c.Transports) != 1 || c.Transports[0].MessageType != "json" || len(c.LogTargets) != 1 {
		t.Errorf("%+v", c)
	}
}
