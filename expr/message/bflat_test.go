package message_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"farad/expr/message"
)

func nan() float64 { return math.NaN() }

func bflatSamples(t testing.TB) []sample {
	return []sample{{
		kind: define(t, "bflat", "bflat"),
		bodies: []string{
			"", "\x19a\x05", "\x0a" + "id\x01x", "\x01n", "\xac" + "vals\x02\x01\x00\x00\x00\xff\xff\xff\xff",
			"\x19a\x05\x0a" + "id\x01x\x01n\x21h\x00\x01\x31i\x00\x00\x00\x00\x01\x00\x00\x00\x39d\x00\x00\x00\x00\x00\x00\x04\x40\x41w\x00\x00\x00\x00\x01\x00\x00\x00\x49l\x7f\x11b\x02\x00\xff",
			"\x19a\x01\x19a\x02\x09a\x03two", "\x08\x0aa long tag\x01x", "\x89t\x02\x01x\x02yz", "\x81e\x03", "\x99e\x00",
		},
		paths: [3]message.Path{{"a"}, {"bb"}, {"a tag of more bytes"}},
	}}
}

// 03-message-types #11: the examples, and that the server writes the smallest
// integer.
func TestBFlatValues(t *testing.T) {
	t.Parallel()
	kind := define(t, "bflat", "bflat")
	for _, c := range []struct {
		body, path string
		want       []string
	}{
		{"\x19\x61\x05", "/a", []string{"5"}},
		{"\x0a\x69\x64\x01\x78", "/id", []string{`"x"`}},
		{"\x01\x6e", "/n", []string{"NULL"}},
		{"\xac\x76\x61\x6c\x73\x02\x01\x00\x00\x00\xff\xff\xff\xff", "/vals", []string{"1", "-1"}},
		{"\x21h\x00\x80", "/h", []string{"-32768"}},
		{"\x31i\x00\x00\x00\x00\x00\x00\x00\x80", "/i", []string{"-9223372036854775808"}},
		{"\x39d\x00\x00\x00\x00\x00\x00\x04\x40", "/d", []string{"2.5"}},
		{"\x41t\x00\x68\xe5\xcf\x8b\x01\x00\x00", "/t", []string{"1700000000000"}},
		{"\x49l\x7f", "/l", []string{"-1"}},
		{"\x49l\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", "/l", []string{"9223372036854775807"}},
		{"\x49l\xe5\x8e\x26", "/l", []string{"624485"}},
		{"\x11b\x02\x00\xff", "/b", []string{`"\x00\xff"`}},
		{"\x19a\x01\x51b\x19a\x02", "/a", []string{"1"}}, // an unknown type ends the message
	} {
		got := extracted(kind, []byte(c.body), []string{c.path})[c.path]
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, %s: %v, not %v", c.body, c.path, got, c.want)
		}
	}
	for body, want := range map[string]float64{
		"\x49l\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02": 1 << 64, "\x49l\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7e": -(1 << 64), "\x49l\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01": 1 << 63,
	} {
		got := extracted(kind, []byte(body), []string{"/l"})["/l"]
		if len(got) != 1 {
			t.Fatalf("%q: %v", body, got)
		}
		if f, err := strconv.ParseFloat(got[0], 64); err != nil || f != want {
			t.Errorf("%q: %v, not %v", body, got, want)
		}
	}
	if got := extracted(kind, []byte("\x81e\x80\x80\x04\x19a\x01"), []string{"/a"}); len(got) > 0 {
		t.Errorf("65,536 nulls from three bytes: %v", got)
	}
	var d message.Document
	if err := d.Read(kind, []byte("\x31a\x05\x00\x00\x00\x00\x00\x00\x00\x19z\x01")); err != nil {
		t.Fatal(err)
	}
	d.Set(message.Path{"a"}, d.Field(d.Find(message.Path{"a"})).Value)
	d.Set(message.Path{"t"}, message.BoolValue(true))
	d.Set(message.Path{"u"}, message.UintValue(math.MaxUint64))
	d.Set(message.Path{"nan"}, message.FloatValue(nan()))
	if got := string(kind.Write(nil, &d, 0)); got != "\x19a\x05\x19z\x01\x19t\x01\x49u\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1bnan\x00" {
		t.Errorf("%q", got)
	}
}

func FuzzBFlat(f *testing.F) {
	for _, s := range bflatSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, func(t testing.TB) message.Type { return define(t, "bflat", "bflat") }, "/a", "/id", "/vals", "/n")
}
