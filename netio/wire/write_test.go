package wire_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"farad/netio/wire"
	"pgregory.net/rapid"
)

func TestFrameWrittenIsTheFrameRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		before := rapid.SliceOf(rapid.Byte()).Draw(r, "before")
		code := wire.Code(rapid.IntRange(int(wire.CodePublish), int(wire.CodeOOF)).Draw(r, "code"))
		body := rapid.SliceOf(rapid.Byte()).Draw(r, "body")
		want := map[wire.Key]string{wire.KeyCommand: strings.Replace(code.String(), "publish", "p", 1)}
		if code == wire.CodeDeltaPublish {
			want[wire.KeyCommand] = "delta_publish"
		}
		w := wire.Begin(append([]byte(nil), before...), code)
		keys := rapid.IntRange(int(wire.KeyCommandID), int(wire.KeyGroupSequence))
		for _, k := range rapid.SliceOfNDistinct(keys, 0, -1, rapid.ID).Draw(r, "keys") {
			key := wire.Key(k)
			if key >= wire.KeySequence {
				n := rapid.Uint64().Draw(r, "number")
				want[key] = fmt.Sprint(n)
				w.Number(key, n)
				continue
			}
			text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("\"\\{}\n\x00a")))).Draw(r, "text")
			switch rapid.IntRange(0, 3).Draw(r, "method") {
			case 0:
				w.Text(key, []byte(text))
			case 1:
				w.String(key, text)
			case 2:
				w.TextIf(key, []byte(text))
			default:
				w.StringIf(key, text)
				if text == "" {
					continue
				}
			}
			want[key] = text
		}
		frame := w.End(body)
		if string(frame[:len(before)]) != string(before) {
			r.Fatal("what stood before the frame changed")
		}
		payload, size, _, err := wire.NextFrame(frame[len(before):])
		if err != nil || size != len(frame)-len(before) {
			r.Fatalf("size %d of %d, %v", size, len(frame)-len(before), err)
		}
		c, err := new(wire.Decoder).Decode(payload)
		if err != nil {
			r.Fatalf("%q: %v", payload, err)
		}
		got := fields(c)
		for k, text := range want { // TextIf leaves an empty text out
			if _, ok := got[k]; !ok && text == "" {
				delete(want, k)
			}
		}
		if c.Code != code || string(c.Body) != string(body) || !maps.Equal(got, want) {
			r.Fatalf("%q reads as %v %q with body %q, want %v %q", payload, c.Code, got, c.Body, code, want)
		}
		checkCompact(r, c.Header())
	})
}

// checkCompact verifies that an emitted header has no white space and no
// nesting outside its quotes, no raw control byte anywhere, and is not empty.
func checkCompact(r *rapid.T, header []byte) {
	quoted := false
	for i := 0; i < len(header); i++ {
		switch b := header[i]; {
		case b < ' ':
			r.Fatalf("control byte at %d of %q", i, header)
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == ' ', b == '[', b == ']', b == '{' && i > 0, b == '}' && i < len(header)-1:
			r.Fatalf("%q at %d of %q", b, i, header)
		}
	}
	if len(header) < len(`{"c":"p"}`) {
		r.Fatalf("emitted %q", header)
	}
}

func TestOnlyWhatMustBeIsEscaped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                 `""`,
		"a}b{c":            `"a}b{c"`,
		`"\/`:              `"\"\\/"`,
		"\b\t\n\f\r":       `"\b\t\n\f\r"`,
		"\x00\x1f\x0b\x7f": `"\u0000\u001f\u000b` + "\x7f\"",
		"é😀\xff":           "\"é😀\xff\"",
	} {
		if got := string(wire.AppendQuoted([]byte("x"), text)); got != "x"+want {
			t.Errorf("%q is quoted as %s", text, got)
		}
		if got := string(wire.AppendEscaped([]byte(nil), []byte(text))); `"`+got+`"` != want {
			t.Errorf("%q is escaped as %s", text, got)
		}
	}
}

func TestTimestampIsUTCWithMicroseconds(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 2, 3, 4, 5, 6, 7_899, time.FixedZone("", 3600))
	if got := string(wire.AppendTimestamp([]byte("x"), at)); got != "x20310203T030506.000007Z" || len(got) != 1+wire.TimestampLength {
		t.Errorf("written as %s", got)
	}
}
