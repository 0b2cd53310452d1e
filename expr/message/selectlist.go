package message

// Directive includes or excludes a path and what is below it, in a select list.
// The empty path stands for all fields.
type Directive struct {
	Path    Path
	Include bool
}

// SelectList says which fields of a message a subscriber gets
// (03-message-types §6, 05-subscriptions §5). A field under no directive is
// included; of several the most specific wins, of equal paths the first. It is
// immutable.
type SelectList struct{ root selection }

// selection is one step of the directives' paths.
type selection struct {
	children map[string]*selection
	decided  bool
	include  bool
}

// NewSelectList makes a list of directives.
func NewSelectList(directives []Directive) *SelectList {
	l := &SelectList{selection{include: true}}
	for _, d := range directives {
		s := &l.root
		for _, step := range d.Path {
			child := s.children[step]
			if child == nil {
				if s.children == nil {
					s.children = map[string]*selection{}
				}
				child = &selection{}
				s.children[step] = child
			}
			s = child
		}
		if !s.decided {
			s.decided, s.include = true, d.Include
		}
	}
	return l
}

// Select leaves in the document what a select list includes. Fields around an
// included one stay; what exclusion leaves empty goes, but for elements of
// arrays, which keep their positions.
func (d *Document) Select(l *SelectList) {
	d.choose(0, &l.root, l.root.include)
	if d.fields[0].keep == keepNothing {
		for c := d.fields[0].first; c >= 0; c = d.fields[c].next {
			d.empty(c, d.fields[0].Form == Array)
		}
	}
	d.fields[0].keep = keepPart
	if d.fields[0].Raw != nil && len(l.root.children) == 0 && l.root.include {
		return
	}
	d.prune(0)
}

// choose marks what is included at and below a field, and reports whether
// anything is. s holds the directives at and below its path, nil for none;
// include is what the most specific one at or above it says.
func (d *Document) choose(i int32, s *selection, include bool) bool {
	f := &d.fields[i]
	switch {
	case f.Form == Opaque:
		f.keep = keepWhole
		return false
	case s == nil, len(s.children) == 0, f.Form == Scalar:
		f.keep = keepNothing
		if include = include && !(f.sealed && s.excludesBelow()); include {
			f.keep = keepWhole
		}
		return include
	}
	any := include && (f.first < 0 || !f.Value.IsNull())
	if !include && f.Form == Element && !f.Value.IsNull() {
		d.changed(i)
		f.Value = Value{}
	}
	for c := f.first; c >= 0; c = d.fields[c].next {
		if f.Form == Array {
			chosen := d.choose(c, s, include)
			any = any || chosen
			if !chosen {
				d.empty(c, true)
			}
			continue
		}
		below, decision := s.children[string(d.fields[c].Name)], include
		if below != nil && below.decided {
			decision = below.include
		}
		chosen := d.choose(c, below, decision)
		any = any || chosen
	}
	f.keep = keepNothing
	if any {
		f.keep = keepPart
	}
	return any
}

// excludesBelow reports whether a directive excludes something below the path.
func (s *selection) excludesBelow() bool {
	if s == nil {
		return false
	}
	for _, child := range s.children {
		if child.decided && !child.include || child.excludesBelow() {
			return true
		}
	}
	return false
}

// empty marks a field to go or, as an element that holds others, to stay
// without them. Opaque fields stay.
func (d *Document) empty(i int32, element bool) {
	f := &d.fields[i]
	if f.Form == Opaque {
		return
	}
	f.keep = keepNothing
	if !element || f.Form == Scalar {
		return
	}
	f.keep = keepPart
	for c := f.first; c >= 0; c = d.fields[c].next {
		d.empty(c, f.Form == Array)
	}
}
