package message

// Type is one message type's way with bytes (03-message-types §2).
type Type interface {
	// Name is the type's name in configurations and logons.
	Name() string
	// Extract fills out with what body holds on the trie's paths. Any bytes
	// may come: values found before a fault stay, all others are NULL. It
	// allocates nothing once out has grown.
	Extract(body []byte, t *Trie, out *Values)
}

// ByName returns the type with a name; false for a type whose messages cannot
// be parsed.
func ByName(name string) (Type, bool) {
	if name == "json" {
		return JSON{}, true
	}
	return nil, false
}
