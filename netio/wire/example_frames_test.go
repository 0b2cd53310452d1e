package wire_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"farad/netio/wire"
)

// unhex reads the bytes of a dump.
func unhex(t *testing.T, dump string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(dump), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// exchange checks that a frame written is, byte by byte, the example, and
// that the example reads as the same fields.
func exchange(t *testing.T, name string, written, example []byte, body string, want map[wire.Key]string) {
	t.Helper()
	if !bytes.Equal(written, example) {
		t.Errorf("%s: written\n%s want\n%s", name, hex.Dump(written), hex.Dump(example))
	}
	payload, size, _, err := wire.NextFrame(example)
	if err != nil || size != len(example) {
		t.Fatalf("%s: size %d of %d, %v", name, size, len(example), err)
	}
	c := decode(t, string(payload))
	got := fields(c)
	for k, text := range want {
		if got[k] != text {
			t.Errorf("%s: %s is %q, want %q", name, k, got[k], text)
		}
	}
	if len(got) != len(want) || string(c.Body) != body {
		t.Errorf("%s: read %q with body %q", name, got, c.Body)
	}
}

func TestLogonAndItsAckAreTheExampleBytes(t *testing.T) {
	t.Parallel()
	w := wire.Begin(nil, wire.CodeLogon)
	w.String(wire.KeyCommandID, "0")
	w.Acks(wire.AckProcessed)
	w.String(wire.KeyClientName, "pricer-1")
	w.String(wire.KeyUserID, "ann")
	w.String(wire.KeyPassword, "s3")
	w.String(wire.KeyVersion, "1.0:go")
	w.String(wire.KeyMessageType, "json")
	exchange(t, "logon", w.End(nil),
		[]byte("\x00\x00\x00\x79"+`{"c":"logon","cid":"0","a":"processed","client_name":"pricer-1","user_id":"ann","pw":"s3","version":"1.0:go","mt":"json"}`), "",
		map[wire.Key]string{
			wire.KeyCommand: "logon", wire.KeyCommandID: "0", wire.KeyAckType: "processed", wire.KeyClientName: "pricer-1",
			wire.KeyUserID: "ann", wire.KeyPassword: "s3", wire.KeyVersion: "1.0:go", wire.KeyMessageType: "json",
		})

	w = wire.Begin(nil, wire.CodeAck)
	w.String(wire.KeyCommandID, "0")
	w.Number(wire.KeySequence, 41)
	w.String(wire.KeyBookmark, "8812034417|41|")
	w.String(wire.KeyClientName, "pricer-1")
	w.Acks(wire.AckProcessed)
	w.String(wire.KeyStatus, "success")
	w.String(wire.KeyVersion, "5.3.5.0")
	exchange(t, "ack", w.End(nil),
		[]byte("\x00\x00\x00\x82"+`{"c":"ack","cid":"0","s":41,"bm":"8812034417|41|","client_name":"pricer-1","a":"processed","status":"success","version":"5.3.5.0"}`), "",
		map[wire.Key]string{
			wire.KeyCommand: "ack", wire.KeyCommandID: "0", wire.KeySequence: "41", wire.KeyBookmark: "8812034417|41|",
			wire.KeyClientName: "pricer-1", wire.KeyAckType: "processed", wire.KeyStatus: "success", wire.KeyVersion: "5.3.5.0",
		})
}

func TestPublishAndItsConflatedAckAreTheExampleBytes(t *testing.T) {
	t.Parallel()
	w := wire.Begin(nil, wire.CodePublish)
	w.String(wire.KeyTopic, "fx")
	w.Acks(wire.AckPersisted)
	w.Number(wire.KeySequence, 42)
	exchange(t, "publish", w.End([]byte(`{"id":7}`)), unhex(t, `
		00 00 00 31 7b 22 63 22 3a 22 70 22 2c 22 74 22
		3a 22 66 78 22 2c 22 61 22 3a 22 70 65 72 73 69
		73 74 65 64 22 2c 22 73 22 3a 34 32 7d 7b 22 69
		64 22 3a 37 7d`), `{"id":7}`,
		map[wire.Key]string{wire.KeyCommand: "p", wire.KeyTopic: "fx", wire.KeyAckType: "persisted", wire.KeySequence: "42"})

	w = wire.Begin(nil, wire.CodeAck)
	w.Acks(wire.AckPersisted)
	w.String(wire.KeyStatus, "success")
	w.Number(wire.KeySequence, 42)
	w.String(wire.KeyBookmark, "8812034417|42|")
	exchange(t, "ack", w.End(nil),
		[]byte("\x00\x00\x00\x4b"+`{"c":"ack","a":"persisted","status":"success","s":42,"bm":"8812034417|42|"}`), "",
		map[wire.Key]string{
			wire.KeyCommand: "ack", wire.KeyAckType: "persisted", wire.KeyStatus: "success", wire.KeySequence: "42",
			wire.KeyBookmark: "8812034417|42|",
		})
}

func TestSOWBatchIsTheExampleBytes(t *testing.T) {
	t.Parallel()
	var batch wire.SOWBatch
	batch.Add(&wire.SOWRecord{Key: []byte("1203"), Data: []byte(`{"id":7}`)})
	batch.Add(&wire.SOWRecord{Key: []byte("9944"), Data: []byte(`{"id":12}`)})
	exchange(t, "sow", batch.AppendFrame(nil, []byte("fx"), []byte("5")), unhex(t, `
		00 00 00 5f 7b 22 63 22 3a 22 73 6f 77 22 2c 22
		74 22 3a 22 66 78 22 2c 22 71 75 65 72 79 5f 69
		64 22 3a 22 35 22 2c 22 62 73 22 3a 32 7d 7b 22
		6b 22 3a 22 31 32 30 33 22 2c 22 6c 22 3a 38 7d
		7b 22 69 64 22 3a 37 7d 7b 22 6b 22 3a 22 39 39
		34 34 22 2c 22 6c 22 3a 39 7d 7b 22 69 64 22 3a
		31 32 7d`), `{"k":"1203","l":8}{"id":7}{"k":"9944","l":9}{"id":12}`,
		map[wire.Key]string{wire.KeyCommand: "sow", wire.KeyTopic: "fx", wire.KeyQueryID: "5", wire.KeyBatchSize: "2"})
}

func TestDeliveryAndOutOfFocusAreTheExampleBytes(t *testing.T) {
	t.Parallel()
	w := wire.Begin(nil, wire.CodePublish)
	w.String(wire.KeyTopic, "fx")
	w.String(wire.KeySubIDs, "6,9")
	w.String(wire.KeySOWKey, "1203")
	w.Number(wire.KeyMessageLength, 8)
	exchange(t, "publish", w.End([]byte(`{"id":7}`)),
		[]byte("\x00\x00\x00\x38"+`{"c":"p","t":"fx","sids":"6,9","k":"1203","l":8}{"id":7}`), `{"id":7}`,
		map[wire.Key]string{
			wire.KeyCommand: "p", wire.KeyTopic: "fx", wire.KeySubIDs: "6,9", wire.KeySOWKey: "1203", wire.KeyMessageLength: "8",
		})

	w = wire.Begin(nil, wire.CodeOOF)
	w.String(wire.KeyTopic, "fx")
	w.String(wire.KeyReason, "match")
	w.String(wire.KeySOWKey, "1203")
	w.String(wire.KeySubIDs, "6")
	w.Number(wire.KeyMessageLength, 17)
	exchange(t, "oof", w.End([]byte(`{"id":7,"px":1.9}`)),
		[]byte("\x00\x00\x00\x53"+`{"c":"oof","t":"fx","reason":"match","k":"1203","sids":"6","l":17}{"id":7,"px":1.9}`), `{"id":7,"px":1.9}`,
		map[wire.Key]string{
			wire.KeyCommand: "oof", wire.KeyTopic: "fx", wire.KeyReason: "match", wire.KeySOWKey: "1203", wire.KeySubIDs: "6",
			wire.KeyMessageLength: "17",
		})
}
