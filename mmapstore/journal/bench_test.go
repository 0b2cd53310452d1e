package journal_test

import (
	"fmt"
	"testing"

	"farad/mmapstore/journal"
)

func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{128, 1024} {
		for _, batch := range []int{1, 32, 128} {
			for _, handedOver := range []bool{true, false} {
				b.Run(fmt.Sprintf("%dB/batch%d/handed-over=%v", size, batch, handedOver), func(b *testing.B) {
					o := options(b)
					o.SegmentBytes, o.HandedOver = 256<<20, handedOver
					l := open(b, o)
					records := make([]journal.Record, batch)
					for i := range records {
						records[i] = journal.Record{Kind: journal.Publish, Type: []byte("json"), Topic: []byte("orders"), Body: make([]byte, size)}
					}
					b.SetBytes(int64(size))
					b.ReportAllocs()
					b.ResetTimer()
					for i := 0; i < b.N; i += batch {
						if _, err := l.Append(records); err != nil {
							b.Fatal(err)
						}
					}
					b.StopTimer()
					l.Close()
				})
			}
		}
	}
}

func BenchmarkReadAndRecover(b *testing.B) {
	o := options(b)
	o.SegmentBytes = 64 << 20
	l := open(b, o)
	const records = 1_000_000
	batch := make([]journal.Record, 100)
	for i := range batch {
		batch[i] = journal.Record{Kind: journal.Publish, Type: []byte("json"), Topic: []byte("orders"), Body: make([]byte, 128)}
	}
	for range records / len(batch) {
		if _, err := l.Append(batch); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("cursor", func(b *testing.B) {
		b.ReportAllocs()
		c := l.CursorAfter(0)
		var r journal.Record
		for b.Loop() {
			ok, err := c.Next(l.Visible(), &r)
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				c = l.CursorAfter(0)
			}
		}
	})
	l.Close()
	b.Run("open", func(b *testing.B) {
		b.SetBytes(records * 224)
		for b.Loop() {
			l := open(b, o)
			b.StopTimer()
			l.Close()
			b.StartTimer()
		}
	})
}
