package message_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"farad/expr/message"
)

func xmlSamples(t testing.TB) []sample {
	return []sample{{
		kind: define(t, "xml", "xml"),
		bodies: []string{
			"", `<a/>`, `<Order update="full"><Symbol>IBM</Symbol><Qty>500</Qty><Px>90.50</Px></Order>`,
			`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "v">]><!-- c --><r a='1' b="two &amp; &#x41;"> <x>1</x> <x y="3">2</x><x/> <![CDATA[ raw <&> ]]>tail</r>`,
			`<r><n> 5 </n><m>a&lt;b&gt;&unknown;c</m><e></e><w> </w><deep><deeper at="v"/></deep></r>`,
			`<r>one<!-- c -->two<b>in</b>three</r>`, `<a>1</a><b at=">">2</b>`, `<p:n xmlns:p="u">é</p:n>`,
		},
		paths: [3]message.Path{{"r", "@id"}, {"r", "name"}, {"r", "px", "bid"}},
	}}
}

// 03-message-types #6: 64 levels are looked into; the rest is still usable.
func TestXMLDepth(t *testing.T) {
	t.Parallel()
	kind := define(t, "xml", "xml")
	var body, path strings.Builder
	for range 65 {
		body.WriteString("<a>")
		path.WriteString("/a")
	}
	body.WriteString("5")
	for level := 65; level > 0; level-- {
		if level == 2 {
			body.WriteString("<z>2</z>")
		}
		body.WriteString("</a>")
	}
	deepest, near := path.String(), "/a/a/z"
	got := extracted(kind, []byte(body.String()), []string{deepest, near})
	if got[deepest] != nil || !slices.Equal(got[near], []string{"2"}) {
		t.Errorf("level 65 is %v, level 2 %v", got[deepest], got[near])
	}
	var d message.Document
	if err := d.Read(kind, []byte(body.String())); err != nil {
		t.Fatal(err)
	}
	d.Set(message.Path{"a", "new"}, message.IntValue(1))
	if written := string(kind.Write(nil, &d, 0)); !strings.Contains(written, "<a>5</a>") || !strings.Contains(written, "<z>2</z>") || !strings.Contains(written, "<new>1</new></a>") {
		t.Errorf("the deepest part was lost: %s", written)
	}
}

func TestXMLValues(t *testing.T) {
	t.Parallel()
	kind := define(t, "xml", "xml")
	for _, c := range []struct {
		body, path string
		want       []string
	}{
		{`<Order update="full"><Symbol>IBM</Symbol></Order>`, "/Order/@update", []string{`"full"`}},
		{`<o><x>1</x><y/><x>two</x><x></x></o>`, "/o/x", []string{"1", `"two"`, "NULL"}},
		{`<o><x><![CDATA[a]]>&amp;b</x></o>`, "/o/x", []string{`"a&b"`}},
		{`<o> <x>1</x> text <x>2</x> more</o>`, "/o", []string{`" text  more"`}},
		{`<o>&#65;&#x42;&nope;&#0;&#xD800;&;</o>`, "/o", []string{`"AB&nope;&#0;&#xD800;&;"`}},
		{`<o><i a="1"/><i a="2"/></o>`, "/o/i/@a", []string{"1", "2"}},
		{`<o><skip><x>9</x></skip><x>1</x>`, "/o/x", []string{"1"}},
		{`<o><x>1</x></p><x>2</x></o>`, "/o/x", []string{"1"}},
		{`<o><x> 5</x></o>`, "/o/x", []string{`" 5"`}},
		{`not xml`, "/o", nil},
	} {
		if got := extracted(kind, []byte(c.body), []string{c.path})[c.path]; !slices.Equal(got, c.want) {
			t.Errorf("%s, %s: %v, not %v", c.body, c.path, got, c.want)
		}
	}
}

// 03-message-types #20, the XML part.
func TestXMLMergeSelectAndDifference(t *testing.T) {
	t.Parallel()
	kind := define(t, "xml", "xml")
	for _, c := range []struct{ stored, delta, want string }{
		{`<o id="1"><a>1</a><b>2</b></o>`, `<o><b>3</b><c>4</c></o>`, `<o id="1"><a>1</a><b>3</b><c>4</c></o>`},
		{`<o><p>1</p><q/><p>2</p></o>`, `<o><p>3</p></o>`, `<o><p>3</p><q/></o>`},
		{`<o><a x="1" y="2">old</a></o>`, `<o><a y="3">new</a></o>`, `<o><a x="1" y="3">new</a></o>`},
		{`<o><a x="1">old</a></o>`, `<o><a/></o>`, `<o><a x="1"/></o>`},
		{`<o><a x="1"><b>1</b></a></o>`, `<o><a>text</a></o>`, `<o><a x="1">text</a></o>`},
		{`<o><a>text</a></o>`, `<o><a><b>1</b></a></o>`, `<o><a><b>1</b></a></o>`},
	} {
		if got := merged(t, kind, c.stored, c.delta); got != c.want {
			t.Errorf("%s + %s = %s, not %s", c.stored, c.delta, got, c.want)
		}
	}
	yes := func(p string) message.Directive { return message.Directive{Path: pathOf(p), Include: true} }
	no := func(p string) message.Directive { return message.Directive{Path: pathOf(p)} }
	const wanderer = `<m><id>42</id><name at="x">Arthur</name><pocket_contents><left>twine</left><right>towel</right></pocket_contents></m>`
	for _, c := range []struct {
		list []message.Directive
		want string
	}{
		{[]message.Directive{{}, yes("/m/id")}, `<m><id>42</id></m>`},
		{[]message.Directive{{}, yes("/m/name"), yes("/m/pocket_contents/left")}, `<m><name at="x">Arthur</name><pocket_contents><left>twine</left></pocket_contents></m>`},
		{[]message.Directive{no("/m/pocket_contents")}, `<m><id>42</id><name at="x">Arthur</name></m>`},
		{[]message.Directive{no("/m/name/@at"), no("/m/pocket_contents")}, `<m><id>42</id><name>Arthur</name></m>`},
		{[]message.Directive{{}, yes("/m/name/@at")}, `<m><name at="x"/></m>`},
		{[]message.Directive{{}}, ``},
	} {
		var d message.Document
		if err := d.Read(kind, []byte(wanderer)); err != nil {
			t.Fatal(err)
		}
		d.Select(message.NewSelectList(c.list))
		if got := string(kind.Write(nil, &d, 0)); got != c.want {
			t.Errorf("%v: %s, not %s", c.list, got, c.want)
		}
	}
	var d, old message.Document
	_ = old.Read(kind, []byte(`<o id="1"><a x="1">same</a><b>2</b></o>`))
	_ = d.Read(kind, []byte(`<o id="1"><a x="2">same</a><b>2</b></o>`))
	d.Difference(&old, []message.Path{{"o", "@id"}})
	if got := string(kind.Write(nil, &d, 0)); got != `<o id="1"><a x="2"/></o>` {
		t.Errorf("difference %s", got)
	}
}

func TestXMLCanHold(t *testing.T) {
	t.Parallel()
	kind := define(t, "xml", "xml").(message.Holder)
	for path, good := range map[string]bool{"/a": true, "/a/@b": true, "/a/b/c": true, "/@a": false, "/a/@b/c": false, "/a/1b": false, "/a/b c": false, "/a/@": false} {
		if err := kind.CanHold(pathOf(path)); (err == nil) != good {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Parse refuses what encoding/xml refuses, but for: several roots, unknown
// entities, what a document type declares, colons in names, and characters
// that XML does not allow, all of which it takes.
func FuzzXML(f *testing.F) {
	for _, s := range xmlSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, func(t testing.TB) message.Type { return define(t, "xml", "xml") }, "/a", "/r/x", "/r/x/@y", "/r/deep/deeper/@at", "/Order/Symbol")
}

func TestXMLRefusesWhatIsNotWellFormed(t *testing.T) {
	t.Parallel()
	kind := define(t, "xml", "xml")
	for _, body := range []string{
		`<a>`, `</a>`, `<a></b>`, `<a><b></a></b>`, `<a b></a>`, `<a b=1/>`, `<a b="1"c="2"/>`, `<a b="1" b="2"/>`, `text`, `<a/>text`,
		`<a b="<"`, `<1a/>`, `< a/>`, `<a><!-- </a>`, `<a><![CDATA[</a>`, `<!DOCTYPE a [`, `<a ="1"/>`, `<a/ >`,
	} {
		var d message.Document
		err := d.Read(kind, []byte(body))
		var parse *message.ParseError
		if !errors.As(err, &parse) {
			t.Errorf("%s: %v", body, err)
		}
		decoder := xml.NewDecoder(bytes.NewReader([]byte(body)))
		var oracle error
		for oracle == nil {
			_, oracle = decoder.Token()
		}
		if oracle == io.EOF && !slices.Contains([]string{`text`, `<a/>text`, `<a b="1" b="2"/>`, `<a b="1"c="2"/>`}, body) {
			t.Errorf("%s: encoding/xml takes it", body)
		}
	}
}
