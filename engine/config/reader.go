package config

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
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
	file     string
	decoder  *xml.Decoder
	top      *element // holds the file's top-level elements; not one of them
	open     *element // innermost element that is still open
	depth    int
	elements *int // counter shared by all files of a configuration
}

// readElements returns the top-level elements of text as the content of a
// nameless element, or an *xmlError.
func readElements(file string, text []byte, elements *int) (*element, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := &reader{file: file, decoder: xml.NewDecoder(bytes.NewReader(text)), elements: elements}
	r.top = &element{at: place{file, 1, 1}}
	r.open = r.top
	for {
		at := r.here()
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) {
			return r.top, nil
		}
		if err != nil {
			return nil, r.syntax(err)
		}
		if err := r.take(token, at, text); err != nil {
			return nil, err
		}
	}
}

func (r *reader) here() place {
	line, column := r.decoder.InputPos()
	return place{r.file, line, column}
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

func (r *reader) take(token xml.Token, at place, text []byte) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t, at)
	case xml.EndElement:
		r.open = r.open.parent
		r.depth--
	case xml.CharData:
		if r.open == r.top && len(bytes.Trim(t, xmlSpace)) > 0 {
			return r.fail(at, "text %s outside of any element", quoted(string(t)))
		}
		r.open.items = append(r.open.items, item{text: string(t)})
	case xml.Directive:
		entities, err := entityDeclarations(t)
		if err == nil {
			err = boundEntities(entities, text)
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
		e.attributes = append(e.attributes, attribute{joined(a.Name), a.Value})
	}
	r.open.items = append(r.open.items, item{child: e})
	r.open = e
	return nil
}

// joined is a name with its namespace, which no element of ours has.
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
