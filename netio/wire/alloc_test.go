package wire_test

import (
	"testing"
	"time"

	"farad/netio/wire"
)

// TestNothingIsAllocated pins the hot paths. It is not parallel, since other
// goroutines' allocations would be counted.
func TestNothingIsAllocated(t *testing.T) {
	var d wire.Decoder
	decoding := func(payloads ...string) func() {
		buffers := make([][]byte, len(payloads))
		for i, p := range payloads {
			buffers[i] = []byte(p)
		}
		return func() {
			for _, b := range buffers {
				if _, err := d.Decode(b); err != nil {
					t.Error(err)
				}
			}
		}
	}
	records := []byte(`{"k":"1203","l":8}{"id":7}{"k":"99\"44","l":9}{"id":12}`)
	topic, key, body := []byte("orders"), []byte("12\n03"), []byte(`{"id":7}`)
	buffer := make([]byte, 0, 4<<10)
	var batch wire.SOWBatch
	record := wire.SOWRecord{Key: key, CorrelationID: []byte("x"), Timestamp: []byte("t"), Data: body}
	frame := framed(`{"c":"flush"}`)
	now := time.Now()
	for name, run := range map[string]func(){
		"decode a repeated publish":    decoding(string(plainPublish), string(plainPublish)),
		"decode sequenced publishes":   decoding(string(sequencedPublish), string(storedPublish), string(sequencedPublish), string(sequencedPublish)),
		"decode alternating publishes": decoding(string(sequencedPublish), string(otherPublish)),
		"decode other commands":        decoding(string(subscribeCommand), `{"c":"subscribe","t":"a\"b\u00e9","send_oof":"true","version":"1","gseq":"7"}`),
		"split a frame": func() {
			if _, _, _, err := wire.NextFrame(frame); err != nil {
				t.Error(err)
			}
		},
		"read sow records": func() {
			for rest := records; len(rest) > 0; {
				var err error
				if _, rest, err = d.NextSOWRecord(rest); err != nil {
					t.Error(err)
				}
			}
		},
		"write a frame with room": func() {
			w := wire.Begin(buffer[:0], wire.CodePublish)
			w.Acks(wire.AckProcessed | wire.AckPersisted)
			w.Text(wire.KeyTopic, topic)
			w.TextIf(wire.KeySOWKey, key)
			w.String(wire.KeySubIDs, "6,9")
			w.StringIf(wire.KeyStatus, "success")
			w.Number(wire.KeyMessageLength, 8)
			w.End(body)
		},
		"collect and write a sow batch": func() {
			batch.Reset()
			for range 5 {
				batch.Add(&record)
			}
			batch.AppendFrame(buffer[:0], topic, key)
		},
		"write a timestamp": func() { wire.AppendTimestamp(buffer[:0], now) },
	} {
		wantNoAllocation(t, name, run)
	}
}

// TestReadingOptionsAllocatesNothing is not parallel, for the same reason.
func TestReadingOptionsAllocatesNothing(t *testing.T) {
	heartbeat := []byte("start,30")
	wantNoAllocation(t, "parse options", func() {
		if _, err := wire.ParseOptions(typicalOptions, wire.CodeSOWAndSubscribe); err != nil {
			t.Error(err)
		}
	})
	wantNoAllocation(t, "parse the options of a heartbeat", func() {
		if _, err := wire.ParseOptions(heartbeat, wire.CodeHeartbeat); err != nil {
			t.Error(err)
		}
	})
}

func wantNoAllocation(t *testing.T, name string, run func()) {
	t.Helper()
	run() // grow what is kept
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("to %s allocates %v times", name, n)
	}
}
