package wire_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"farad/netio/wire"
)

// fields gives all that a Command says of its header, by key.
func fields(c *wire.Command) map[wire.Key]string {
	all := map[wire.Key]string{}
	for k := wire.KeyCommand; k <= wire.KeySendEmpty; k++ {
		switch {
		case !c.Has(k):
		case k <= wire.KeyReason:
			all[k] = string(c.Text(k))
		case k <= wire.KeyGroupSequence:
			all[k] = fmt.Sprint(c.Number(k))
		default:
			all[k] = fmt.Sprint(c.Bool(k, false))
		}
	}
	return all
}

// differences compares two Commands in everything but Repeat and Alike.
func differences(got, want *wire.Command) string {
	switch {
	case got.Code != want.Code:
		return fmt.Sprintf("code %v, want %v", got.Code, want.Code)
	case got.Acks != want.Acks:
		return fmt.Sprintf("acks %v, want %v", got.Acks, want.Acks)
	case string(got.Header()) != string(want.Header()):
		return fmt.Sprintf("header %q, want %q", got.Header(), want.Header())
	case string(got.Body) != string(want.Body):
		return fmt.Sprintf("body %q, want %q", got.Body, want.Body)
	case !maps.Equal(fields(got), fields(want)):
		return fmt.Sprintf("fields %q, want %q", fields(got), fields(want))
	}
	return ""
}

// decode decodes one payload with a Decoder of its own.
func decode(t testing.TB, payload string) *wire.Command {
	t.Helper()
	c, err := new(wire.Decoder).Decode([]byte(payload))
	if err != nil {
		t.Fatalf("Decode(%q): %v", payload, err)
	}
	return c
}

// frames splits a whole stream into its payloads.
func frames(t testing.TB, stream []byte) (payloads []string) {
	t.Helper()
	for len(stream) > 0 {
		payload, size, _, err := wire.NextFrame(stream)
		if err != nil || size == 0 {
			t.Fatalf("NextFrame of %d bytes: size %d, %v", len(stream), size, err)
		}
		payloads = append(payloads, string(payload))
		stream = stream[size:]
	}
	return payloads
}

// framed puts the length in front of a payload.
func framed(payload string) []byte {
	f := append(make([]byte, wire.LengthPrefix), payload...)
	wire.PutLength(f, 0)
	return f
}

// wantHeaderError checks the place and the texts of a refusal.
func wantHeaderError(t *testing.T, payload string, offset int, found, expected string) {
	t.Helper()
	_, err := new(wire.Decoder).Decode([]byte(payload))
	var refusal *wire.HeaderError
	if !errors.As(err, &refusal) {
		t.Errorf("Decode(%.60q): error %v, want a *HeaderError", payload, err)
		return
	}
	if refusal.Offset != offset || !strings.Contains(refusal.Found, found) || !strings.Contains(refusal.Expected, expected) {
		t.Errorf("Decode(%.60q): %v; want byte %d, found %s, expected %s", payload, err, offset, found, expected)
	}
}
