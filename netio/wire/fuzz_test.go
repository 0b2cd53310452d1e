package wire_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"farad/netio/wire"
)

// FuzzDecode checks that a Decoder that remembers a header reads the next
// one as a new Decoder does, and that what was read comes back from a frame
// written with it.
func FuzzDecode(f *testing.F) {
	f.Fuzz(func(t *testing.T, before, payload []byte) {
		fresh, err := new(wire.Decoder).Decode(payload)
		var d wire.Decoder
		_, _ = d.Decode(before)
		c, again := d.Decode(payload)
		if (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Fatalf("%v after another header, %v without", again, err)
		}
		if err != nil {
			var refusal *wire.HeaderError
			if !errors.As(err, &refusal) || refusal.Offset < 0 || refusal.Offset > len(payload) || refusal.Found == "" || refusal.Expected == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if difference := differences(c, fresh); difference != "" {
			t.Fatal(difference)
		}
		if string(c.Header())+string(c.Body) != string(payload) {
			t.Fatalf("header %q and body %q", c.Header(), c.Body)
		}
		if c.Repeat && (!bytes.HasPrefix(before, c.Header()) || c.Has(wire.KeySequence) || c.Has(wire.KeyCommandID)) {
			t.Fatalf("%q is a repeat", c.Header())
		}
		rewrite(t, c)
	})
}

// rewrite writes c as a frame and reads it back.
func rewrite(t *testing.T, c *wire.Command) {
	t.Helper()
	w := wire.Begin(nil, c.Code)
	want := fields(c)
	for k := range want {
		switch {
		case k == wire.KeyCommand:
		case k <= wire.KeyReason:
			w.Text(k, c.Text(k))
		case k <= wire.KeyGroupSequence:
			w.Number(k, c.Number(k))
		default:
			w.String(k, want[k])
		}
	}
	payload, _, _, err := wire.NextFrame(w.End(c.Body))
	if err != nil {
		t.Fatal(err)
	}
	if len(payload)-len(c.Body) > wire.HeaderBytesMax {
		return // escapes made it longer than a header may be
	}
	again, err := new(wire.Decoder).Decode(payload)
	if err != nil {
		t.Fatalf("%q: %v", payload, err)
	}
	got := fields(again)
	delete(got, wire.KeyCommand)
	delete(want, wire.KeyCommand)
	if again.Code != c.Code || again.Acks != c.Acks || string(again.Body) != string(c.Body) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q reads as %q, want %q", payload, got, want)
	}
}

// FuzzFrame checks that frames cover the stream without gaps, however it is
// cut, and that nothing is taken from behind an incomplete frame.
func FuzzFrame(f *testing.F) {
	f.Fuzz(func(t *testing.T, stream []byte, cut int) {
		for rest := stream; ; {
			payload, size, need, err := wire.NextFrame(rest)
			if err != nil {
				var refusal *wire.FrameError
				if !errors.As(err, &refusal) || refusal.Length <= wire.FrameBytesMax || size != 0 {
					t.Fatalf("size %d, error %#v", size, err)
				}
				return
			}
			if size == 0 {
				if need <= len(rest) || need > wire.LengthPrefix+wire.FrameBytesMax {
					t.Fatalf("needs %d bytes of %d", need, len(rest))
				}
				return
			}
			if size != wire.LengthPrefix+len(payload) || size > len(rest) || cap(payload) != len(payload) {
				t.Fatalf("size %d, payload %d of %d bytes", size, len(payload), len(rest))
			}
			if cut >= 0 && cut < size {
				if _, size, need, err := wire.NextFrame(rest[:cut]); size != 0 || err != nil || need <= cut {
					t.Fatalf("cut at %d: size %d, need %d, %v", cut, size, need, err)
				}
			}
			again := framed(string(payload))
			if !bytes.Equal(again, rest[:size]) {
				t.Fatalf("frame %q, written as %q", rest[:size], again)
			}
			rest = rest[size:]
		}
	})
}

// FuzzOptions checks that a list is read or refused with a place inside it,
// and that empty tokens around it change nothing.
func FuzzOptions(f *testing.F) {
	f.Fuzz(func(t *testing.T, list []byte, code byte) {
		o, err := wire.ParseOptions(list, wire.Code(code))
		if err != nil {
			var refusal *wire.OptionError
			if !errors.As(err, &refusal) || refusal.Offset < 0 || refusal.Offset > len(list) || refusal.Expected == "" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if o.Rate < 0 || o.ConflationPeriod < 0 || o.RateMaxGap < 0 || o.AckConflation < 0 || o.Heartbeat < 0 ||
			len(o.Projection) > wire.ProjectionBytesMax {
			t.Fatalf("read %+v", o)
		}
		if o.Has(wire.OptRate) && !(o.Rate > 0 && o.Rate < 1e100) || o.Has(wire.OptStart) && o.Heartbeat == 0 {
			t.Fatalf("read %+v", o)
		}
		padded := append(append([]byte(" , "), list...), " ,,"...)
		if len(padded) > wire.OptionsBytesMax {
			return
		}
		if again, err := wire.ParseOptions(padded, wire.Code(code)); err != nil || !reflect.DeepEqual(again, o) {
			t.Fatalf("%+v, %v; want %+v", again, err, o)
		}
	})
}

// FuzzSOWRecord checks that records cover the body without gaps, and that
// those read come back from a batch.
func FuzzSOWRecord(f *testing.F) {
	f.Fuzz(func(t *testing.T, body []byte) {
		var d wire.Decoder
		for len(body) > 0 {
			record, rest, err := d.NextSOWRecord(body)
			if err != nil {
				var refusal *wire.HeaderError
				if !errors.As(err, &refusal) || refusal.Offset < 0 || refusal.Offset > len(body) {
					t.Fatalf("error %#v", err)
				}
				return
			}
			if len(record.Data)+len(rest) >= len(body) || !bytes.HasSuffix(body, rest) {
				t.Fatalf("record %q, rest %q", record, rest)
			}
			var batch wire.SOWBatch
			if !batch.Add(&record) {
				t.Fatal("an empty batch refuses a record")
			}
			_, read := readBatch(t, batch.AppendFrame(nil, []byte("t"), nil))
			if len(read) != 1 || string(read[0].Key) != string(record.Key) || string(read[0].CorrelationID) != string(record.CorrelationID) ||
				string(read[0].Timestamp) != string(record.Timestamp) || string(read[0].Data) != string(record.Data) {
				t.Fatalf("record %q came back as %q", record, read)
			}
			body = rest
		}
	})
}
