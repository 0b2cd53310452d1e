package message_test

import (
	"slices"
	"strings"
	"testing"

	"farad/expr/message"
)

func structType(t testing.TB, fields ...string) message.Type {
	t.Helper()
	var settings []message.Setting
	for _, f := range fields {
		settings = append(settings, message.Setting{Name: "Field", Value: f})
	}
	return define(t, "struct", "struct", settings...)
}

// everyCode has a field of each code.
func everyCode(t testing.TB) message.Type {
	return structType(t, "/c=c", "/cc = 2c", "/b=b", "/B=B", "/yes=?", "/h=h", "/H=>H", "/i=i", "/I=<I", "/l=@l", "/L==L", "/q=q", "/Q=>Q", "/n=n", "/N=N", "/f=f", "/d=>d", "/o/s=3s", "/o/S=3S", "/o/p=4p", "/x = 2x", "/x = 2x", "/last=>i")
}

const everyCodeBody = "A" + "BC" + "\xff" + "\xff" + "\x02" + "\xfe\xff" + "\x01\x02" + "\xfe\xff\xff\xff" + "\xff\xff\xff\xff" + "\x01\x00\x00\x80" + "\x01\x00\x00\x80" +
	"\xfe\xff\xff\xff\xff\xff\xff\xff" + "\x00\x00\x00\x00\x00\x00\x01\x00" + "\x05\x00\x00\x00\x00\x00\x00\x00" + "\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\x00\x00\x20\x41" + "\x40\x04\x00\x00\x00\x00\x00\x00" + "a\x00b" + "a\x00b" + "\x09xyz" + "\xaa\xaa\xbb\xbb" + "\x00\x00\x00\x2a" + "rest"

func structSamples(t testing.TB) []sample {
	return []sample{{kind: everyCode(t), bodies: []string{everyCodeBody, everyCodeBody[:len(everyCodeBody)-4], everyCodeBody[:10], "", "A"}}}
}

func TestStructValues(t *testing.T) {
	t.Parallel()
	kind := everyCode(t)
	for path, want := range map[string]string{
		"/c": `"A"`, "/cc": `"BC"`, "/b": "-1", "/B": "255", "/yes": "true", "/h": "-2", "/H": "258", "/i": "-2", "/I": "4294967295", "/l": "-2147483647", "/L": "2147483649",
		"/q": "-2", "/Q": "256", "/n": "5", "/N": "18446744073709551615", "/f": "10.0", "/d": "2.5", "/o/s": `"a\x00b"`, "/o/S": `"a"`, "/o/p": `"xyz"`, "/last": "42",
	} {
		if got := extracted(kind, []byte(everyCodeBody), []string{path})[path]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, not %s", path, got, want)
		}
	}
}

// 03-message-types #14: the sample, and messages that are too short.
func TestStructSample(t *testing.T) {
	t.Parallel()
	kind := structType(t, "/id = i", "/pad = 4x", "/price = f", "/pad = 32x", "/code = 16s")
	body := "\x03\x00\x00\x00\xff\xff\xff\xff\x00\x00\x20\x41" + strings.Repeat("\xff", 32) + "sixteen bytes ok" + "ignored rest"
	got := extracted(kind, []byte(body), []string{"/id", "/price", "/code", "/pad", "/ignored"})
	if !slices.Equal(got["/id"], []string{"3"}) || !slices.Equal(got["/price"], []string{"10.0"}) || !slices.Equal(got["/code"], []string{`"sixteen bytes ok"`}) || got["/pad"] != nil || got["/ignored"] != nil {
		t.Errorf("%v", got)
	}
	got = extracted(kind, []byte(body[:11]), []string{"/id", "/price", "/code"})
	if !slices.Equal(got["/id"], []string{"3"}) || got["/price"] != nil || got["/code"] != nil {
		t.Errorf("too short: %v", got)
	}
	if c := kind.Capabilities(); c.Select || c.Delta || c.Output {
		t.Errorf("capabilities %+v", c)
	}
}

func TestStructDeclarationsAreChecked(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		"id = i": "a path such as /name", "/ = i": "a path such as /name", "/a/ = i": "a path such as /name", "/a i": "/name = [order][count]code", "/a = ": "one letter", "/a = 4": "one letter",
		"/a = ii": "one letter", "/a = z": "one of x c b B", "/a = s": "a count in front", "/a = 0s": "1 to", "/a = 3i": "a count only with", "/a = 999999999999s": "1 to", "/a = !i": "one letter",
	} {
		err := message.NewTypes().Define(message.Definition{Name: "s", Module: "struct", Settings: []message.Setting{{Name: "Field", Value: "/ok = i"}, {Name: "Field", Value: field}}})
		d, ok := err.(*message.DefinitionError)
		if !ok || d.Setting != 1 || !strings.Contains(d.Want, want) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, fields := range [][]string{{}, {"/a = 2x"}, {"/a = i", "/a = h"}, {"/a = i", "/a/b = h"}, {"/a/b = i", "/a = h"}} {
		var settings []message.Setting
		for _, f := range fields {
			settings = append(settings, message.Setting{Name: "Field", Value: f})
		}
		if err := message.NewTypes().Define(message.Definition{Name: "s", Module: "struct", Settings: settings}); err == nil {
			t.Errorf("%q: no error", fields)
		}
	}
}

func FuzzStruct(f *testing.F) {
	for _, s := range structSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, everyCode, "/c", "/i", "/d", "/o/s", "/o/p", "/last")
}
