package parse

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"farad/expr"
	"farad/expr/message"
	"farad/tools/record"
)

// Corpus is messages of one type to work on, as many as keep a processor from
// learning one of them by heart.
type Corpus struct {
	Type     message.Type
	Shape    string // flat, nested, or the name of a file
	Messages [][]byte
	Bytes    float64 // of a message, on average
	Fields   []Field // places with a value in the first message, in order
	Bad      int     // messages of a file left out because they are not well-formed
}

// Field is a place in the messages of a corpus.
type Field struct {
	Path  message.Path
	Text  string        // the identifier in an expression
	Value message.Value // in the first message
}

// The shapes of generated messages.
const (
	Flat   = "flat"
	Nested = "nested" // groups of four fields, three levels deep
)

const (
	// generatedMessages are those of a generated corpus, and an eighth at the
	// least of long messages, when they have generatedBytes together.
	generatedMessages = 64
	generatedBytes    = 1 << 20
	// SizeMax bounds a generated message.
	SizeMax = 256 << 10
	// groupFields are the fields of a group of a nested message.
	groupFields = 4
)

// Limits of a corpus that is read.
const (
	// MessagesMax bounds the messages that are read.
	MessagesMax = 10_000
	// CorpusBytesMax bounds their bytes.
	CorpusBytesMax = 256 << 20
)

// words are the names of generated fields; behind the last they get a number.
var words = [...]string{
	"id", "symbol", "price", "side", "account", "trader", "bid", "venue", "client", "currency",
	"ask", "status", "desk", "quantity", "yield", "strategy", "note", "book", "spread", "country",
}

// naming is a way to name fields. Types differ in what they can hold: XML has
// one root, FIX has numbers for names.
type naming struct {
	prefix message.Path
	name   func(i int) string
}

var namings = []naming{
	{nil, wordName},
	{message.Path{"message"}, wordName},
	{nil, func(i int) string { return fmt.Sprint(1000 + i) }},
}

func wordName(i int) string {
	if round := i / len(words); round > 0 {
		return fmt.Sprint(words[i%len(words)], round)
	}
	return words[i]
}

// path is the place of field i.
func (n naming) path(i int, shape string) message.Path {
	p := append(message.Path(nil), n.prefix...)
	if shape == Nested {
		p = append(p, "order", fmt.Sprint("leg", i/groupFields))
	}
	return append(p, n.name(i))
}

// Generate makes messages of about so many bytes. The error says why the type
// has none of the shape.
func Generate(kind message.Type, shape string, size int) (*Corpus, error) {
	if !kind.Capabilities().Output {
		return nil, errors.New("messages of this type cannot be written field by field; measure your own with --file")
	}
	var first error
	for _, n := range namings {
		c, err := n.generate(kind, shape, size)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func (n naming) generate(kind message.Type, shape string, size int) (*Corpus, error) {
	paths, err := n.paths(kind, shape, size)
	if err != nil {
		return nil, err
	}
	c := &Corpus{Type: kind, Shape: shape}
	var b builder
	for m := range min(generatedMessages, max(generatedMessages/8, generatedBytes/size)) {
		b.reset()
		for i, p := range paths {
			b.add(p, generatedValue(m, i))
		}
		body := kind.Write(nil, &b.document, 0)
		if err := readsBack(kind, body, paths, m); err != nil {
			return nil, err
		}
		c.Messages = append(c.Messages, body)
	}
	return c, c.complete()
}

// paths are the fields that make a message of about so many bytes.
func (n naming) paths(kind message.Type, shape string, size int) ([]message.Path, error) {
	var paths []message.Path
	var b builder
	b.reset()
	for length := 0; ; {
		more := 1
		if length > 0 { // half of what is missing, by the average so far: of few fields it says little
			more = max(1, min((size-length)*len(paths)/length/2, 4*len(paths)))
		}
		for range more {
			p := n.path(len(paths), shape)
			b.add(p, generatedValue(0, len(paths)))
			paths = append(paths, p)
		}
		longer := len(kind.Write(nil, &b.document, 0))
		switch {
		case longer <= length:
			return nil, fmt.Errorf("%s does not become part of a message", paths[len(paths)-1])
		case longer >= size && more == 1 && len(paths) > 1 && longer-size > size-length:
			return paths[:len(paths)-1], nil
		case longer >= size:
			return paths, nil
		}
		length = longer
	}
}

// builder puts fields into a document, one behind the other. What it makes is
// what Document.Set makes, in time that grows with the fields and not with
// their square.
type builder struct {
	document message.Document
	steps    message.Path // to the objects that are open
	objects  []int32      // of these steps
}

func (b *builder) reset() {
	b.document.Reset()
	b.steps, b.objects = nil, b.objects[:0]
}

// add appends a field. Fields of one object follow each other.
func (b *builder) add(p message.Path, v message.Value) {
	last := len(p) - 1
	same := 0
	for same < last && same < len(b.steps) && b.steps[same] == p[same] {
		same++
	}
	b.steps, b.objects = p[:last], b.objects[:same]
	for _, step := range p[same:last] {
		b.objects = append(b.objects, b.document.Append(b.around(), message.Field{Name: []byte(step), Form: message.Object}))
	}
	b.document.Append(b.around(), message.Field{Name: []byte(p[last]), Value: v})
}

// around is the object that is open.
func (b *builder) around() int32 {
	if n := len(b.objects); n > 0 {
		return b.objects[n-1]
	}
	return 0
}

// generatedValue is the value of field i in message m: texts, integers and
// decimals in turn, always the same ones.
func generatedValue(m, i int) message.Value {
	r := rand.New(rand.NewPCG(uint64(m), uint64(i)))
	switch i % 4 {
	case 0:
		return message.IntValue(r.Int64N(1_000_000))
	case 2:
		return message.FloatValue(float64(1+r.IntN(400_000)) / 4)
	}
	text := make([]byte, 4+4*(i%2)+r.IntN(3))
	for j := range text {
		text[j] = 'A' + byte(r.IntN(26))
	}
	return message.StringValue(text)
}

// readsBack checks that a message holds what was written into it.
func readsBack(kind message.Type, body []byte, paths []message.Path, m int) error {
	var d message.Document
	if err := d.Read(kind, body); err != nil {
		return fmt.Errorf("what it writes cannot be read: %w", err)
	}
	trie, values := message.NewTrie(), message.Values{}
	for _, p := range paths {
		trie.Add(p)
	}
	kind.Extract(body, trie, &values)
	for i, p := range paths {
		want, slot := generatedValue(m, i), trie.Add(p)
		if got := values.First(slot); values.Count(slot) != 1 || message.Compare(got, want) != message.Equal {
			return fmt.Errorf("%s was written as %s and read as %s", p, text(want), text(got))
		}
	}
	return nil
}

func text(v message.Value) string {
	if v.IsNull() {
		return "NULL"
	}
	return string(v.AppendText(nil))
}

// Read makes a corpus of the well-formed messages of a stream, at most
// MessagesMax.
func Read(kind message.Type, name string, records record.Reader) (*Corpus, error) {
	c := &Corpus{Type: kind, Shape: name}
	var d message.Document
	var fault error
	for bytes := 0; len(c.Messages) < MessagesMax && bytes < CorpusBytesMax; {
		body, err := records.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := d.Read(kind, body); err != nil {
			if c.Bad++; fault == nil {
				fault = fmt.Errorf("%s %s %d: %w", name, records.Unit(), records.Number(), err)
			}
			continue
		}
		bytes += len(body)
		c.Messages = append(c.Messages, append([]byte(nil), body...))
	}
	switch {
	case len(c.Messages) > 0:
		return c, c.complete()
	case fault != nil:
		return nil, fmt.Errorf("no message is well-formed, the first fault is in %w", fault)
	}
	return nil, fmt.Errorf("%s: no messages", name)
}

// Writable says whether messages of the type can be changed and written.
func (c *Corpus) Writable() bool { return c.Type.Capabilities().Output }

// field is the field of a path that c.Fields holds.
func (c *Corpus) field(p message.Path) *Field {
	i := slices.IndexFunc(c.Fields, func(f Field) bool { return slices.Equal(f.Path, p) })
	return &c.Fields[i]
}

// complete finds the fields of the first message, and the average length.
func (c *Corpus) complete() error {
	var d message.Document
	if err := d.Read(c.Type, c.Messages[0]); err != nil {
		return err
	}
	c.collect(&d, 0, nil, map[string]bool{})
	if len(c.Fields) == 0 {
		return errors.New("the first message has no fields that an expression can read")
	}
	sum := 0
	for _, body := range c.Messages {
		sum += len(body)
	}
	c.Bytes = float64(sum) / float64(len(c.Messages))
	return nil
}

// collect enters the fields below one, each path once.
func (c *Corpus) collect(d *message.Document, at int32, path message.Path, seen map[string]bool) {
	for i := d.First(at); i >= 0; i = d.Next(i) {
		f := d.Field(i)
		p := path
		if f.Name != nil {
			p = append(path[:len(path):len(path)], string(f.Name))
		}
		if f.Form != message.Opaque && !f.Value.IsNull() && len(p) > 0 && !seen[p.String()] {
			seen[p.String()] = true
			if identifier := identifierOf(p); identifier != "" {
				c.Fields = append(c.Fields, Field{Path: p, Text: identifier, Value: f.Value})
			}
		}
		if f.Form != message.Scalar && f.Form != message.Opaque {
			c.collect(d, i, p, seen)
		}
	}
}

// identifierOf is how an expression names a path; "" when it cannot.
func identifierOf(p message.Path) string {
	for _, identifier := range []string{p.String(), "[" + p.String() + "]"} {
		if found, err := PathOf(identifier); err == nil && found.String() == p.String() && len(found) == len(p) {
			return identifier
		}
	}
	return ""
}

// PathOf is the path that an identifier of an expression names.
func PathOf(identifier string) (message.Path, error) {
	f, err := expr.CompileFilter(identifier)
	if err != nil {
		return nil, err
	}
	if paths := f.Paths(); len(paths) == 1 && (identifier == paths[0].String() || identifier == "["+paths[0].String()+"]") {
		return paths[0], nil
	}
	return nil, fmt.Errorf("%q is an expression; expected a field such as /order/price", identifier)
}

// spread chooses so many of the fields, evenly spread over the message; when it
// has fewer, the rest are absent from it.
func (c *Corpus) spread(wanted int) []message.Path {
	paths := make([]message.Path, 0, wanted)
	n := min(wanted, len(c.Fields))
	for i := range n {
		paths = append(paths, c.Fields[(2*i+1)*len(c.Fields)/(2*n)].Path)
	}
	for i := n; i < wanted; i++ {
		last := c.Fields[len(c.Fields)-1].Path
		absent := append(message.Path(nil), last[:len(last)-1]...)
		paths = append(paths, append(absent, fmt.Sprint("absent", i)))
	}
	return paths
}
