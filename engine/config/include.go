package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// Limits of inclusion.
const (
	// IncludeDepthMax bounds the chain of files that include each other.
	IncludeDepthMax = 32
	// InclusionsMax bounds the inclusions of a configuration.
	InclusionsMax = 10_000
)

// resolve replaces the Include elements below e and expands variables.
func (l *loader) resolve(e *element) {
	l.expandAttributes(e)
	items := e.items
	e.items = make([]item, 0, len(items))
	for _, i := range items {
		l.resolveItem(e, i)
	}
}

// resolveItem appends to the content of e what becomes of i.
func (l *loader) resolveItem(e *element, i item) {
	switch {
	case i.child == nil:
		i.text = l.expandIn(e, i.text)
		e.items = append(e.items, i)
	case i.child.name == includeName:
		i.child.parent = e
		l.include(e, i.child)
	default:
		i.child.parent = e
		if e.parent == nil {
			l.preset(i.child)
		}
		e.items = append(e.items, i)
		l.resolve(i.child)
	}
}

// include appends to the content of e what the file named by include holds.
// An Include that failed stays in the tree, broken, so that its finding keeps
// its place.
func (l *loader) include(e, include *element) {
	problem := func(format string, args ...any) {
		l.incomplete = true
		include.broken = true
		e.items = append(e.items, item{child: include})
		l.fail(include, format, args...)
	}
	written := include.value()
	if include.hasChild() {
		problem("holds an element; expected the name of a file alone")
		return
	}
	l.resolve(include)
	comment, conditional, err := commentWanted(include)
	switch {
	case include.broken: // by a variable, which has been reported
		l.incomplete = true
		e.items = append(e.items, item{child: include})
		return
	case err != nil:
		problem("%v", err)
		return
	case include.value() == "":
		problem("names no file")
		return
	}
	if l.inclusions++; l.inclusions > InclusionsMax {
		problem("more than %d inclusions", InclusionsMax)
		return
	}
	shown, text, err := l.included(include.value())
	if err != nil {
		problem("%v", err)
		return
	}
	remark := func(where string) {
		if comment || conditional {
			text := where + " <Include>" + written + "</Include>"
			e.items = append(e.items, item{comment: text, conditional: conditional})
		}
	}
	remark("Start")
	if l.chained(shown, include) {
		l.insert(e, include, text)
	} else {
		e.items = append(e.items, item{child: include})
	}
	l.chain = l.chain[:len(l.chain)-1]
	remark("End")
}

// chained adds a file to the chain and reports whether its content may be
// read: not when it is being read already, or would be too much.
func (l *loader) chained(shown string, include *element) bool {
	next := source{shown: shown, identity: l.identity(shown)}
	cycle := false
	names := make([]string, 0, len(l.chain)+1)
	for _, s := range l.chain {
		cycle = cycle || s.identity == next.identity
		names = append(names, s.shown)
	}
	names = append(names, shown)
	l.chain = append(l.chain, next)
	switch {
	case cycle:
		l.fail(include, "a file includes itself: %s", strings.Join(names, " -> "))
	case len(l.chain) > IncludeDepthMax:
		l.fail(include, "files include each other deeper than %d: %s", IncludeDepthMax, strings.Join(names, " -> "))
	default:
		return true
	}
	l.incomplete = true
	include.broken = true
	return false
}

// insert appends the elements of an included file to the content of e.
func (l *loader) insert(e, include *element, text []byte) {
	if !l.grow(int64(len(text)), include) {
		include.broken = true
		e.items = append(e.items, item{child: include})
		return
	}
	top, err := readElements(l.chain[len(l.chain)-1].shown, text, e.depth(), &l.elements)
	if err != nil {
		include.broken = true
		e.items = append(e.items, item{child: include})
		l.failFile(err, include)
		return
	}
	for _, i := range top.items {
		l.resolveItem(e, i)
	}
}

// commentWanted reads the attribute of an Include: whether it is to be
// enclosed in comments, or, without the attribute, that this depends on
// ConfigIncludeCommentDefault.
func commentWanted(include *element) (comment, conditional bool, err error) {
	conditional = true
	for _, a := range include.attributes {
		if a.name != commentAttribute {
			return false, false, fmt.Errorf("attribute %s is not known; the only one is %s", quoted(a.name), commentAttribute)
		}
		conditional = false
		if comment, err = ParseBool(a.value); err != nil {
			return false, false, fmt.Errorf("attribute %s: %w", commentAttribute, err)
		}
	}
	return comment, conditional, nil
}

// included reads a file named in an Include: relative to the working
// directory or else to the directory of the including file.
func (l *loader) included(name string) (shown string, text []byte, err error) {
	text, err = readFile(l.located(name))
	if err == nil {
		return name, text, nil
	}
	beside := filepath.Join(filepath.Dir(l.chain[len(l.chain)-1].shown), name)
	if filepath.IsAbs(name) || beside == filepath.Clean(name) || !errors.Is(err, fs.ErrNotExist) {
		return name, nil, fmt.Errorf("%s: %w", quoted(name), err)
	}
	text, err = readFile(l.located(beside))
	if err != nil {
		return name, nil, fmt.Errorf("%s, tried also as %s: %w", quoted(name), quoted(beside), err)
	}
	return beside, text, nil
}
