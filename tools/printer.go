package tools

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"farad/client"
)

// printer lays messages out as text.
type printer struct {
	template   *template // nil: the payload
	timestamps bool      // the server's time and a tab before each message
	pretty     bool      // JSON payloads over several lines
	indented   bytes.Buffer
}

// newPrinter chooses the layout that the options ask for.
func (o *subscribeOptions) newPrinter(out io.Writer) (*printer, error) {
	p := &printer{timestamps: bool(o.timestamps)}
	if o.format == "" {
		p.pretty = o.messageType == "json" && isTerminal(out)
		return p, nil
	}
	var err error
	p.template, err = parseTemplate(o.format)
	return p, err
}

// needsTimestamp says whether the server must be asked for timestamps.
func (p *printer) needsTimestamp() bool {
	return p.timestamps || (p.template != nil && p.template.names("timestamp"))
}

// append appends a message, as text that ends with a line feed.
func (p *printer) append(text []byte, m *client.Message) []byte {
	if p.timestamps {
		text = append(append(text, m.Timestamp()...), '\t')
	}
	if p.template == nil {
		return append(append(text, p.payload(m.Body)...), '\n')
	}
	for i := range p.template.pieces {
		if one := &p.template.pieces[i]; one.tag == "" {
			text = append(text, one.text...)
		} else {
			text = appendTag(text, one.tag, m)
		}
	}
	return text
}

// payload is a payload for a person if the printer is pretty, valid until the
// next one; what is no JSON stays as it is.
func (p *printer) payload(body []byte) []byte {
	if !p.pretty {
		return body
	}
	p.indented.Reset()
	if json.Indent(&p.indented, body, "", "  ") != nil {
		return body
	}
	return p.indented.Bytes()
}

// appendTag appends what a message has for a tag; nothing if it has none.
// Deliveries never carry an expiration (01-protocol §2.2), so that tag, which
// templates of other clients may have, stands for nothing.
func appendTag(text []byte, tag string, m *client.Message) []byte {
	switch tag {
	case "bookmark":
		return append(text, m.Bookmark()...)
	case "command":
		return append(text, m.Code().String()...)
	case "correlation_id":
		return append(text, m.CorrelationID()...)
	case "data":
		return append(text, m.Body...)
	case "expiration":
		return text
	case "lease_period":
		return append(text, m.LeasePeriod()...)
	case "length":
		return strconv.AppendInt(text, int64(len(m.Body)), 10)
	case "sowkey":
		return append(text, m.SOWKey()...)
	case "user_id":
		return append(text, m.UserID()...)
	case "timestamp":
		return append(text, m.Timestamp()...)
	case "topic":
		return append(text, m.Topic()...)
	}
	panic("tools: a template has the tag " + tag + ", which none of the known ones is")
}
