package config

import (
	"fmt"
	"strings"
)

// NameBytesMax bounds the names of instances, groups and transports, which
// become parts of the names of connections and files.
const NameBytesMax = 255

// ignoredVariables steer the placement of AMPS's threads and the like.
var ignoredVariables = []string{"AMPS_NUMA", "AMPS_PLATFORM_COMPAT"}

// instance reads the scalars of the instance (10-configuration §5.1).
func (c *checker) instance() {
	for _, name := range ignoredVariables {
		if _, set := c.lookup(name); set {
			c.notice(c.root, "variable %s is accepted and ignored (%s)", name, noNUMA)
		}
	}
	c.instanceName()
	c.config.Group = c.config.Name
	if e, ok := c.present(c.root, "Group"); ok && e.value() != "" {
		c.config.Group = c.name(e)
	}
	c.readText(c.root, "ProcessName", &c.config.ProcessName)
	c.readText(c.root, "Description", &c.config.Description)
	c.readText(c.root, "Environment", &c.config.Environment)
	c.config.RegexTopicSupport = true
	read(c, c.root, "RegexTopicSupport", ParseBool, &c.config.RegexTopicSupport)
	c.versions()

	// Their effect was when the file was read; here only mistakes are
	// reported.
	var ignored bool
	read(c, c.root, "ConfigValidation", ParseBool, &ignored)
	read(c, c.root, commentDefault, ParseBool, &ignored)
	var threshold int64
	readBounded(c, c.root, thresholdName, ParseSize, 1, FileBytesMax, fmt.Sprintf("1 to %d bytes", FileBytesMax), &threshold)
}

// instanceName reads the one element that must be there whatever
// ConfigValidation says.
func (c *checker) instanceName() {
	e, ok := c.present(c.root, "Name")
	switch {
	case e == nil:
		c.missing(c.root, "Name", func(e *element, below, format string, args ...any) {
			c.problems++
			c.find(e, below, SeverityError, format, args...)
		})
	case e.broken: // reported, as an error
	case !ok:
		c.refuse(e, true, "cannot be used; expected a short text alone")
	case e.value() == "":
		c.refuse(e, true, fmt.Sprintf("is empty in %s; expected the name of the instance", e.at.file))
	default:
		c.config.Name = c.name(e)
		c.warnOfName(e)
	}
}

// name reads a name, which must not be too long.
func (c *checker) name(e *element) string {
	text := e.value()
	if len(text) > NameBytesMax {
		c.refuse(e, true, fmt.Sprintf("%s is longer than %d bytes", quoted(text), NameBytesMax))
	}
	return text
}

// awkward are the characters that make an instance's name hard to use in
// paths and shells.
var awkward = []struct{ characters, name string }{
	{xmlSpace, "a space"}, {"/", "a slash"}, {`\`, "a backslash"}, {"$", "a dollar sign"}, {"~", "a tilde"},
}

func (c *checker) warnOfName(e *element) {
	var held []string
	for _, a := range awkward {
		if strings.ContainsAny(e.value(), a.characters) {
			held = append(held, a.name)
		}
	}
	if len(held) > 0 {
		c.warning(e, "%s contains %s", quoted(e.value()), strings.Join(held, " and "))
	}
}

// versions compares what the file asks for with what Farad implements.
func (c *checker) versions() {
	own, err := ParseVersion(Level)
	if err != nil {
		panic("config: " + err.Error())
	}
	var v Version
	if e := read(c, c.root, "RequiredMinimumVersion", ParseVersion, &v); e != nil && v.Compare(own) > 0 {
		c.problem(e, "%s is newer than %s, the level that Farad implements", quoted(e.value()), Level)
	}
	if e := read(c, c.root, "SuggestedMinimumVersion", ParseVersion, &v); e != nil && v.Compare(own) > 0 {
		c.warning(e, "%s is newer than %s, the level that Farad implements", quoted(e.value()), Level)
	}
}
