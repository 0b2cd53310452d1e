package config

import (
	"fmt"
	"strings"
)

// checker turns a resolved tree into a Config and reports everything that is
// wrong on the way.
type checker struct {
	*loader
	root *element
	// lenient: ConfigValidation is disabled, so errors are warnings, but for
	// those of fail.
	lenient bool
	// problems counts what was reported as an error or would have been.
	problems int
	config   *Config
}

func newChecker(l *loader, root *element) *checker {
	return &checker{loader: l, root: root, config: &Config{}}
}

// check returns what could be read. It is a valid Config only if the report
// holds no error.
func (c *checker) check() *Config {
	c.lenient = validationDisabled(c.root)
	c.attributes(c.root)
	c.contents(c.root, schema[rootName])
	c.instance()
	c.tuning()
	c.messageTypes()
	c.transports()
	c.logging()
	return c.config
}

// validationDisabled reports whether the file turns validation off, in so
// many words and only once.
func validationDisabled(root *element) bool {
	found := root.named("ConfigValidation")
	if len(found) != 1 || found[0].broken {
		return false
	}
	enabled, err := ParseBool(found[0].value())
	return err == nil && !enabled
}

// problem reports an error at e, or a warning if validation is disabled.
func (c *checker) problem(e *element, format string, args ...any) {
	c.problemAt(e, "", format, args...)
}

// problemAt is problem with the path of something in e: below begins with a
// slash.
func (c *checker) problemAt(e *element, below, format string, args ...any) {
	c.problems++
	severity := SeverityError
	if c.lenient {
		severity = SeverityWarning
	}
	c.find(e, below, severity, format, args...)
}

// refuse is problem, or fail if validation must not matter.
func (c *checker) refuse(e *element, always bool, message string) {
	if always {
		c.problems++
		c.fail(e, "%s", message)
		return
	}
	c.problem(e, "%s", message)
}

func (c *checker) warning(e *element, format string, args ...any) {
	c.find(e, "", SeverityWarning, format, args...)
}

func (c *checker) notice(e *element, format string, args ...any) {
	c.find(e, "", SeverityNotice, format, args...)
}

func (c *checker) find(e *element, below string, s Severity, format string, args ...any) {
	c.report.add(Finding{
		File: e.at.file, Line: e.at.line, Column: e.at.column, Severity: s,
		Message: fmt.Sprintf(format, args...), element: e, base: e, below: below,
	})
}

// contents checks what stands in e, which is known, and below.
func (c *checker) contents(e *element, r rule) {
	if r.container {
		if text := e.value(); text != "" && !e.broken {
			c.problem(e, "text %s where only elements may stand", quoted(text))
		}
	}
	path := e.schemaPath()
	first := map[string]*element{}
	e.children(func(child *element) {
		childPath := path + "/" + child.name
		childRule, known := schema[childPath]
		if known && !childRule.repeats {
			if before := first[child.name]; before != nil {
				c.problem(child, "stands twice, at %s and at %s; expected once", before.at, child.at)
				return
			}
			first[child.name] = child
		}
		c.child(child, childPath, childRule, known, r)
	})
}

// unambiguous reports whether no known element in e leaves open what it says: by
// standing twice, or by holding elements instead of a value. Without
// validation both are only warnings, and nothing is done that e may not mean.
func (e *element) unambiguous() bool {
	sure, seen := true, map[string]bool{}
	e.children(func(child *element) {
		r, known := schema[child.schemaPath()]
		if known && !r.repeats && seen[child.name] || known && !r.container && child.hasChild() {
			sure = false
		}
		seen[child.name] = true
	})
	return sure
}

// child checks an element that stands in one with the rule parent.
func (c *checker) child(e *element, path string, r rule, known bool, parent rule) {
	if e.name == includeName && e.broken {
		return
	}
	if known {
		switch {
		case r.ignored != "":
			c.notice(e, "accepted and ignored (%s)", r.ignored)
		default:
			c.attributes(e)
			c.contents(e, r)
		}
		return
	}
	if l, ok := lackingElements[path]; ok {
		c.refuse(e, l.security, l.message())
		return
	}
	if parent.restIgnored != "" {
		c.notice(e, "accepted and ignored (%s)%s", parent.restIgnored, c.suggestion(e))
		return
	}
	suggestion := c.suggestion(e)
	if suggestion == "" {
		suggestion = c.expectation(e)
	}
	c.refuse(e, resemblesSecurity(e), fmt.Sprintf("%s is not a known element here%s", quoted(e.name), suggestion))
}

// suggestion names the known element that was probably meant.
func (c *checker) suggestion(e *element) string {
	if c.report.full() {
		return ""
	}
	name := nearest(e.name, knownChildren[e.parent.schemaPath()])
	if name == "" {
		return ""
	}
	return "; did you mean " + name + "?"
}

// expectation lists what may stand beside an unknown element.
func (c *checker) expectation(e *element) string {
	parent := e.parent.schemaPath()
	var provided []string
	for _, name := range knownChildren[parent] {
		if r, ok := schema[parent+"/"+name]; ok && r.ignored == "" {
			provided = append(provided, name)
		}
	}
	if len(provided) == 0 {
		return "; expected text alone"
	}
	return "; expected one of " + strings.Join(provided, ", ")
}

// attributes refuses those of e: only Include has any.
func (c *checker) attributes(e *element) {
	for _, a := range e.attributes {
		c.problem(e, "attribute %s is not known; settings stand in the text of elements", quoted(a.name))
	}
}
