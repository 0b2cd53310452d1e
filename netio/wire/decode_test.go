package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"farad/netio/wire"
	"pgregory.net/rapid"
)

func TestWhiteSpaceBetweenTokensIsAccepted(t *testing.T) {
	t.Parallel()
	want := decode(t, `{"c":"sow","t":"a b","bs":10,"send_oof":true}{"id": 1} `)
	for _, space := range []string{" ", "\t", "\r\n", " \n\t\r "} {
		payload := strings.ReplaceAll(`_{_"c"_:_"sow"_,_"t"_:_"a b"_,_"bs"_:_10_,_"send_oof"_:_true_}{"id": 1} `, "_", space)
		payload = strings.ReplaceAll(payload, "send"+space+"oof", "send_oof")
		c := decode(t, payload)
		if string(c.Body) != string(want.Body) || fmt.Sprint(fields(c)) != fmt.Sprint(fields(want)) || c.Code != want.Code {
			t.Errorf("%q reads as %q with body %q", payload, fields(c), c.Body)
		}
	}
	if c := decode(t, "{ \t}x"); len(fields(c)) != 0 || string(c.Body) != "x" {
		t.Errorf("an empty header with space reads as %q", fields(c))
	}
}

func TestHeaderEndsAtTheFirstBraceOutsideQuotes(t *testing.T) {
	t.Parallel()
	for payload, topic := range map[string]string{
		`{"c":"p","t":"a}b"}{"id":1}`:          `a}b`,
		`{"c":"p","t":"}"}{"id":1}`:            `}`,
		`{"c":"p","t":"\"}"}{"id":1}`:          `"}`,
		`{"c":"p","t":"\\"}{"id":1}`:           `\`,
		`{"c":"p","t":"{\"x\":1}"}{"id":1}`:    `{"x":1}`,
		`{"}":"}","c":"p","t":"fx"}{"id":1}`:   `fx`,
		`{"\"}":"}","c":"p","t":"fx"}{"id":1}`: `fx`,
	} {
		c := decode(t, payload)
		if string(c.Topic()) != topic || string(c.Body) != `{"id":1}` || string(c.Header())+`{"id":1}` != payload {
			t.Errorf("%s: topic %q, body %q", payload, c.Topic(), c.Body)
		}
	}
}

func TestEscapesAreDecoded(t *testing.T) {
	t.Parallel()
	for escaped, want := range map[string]string{
		`\"`: `"`, `\\`: `\`, `\/`: `/`, `\b\t\n\f\r`: "\b\t\n\f\r", `\u0000\u001F\u001f`: "\x00\x1f\x1f", `\'`: `'`,
		`\u007d`: `}`, `\u00e9`: "é", `\u20AC`: "€", `\ud83d\ude00`: "😀", `\ud83d`: "\uFFFD", `\ud83dx`: "\uFFFDx",
		`\ud83d\u0041`: "\uFFFDA", `\ude00\ud83d`: "\uFFFD\uFFFD", `\ud83d\n`: "\uFFFD\n", `\u0022`: `"`, "é\xff": "é\xff",
		`a\\\"b`: `a\"b`,
	} {
		c := decode(t, `{"t":"before `+escaped+`after","filter":"`+escaped+`","k":"plain"}`)
		if string(c.Topic()) != "before "+want+"after" || string(c.Filter()) != want || string(c.SOWKey()) != "plain" {
			t.Errorf("%s reads as %q and %q, want %q", escaped, c.Topic(), c.Filter(), want)
		}
	}
	c := decode(t, `{"\u0063":"x","c":"\u0070","a":"processe\u0064","s":"\u0031","send_oof":"tru\u0065"}`)
	if c.Code != wire.CodePublish || c.Acks != wire.AckProcessed || c.Sequence() != 1 || !c.Bool(wire.KeySendOOF, false) {
		t.Errorf("escaped values read as %q", fields(c))
	}
}

// 01-protocol #4 (01-protocol §2.1 names the escapes)
func TestAnyFilterAndTopicSurvive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.OneOf(
			rapid.StringOf(rapid.SampledFrom([]rune("\"\\}{\x00\x01\b\t\n\f\r\x1f\x7f,:é😀 u0"))),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		)
		filter, topic, body := text.Draw(r, "filter"), text.Draw(r, "topic"), text.Draw(r, "body")
		w := wire.Begin(nil, wire.CodeSubscribe)
		w.String(wire.KeyFilter, filter)
		w.Text(wire.KeyTopic, []byte(topic))
		c, err := new(wire.Decoder).Decode([]byte(frames(t, w.End([]byte(body)))[0]))
		if err != nil || string(c.Filter()) != filter || string(c.Topic()) != topic || string(c.Body) != body {
			r.Fatalf("filter %q, topic %q, body %q, %v", c.Filter(), c.Topic(), c.Body, err)
		}
	})
}

func TestLastOfARepeatedKeyWins(t *testing.T) {
	t.Parallel()
	c := decode(t, `{"c":"sow","cmd":"p","a":"stats","t":"a","topic":"b","s":1,"seq":"2","ack_type":"processed","send_oof":1,"send_oof":0}`)
	if c.Code != wire.CodePublish || string(c.Topic()) != "b" || c.Sequence() != 2 || c.Acks != wire.AckProcessed || c.Bool(wire.KeySendOOF, true) {
		t.Errorf("read as %v %v %q", c.Code, c.Acks, fields(c))
	}
	c = decode(t, `{"c":"p","c":"","a":"stats","a":"none","s":1,"s":"","k":"x","k":"a\"b"}`)
	if c.Code != wire.CodeUnknown || c.Acks != wire.AckNone || c.Has(wire.KeySequence) || string(c.SOWKey()) != `a"b` {
		t.Errorf("read as %v %v %q", c.Code, c.Acks, fields(c))
	}
}

func TestMalformedHeaderIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	const value, end = "a quoted text, a number, true or false", "the end of the frame"
	for _, c := range []struct {
		payload  string
		offset   int
		found    string
		expected string
	}{
		{``, 0, end, "'{'"},
		{`  `, 2, end, "'{'"},
		{`x`, 0, `"x"`, "'{'"},
		{`"c"`, 0, `"\""`, "'{'"},
		{`{`, 1, end, "a quoted key"},
		{`{c:1}`, 1, `"c"`, "a quoted key"},
		{`{,}`, 1, `","`, "a quoted key"},
		{`{"c`, 3, end, "the end of the key"},
		{`{"c\`, 4, end, "the end of the key"},
		{`{"c"`, 4, end, "':'"},
		{`{"c" "p"}`, 5, `"\""`, "':'"},
		{`{"""c":1}`, 3, `"\""`, "':'"},
		{`{""":1}`, 3, `"\""`, "':'"},
		{`{"c":`, 5, end, "a value"},
		{`{"c": `, 6, end, "a value"},
		{`{"c":}`, 5, `"}"`, value},
		{`{"c":,`, 5, `","`, value},
		{`{"c":[1]}`, 5, `"["`, value},
		{`{"c":{"d":1}}`, 5, `"{"`, value},
		{`{"c":null}`, 5, `"n"`, value},
		{`{"c":TRUE}`, 5, `"T"`, value},
		{`{"zz":-1}`, 6, `"-"`, value},
		{`{"zz":.5}`, 6, `"."`, value},
		{`{"t":12ab}`, 5, `"1"`, value},
		{`{"s":12ab}`, 5, `"1"`, value},
		{`{"c":"p`, 7, end, "the closing quote"},
		{`{"c":"p\`, 8, end, "an escaped character"},
		{`{"c":"p\n`, 9, end, "the closing quote"},
		{`{"c":"\u12"}`, 6, `"\\"`, "four hexadecimal digits"},
		{`{"c":"\uzzzz"}`, 6, `"\\"`, "four hexadecimal digits"},
		{`{"c":"p"`, 8, end, "',' or '}'"},
		{`{"c":"p" `, 9, end, "',' or '}'"},
		{`{"c":"p" "t":"fx"}`, 9, `"\""`, "',' or '}'"},
		{`{"c":"p";}`, 8, `";"`, "',' or '}'"},
		{`{"c":"p",}`, 9, `"}"`, "a quoted key"},
		{`{"s":1"t":2}`, 6, `"\""`, "',' or '}'"},
		{`{"s":12`, 7, end, "',' or '}'"},
		{`{"s":-1}`, 5, `"-"`, value},
		{`{"s":"-1"}`, 6, `"-1" for key "s"`, "an unsigned 64-bit integer"},
		{`{"c":"p","seq":1.5}`, 15, `"1.5" for key "s"`, "an unsigned 64-bit integer"},
		{`{"s":18446744073709551616}`, 5, `"18446744073709551616" for key "s"`, "an unsigned 64-bit integer"},
		{`{"s":"99999999999999999999999"}`, 6, `for key "s"`, "an unsigned 64-bit integer"},
		{`{"t":"\n","s":"1\n2"}`, 15, `"1\n2" for key "s"`, "an unsigned 64-bit integer"},
		{`{"bs":true}`, 6, `"true" for key "bs"`, "an unsigned 64-bit integer"},
		{`{"send_oof":"yes"}`, 13, `"yes" for key "send_oof"`, "true or false"},
		{`{"send_oof":2}`, 12, `"2" for key "send_oof"`, "true or false"},
	} {
		wantHeaderError(t, c.payload, c.offset, c.found, c.expected)
	}
}

func TestRefusedHeaderDoesNotTellThePassword(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	whole := `{"c":"logon","pw":"` + secret + `","version":"1"}`
	bad := []string{
		`{"pw":` + secret + `}`, `{"pw":"\u0"` + secret, `{"user_id":"u" "pw":"` + secret + `"}`, `{"pw" "` + secret + `"}`,
		`{"pw":"` + secret + `" x}`, `{"pw":"\u000` + secret + `"}`,
	}
	for cut := range whole {
		bad = append(bad, whole[:cut])
	}
	for _, header := range bad {
		if _, err := new(wire.Decoder).Decode([]byte(header)); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("Decode(%s): %v", header, err)
		}
	}
}

func TestHeaderIsLimited(t *testing.T) {
	t.Parallel()
	header := func(size int) string {
		const frame = len(`{"c":"p","x":""}`)
		return `{"c":"p","x":"` + strings.Repeat("x", size-frame) + `"}`
	}
	if c := decode(t, header(wire.HeaderBytesMax)+"}body"); string(c.Body) != "}body" {
		t.Errorf("behind a header at the limit stands %.20q", c.Body)
	}
	wantHeaderError(t, header(wire.HeaderBytesMax+1)+"}body", wire.HeaderBytesMax, fmt.Sprintf("limit of %d bytes", wire.HeaderBytesMax), "',' or '}'")
	wantHeaderError(t, header(wire.HeaderBytesMax+2), wire.HeaderBytesMax, "limit", "the closing quote")
	wantHeaderError(t, strings.Repeat(" ", wire.HeaderBytesMax)+"{}", wire.HeaderBytesMax, "limit", "'{'")
	wantHeaderError(t, `{"`+strings.Repeat(`\"`, wire.HeaderBytesMax), wire.HeaderBytesMax, "limit", "the end of the key")
}

func TestMemoryOfALongEscapedHeaderIsGivenBack(t *testing.T) {
	t.Parallel()
	var d wire.Decoder
	if _, err := d.Decode([]byte(`{"c":"subscribe","filter":"` + strings.Repeat(`\"`, 100_000) + `"}`)); err != nil {
		t.Fatal(err)
	}
	if held := d.ScratchCapacity(); held < 100_000 {
		t.Fatalf("unescaped to %d bytes", held)
	}
	if _, err := d.Decode([]byte(`{"c":"heartbeat"}`)); err != nil {
		t.Fatal(err)
	}
	if held := d.ScratchCapacity(); held > 4<<10 {
		t.Errorf("%d bytes are still held", held)
	}
}

func TestDecoderWorksOnAfterARefusal(t *testing.T) {
	t.Parallel()
	const publish = `{"c":"p","t":"fx"}`
	for _, bad := range []string{`{"c":"p","t":"a","s":1`, `{"c":"p","t":"a","s":x}`, `{"t":"\n`, ``} {
		var d wire.Decoder
		if _, err := d.Decode([]byte(publish)); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Decode([]byte(bad)); err == nil {
			t.Fatalf("%s is accepted", bad)
		}
		c, err := d.Decode([]byte(publish))
		if err != nil || c.Repeat || differences(c, decode(t, publish)) != "" {
			t.Errorf("after %q: %q, %v", bad, fields(c), err)
		}
	}
}

func TestHeadersThatAreJSONReadAsJSONDoes(t *testing.T) {
	t.Parallel()
	texts := []wire.Key{wire.KeyTopic, wire.KeyFilter, wire.KeyOptions, wire.KeyBookmark, wire.KeySOWKeys, wire.KeyReason}
	rapid.Check(t, func(r *rapid.T) {
		want := map[string]any{}
		for _, key := range texts {
			if rapid.Bool().Draw(r, "present") {
				want[rapid.SampledFrom(spellings[key]).Draw(r, "spelling")] = rapid.String().Draw(r, "text")
			}
		}
		if rapid.Bool().Draw(r, "present") {
			want["s"] = rapid.Uint64().Draw(r, "s")
		}
		header, err := json.Marshal(want) // escapes <, > and & as \u00XX
		if err != nil {
			r.Fatal(err)
		}
		c, err := new(wire.Decoder).Decode(header)
		if err != nil {
			r.Fatalf("%s: %v", header, err)
		}
		if len(fields(c)) != len(want) {
			r.Fatalf("%s reads as %q", header, fields(c))
		}
		for key, names := range spellings {
			for _, name := range names {
				if v, ok := want[name]; ok && fmt.Sprint(v) != fields(c)[key] {
					r.Fatalf("%s: %s is %q, want %q", header, name, fields(c)[key], v)
				}
			}
		}
	})
}
