package wire_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"farad/netio/wire"
	"pgregory.net/rapid"
)

// readBatch reads a sow frame's records as wire.Decoder does.
func readBatch(t rapid.TB, frame []byte) (header *wire.Command, records []wire.SOWRecord) {
	t.Helper()
	payload, size, _, err := wire.NextFrame(frame)
	if err != nil || size != len(frame) {
		t.Fatalf("size %d of %d, %v", size, len(frame), err)
	}
	header, err = new(wire.Decoder).Decode(payload)
	if err != nil {
		t.Fatal(err)
	}
	for body := header.Body; len(body) > 0; {
		var d wire.Decoder // one each, so that the fields stay
		var record wire.SOWRecord
		if record, body, err = d.NextSOWRecord(body); err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	return header, records
}

func drawRecords(r *rapid.T) []wire.SOWRecord {
	optional := rapid.Map(rapid.OneOf(rapid.Just(""), rapid.StringN(1, 6, -1)), func(s string) []byte { return []byte(s) })
	record := rapid.Custom(func(r *rapid.T) wire.SOWRecord {
		return wire.SOWRecord{
			Key: optional.Draw(r, "key"), CorrelationID: optional.Draw(r, "x"), Timestamp: optional.Draw(r, "ts"),
			Data: rapid.SliceOf(rapid.Byte()).Draw(r, "data"),
		}
	})
	return rapid.SliceOfN(record, 1, 12).Draw(r, "records")
}

// Every record has its length, the frame says how many there are, and a client
// that carries fields over from record to record sees none that is not the
// record's own. How many records a client asked for is not the batch's affair.
func TestRecordsComeBackAsTheyWentInEvenToAClientThatCarriesFieldsOver(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		records := drawRecords(r)
		topic, query := rapid.String().Draw(r, "topic"), rapid.String().Draw(r, "query")
		var batch wire.SOWBatch
		var got []wire.SOWRecord
		flush := func() {
			header, read := readBatch(r, batch.AppendFrame(nil, []byte(topic), []byte(query)))
			if header.Code != wire.CodeSOW || string(header.Topic()) != topic || string(header.QueryID()) != query ||
				header.Number(wire.KeyBatchSize) != uint64(len(read)) || len(read) != batch.Count() {
				r.Fatalf("%q with %d records of %d", header.Header(), len(read), batch.Count())
			}
			var carried wire.SOWRecord
			for _, record := range read {
				carry(&carried, &record)
				got = append(got, carried)
			}
			batch.Reset()
		}
		for i := range records {
			if !batch.Add(&records[i]) {
				flush()
				if !batch.Add(&records[i]) {
					r.Fatal("an empty batch refuses a record")
				}
			}
		}
		flush()
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", records) {
			r.Fatalf("got %q, want %q", got, records)
		}
	})
}

// carry overwrites those fields of kept that next has.
func carry(kept, next *wire.SOWRecord) {
	if len(next.Key) > 0 {
		kept.Key = next.Key
	}
	if len(next.CorrelationID) > 0 {
		kept.CorrelationID = next.CorrelationID
	}
	if len(next.Timestamp) > 0 {
		kept.Timestamp = next.Timestamp
	}
	kept.Data = next.Data
}

func TestRecordWithFewerFieldsStartsAnotherBatch(t *testing.T) {
	t.Parallel()
	full := wire.SOWRecord{Key: []byte("1"), CorrelationID: []byte("x"), Timestamp: []byte("t")}
	for name, fewer := range map[string]wire.SOWRecord{
		"key": {CorrelationID: full.CorrelationID, Timestamp: full.Timestamp}, "x": {Key: full.Key, Timestamp: full.Timestamp},
		"ts": {Key: full.Key, CorrelationID: full.CorrelationID}, "all": {},
	} {
		var batch wire.SOWBatch
		if !batch.Add(&fewer) || !batch.Add(&full) || batch.Add(&fewer) || batch.Count() != 2 {
			t.Errorf("without %s: %d records", name, batch.Count())
		}
		batch.Reset()
		if batch.Count() != 0 || !batch.Add(&fewer) || batch.Count() != 1 {
			t.Errorf("without %s: %d records after a reset", name, batch.Count())
		}
	}
}

func TestBatchIsFullBeforeItsFrameIsTooLong(t *testing.T) {
	t.Parallel()
	const longest = wire.FrameBytesMax - wire.HeaderBytesMax
	if wire.SOWBatchFull(1000, 1000) || wire.SOWBatchFull(longest/2, longest/2-1<<20) || !wire.SOWBatchFull(longest, 0) || !wire.SOWBatchFull(1, longest-1) {
		t.Error("a batch is full at the wrong size")
	}
}

func TestRecordThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                                  `expected '{'`,
		`x`:                                 `expected '{'`,
		`{"k":"1"}`:                         `the key "l"`,
		`{"k":"1","l":""}x`:                 `the key "l"`,
		`{"k":"1","l":3}ab`:                 `found 2 bytes of data, expected the record's 3 bytes`,
		`{"l":18446744073709551615}a`:       `the record's 18446744073709551615 bytes`,
		`{"l":"two"}ab`:                     `an unsigned 64-bit integer`,
		`{"k":"` + strings.Repeat("1", 100): `the closing quote`,
	} {
		var d wire.Decoder
		_, _, err := d.NextSOWRecord([]byte(body))
		var refusal *wire.HeaderError
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want %s", body, err, want)
		}
	}
}

func TestRecordIsReadInEverySpelling(t *testing.T) {
	t.Parallel()
	var d wire.Decoder
	record, rest, err := d.NextSOWRecord([]byte(`{"sow_key":12,"correlation_id":"a\"b","timestamp":"t","msg_len":"2","zz":1}}{rest`))
	if err != nil || string(record.Key) != "12" || string(record.CorrelationID) != `a"b` || string(record.Timestamp) != "t" ||
		string(record.Data) != "}{" || string(rest) != "rest" {
		t.Errorf("%q, rest %q, %v", record, rest, err)
	}
}
