package message

// Binary is the type binary (03-message-types §3.9): bytes that nobody looks
// into. Every path is NULL.
type Binary struct{ name string }

func newBinary(d Definition, _ *Types) (Type, error) {
	if len(d.Settings) > 0 {
		return nil, noSetting(d, 0)
	}
	return Binary{d.Name}, nil
}

// Name returns the name that the type was defined under.
func (b Binary) Name() string { return b.name }

// Capabilities are none.
func (Binary) Capabilities() Capabilities { return Capabilities{} }

// Extract finds nothing.
func (Binary) Extract(_ []byte, t *Trie, out *Values) { out.begin(t) }

// Parse makes the whole message one opaque field.
func (Binary) Parse(body []byte, d *Document, at int32) error {
	d.Append(at, Field{Form: Opaque, Raw: body})
	return nil
}

// Write copies what Parse found; nothing else can be written.
func (Binary) Write(dst []byte, d *Document, at int32) []byte {
	for i := d.First(at); i >= 0; i = d.Next(i) {
		dst = append(dst, d.fields[i].Raw...)
	}
	return dst
}
