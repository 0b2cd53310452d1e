package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"farad/netio/wire"
	"pgregory.net/rapid"
)

// second decodes two payloads with one Decoder and returns the second
// Command, compared with what a new Decoder makes of it.
func second(t *testing.T, first, next string) *wire.Command {
	t.Helper()
	var d wire.Decoder
	if _, err := d.Decode([]byte(first)); err != nil {
		t.Fatalf("Decode(%s): %v", first, err)
	}
	c, err := d.Decode([]byte(next))
	if err != nil {
		t.Fatalf("Decode(%s) after %s: %v", next, first, err)
	}
	if difference := differences(c, decode(t, next)); difference != "" {
		t.Errorf("%s after %s: %s", next, first, difference)
	}
	return c
}

func TestSameHeaderOfAPublishIsARepeatWithTheSameFieldsInTheNewBuffer(t *testing.T) {
	t.Parallel()
	var d wire.Decoder
	for i, header := range []string{
		`{"c":"p","t":"fx"}`, `{"c":"publish","t":"fx","a":"processed","k":"7","e":30,"x":"YWJj"}`, ` { "t" : "fx" , "zz":1.5, "c" : "p" } `,
	} {
		for j := 0; j < 3; j++ {
			body := fmt.Sprintf(`{"id":%d}`, j)
			buffer := []byte(header + body)
			c, err := d.Decode(buffer)
			if err != nil {
				t.Fatal(err)
			}
			if difference := differences(c, decode(t, header+body)); difference != "" {
				t.Errorf("header %d, time %d: %s", i, j, difference)
			}
			if c.Repeat != (j > 0) || c.Alike != (j > 0) {
				t.Errorf("header %d, time %d: repeat %v, alike %v", i, j, c.Repeat, c.Alike)
			}
			buffer[strings.Index(header, "fx")] = 'F'
			if string(c.Topic()) != "Fx" {
				t.Errorf("header %d, time %d: the topic lies not in the payload", i, j)
			}
		}
	}
}

func TestHeaderWithASequenceOrACommandIDIsNeverARepeat(t *testing.T) {
	t.Parallel()
	for _, header := range []string{
		`{"c":"p","t":"fx","s":1}`, `{"c":"p","t":"fx","s":"1"}`, `{"c":"p","seq":1,"t":"fx"}`, `{"c":"p","t":"fx","cid":"1"}`,
		`{"c":"p","t":"fx","cid":1}`, `{"c":"p","cmd_id":"","t":"fx"}`, `{"c":"p","cid":"a","t":"fx","s":5}`,
	} {
		if c := second(t, header+"body", header+"other body"); c.Repeat {
			t.Errorf("%s is a repeat", header)
		}
	}
}

func TestHeaderThatDiffersInSequenceAndCommandIDAloneIsAlike(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, next string
		alike       bool
	}{
		{`{"c":"p","t":"fx","s":1}`, `{"c":"p","t":"fx","s":2}x`, true},
		{`{"c":"p","t":"fx","s":"1"}`, `{"c":"p","t":"fx","s":"2"}`, true},
		{`{"c":"p","s":1,"t":"fx"}`, `{"c":"p","s":9,"t":"fx"}`, true},
		{`{"c":"p","cid":"ab","t":"fx","s":10}`, `{"c":"p","cid":"} ","t":"fx","s":99}`, true},
		{`{"s":10,"c":"p","t":"fx","cid":"ab"}`, `{"s":01,"c":"p","t":"fx","cid":"ac"}`, true},
		{`{"c":"p","s":18446744073709551615}`, `{"c":"p","s":10000000000000000000}`, true},
		{`{"c":"p","cid":"a","cid":"b"}`, `{"c":"p","cid":"a","cid":"c"}`, true},
		{`{"c":"p","s":1,"s":2}`, `{"c":"p","s":1,"s":3}`, true},

		{`{"c":"p","t":"fx"}`, `{"c":"p","t":"fy"}`, false},
		{`{"c":"p","t":"fx"}`, `{"c":"p","t":"fxx"}`, false},
		{`{"c":"p","t":"fx","s":9}`, `{"c":"p","t":"fx","s":10}`, false},
		{`{"c":"p","t":"fx","s":1}`, `{"c":"p","t":"fy","s":2}`, false},
		{`{"c":"p","s":1,"t":"fx"}`, `{"c":"p","s":2,"t":"fy"}`, false},
		{`{"c":"p","s":1,"s":2}`, `{"c":"p","s":2,"s":2}`, false},
		{`{"c":"p","cid":"ab"}`, `{"c":"p","cid":"a"}"}`, false},
		{`{"c":"p","cid":"abc"}`, `{"c":"p","cid":"a\""}`, false},
		{`{"c":"p","cid":"abcdef"}`, `{"c":"p","cid":"","t":"}"}`, false},
		{`{"c":"p","cid":"ab"}`, `{"c":"p","cid":"a\"}"}`, false},
		{`{"c":"p","cid":12}`, `{"c":"p","cid":1}}`, false},
		{`{"c":"p","s":12}`, `{"c":"p","s":1}}`, false},
		{`{"c":"p","s":12}`, `{"c":"p","s":1 }`, false},
		{`{"c":"p","s":" 1"}`, `{"c":"p","s":"12"}`, false},
		{`{"c":"p","t":"a\"","s":1}`, `{"c":"p","t":"a\"","s":2}`, false},
		{`{"c":"delta_publish","t":"fx"}`, `{"c":"delta_publish","t":"fx"}`, false},
		{`{"c":"heartbeat"}`, `{"c":"heartbeat"}`, false},
		{`{"c":"p","c":"flush"}`, `{"c":"p","c":"flush"}`, false},
	} {
		if got := second(t, c.first, c.next).Alike; got != c.alike {
			t.Errorf("%s after %s: alike %v", c.next, c.first, got)
		}
	}
}

func TestSequenceInAnAlikeHeaderIsStillChecked(t *testing.T) {
	t.Parallel()
	var d wire.Decoder
	if _, err := d.Decode([]byte(`{"c":"p","s":18446744073709551615}`)); err != nil {
		t.Fatal(err)
	}
	if c, err := d.Decode([]byte(`{"c":"p","s":18446744073709551616}`)); err == nil {
		t.Errorf("read as %d", c.Sequence())
	}
}

func TestRepeatComparesWithTheHeaderJustBefore(t *testing.T) {
	t.Parallel()
	const publish = `{"c":"p","t":"fx"}`
	for _, between := range []string{`{"c":"p","t":"fy"}`, `{"c":"flush"}`, `{}`, `{"c":"p","t":"\n"}`, `{"c":"p","t":"fx","s":1}`} {
		var d wire.Decoder
		for i, payload := range []string{publish, between, publish} {
			c, err := d.Decode([]byte(payload))
			if err != nil {
				t.Fatal(err)
			}
			if c.Repeat || c.Alike {
				t.Errorf("%s (%d, between is %s) is a repeat", payload, i, between)
			}
		}
	}
	var d wire.Decoder
	if _, err := d.Decode([]byte(publish)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.NextSOWRecord([]byte(`{"k":"1","l":2}ab`)); err != nil {
		t.Fatal(err)
	}
	if c, err := d.Decode([]byte(publish)); err != nil || c.Repeat {
		t.Errorf("a publish after a sow record: repeat %v, %v", c.Repeat, err)
	}
}

func TestLongHeaderIsNotRemembered(t *testing.T) {
	t.Parallel()
	for extra, repeat := range []bool{true, false} {
		header := `{"c":"p","t":"` + strings.Repeat("t", wire.RepeatBytesMax-len(`{"c":"p","t":""}`)+extra) + `"}`
		if c := second(t, header, header); c.Repeat != repeat {
			t.Errorf("a header of %d bytes: repeat %v", len(header), c.Repeat)
		}
	}
}

func TestWarmDecoderReadsWhatANewOneReads(t *testing.T) {
	t.Parallel()
	pairs := rapid.SampledFrom([]string{
		`"c":"p"`, `"c":"publish"`, `"c":"flush"`, `"t":"fx"`, `"t":"fy"`, `"t":"a\"b"`, `"s":1`, `"s":2`, `"s":12`, `"s":"3"`, `"s":" 4"`, `"s":""`,
		`"cid":"1"`, `"cid":"2"`, `"cid":"}"`, `"cid":3`, `"cid":"\u0031"`, `"a":"persisted"`, `"a":"stats"`, `"zz":1`, `"zz":"}"`, `"send_oof":1`,
	})
	header := rapid.Map(rapid.SliceOfN(pairs, 0, 5), func(p []string) string { return "{" + strings.Join(p, ",") + "}" })
	rapid.Check(t, func(r *rapid.T) {
		few := rapid.SampledFrom(rapid.SliceOfN(header, 1, 3).Draw(r, "headers"))
		var d wire.Decoder
		previous := ""
		for i := 0; i < 20; i++ {
			payload := few.Draw(r, "header") + rapid.SampledFrom([]string{"", "}", "body"}).Draw(r, "body")
			c, err := d.Decode([]byte(payload))
			if err != nil {
				r.Fatalf("%s: %v", payload, err)
			}
			fresh, _ := new(wire.Decoder).Decode([]byte(payload))
			if difference := differences(c, fresh); difference != "" {
				r.Fatalf("%s after %s: %s", payload, previous, difference)
			}
			if c.Repeat && (string(c.Header()) != previous || !c.Alike || c.Has(wire.KeySequence) || c.Has(wire.KeyCommandID)) {
				r.Fatalf("%s after %s is a repeat", payload, previous)
			}
			previous = string(c.Header())
		}
	})
}
