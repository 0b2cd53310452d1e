package config

import (
	"fmt"
	"strings"
)

// Names of elements that the way from text to tree depends on.
const (
	rootName         = "AMPSConfig"
	includeName      = "Include"
	commentAttribute = "comment"
	thresholdName    = "ConfigCycleDetectionThreshold"
	commentDefault   = "ConfigIncludeCommentDefault"
)

// xmlSpace is the white space of XML.
const xmlSpace = " \t\r\n"

// place is where something stands in a file. Line and column count from 1,
// the column in bytes.
type place struct {
	file         string
	line, column int
}

func (p place) String() string { return fmt.Sprintf("%s:%d", p.file, p.line) }

// element is one element of the tree.
type element struct {
	name       string
	at         place
	parent     *element
	attributes []attribute
	items      []item // in document order
	// order numbers the elements in document order, included ones where they
	// were inserted; 0 until the tree is complete. From then on, position is
	// the place among the siblings of the same name, from 1, or 0 for the only
	// one.
	order, position int
	// broken: a finding about this element exists that makes its text
	// useless, so nobody complains about its value again.
	broken bool
}

type attribute struct{ name, value string }

// item is a piece of an element's content: a child, a comment to be dumped,
// or text.
type item struct {
	child   *element
	comment string
	// conditional: the comment is dumped only if ConfigIncludeCommentDefault
	// says so.
	conditional bool
	text        string
}

// value is the element's text without the white space around it.
func (e *element) value() string {
	if len(e.items) == 1 && e.items[0].child == nil {
		return strings.Trim(e.items[0].text, xmlSpace)
	}
	var text strings.Builder
	for _, i := range e.items {
		text.WriteString(i.text)
	}
	return strings.Trim(text.String(), xmlSpace)
}

// children calls f for each child element, in document order.
func (e *element) children(f func(*element)) {
	for _, i := range e.items {
		if i.child != nil {
			f(i.child)
		}
	}
}

// named returns the children of that name.
func (e *element) named(name string) []*element {
	var found []*element
	e.children(func(c *element) {
		if c.name == name {
			found = append(found, c)
		}
	})
	return found
}

// first returns the first child of that name, or nil.
func (e *element) first(name string) *element {
	for _, i := range e.items {
		if i.child != nil && i.child.name == name {
			return i.child
		}
	}
	return nil
}

// hasChild reports whether e holds an element.
func (e *element) hasChild() bool {
	for _, i := range e.items {
		if i.child != nil {
			return true
		}
	}
	return false
}

// schemaPath is the way from the root by names alone: the key of the tables.
func (e *element) schemaPath() string {
	if e.parent == nil {
		return e.name
	}
	return e.parent.schemaPath() + "/" + e.name
}

// path is the way from the root, with the position among siblings of the same
// name where there are several.
func (e *element) path() string {
	if e.parent == nil {
		return e.name
	}
	position := e.position
	if e.order == 0 {
		position = e.soughtPosition()
	}
	path := e.parent.path() + "/" + e.name
	if position > 0 {
		path += fmt.Sprintf("[%d]", position)
	}
	return path
}

// soughtPosition is position for a tree that is not complete.
func (e *element) soughtPosition() int {
	position, count := 0, 0
	e.parent.children(func(c *element) {
		if c.name == e.name {
			count++
			if c == e {
				position = count
			}
		}
	})
	if count == 1 {
		return 0
	}
	return position
}

// depth is the number of elements on the way from the root to e, both
// counted.
func (e *element) depth() int {
	n := 1
	for ; e.parent != nil; e = e.parent {
		n++
	}
	return n
}

// number gives e and all below their order, from next on, and their
// positions, and returns the next free number.
func (e *element) number(next int) int {
	e.order = next
	next++
	last := map[string]*element{}
	e.children(func(c *element) {
		if before := last[c.name]; before != nil {
			before.position = max(before.position, 1)
			c.position = before.position + 1
		}
		last[c.name] = c
	})
	e.children(func(c *element) { next = c.number(next) })
	return next
}
