package config

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// entityBytesMax bounds what the entities of one file may add to its text.
const entityBytesMax = FileBytesMax / 8

var (
	doctypeSubset = regexp.MustCompile(`(?s)^\s*DOCTYPE\s+[^\[\]]*?(\[(.*)\])?\s*$`)
	declaration   = regexp.MustCompile(`(?s)^\s*<!ENTITY\s+([A-Za-z_:][-A-Za-z0-9_.:]*)\s+(?:"([^"]*)"|'([^']*)')\s*>`)
	// externalID is what makes a DOCTYPE or an ENTITY name a further file.
	externalID = regexp.MustCompile(`(?:^|\s)(?:SYSTEM|PUBLIC)\s`)
)

// entityDeclarations reads the entities that a document type declares. Only
// plain text entities are supported: no markup, no further files, no entities
// inside entities, so that nothing can multiply.
func entityDeclarations(directive []byte) (map[string]string, error) {
	match := doctypeSubset.FindSubmatch(directive)
	if match == nil {
		return nil, errors.New("only a DOCTYPE with entity declarations is supported")
	}
	head := directive[:len(directive)-len(match[1])]
	if externalID.Match(head) {
		return nil, errors.New("a document type in a file of its own is not supported")
	}
	entities := map[string]string{}
	rest := match[2]
	for len(bytes.TrimSpace(rest)) > 0 {
		m := declaration.FindSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("cannot read %s; expected <!ENTITY name \"text\">", quoted(string(rest)))
		}
		value := string(m[2]) + string(m[3])
		if strings.ContainsAny(value, "<&%") {
			return nil, fmt.Errorf("entity %q holds <, & or %%; expected plain text", m[1])
		}
		if _, repeated := entities[string(m[1])]; !repeated {
			entities[string(m[1])] = value
		}
		rest = rest[len(m[0]):]
	}
	return entities, nil
}

// boundEntities refuses entities whose uses in text would add more than
// entityBytesMax.
func boundEntities(entities map[string]string, text []byte) error {
	total := 0
	for name, value := range entities {
		if value == "" {
			continue
		}
		uses := bytes.Count(text, []byte("&"+name+";"))
		if uses > (entityBytesMax-total)/len(value) {
			return fmt.Errorf("the entities add more than %d bytes", entityBytesMax)
		}
		total += uses * len(value)
	}
	return nil
}
