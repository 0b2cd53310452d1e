package config

import "strings"

// TextBytesMax bounds a value.
const TextBytesMax = 64 << 10

// present returns the element of that name in parent and whether its value is
// worth reading.
func (c *checker) present(parent *element, name string) (*element, bool) {
	if parent == nil {
		return nil, false
	}
	e := parent.first(name)
	if e == nil || e.broken || e.hasChild() {
		return e, false
	}
	if len(e.value()) > TextBytesMax {
		c.problem(e, "the value is longer than %d bytes", TextBytesMax)
		return e, false
	}
	return e, true
}

// required is present for an element that has to be there and not empty. The
// boolean is false also if that was reported.
func (c *checker) required(parent *element, name string) (*element, bool) {
	e, ok := c.present(parent, name)
	switch {
	case e == nil:
		c.missing(parent, name, c.problemAt)
		return nil, false
	case ok && e.value() == "":
		c.problem(e, "is empty; expected a value")
		return e, false
	}
	return e, ok
}

// missing reports an absent element, unless it may stand in what could not be
// read.
func (c *checker) missing(parent *element, name string, report func(*element, string, string, ...any)) {
	if !c.incomplete {
		report(parent, "/"+name, "missing in %s; it is required", parent.at.file)
	}
}

// read sets *to to the value of an optional element, read by parse, and
// returns the element if it was set.
func read[T any](c *checker, parent *element, name string, parse func(string) (T, error), to *T) *element {
	e, ok := c.present(parent, name)
	if !ok {
		return nil
	}
	value, err := parse(e.value())
	if err != nil {
		c.problem(e, "%v", err)
		return nil
	}
	*to = value
	return e
}

// readText sets *to to the text of an optional element.
func (c *checker) readText(parent *element, name string, to *string) {
	read(c, parent, name, func(text string) (string, error) { return text, nil }, to)
}

// readBounded sets *to to a number within limits; shown is how the limits are
// written.
func readBounded(c *checker, parent *element, name string, parse func(string) (int64, error), least, most int64, shown string, to *int64) {
	var n int64
	e := read(c, parent, name, parse, &n)
	switch {
	case e == nil:
	case n < least || n > most:
		c.problem(e, "%s is out of range; expected %s", quoted(e.value()), shown)
	default:
		*to = n
	}
}

// list splits a value at its commas; the items lose the white space around
// them, so that a list may go over several lines.
func list(text string) []string {
	items := strings.Split(text, ",")
	for i := range items {
		items[i] = strings.Trim(items[i], xmlSpace)
	}
	return items
}
