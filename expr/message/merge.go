package message

import "bytes"

// Merge puts what a delta holds into the document, path by path
// (03-message-types §4): a path of the delta replaces that path, in all its
// occurrences, at the place of the first; objects are merged; arrays and
// scalars are replaced; what the delta does not have stays; what only the
// delta has comes behind. The document then aliases the delta's message and
// texts too.
func (d *Document) Merge(delta *Document) { d.merge(0, delta, 0) }

func (d *Document) merge(a int32, delta *Document, b int32) {
	delta.pairUp(b, d, a)
	for y := delta.fields[b].first; y >= 0; y = delta.fields[y].next {
		if delta.fields[y].again {
			continue
		}
		x := delta.fields[y].twin
		if delta.fields[y].choice != 0 {
			d.dropRivals(a, &delta.fields[y])
		}
		if x < 0 {
			d.changed(a)
			for z := y; z >= 0; z = delta.fields[z].peer {
				d.link(a, d.fields[a].last, d.graft(delta, z))
			}
			continue
		}
		old, update := &d.fields[x], &delta.fields[y]
		single := old.peer < 0 && update.peer < 0 && !update.replaced
		switch {
		case single && old.Form == Object && update.Form == Object:
			d.merge(x, delta, y)
		case single && old.Form == Element && update.Form == Element:
			d.mergeElement(x, delta, y)
		default:
			d.replaceGroup(a, x, delta, y)
		}
	}
}

// mergeElement merges an XML element: attributes one by one; of its content,
// the delta's kind wins: text replaces elements and elements text.
func (d *Document) mergeElement(x int32, delta *Document, y int32) {
	update := &delta.fields[y]
	switch {
	case delta.hasElements(y):
		old := d.fields[x].Value
		if !update.Value.IsNull() || !old.IsNull() && !d.hasElements(x) {
			d.changed(x)
			d.fields[x].Value = update.Value
		}
	case !update.Value.IsNull() || update.first < 0:
		d.changed(x)
		d.removeContent(x)
		d.fields[x].Value = update.Value
	}
	d.merge(x, delta, y)
}

// replaceGroup puts the delta's fields of one name in the place of the first
// of the document's, and takes the document's out.
func (d *Document) replaceGroup(parent, x int32, delta *Document, y int32) {
	d.changed(parent)
	behind := d.fields[x].prev
	for i := x; i >= 0; i = d.fields[i].peer {
		d.unlink(i)
	}
	for z := y; z >= 0; z = delta.fields[z].peer {
		i := d.graft(delta, z)
		d.link(parent, behind, i)
		behind = i
	}
}

// dropRivals takes out the fields below parent that cannot be there together
// with f.
func (d *Document) dropRivals(parent int32, f *Field) {
	for c := d.fields[parent].first; c >= 0; c = d.fields[c].next {
		if r := &d.fields[c]; r.choice == f.choice && !bytes.Equal(r.Name, f.Name) {
			d.unlink(c)
			d.changed(parent)
		}
	}
}

// graft copies a field with everything below it from another document. The
// copy is not linked yet.
func (d *Document) graft(from *Document, source int32) int32 {
	i := int32(len(d.fields))
	f := from.fields[source]
	f.parent, f.first, f.last, f.prev, f.next, f.peer, f.again = -1, -1, -1, -1, -1, -1, false
	d.fields = append(d.fields, f)
	for c := from.fields[source].first; c >= 0; c = from.fields[c].next {
		child := d.graft(from, c)
		d.link(i, d.fields[i].last, child)
	}
	return i
}
