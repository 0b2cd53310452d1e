package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"farad/engine/eventlog/level"
)

// Limits of a log target.
const (
	// PatternsMax bounds the items of IncludeErrors and ExcludeErrors.
	PatternsMax = 1000
	// PatternBytesMax bounds one of them.
	PatternBytesMax = 1024
)

var logProtocols = []string{"stdout", "stderr", "file", "gzip", "syslog"}

// logging reads Logging (10-configuration §7.1). A target with a problem is
// left out of the Config.
func (c *checker) logging() {
	all := c.root.first("Logging")
	if all == nil {
		return
	}
	for i, e := range all.named("Target") {
		if i == LogTargetsMax {
			c.problem(e, "more than %d log targets", LogTargetsMax)
			return
		}
		before := c.problems
		t := LogTarget{Protocol: c.logProtocol(e), Threshold: level.None}
		read(c, e, "Level", level.Parse, &t.Threshold)
		read(c, e, "Levels", parseLevels, &t.Levels)
		read(c, e, "IncludeErrors", parsePatterns, &t.Include)
		read(c, e, "ExcludeErrors", parsePatterns, &t.Exclude)
		if c.problems == before && t.Protocol != "" && e.unambiguous() {
			c.config.LogTargets = append(c.config.LogTargets, t)
		}
	}
}

func (c *checker) logProtocol(target *element) string {
	e, ok := c.required(target, "Protocol")
	if !ok {
		return ""
	}
	value := strings.ToLower(e.value())
	if l, ok := lacking(e, value); ok {
		c.refuse(e, l.security, l.message())
		return ""
	}
	if !slices.Contains(logProtocols, value) {
		c.problem(e, "%s is not a log protocol; expected one of %s", quoted(e.value()), strings.Join(logProtocols, ", "))
		return ""
	}
	return value
}

// parseLevels reads a comma list of levels. None adds nothing.
func parseLevels(text string) ([]level.Level, error) {
	var levels []level.Level
	for _, name := range list(text) {
		l, err := level.Parse(name)
		if err != nil {
			return nil, err
		}
		if l != level.None && !slices.Contains(levels, l) {
			levels = append(levels, l)
		}
	}
	return levels, nil
}

// parsePatterns reads a comma list of ids of events or regular expressions on
// them.
func parsePatterns(text string) ([]*regexp.Regexp, error) {
	items := list(text)
	if len(items) > PatternsMax {
		return nil, fmt.Errorf("%d ids or expressions; at most %d are possible", len(items), PatternsMax)
	}
	var patterns []*regexp.Regexp
	for _, pattern := range items {
		if pattern == "" || len(pattern) > PatternBytesMax {
			return nil, fmt.Errorf("%s is not the id of an event or an expression on ids of 1 to %d bytes, such as 12-.*", quoted(pattern), PatternBytesMax)
		}
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("%s is not the id of an event or a regular expression on ids, such as 12-.*: %w", quoted(pattern), err)
		}
		patterns = append(patterns, compiled)
	}
	return patterns, nil
}
