package message

import "bytes"

// Difference leaves in the document what an older version of the message does
// not hold in the same way, and the keys: the body of a delta to subscribers
// (03-message-types §5). Scalars differ when their kind or text does; arrays
// are compared and kept whole. It reports whether anything but keys is left.
// Fields that only the old version has are not shown.
func (d *Document) Difference(old *Document, keys []Path) bool {
	differs := d.compare(0, old, 0)
	for _, p := range keys {
		d.keepPath(p)
	}
	d.fields[0].keep = keepPart
	d.prune(0)
	return differs
}

// compare marks what differs below twins, and reports whether anything does.
func (d *Document) compare(b int32, old *Document, a int32) bool {
	d.pairUp(b, old, a)
	differs := false
	for i := d.fields[b].first; i >= 0; i = d.fields[i].next {
		if d.fields[i].again {
			continue
		}
		keep := d.compareGroup(i, old, d.fields[i].twin)
		for z := i; z >= 0; z = d.fields[z].peer {
			d.fields[z].keep = keep
		}
		differs = differs || keep != keepNothing
	}
	return differs
}

func (d *Document) compareGroup(i int32, old *Document, twin int32) keeping {
	if twin < 0 {
		return keepWhole
	}
	f, g := &d.fields[i], &old.fields[twin]
	if f.peer < 0 && g.peer < 0 && !f.replaced && f.Form == g.Form && (f.Form == Object || f.Form == Element) {
		return d.compareObjects(i, old, twin)
	}
	for i >= 0 && twin >= 0 {
		if !d.equal(i, old, twin) {
			return keepWhole
		}
		i, twin = d.fields[i].peer, old.fields[twin].peer
	}
	if i >= 0 || twin >= 0 {
		return keepWhole
	}
	return keepNothing
}

func (d *Document) compareObjects(i int32, old *Document, twin int32) keeping {
	f, g := &d.fields[i], &old.fields[twin]
	if f.Raw != nil && bytes.Equal(f.Raw, g.Raw) {
		return keepNothing
	}
	if f.Form == Element && d.hasElements(i) != old.hasElements(twin) {
		return keepWhole // it became a leaf, or was one
	}
	text := !sameScalar(f.Value, g.Value)
	differs := d.compare(i, old, twin)
	switch {
	case !differs && !text:
		return keepNothing
	case f.Form == Element && !text && !f.Value.IsNull():
		d.changed(i)
		d.fields[i].Value = Value{} // the text did not change, only what is beside it
	}
	return keepPart
}

// equal compares two fields with everything below them.
func (d *Document) equal(i int32, old *Document, j int32) bool {
	f, g := &d.fields[i], &old.fields[j]
	if f.Raw != nil && bytes.Equal(f.Raw, g.Raw) {
		return true
	}
	if f.Form != g.Form || f.Form == Opaque || !sameScalar(f.Value, g.Value) {
		return false
	}
	a, b := f.first, g.first
	for a >= 0 && b >= 0 {
		if !bytes.Equal(d.fields[a].Name, old.fields[b].Name) || !d.equal(a, old, b) {
			return false
		}
		a, b = d.fields[a].next, old.fields[b].next
	}
	return a < 0 && b < 0
}

// sameScalar compares by kind and text: 1 and 1.0 differ.
func sameScalar(a, b Value) bool {
	return a.Kind == b.Kind && a.bits == b.bits && bytes.Equal(a.Text, b.Text)
}

// keepPath keeps all that stands on a path.
func (d *Document) keepPath(p Path) {
	at := int32(0)
	for depth, step := range p {
		if at = d.Child(at, step); at < 0 {
			return
		}
		if d.fields[at].Form == Array {
			d.fields[at].keep = keepWhole
			return
		}
		if depth < len(p)-1 {
			d.fields[at].keep = max(d.fields[at].keep, keepPart)
			continue
		}
		for i := at; i >= 0; i = d.fields[i].next {
			if string(d.fields[i].Name) == step {
				d.fields[i].keep = keepWhole
			}
		}
	}
}

// prune takes out what is not to be kept below a field.
func (d *Document) prune(i int32) {
	for c := d.fields[i].first; c >= 0; c = d.fields[c].next {
		switch d.fields[c].keep {
		case keepNothing:
			d.unlink(c)
			d.changed(i)
		case keepPart:
			d.prune(c)
		}
	}
}
