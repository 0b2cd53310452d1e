package message_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"farad/expr/message"
)

// sample is what a type brings to the checks that all types have to pass.
type sample struct {
	kind   message.Type
	bodies []string        // well-formed messages
	paths  [3]message.Path // that a message can have, for types that can be written
	empty  string          // the message without fields, as Write makes it
}

func define(t testing.TB, name, module string, settings ...message.Setting) message.Type {
	t.Helper()
	types := message.NewTypes()
	if err := types.Define(message.Definition{Name: name, Module: module, Settings: settings}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	kind, _ := types.ByName(name)
	return kind
}

// samples of all types that can be parsed. Each type's test file has its own.
func samples(t testing.TB) []sample {
	return slices.Concat(jsonSamples(t), fixSamples(t), xmlSamples(t), bsonSamples(t), packSamples(t), bflatSamples(t), structSamples(t), compositeSamples(t), protoSamples(t))
}

// leaves lists all paths of a document with the string forms of their values,
// kinds included.
func leaves(d *message.Document) map[string][]string {
	found := map[string][]string{}
	var visit func(i int32, path string)
	visit = func(i int32, path string) {
		f := d.Field(i)
		switch f.Form {
		case message.Opaque:
			return
		case message.Scalar:
			found[path] = append(found[path], show(f.Value))
			return
		case message.Object, message.Element:
			if !f.Value.IsNull() || f.Form == message.Element && !holdsElements(d, i) {
				found[path] = append(found[path], show(f.Value))
			}
		}
		for c := d.First(i); c >= 0; c = d.Next(c) {
			below := path
			if f.Form != message.Array {
				below += "/" + string(d.Field(c).Name)
			}
			visit(c, below)
		}
	}
	visit(0, "")
	return found
}

func holdsElements(d *message.Document, i int32) bool {
	for c := d.First(i); c >= 0; c = d.Next(c) {
		if d.Field(c).Name == nil || d.Field(c).Name[0] != '@' {
			return true
		}
	}
	return false
}

// show is a value's text with its kind, where numbers are of one kind.
func show(v message.Value) string {
	switch v.Kind {
	case message.Null:
		return "NULL"
	case message.String:
		return fmt.Sprintf("%q", v.Text)
	case message.Bool:
		return fmt.Sprint(v.Int() != 0)
	}
	return string(v.AppendText(nil))
}

func pathOf(text string) message.Path {
	var p message.Path
	for _, step := range bytes.Split([]byte(text), []byte("/"))[1:] {
		p = append(p, string(step))
	}
	return p
}

// extracted reads all paths of a document with Extract.
func extracted(kind message.Type, body []byte, paths []string) map[string][]string {
	trie := message.NewTrie()
	slots := map[string]uint32{}
	for _, p := range paths {
		slots[p] = trie.Add(pathOf(p))
	}
	var values message.Values
	kind.Extract(body, trie, &values)
	found := map[string][]string{}
	for _, p := range paths {
		for v := range values.All(slots[p]) {
			found[p] = append(found[p], show(v))
		}
	}
	return found
}

func sameLeaves(a, b map[string][]string) bool {
	return maps.EqualFunc(a, b, slices.Equal[[]string])
}

func TestEveryTypeExtractsWhatItParses(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		for _, body := range s.bodies {
			var d message.Document
			if err := d.Read(s.kind, []byte(body)); err != nil {
				t.Errorf("%s %q: %v", s.kind.Name(), body, err)
				continue
			}
			want := leaves(&d)
			delete(want, "")
			paths := slices.Sorted(maps.Keys(want))
			if got := extracted(s.kind, []byte(body), paths); !sameLeaves(got, want) {
				t.Errorf("%s %q:\nextracted %v\nparsed    %v", s.kind.Name(), body, got, want)
			}
			for _, p := range paths { // each path on its own: where reading stops early
				if got := extracted(s.kind, []byte(body), []string{p}); !slices.Equal(got[p], want[p]) {
					t.Errorf("%s %q, %s alone: %v, not %v", s.kind.Name(), body, p, got[p], want[p])
				}
			}
		}
	}
}

func TestEveryTypeWritesWhatItParsed(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		for _, body := range s.bodies {
			var d, again message.Document
			if err := d.Read(s.kind, []byte(body)); err != nil {
				t.Errorf("%s %q: %v", s.kind.Name(), body, err)
				continue
			}
			if got := s.kind.Write(nil, &d, 0); string(got) != body {
				t.Errorf("%s %q unchanged: wrote %q", s.kind.Name(), body, got)
			}
			// Composed anew, with nothing to copy.
			if !s.kind.Capabilities().Select {
				continue
			}
			want := leaves(&d)
			forgetRaw(&d, 0)
			body := s.kind.Write(nil, &d, 0)
			if err := again.Read(s.kind, body); err != nil {
				t.Errorf("%s %q: %v", s.kind.Name(), body, err)
			} else if got := leaves(&again); !sameLeaves(got, want) {
				t.Errorf("%s %q:\ngot  %v\nwant %v", s.kind.Name(), body, got, want)
			}
		}
	}
}

func forgetRaw(d *message.Document, i int32) {
	if d.Field(i).Form == message.Opaque {
		return
	}
	d.Field(i).Raw = nil
	for c := d.First(i); c >= 0; c = d.Next(c) {
		forgetRaw(d, c)
	}
}

// 03-message-types #25, beside the fuzz targets: no prefix of a message, and no message with
// a byte changed, does harm.
func TestEveryTypeSurvivesBrokenMessages(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		for _, body := range s.bodies {
			var d message.Document
			_ = d.Read(s.kind, []byte(body))
			paths := slices.Sorted(maps.Keys(leaves(&d)))
			paths = slices.DeleteFunc(paths, func(p string) bool { return p == "" })
			for cut := range len(body) {
				broken := slices.Clip([]byte(body[:cut]))
				extracted(s.kind, broken, paths)
				_ = d.Read(s.kind, broken)
				s.kind.Write(nil, &d, 0)
				for _, change := range []byte{0, 0xff, '"', body[cut] ^ 0x80, body[cut] + 1} {
					broken := []byte(body)
					broken[cut] = change
					extracted(s.kind, broken, paths)
					_ = d.Read(s.kind, broken)
					s.kind.Write(nil, &d, 0)
				}
			}
		}
	}
}

func TestEveryTypeReadsWithoutAllocating(t *testing.T) {
	for _, s := range samples(t) {
		for _, body := range s.bodies {
			var d message.Document
			_ = d.Read(s.kind, []byte(body))
			trie := message.NewTrie()
			for p := range leaves(&d) {
				if p != "" {
					trie.Add(pathOf(p))
				}
			}
			var values message.Values
			b := []byte(body)
			s.kind.Extract(b, trie, &values)
			if n := testing.AllocsPerRun(20, func() { s.kind.Extract(b, trie, &values) }); n != 0 {
				t.Errorf("%s %q: Extract allocates %v times", s.kind.Name(), body, n)
			}
			if n := testing.AllocsPerRun(20, func() { _ = d.Read(s.kind, b) }); n != 0 {
				t.Errorf("%s %q: Parse allocates %v times", s.kind.Name(), body, n)
			}
		}
	}
}

// Fields made of values can be written, read and set again.
func TestEveryTypeWritesFieldsThatWereSet(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		if !s.kind.Capabilities().Output {
			continue
		}
		var d, again message.Document
		d.Reset()
		if got := string(s.kind.Write(nil, &d, 0)); got != s.empty {
			t.Errorf("%s: a message without fields is %q, not %q", s.kind.Name(), got, s.empty)
		}
		d.Set(s.paths[0], message.StringValue([]byte("old")))
		d.Set(s.paths[1], message.StringValue([]byte("two")))
		d.Set(s.paths[2], message.FloatValue(2.5))
		d.Set(s.paths[0], message.IntValue(1))
		body := s.kind.Write(nil, &d, 0)
		if err := again.Read(s.kind, body); err != nil {
			t.Errorf("%s %q: %v", s.kind.Name(), body, err)
			continue
		}
		want := map[string][]string{s.paths[0].String(): {"1"}, s.paths[1].String(): {`"two"`}, s.paths[2].String(): {"2.5"}}
		got := leaves(&again)
		delete(got, "")
		if !sameLeaves(got, want) {
			t.Errorf("%s %q: %v, not %v", s.kind.Name(), body, got, want)
		}
		again.Remove(s.paths[1])
		again.Set(s.paths[2], message.Value{})
		body = s.kind.Write(nil, &again, 0)
		if err := d.Read(s.kind, body); err != nil {
			t.Errorf("%s %q: %v", s.kind.Name(), body, err)
		}
		want = map[string][]string{s.paths[0].String(): {"1"}, s.paths[2].String(): {"NULL"}}
		if got = leaves(&d); !sameLeaves(got, want) {
			t.Errorf("%s %q: %v, not %v", s.kind.Name(), body, got, want)
		}
	}
}

// A delta made of two versions turns the older one into the newer one, where
// nothing went.
func TestEveryTypeMergesItsDeltas(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		if !s.kind.Capabilities().Delta {
			continue
		}
		for _, older := range s.bodies {
			for _, newer := range s.bodies {
				var d, old, delta, merged message.Document
				_ = old.Read(s.kind, []byte(older))
				_ = d.Read(s.kind, []byte(newer))
				differs := d.Difference(&old, nil)
				body := s.kind.Write(nil, &d, 0)
				if older == newer && differs {
					t.Errorf("%s %q: differs from itself by %q", s.kind.Name(), older, body)
				}
				if err := delta.Read(s.kind, body); err != nil {
					t.Errorf("%s %q: %v", s.kind.Name(), body, err)
					continue
				}
				if err := merged.Read(s.kind, []byte(older)); err != nil {
					t.Errorf("%s %q: %v", s.kind.Name(), older, err)
					continue
				}
				merged.Merge(&delta)
				whole := s.kind.Write(nil, &merged, 0)
				if err := merged.Read(s.kind, whole); err != nil {
					t.Errorf("%s %q: %v", s.kind.Name(), whole, err)
					continue
				}
				_ = d.Read(s.kind, []byte(newer))
				got := leaves(&merged)
				for p, values := range leaves(&d) {
					if !slices.Equal(got[p], values) {
						t.Errorf("%s %q + %q = %q: %s is %v, not %v", s.kind.Name(), older, body, whole, p, got[p], values)
					}
				}
			}
		}
	}
}

// Selecting one path leaves that path alone; excluding it leaves the others.
func TestEveryTypeSelectsSinglePaths(t *testing.T) {
	t.Parallel()
	for _, s := range samples(t) {
		if !s.kind.Capabilities().Select {
			continue
		}
		for _, body := range s.bodies {
			var d, again message.Document
			_ = d.Read(s.kind, []byte(body))
			all := leaves(&d)
			for p, values := range all {
				if p == "" {
					continue
				}
				for _, include := range []bool{true, false} {
					list := message.NewSelectList([]message.Directive{{Include: !include}, {Path: pathOf(p), Include: include}})
					_ = d.Read(s.kind, []byte(body))
					d.Select(list)
					selected := s.kind.Write(nil, &d, 0)
					if err := again.Read(s.kind, selected); err != nil {
						t.Errorf("%s %q: %v", s.kind.Name(), selected, err)
						continue
					}
					got := leaves(&again)
					if include && !slices.Equal(got[p], values) || !include && got[p] != nil {
						t.Errorf("%s %q, %s selected %v: %q", s.kind.Name(), body, p, include, selected)
					}
					for other := range got {
						within := len(other) > len(p) && other[:len(p)+1] == p+"/"
						if include && other != p && !within && got[other][0] != "NULL" || !include && within {
							t.Errorf("%s %q, %s selected %v: %s too: %q", s.kind.Name(), body, p, include, other, selected)
						}
					}
				}
			}
		}
	}
}
