package wire_test

import (
	"strconv"
	"testing"

	"farad/netio/wire"
)

var (
	plainPublish     = []byte(`{"c":"p","t":"orders"}{"id":12345,"px":1.25,"qty":100,"side":"B"}`)
	sequencedPublish = []byte(`{"c":"p","t":"orders","s":123456}{"id":12345,"px":1.25,"qty":100,"side":"B"}`)
	storedPublish    = []byte(`{"c":"p","cid":"123456","t":"orders","s":123456}{"id":12345,"px":1.25,"qty":100,"side":"B"}`)
	otherPublish     = []byte(`{"c":"p","t":"trades","s":123456}{"id":12345,"px":1.25,"qty":100,"side":"B"}`)
	subscribeCommand = []byte(`{"c":"sow_and_subscribe","cid":"6","t":"orders","bs":10,"filter":"/px > 2 AND /symbol = 'IBM'",` +
		`"opts":"oof,timestamp,","a":"processed","query_id":"6","sub_id":"6"}`)
	typicalOptions = []byte("replace,oof,timestamp,conflation=100ms,conflation_key=[/id],select=[-/,+/id,+/px],top_n=10,")
)

// benchmarkDecode decodes payloads in turn. Each that has "123456" in it gets
// a new number every time, as from a publisher that counts.
func benchmarkDecode(b *testing.B, payloads ...[]byte) {
	var d wire.Decoder
	places := make([][]int, len(payloads))
	for i, p := range payloads {
		payloads[i] = append([]byte(nil), p...)
		for at := 0; at+6 <= len(p); at++ {
			if string(p[at:at+6]) == "123456" {
				places[i] = append(places[i], at)
			}
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n++ {
		i := n % len(payloads)
		for _, at := range places[i] {
			payloads[i][at+5] = '0' + byte(n&7)
		}
		if _, err := d.Decode(payloads[i]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodePublishRepeat(b *testing.B)    { benchmarkDecode(b, plainPublish) }
func BenchmarkDecodePublishSequenced(b *testing.B) { benchmarkDecode(b, sequencedPublish) }
func BenchmarkDecodePublishStored(b *testing.B)    { benchmarkDecode(b, storedPublish) }
func BenchmarkDecodeSubscribe(b *testing.B)        { benchmarkDecode(b, subscribeCommand) }

// BenchmarkDecodePublishAlternating changes the topic with every message, so
// that each header is parsed in full.
func BenchmarkDecodePublishAlternating(b *testing.B) {
	benchmarkDecode(b, sequencedPublish, otherPublish)
}

func BenchmarkWritePublish(b *testing.B) {
	buffer := make([]byte, 0, 1<<10)
	topic, ids, key, body := []byte("orders"), []byte("6,9"), []byte("1203"), []byte(`{"id":7}`)
	b.ReportAllocs()
	for n := 0; n < b.N; n++ {
		w := wire.Begin(buffer[:0], wire.CodePublish)
		w.Text(wire.KeyTopic, topic)
		w.Text(wire.KeySubIDs, ids)
		w.Text(wire.KeySOWKey, key)
		w.Number(wire.KeyMessageLength, uint64(len(body)))
		buffer = w.End(body)
	}
}

func BenchmarkParseOptions(b *testing.B) {
	b.ReportAllocs()
	for n := 0; n < b.N; n++ {
		if _, err := wire.ParseOptions(typicalOptions, wire.CodeSOWAndSubscribe); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSOWBatch(b *testing.B) {
	const records = 10
	var batch wire.SOWBatch
	var frame []byte
	topic, query := []byte("orders"), []byte("6")
	record := wire.SOWRecord{Key: []byte("12345678901234567890"), Data: plainPublish}
	b.ReportAllocs()
	for n := 0; n < b.N; n++ {
		batch.Reset()
		for i := 0; i < records; i++ {
			if !batch.Add(&record) {
				b.Fatal("record " + strconv.Itoa(i) + " refused")
			}
		}
		frame = batch.AppendFrame(frame[:0], topic, query)
	}
}
