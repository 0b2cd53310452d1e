package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Variables that exist without being set anywhere (10-configuration §2.3).
const (
	variableDirectory = "AMPS_CONFIG_DIRECTORY"
	variablePath      = "AMPS_CONFIG_PATH"
	variableVersion   = "AMPS_VERSION"
)

// lookup finds a variable: those of -D win over Farad's own, those over the
// environment.
func (l *loader) lookup(name string) (string, bool) {
	if value, ok := l.options.Variables[name]; ok {
		return value, true
	}
	switch name {
	case variableDirectory:
		return filepath.Dir(l.source), true
	case variablePath:
		return l.source, true
	case variableVersion:
		return Level, true
	}
	return l.options.Environ(name)
}

// expand replaces each ${NAME} of text once; what a variable holds is not
// looked at again. Problems are the references that cannot be replaced, which
// stay as they are.
func (l *loader) expand(text string) (expanded string, problems []string) {
	if !strings.Contains(text, "${") {
		return text, nil
	}
	var out strings.Builder
	for {
		start := strings.Index(text, "${")
		if start < 0 || int64(out.Len()) > l.limit {
			out.WriteString(text)
			return out.String(), problems
		}
		out.WriteString(text[:start])
		text = text[start:]
		end := strings.IndexByte(text, '}')
		if end < 0 {
			out.WriteString(text)
			return out.String(), append(problems, fmt.Sprintf("%s has no closing }", quoted(text)))
		}
		reference, name := text[:end+1], text[len("${"):end]
		value, ok := l.lookup(name)
		switch {
		case name == "":
			problems = append(problems, "${} names no variable")
		case !ok:
			problems = append(problems, fmt.Sprintf("variable %s is not defined; set it in the environment or with -D%s=VALUE", name, name))
		case !isXMLText(value):
			problems = append(problems, fmt.Sprintf("variable %s holds a character that XML does not allow", name))
		default:
			reference = value
		}
		out.WriteString(reference)
		text = text[end+1:]
	}
}

// expandIn expands a text of e and reports problems there.
func (l *loader) expandIn(e *element, text string) string {
	expanded, problems := l.expand(text)
	for _, p := range problems {
		e.broken = true
		l.fail(e, "%s", p)
	}
	if growth := len(expanded) - len(text); growth > 0 && !l.grow(int64(growth), e) {
		e.broken = true
		return text
	}
	return expanded
}

func (l *loader) expandAttributes(e *element) {
	for i := range e.attributes {
		e.attributes[i].value = l.expandIn(e, e.attributes[i].value)
	}
}

// isXMLText reports whether XML 1.0 can hold the text.
func isXMLText(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return false
		}
	}
	return true
}
