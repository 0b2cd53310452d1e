package message

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// Parse takes the document apart. Keys of arrays are kept out of the paths.
func (t BSON) Parse(body []byte, d *Document, at int32) error {
	if bsonSize(bsonDocument, body) != len(body) {
		return &ParseError{Type: t.name, Offset: 0, Found: fmt.Sprintf("a message of %d bytes", len(body)), Expected: "a document that has its length in front and a zero at its end"}
	}
	if err := t.parse(body, 0, d, at, 1); err != nil {
		return err
	}
	d.fields[at].Raw = body
	return nil
}

// parse reads a document or an array, which begins at base of the message,
// into at.
func (t BSON) parse(b []byte, base int, d *Document, at int32, depth int) error {
	if depth > bsonDepthMax {
		return &ParseError{Type: t.name, Offset: base, Found: fmt.Sprintf("%d levels", depth), Expected: fmt.Sprintf("at most %d", bsonDepthMax)}
	}
	array := d.fields[at].Form == Array
	end := len(b) - 1
	for i := 4; i < end; {
		e, ok := bsonNext(b, i, end)
		switch {
		case !ok:
			return &ParseError{Type: t.name, Offset: base + i, Found: fmt.Sprintf("bytes % x", b[i:min(end, i+8)]), Expected: "an element of a known type, with a name and a value that end"}
		case d.Full():
			return &ParseError{Type: t.name, Offset: base + i, Found: "more fields", Expected: fmt.Sprintf("at most %d", FieldsMax)}
		}
		f := Field{Name: e.name, Key: b[i:e.value:e.value], Raw: b[i:e.end:e.end]}
		if array {
			f.Name = nil
		}
		value := b[e.value:e.end:e.end]
		switch e.kind {
		case bsonDocument, bsonArray:
			f.Form = Object
			if e.kind == bsonArray {
				f.Form = Array
			}
			if err := t.parse(value, base+e.value, d, d.Append(at, f), depth+1); err != nil {
				return err
			}
		default:
			f.Value = bsonValue(e.kind, value, &d.arena)
			d.Append(at, f)
		}
		i = e.end
	}
	return nil
}

// Write writes one document, with keys of arrays counted anew.
func (t BSON) Write(dst []byte, d *Document, at int32) []byte {
	if raw := d.fields[at].Raw; raw != nil {
		return append(dst, raw...)
	}
	return appendBSON(dst, d, at)
}

func appendBSON(dst []byte, d *Document, at int32) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	array := d.fields[at].Form == Array
	index := 0
	for i := d.fields[at].first; i >= 0; i = d.fields[i].next {
		f := &d.fields[i]
		kind := byte(bsonNull)
		switch {
		case f.Raw != nil:
			kind = f.Raw[0]
		case f.Form == Array:
			kind = bsonArray
		case f.Form != Scalar:
			kind = bsonDocument
		default:
			kind = bsonKind(f.Value)
		}
		dst = append(dst, kind)
		if array {
			dst = strconv.AppendInt(dst, int64(index), 10)
		} else {
			dst = appendBSONName(dst, f.Name)
		}
		dst = append(dst, 0)
		switch {
		case f.Raw != nil:
			dst = append(dst, f.Raw[len(f.Key):]...)
		case f.Form != Scalar:
			dst = appendBSON(dst, d, i)
		default:
			dst = appendBSONValue(dst, f.Value)
		}
		index++
	}
	dst = append(dst, 0)
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start))
	return dst
}

// appendBSONName writes a name as far as it can be one.
func appendBSONName(dst, name []byte) []byte {
	for _, c := range name {
		if c == 0 {
			break
		}
		dst = append(dst, c)
	}
	return dst
}

// bsonKind is the element type that a scalar is written as.
func bsonKind(v Value) byte {
	switch n := v.Parsed(); n.Kind {
	case Null:
		return bsonNull
	case Bool:
		return bsonBool
	case String:
		return bsonString
	case Int:
		return bsonInt64
	}
	return bsonDouble
}

// appendBSONValue writes a scalar; NaN is written as 0.
func appendBSONValue(dst []byte, v Value) []byte {
	switch n := v.Parsed(); n.Kind {
	case Null:
		return dst
	case Bool:
		return append(dst, byte(n.Int()))
	case String:
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(n.Text)+1))
		return append(append(dst, n.Text...), 0)
	case Int:
		return binary.LittleEndian.AppendUint64(dst, uint64(n.Int()))
	default:
		f := n.AsFloat()
		if math.IsNaN(f) {
			f = 0
		}
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
	}
}

// CanHold says that names hold no zero byte.
func (t BSON) CanHold(p Path) error {
	for _, step := range p {
		for i := range len(step) {
			if step[i] == 0 {
				return fmt.Errorf("names of %s messages hold no zero byte: found path %q", t.name, p)
			}
		}
	}
	return nil
}
