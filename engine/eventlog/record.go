package eventlog

import (
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"farad/engine/eventlog/level"
)

const (
	// timeFormat is local time with seven fractional digits and UTC offset.
	timeFormat = "2006-01-02T15:04:05.0000000-07:00"
	// TextBytesMax bounds the text of a record; what is longer is cut, and
	// the record says so.
	TextBytesMax = 1 << 20
	// keptBytes is how large a buffer is kept for the next record.
	keptBytes = 64 << 10
	// continuation begins the further lines of a record, so that they never
	// begin with a timestamp.
	continuation = "\n\t"
)

// appendRecord appends a whole record with its newline.
func appendRecord(line []byte, now time.Time, thread int, l level.Level, id, text string) []byte {
	line = now.AppendFormat(line, timeFormat)
	line = append(line, " ["...)
	line = strconv.AppendInt(line, int64(thread), 10)
	line = append(line, "] "...)
	line = append(line, l.String()...)
	line = append(line, ": "...)
	line = append(line, id...)
	line = append(line, ' ')
	cut := 0
	if len(text) > TextBytesMax {
		text, cut = text[:TextBytesMax], len(text)-TextBytesMax
	}
	line = appendText(line, text)
	if cut > 0 {
		line = append(line, " ... ("...)
		line = strconv.AppendInt(line, int64(cut), 10)
		line = append(line, " bytes cut)"...)
	}
	return append(line, '\n')
}

// appendText appends text with its line breaks as continuation lines and the
// bytes of all other characters that cannot be seen, but for spaces and tabs,
// and of what is not UTF-8, as \xNN. Line breaks at its end are dropped.
func appendText(line []byte, text string) []byte {
	const hex = "0123456789abcdef"
	for len(text) > 0 && (text[len(text)-1] == '\n' || text[len(text)-1] == '\r') {
		text = text[:len(text)-1]
	}
	plain := 0 // start of what needs no change
	for i := 0; i < len(text); i++ {
		b := text[i]
		if b >= ' ' && b < 0x7f || b == '\t' {
			continue
		}
		if b >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			if unicode.IsGraphic(r) && size > 1 {
				i += size - 1
				continue
			}
		}
		line = append(line, text[plain:i]...)
		plain = i + 1
		switch {
		case b == '\n':
			line = append(line, continuation...)
		case b == '\r' && i+1 < len(text) && text[i+1] == '\n':
		default:
			line = append(line, '\\', 'x', hex[b>>4], hex[b&0xf])
		}
	}
	return append(line, text[plain:]...)
}
