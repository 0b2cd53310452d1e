package config

import (
	"bytes"
	"strings"
)

const xmlDeclaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// variableGuard stands between $ and { of a text that is not a reference to a
// variable, so that reading the dump does not make it one: a comment ends a
// text, and a reference lies within one.
const variableGuard = "<!---->"

var (
	textEscapes      = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;", "${", "$"+variableGuard+"{")
	attributeEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;", "${", "$&#123;")
)

// dump writes the resolved tree as XML. It keeps the white space of the files
// and drops their comments; those of Include elements that don't say whether
// they want any depend on commentIncludes.
func dump(root *element, commentIncludes bool) []byte {
	d := dumper{commentIncludes: commentIncludes}
	d.WriteString(xmlDeclaration)
	d.element(root)
	d.WriteByte('\n')
	return d.Bytes()
}

type dumper struct {
	bytes.Buffer
	commentIncludes bool
}

func (d *dumper) element(e *element) {
	d.WriteByte('<')
	d.WriteString(e.name)
	for _, a := range e.attributes {
		d.WriteString(" " + a.name + `="` + attributeEscapes.Replace(a.value) + `"`)
	}
	if len(e.items) == 0 {
		d.WriteString("/>")
		return
	}
	d.WriteByte('>')
	for _, i := range e.items {
		switch {
		case i.child != nil:
			d.element(i.child)
		case i.comment == "":
			d.text(i.text)
		case d.commentIncludes || !i.conditional:
			d.WriteString("<!-- " + commentText(i.comment) + " -->")
		}
	}
	d.WriteString("</" + e.name + ">")
}

// commentText takes hyphens apart, of which two in a row would end a comment.
func commentText(text string) string {
	for strings.Contains(text, "--") {
		text = strings.ReplaceAll(text, "--", "- -")
	}
	return text
}

func (d *dumper) text(text string) {
	if strings.HasPrefix(text, "{") && bytes.HasSuffix(d.Bytes(), []byte("$")) {
		d.WriteString(variableGuard)
	}
	textEscapes.WriteString(d, text)
}
