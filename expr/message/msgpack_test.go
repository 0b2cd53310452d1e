package message_test

import (
	"slices"
	"strings"
	"testing"

	"farad/expr/message"
)

// packOfAll has an item of each form.
const packOfAll = "\xde\x00\x17" +
	"\xa1a\x05" + "\xa1n\xe0" + "\xa3str\xa3two" + "\xa1z\xc0" + "\xa1t\xc3" + "\xa1f\xc2" +
	"\xa3u16\xcd\x01\x00" + "\xa3u32\xce\x00\x01\x00\x00" + "\xa3u64\xcf\xff\xff\xff\xff\xff\xff\xff\xff" + "\xa2u8\xcc\xff" +
	"\xa2i8\xd0\x80" + "\xa3i16\xd1\xff\x00" + "\xa3i32\xd2\xff\xff\x00\x00" + "\xa3i64\xd3\x80\x00\x00\x00\x00\x00\x00\x00" +
	"\xa3f32\xca\x3f\xc0\x00\x00" + "\xa3f64\xcb\x40\x04\x00\x00\x00\x00\x00\x00" +
	"\xa3bin\xc4\x02\x00\xff" + "\xa3ext\xc7\x03\x01abc" + "\xa4fext\xd5\x01xy" +
	"\xa1l\x94\x01\xa3two\x91\x03\xc0" + "\xa1o\x82\xa1x\xa1p\xa1y\x81\xa1z\x01" + "\x07\xa5seven" + "\xc3\xa4none"

func packSamples(t testing.TB) []sample {
	return []sample{{
		kind: define(t, "msgpack", "msgpack"),
		bodies: []string{
			"\x80", packOfAll, "\x83\xa1a\x01\xa1b\xa3two\xa1a\x02", "\x82\xa1l\x92\x81\xa1x\x01\x82\xa1x\x02\xa1y\x03\xa1o\x80", "\x81\xa1o\x82\xa1x\xa1q\xa1w\x05",
			"\x81\xd9\x02ab\xd9\x03two", "\x81\xff\x01",
		},
		paths: [3]message.Path{{"a"}, {"o", "b"}, {"o", "p", "c"}}, empty: "\x80",
	}}
}

func TestMessagePackValues(t *testing.T) {
	t.Parallel()
	kind := define(t, "msgpack", "msgpack")
	for path, want := range map[string][]string{
		"/a": {"5"}, "/n": {"-32"}, "/str": {`"two"`}, "/z": {"NULL"}, "/t": {"true"}, "/f": {"false"}, "/u8": {"255"}, "/u16": {"256"}, "/u32": {"65536"}, "/u64": {"18446744073709551615"},
		"/i8": {"-128"}, "/i16": {"-256"}, "/i32": {"-65536"}, "/i64": {"-9223372036854775808"}, "/f32": {"1.5"}, "/f64": {"2.5"}, "/bin": {`"\x00\xff"`},
		"/ext": {`"abc"`}, "/fext": {`"xy"`}, // 03-message-types #10
		"/l": {"1", `"two"`, "3", "NULL"}, "/o/x": {`"p"`}, "/o/y/z": {"1"}, "/7": {`"seven"`}, "/o": nil, "/true": nil,
	} {
		if got := extracted(kind, []byte(packOfAll), []string{path})[path]; !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", path, got, want)
		}
	}
	if got := extracted(kind, []byte("\x81\xa1a\x01trailing"), []string{"/a"})["/a"]; !slices.Equal(got, []string{"1"}) {
		t.Errorf("bytes behind the root: %v", got)
	}
	if got := extracted(kind, []byte("\x91\x81\xa1a\x01"), []string{"/a"})["/a"]; got != nil {
		t.Errorf("a root that is no map: %v", got)
	}
}

func TestMessagePackWritesSmallestForms(t *testing.T) {
	t.Parallel()
	kind := define(t, "msgpack", "msgpack")
	for want, v := range map[string]message.Value{
		"\x05": message.IntValue(5), "\xe0": message.IntValue(-32), "\xd0\xdf": message.IntValue(-33), "\xcc\x80": message.IntValue(128), "\xcd\x01\x00": message.IntValue(256),
		"\xce\x00\x01\x00\x00": message.IntValue(1 << 16), "\xcf\x00\x00\x00\x01\x00\x00\x00\x00": message.IntValue(1 << 32), "\xd1\xff\x7f": message.IntValue(-129),
		"\xc0": {}, "\xc3": message.BoolValue(true), "\x00": message.FloatValue(nan()), "\xa1x": message.StringValue([]byte("x")),
		"\xd9\x20" + strings.Repeat("y", 32): message.StringValue([]byte(strings.Repeat("y", 32))), "\x07": message.NumeralValue([]byte("7")),
	} {
		var d message.Document
		d.Reset()
		d.Set(message.Path{"v"}, v)
		if got := string(kind.Write(nil, &d, 0)); got != "\x81\xa1v"+want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func FuzzMessagePack(f *testing.F) {
	for _, s := range packSamples(f) {
		for _, body := range s.bodies {
			f.Add([]byte(body))
		}
	}
	fuzzType(f, func(t testing.TB) message.Type { return define(t, "msgpack", "msgpack") }, "/a", "/o/x", "/l", "/7", "/l/x")
}
