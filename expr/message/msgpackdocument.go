package message

import "fmt"

// Parse takes the root map apart. Pairs whose key is no step are opaque.
func (m MessagePack) Parse(body []byte, d *Document, at int32) error {
	p := packParse{b: body, d: d, name: m.name}
	root := packNext(body, 0)
	if root.kind != packMap {
		return p.fault(0, "a map")
	}
	if _, err := p.pairs(root, at, 1); err != nil {
		return err
	}
	d.fields[at].Raw = body
	return nil
}

type packParse struct {
	b    []byte
	d    *Document
	name string
}

func (p *packParse) fault(i int, expected string) error {
	found := "the end of the message"
	if i < len(p.b) {
		found = fmt.Sprintf("bytes % x", p.b[i:min(i+8, len(p.b))])
	}
	return &ParseError{Type: p.name, Offset: i, Found: found, Expected: expected}
}

func (p *packParse) check(i, depth int) error {
	switch {
	case depth > packDepthMax:
		return &ParseError{Type: p.name, Offset: i, Found: fmt.Sprintf("%d levels", depth), Expected: fmt.Sprintf("at most %d", packDepthMax)}
	case p.d.Full():
		return &ParseError{Type: p.name, Offset: i, Found: "more fields", Expected: fmt.Sprintf("at most %d", FieldsMax)}
	}
	return nil
}

// pairs reads what a map holds and returns the offset behind it.
func (p *packParse) pairs(head packItem, at int32, depth int) (int, error) {
	i := head.end
	for range head.count {
		start := i
		kept := len(p.d.arena)
		if err := p.check(i, depth); err != nil {
			return 0, err
		}
		name, end := packKey(p.b, i, p.d.arena[kept:])
		if end < 0 {
			return 0, p.fault(i, "a key")
		}
		if name == nil {
			if i = packSkip(p.b, end); i < 0 {
				return 0, p.fault(end, "a value that ends")
			}
			p.d.Append(at, Field{Form: Opaque, Key: p.b[start:end:end], Raw: p.b[start:i:i]})
			continue
		}
		f := Field{Name: name, Key: p.b[start:end:end]}
		if isPackNumber(p.b[start]) { // the name was made
			p.d.arena = append(p.d.arena, name...)
			f.Name = p.d.arena[kept:len(p.d.arena):len(p.d.arena)]
		}
		var err error
		if i, err = p.value(end, at, f, start, depth); err != nil {
			return 0, err
		}
	}
	return i, nil
}

// value reads the item at i and appends it to at as the field f, which began at
// start.
func (p *packParse) value(i int, at int32, f Field, start, depth int) (int, error) {
	if err := p.check(i, depth); err != nil {
		return 0, err
	}
	item := packNext(p.b, i)
	switch item.kind {
	case packFault:
		return 0, p.fault(i, "a value")
	case packScalar:
		f.Value, f.Raw = item.value, p.b[start:item.end:item.end]
		p.d.Append(at, f)
		return item.end, nil
	}
	f.Form = Object
	if item.kind == packArray {
		f.Form = Array
	}
	field := p.d.Append(at, f)
	end, err := item.end, error(nil)
	if item.kind == packMap {
		end, err = p.pairs(item, field, depth+1)
	} else {
		for range item.count {
			if end, err = p.value(end, field, Field{}, end, depth+1); err != nil {
				break
			}
		}
	}
	if err == nil {
		p.d.fields[field].Raw = p.b[start:end:end]
	}
	return end, err
}

// Write writes one map, numbers and sizes in their smallest forms.
func (m MessagePack) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	return appendPack(dst, d, at)
}

func appendPack(dst []byte, d *Document, at int32) []byte {
	count := 0
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		count++
	}
	array := d.fields[at].Form == Array
	if array {
		dst = appendPackHead(dst, count, 0x90, 15, 0xdc, false)
	} else {
		dst = appendPackHead(dst, count, 0x80, 15, 0xde, false)
	}
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		f := &d.fields[i]
		switch {
		case f.Raw != nil:
			dst = append(dst, f.Raw...)
			continue
		case array:
		case f.Key != nil:
			dst = append(dst, f.Key...)
		default:
			dst = appendPackString(dst, f.Name)
		}
		if f.Form == Scalar {
			dst = appendPackValue(dst, f.Value)
		} else {
			dst = appendPack(dst, d, i)
		}
	}
	return dst
}
