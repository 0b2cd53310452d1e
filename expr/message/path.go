package message

import "strings"

// Path names a place in a message: one step a level, without the slashes. An
// XML attribute is a last step that begins with @.
type Path []string

// String writes the path with its slashes.
func (p Path) String() string { return "/" + strings.Join(p, "/") }
