package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"farad/expr"
	"farad/expr/message"
)

// place is where a message stands.
type place struct {
	file   string // - for standard input
	unit   string // what is counted: line, record, element or file
	number uint64
}

func (p place) fileName() string {
	if p.file == "-" {
		return "standard input"
	}
	return p.file
}

func (p place) String() string {
	if p.unit == "file" {
		return p.fileName()
	}
	return fmt.Sprintf("%s %s %d", p.fileName(), p.unit, p.number)
}

// verdict is what there is to say of one message.
type verdict struct {
	place       place
	body        []byte
	matched     bool
	fault       error             // the message is not well-formed
	explanation *expr.Explanation // nil unless asked for
}

// appendVerdict appends a message in the layout that is asked for.
func (t *trial) appendVerdict(text []byte, v *verdict) []byte {
	switch {
	case bool(t.options.json):
		return appendJSON(text, v.record())
	case v.explanation != nil:
		return v.appendExplanation(text)
	}
	return append(append(text, v.body...), t.options.delimiter.value)
}

// appendCount appends how many messages of a file matched.
func (t *trial) appendCount(text []byte, file string, found tally) []byte {
	if t.options.json {
		return appendJSON(text, countRecord{file, found.messages, found.matched, found.unparsable})
	}
	if t.several {
		text = append(append(text, file...), ':')
	}
	return append(strconv.AppendUint(text, found.matched, 10), '\n')
}

// shownBytesMax is how much of a message's body the head of an explanation
// shows.
const shownBytesMax = 120

// appendExplanation lays an explanation out: a head line, a line for each
// field, a line for each condition.
func (v *verdict) appendExplanation(text []byte) []byte {
	x := v.explanation
	body, rest := v.body, ""
	if len(body) > shownBytesMax {
		body, rest = body[:shownBytesMax], "..."
	}
	text = fmt.Appendf(text, "%-5s  %s  %s%s\n", x.Outcome, v.place, printable(string(body)), rest)
	if v.fault != nil {
		text = fmt.Appendf(text, "       unparsable: %s\n", printable(v.fault.Error()))
	}
	width := 0
	for _, f := range x.Fields {
		width = max(width, utf8.RuneCountInString(f.Path.String()))
	}
	for _, f := range x.Fields {
		text = fmt.Appendf(text, "       %-*s  %s\n", width, f.Path, describeValues(f.Values))
	}
	if k := x.Value.Kind; k != message.Null && k != message.Bool {
		text = fmt.Appendf(text, "       value  %s  %s\n", valueText(x.Value), kindText(x.Value))
	}
	for _, c := range x.Conditions {
		text = fmt.Appendf(text, "       %-5s  %s%s\n", c.Outcome, strings.Repeat("  ", c.Depth), printable(c.Text))
	}
	return text
}

// describeValues writes what a path holds, and its types.
func describeValues(values []message.Value) string {
	switch len(values) {
	case 0:
		return "NULL  no value in the message"
	case 1:
		if values[0].IsNull() {
			return "NULL"
		}
		return valueText(values[0]) + "  " + kindText(values[0])
	}
	texts, kinds, seen := make([]string, len(values)), []string(nil), map[string]bool{}
	for i, v := range values {
		texts[i] = valueText(v)
		if kind := kindText(v); !seen[kind] {
			seen[kind] = true
			kinds = append(kinds, kind)
		}
	}
	return fmt.Sprintf("[%s]  array of %d: %s", strings.Join(texts, ", "), len(values), strings.Join(kinds, ", "))
}

// kindText names the type of a value (02-expressions §5).
func kindText(v message.Value) string {
	switch v.Kind {
	case message.Null:
		return "NULL"
	case message.Bool:
		return "boolean"
	case message.Int, message.Uint:
		return "integer"
	case message.Float:
		return "float"
	case message.Numeral:
		return kindText(v.Number())
	}
	return "string"
}

// valueText writes a value as an expression would: strings in quotes.
func valueText(v message.Value) string {
	switch v.Kind {
	case message.Null:
		return "NULL"
	case message.String:
		return quotedText(v.Text)
	}
	return string(v.AppendText(nil))
}

// quotedText is a literal of the expression language (02-expressions §2) that
// can be printed: bytes that are no printable UTF-8 are written \xHH.
func quotedText(s []byte) string {
	text := []byte{'\''}
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		switch {
		case r == '\'' || r == '\\':
			text = append(text, '\\', byte(r))
		case r == utf8.RuneError && size == 1 || !strconv.IsPrint(r):
			for _, b := range s[:size] {
				text = fmt.Appendf(text, `\x%02X`, b)
			}
		default:
			text = append(text, s[:size]...)
		}
		s = s[size:]
	}
	return string(append(text, '\''))
}

// countRecord is a file's count as JSON.
type countRecord struct {
	File       string `json:"file"`
	Messages   uint64 `json:"messages"`
	Matched    uint64 `json:"matched"`
	Unparsable uint64 `json:"unparsable"`
}

// messageRecord is a message as JSON.
type messageRecord struct {
	File       string            `json:"file"`
	Unit       string            `json:"unit"`
	Number     uint64            `json:"number"`
	Matched    bool              `json:"matched"`
	Outcome    *string           `json:"outcome,omitempty"` // true, false or NULL
	Value      *valueRecord      `json:"value,omitempty"`   // of an expression that is no condition
	Fields     []fieldRecord     `json:"fields,omitempty"`
	Conditions []conditionRecord `json:"conditions,omitempty"`
	Fault      string            `json:"fault,omitempty"`
	Body       *string           `json:"body,omitempty"`
	BodyBase64 []byte            `json:"body_base64,omitempty"` // of one that is no UTF-8
}

type fieldRecord struct {
	Path   string        `json:"path"`
	Values []valueRecord `json:"values"`
}

type conditionRecord struct {
	Text    string `json:"text"`
	Depth   int    `json:"depth"`
	Outcome string `json:"outcome"`
}

// valueRecord is a value as JSON: numbers as numbers where JSON can write
// them, else their text.
type valueRecord struct {
	Type   string `json:"type"`
	Value  any    `json:"value"`
	Base64 []byte `json:"base64,omitempty"` // of a string that is no UTF-8
}

// record is the verdict as JSON.
func (v *verdict) record() *messageRecord {
	r := &messageRecord{File: v.place.file, Unit: v.place.unit, Number: v.place.number, Matched: v.matched}
	if utf8.Valid(v.body) {
		body := string(v.body)
		r.Body = &body
	} else {
		r.BodyBase64 = v.body
	}
	if v.fault != nil {
		r.Fault = v.fault.Error()
	}
	x := v.explanation
	if x == nil {
		return r
	}
	outcome := x.Outcome.String()
	r.Outcome = &outcome
	if k := x.Value.Kind; k != message.Null && k != message.Bool {
		value := recordValue(x.Value)
		r.Value = &value
	}
	for _, f := range x.Fields {
		field := fieldRecord{Path: f.Path.String(), Values: make([]valueRecord, len(f.Values))}
		for i, value := range f.Values {
			field.Values[i] = recordValue(value)
		}
		r.Fields = append(r.Fields, field)
	}
	for _, c := range x.Conditions {
		r.Conditions = append(r.Conditions, conditionRecord{c.Text, c.Depth, c.Outcome.String()})
	}
	return r
}

func recordValue(v message.Value) valueRecord {
	r := valueRecord{Type: kindText(v)}
	switch text := v.AppendText(nil); {
	case v.Kind == message.Null:
	case v.Kind == message.String && !utf8.Valid(text):
		r.Base64 = text
	case v.Kind != message.String && json.Valid(text):
		r.Value = json.RawMessage(text)
	default:
		r.Value = string(text)
	}
	return r
}

// appendJSON appends a record as one line.
func appendJSON(text []byte, record any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(record); err != nil {
		panic("tools: a record that is no JSON: " + err.Error())
	}
	return append(text, b.Bytes()...)
}
