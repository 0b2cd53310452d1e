package message

// Source is one of several messages that values are read from together. All of
// its paths in the trie begin with Step, unless that is empty.
type Source struct {
	Kind Type
	Body []byte
	Step string
}

// ExtractAll fills out with what several messages hold on the trie's paths.
func ExtractAll(sources []Source, t *Trie, out *Values) {
	out.begin(t)
	for i := range sources {
		s := &sources[i]
		n := t.root
		if s.Step != "" {
			if n = t.root.child([]byte(s.Step)); n == nil {
				continue
			}
		}
		if kind, ok := s.Kind.(extractor); ok {
			kind.extractAt(s.Body, n, out)
		}
	}
}

// Begin empties the values and makes room for a trie: for values that are put
// and not extracted.
func (v *Values) Begin(t *Trie) { v.begin(t) }

// Put makes a slot hold one value, whatever it held before.
func (v *Values) Put(slot uint32, value Value) {
	s := &v.slots[slot]
	s.first, s.serial, s.count = value, v.serial, 1
}
