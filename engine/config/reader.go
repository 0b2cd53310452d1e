package config

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Limits of the text.
const (
	// FileBytesMax bounds one file, whatever the configuration allows, and is
	// the largest ConfigCycleDetectionThreshold.
	FileBytesMax = 64_000_000
	// DepthMax bounds the nesting of elements.
	DepthMax = 64
	// ElementsMax bounds the elements of a configuration, included ones
	// counted each time.
	ElementsMax = 100_000
)

// xmlError is a defect that ends the reading of a file.
type xmlError struct {
	at      place
	path    string // of the element that was open; empty outside of any
	message string
}

func (e *xmlError) Error() string { return fmt.Sprintf("%s: %s", e.at, e.message) }

// reader turns one file into elements.
type reader struct {
	file    string
	decoder *xml.Decoder
	top     *element // holds the file's top-level elements; not one of them
	open    *element // innermost element that is still open
	depth   int
	text    []byte
	// The offset counted of text stands in line, from 1, which begins at the
	// offset lineStart.
	counted, line, lineStart int
	elements                 *int // counter shared by all files of a configuration
}

// readElements returns the top-level elements of text as the content of a
// nameless element, or an *xmlError. Depth is how deep the place is that they
// are meant for, 0 for a main file.
func readElements(file string, text []byte, depth int, elements *int) (*element, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := &reader{file: file, decoder: xml.NewDecoder(bytes.NewReader(text)), text: text, line: 1, depth: depth, elements: elements}
	r.top = &element{at: place{file, 1, 1}}
	r.open = r.top
	for {
		at := r.here()
		// Raw tokens keep names as written, which a dump has to repeat; in
		// return, the nesting is checked here.
		token, err := r.decoder.RawToken()
		switch {
		case errors.Is(err, io.EOF) && r.open != r.top:
			return nil, r.fail(at, "not well-formed XML: element %s, which begins at %s, does not end", quoted(r.open.name), r.open.at)
		case errors.Is(err, io.EOF):
			return r.top, nil
		}
		if err != nil {
			return nil, r.syntax(err)
		}
		if err := r.take(token, at); err != nil {
			return nil, err
		}
	}
}

// here is the place that the decoder has come to. It is counted in the text,
// because the decoder's own count is wrong after an error at the end of a
// line.
func (r *reader) here() place {
	offset := int(r.decoder.InputOffset())
	if offset > r.counted {
		passed := r.text[r.counted:offset]
		if newline := bytes.LastIndexByte(passed, '\n'); newline >= 0 {
			r.line += bytes.Count(passed, []byte{'\n'})
			r.lineStart = r.counted + newline + 1
		}
		r.counted = offset
	}
	return place{r.file, r.line, offset - r.lineStart + 1}
}

// syntax makes the decoder's error one of ours.
func (r *reader) syntax(err error) error {
	message := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		message = syntax.Msg
	}
	if strings.Contains(message, "CharsetReader") {
		message = "the declared encoding is not supported; expected UTF-8"
	}
	return r.fail(r.here(), "not well-formed XML: %s", strings.TrimPrefix(message, "xml: "))
}

func (r *reader) fail(at place, format string, args ...any) error {
	path := strings.TrimPrefix(r.open.path(), "/")
	return &xmlError{at: at, path: path, message: fmt.Sprintf(format, args...)}
}

func (r *reader) take(token xml.Token, at place) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t, at)
	case xml.EndElement:
		return r.end(joined(t.Name), at)
	case xml.CharData:
		if r.open == r.top && len(bytes.Trim(t, xmlSpace)) > 0 {
			return r.fail(at, "text %s outside of any element", quoted(string(t)))
		}
		r.open.items = append(r.open.items, item{text: string(t)})
	case xml.Directive:
		if r.open != r.top {
			return r.fail(at, "not well-formed XML: <!%s inside of an element", firstWord(t))
		}
		entities, err := entityDeclarations(t)
		if err == nil {
			err = boundEntities(entities, r.text)
		}
		if err != nil {
			return r.fail(at, "document type: %v", err)
		}
		r.decoder.Entity = entities
	}
	return nil
}

func (r *reader) start(t xml.StartElement, at place) error {
	if *r.elements++; *r.elements > ElementsMax {
		return r.fail(at, "more than %d elements", ElementsMax)
	}
	if r.depth++; r.depth > DepthMax {
		return r.fail(at, "elements are nested deeper than %d", DepthMax)
	}
	e := &element{name: joined(t.Name), at: at, parent: r.open}
	for _, a := range t.Attr {
		name := joined(a.Name)
		if slices.ContainsFunc(e.attributes, func(other attribute) bool { return other.name == name }) {
			return r.fail(at, "not well-formed XML: attribute %s stands twice", quoted(name))
		}
		e.attributes = append(e.attributes, attribute{name, a.Value})
	}
	r.open.items = append(r.open.items, item{child: e})
	r.open = e
	return nil
}

// end closes the innermost element, whose name it must be.
func (r *reader) end(name string, at place) error {
	switch {
	case r.open == r.top:
		return r.fail(at, "not well-formed XML: </%s> ends no element", name)
	case r.open.name != name:
		return r.fail(at, "not well-formed XML: </%s> where </%s> should end the element that begins at %s", name, r.open.name, r.open.at)
	}
	r.open = r.open.parent
	r.depth--
	return nil
}

// firstWord is the keyword of a directive.
func firstWord(directive []byte) string {
	words := bytes.Fields(directive)
	if len(words) == 0 {
		return ""
	}
	return string(words[0])
}

// joined is a name with its prefix, which no element of ours has.
func joined(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// quotedBytesMax bounds how much of a value a message repeats.
const quotedBytesMax = 200

// quoted is a value as messages show it: on one line, not too long.
func quoted(text string) string {
	text = strings.Trim(text, xmlSpace)
	if len(text) > quotedBytesMax {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(text[:quotedBytesMax], ""))
	}
	return fmt.Sprintf("%q", text)
}
