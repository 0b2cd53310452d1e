package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"farad/mmapstore"
	"farad/mmapstore/journal"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	if directory := os.Getenv("JOURNAL_CRASH_DIRECTORY"); directory != "" {
		appendUntilKilled(directory)
	}
	goleak.VerifyTestMain(m)
}

func options(t testing.TB) journal.Options {
	return journal.Options{Directory: t.TempDir(), Instance: "one", SegmentBytes: journal.SegmentBytesMin}
}

func open(t testing.TB, o journal.Options) *journal.Log {
	t.Helper()
	l, err := journal.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// numbered makes a record that tells by its texts which it is.
func numbered(i int) journal.Record {
	text := fmt.Sprintf("record %d %s", i, strings.Repeat("x", i%97))
	return journal.Record{
		Timestamp: int64(i), Publisher: uint64(i % 7), Sequence: uint64(i) + 1, Kind: journal.Publish, Type: []byte("json"),
		Topic: fmt.Appendf(nil, "topic-%d", i%5), Key: fmt.Append(nil, i), CorrelationID: []byte("c"), User: []byte("u"), Body: []byte(text),
	}
}

// contents reads everything behind an id.
func contents(t testing.TB, l *journal.Log, after uint64) []journal.Record {
	t.Helper()
	c := l.CursorAfter(after)
	var all []journal.Record
	for {
		var r journal.Record
		ok, err := c.Next(l.Visible(), &r)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return all
		}
		r.Body, r.Topic = bytes.Clone(r.Body), bytes.Clone(r.Topic)
		all = append(all, r)
	}
}

func append1(t testing.TB, l *journal.Log, r journal.Record) uint64 {
	t.Helper()
	records := []journal.Record{r}
	if _, err := l.Append(records); err != nil {
		t.Fatal(err)
	}
	return records[0].Txid
}

// waitDurable waits until everything up to an id is safe.
func waitDurable(t testing.TB, l *journal.Log, txid uint64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for l.Durable() < txid {
		c := l.CursorAfter(l.Durable())
		if err := c.Wait(ctx, false); err != nil {
			t.Fatal(err)
		}
	}
}

// The log against its model, a slice: what was appended comes back, in order,
// from any position, also after it was closed and opened again.
func TestLogAgreesWithAList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		directory, err := os.MkdirTemp(t.TempDir(), "log")
		if err != nil {
			rt.Fatal(err)
		}
		o := journal.Options{Directory: directory, Instance: "one", SegmentBytes: journal.SegmentBytesMin, HandedOver: rapid.Bool().Draw(rt, "handed over")}
		l := open(t, o)
		var model []journal.Record
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 4).Draw(rt, "step") {
			case 0:
				if err := l.Close(); err != nil {
					rt.Fatal(err)
				}
				l = open(t, o)
			case 1: // read on from somewhere
				from := rapid.IntRange(0, len(model)).Draw(rt, "from")
				after := uint64(0)
				if from > 0 {
					after = model[from-1].Txid
				}
				compare(rt, contents(t, l, after), model[from:])
			default:
				var batch []journal.Record
				for range rapid.IntRange(1, 120).Draw(rt, "batch") {
					batch = append(batch, numbered(len(model)+len(batch)))
				}
				if n, err := l.Append(batch); err != nil || n != len(batch) {
					rt.Fatal(n, err)
				}
				model = append(model, batch...)
			}
		}
		compare(rt, contents(t, l, 0), model)
		for publisher := range uint64(7) {
			want := uint64(0)
			for _, r := range model {
				if r.Publisher == publisher {
					want = r.Sequence
				}
			}
			if got := l.Sequence(publisher); got != want {
				rt.Fatalf("sequence of %d is %d, not %d", publisher, got, want)
			}
		}
		if err := l.Close(); err != nil {
			rt.Fatal(err)
		}
	})
}

func compare(t *rapid.T, got, want []journal.Record) {
	if len(got) != len(want) {
		t.Fatalf("%d records, not %d", len(got), len(want))
	}
	for i := range got {
		if got[i].Txid != want[i].Txid || !bytes.Equal(got[i].Body, want[i].Body) || !bytes.Equal(got[i].Topic, want[i].Topic) || got[i].Timestamp != want[i].Timestamp {
			t.Fatalf("record %d is %+v, not %+v", i, got[i], want[i])
		}
	}
}

// 07-transaction-log #19-21: names and sizes of files, going on in the next one,
// other instances' files.
func TestFilesOfTheLog(t *testing.T) {
	t.Parallel()
	o := options(t)
	l := open(t, o)
	check := func(written int) {
		names, err := filepath.Glob(filepath.Join(o.Directory, "one.*.journal"))
		if err != nil || len(names) != written+journal.SparesDefault {
			t.Fatalf("%d files %v, want %d and the spares", len(names), err, written)
		}
		for i, name := range names {
			info, err := os.Stat(name)
			if err != nil || info.Size() != journal.SegmentBytesMin || filepath.Base(name) != fmt.Sprintf("one.%010d.journal", i) {
				t.Errorf("%s: %v, %v", name, info.Size(), err)
			}
		}
	}
	check(1)
	for i := range 2000 {
		append1(t, l, numbered(i))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(o.Directory, "one.*.journal"))
	if len(names) < 5 {
		t.Fatalf("%d files after 2,000 records", len(names))
	}
	other := o
	other.Instance = "another"
	a := open(t, other)
	if got := contents(t, a, 0); len(got) != 0 {
		t.Errorf("another instance has %d records", len(got))
	}
	a.Close()
	l = open(t, o)
	if got := contents(t, l, 0); len(got) != 2000 {
		t.Errorf("%d records, not 2,000", len(got))
	}
	l.Close()
}

func TestDuplicatesAreLeftOut(t *testing.T) {
	t.Parallel()
	o := options(t)
	l := open(t, o)
	records := []journal.Record{
		{Publisher: 1, Sequence: 5, Body: []byte("a")}, {Publisher: 1, Sequence: 5, Body: []byte("b")}, {Publisher: 1, Sequence: 4}, {Publisher: 2, Sequence: 5, Body: []byte("c")},
		{Publisher: 1, Body: []byte("d")}, {Publisher: 1, Body: []byte("e")}, {Publisher: 1, Sequence: 9, Body: []byte("f")},
	}
	for range 2 {
		again := slices.Clone(records)
		if n, err := l.Append(again); err != nil || n != len(records) {
			t.Fatal(n, err)
		}
		l.Close()
		l = open(t, o)
	}
	var bodies string
	for _, r := range contents(t, l, 0) {
		bodies += string(r.Body)
	}
	if bodies != "acdefde" {
		t.Errorf("%s", bodies)
	}
	l.Close()
}

// 07-transaction-log #22: cut at every byte of its last record, the log ends in
// front of it, and goes on there.
func TestTornTailEndsTheLog(t *testing.T) {
	t.Parallel()
	o := options(t)
	l := open(t, o)
	const records = 20
	for i := range records {
		append1(t, l, numbered(i))
	}
	l.Close()
	path := filepath.Join(o.Directory, "one.0000000000.journal")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start, end := lastRecord(whole)
	for cut := start; cut < end; cut++ {
		torn := slices.Clone(whole)
		clear(torn[cut:])
		if err := os.WriteFile(path, torn, 0o640); err != nil {
			t.Fatal(err)
		}
		// The padding of a record is zero, and so is its loss.
		want := records - 1
		if bytes.Equal(torn, whole) {
			want = records
		}
		l, err := journal.Open(o)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if got := contents(t, l, 0); len(got) != want {
			t.Fatalf("cut at %d: %d records, not %d", cut, len(got), want)
		}
		append1(t, l, numbered(records))
		l.Close()
		l = open(t, o)
		if got := contents(t, l, 0); len(got) != want+1 || !bytes.Equal(got[want].Body, numbered(records).Body) {
			t.Fatalf("cut at %d, one more record: %d", cut, len(got))
		}
		l.Close()
	}
}

// lastRecord finds where the last record begins and ends.
func lastRecord(file []byte) (start, end int) {
	for at := 4096; ; {
		length := int(file[at]) | int(file[at+1])<<8 | int(file[at+2])<<16
		if length == 0 {
			return start, at
		}
		start, at = at, at+length
	}
}

// The part on the last journal of statement 23 of 07-transaction-log: each byte of an early
// record flipped, the log is not opened, and file and offset are named; unless
// the damage is accepted, and then the others are all there.
func TestDamageInTheMiddleIsReported(t *testing.T) {
	t.Parallel()
	o := options(t)
	l := open(t, o)
	var ids []uint64
	for i := range 30 {
		ids = append(ids, append1(t, l, numbered(i)))
	}
	l.Close()
	path := filepath.Join(o.Directory, "one.0000000000.journal")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	length := int(whole[4096]) | int(whole[4097])<<8
	first, second := 4096+length, 4096+length+(int(whole[4096+length])|int(whole[4097+length])<<8)
	for at := first; at < second; at++ {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x10
		if err := os.WriteFile(path, damaged, 0o640); err != nil {
			t.Fatal(err)
		}
		_, err := journal.Open(o)
		var damage *journal.DamageError
		if !errors.As(err, &damage) || damage.Path != path || damage.Offset != int64(first) || damage.Before != ids[0] || damage.After != ids[2] {
			t.Fatalf("flipped at %d: %v", at, err)
		}
	}
	accepting, reports := o, 0
	accepting.AcceptDamage, accepting.Report = true, func(string) { reports++ }
	l = open(t, accepting)
	if got := contents(t, l, 0); len(got) != 29 || got[0].Txid != ids[0] || got[1].Txid != ids[2] || reports == 0 {
		t.Errorf("%d records, %d reports", len(got), reports)
	}
	l.Close()
}

// 07-transaction-log #24: a hole in the files.
func TestMissingFileIsReported(t *testing.T) {
	t.Parallel()
	o := options(t)
	l := open(t, o)
	for i := range 2000 {
		append1(t, l, numbered(i))
	}
	l.Close()
	if err := os.Remove(filepath.Join(o.Directory, "one.0000000002.journal")); err != nil {
		t.Fatal(err)
	}
	_, err := journal.Open(o)
	var damage *journal.DamageError
	if !errors.As(err, &damage) || !strings.Contains(err.Error(), "segment 3 behind segment 1") {
		t.Errorf("%v", err)
	}
}

// A cursor that follows sees every record once, in order, while others append.
func TestCursorsFollowTheWriter(t *testing.T) {
	t.Parallel()
	o := options(t)
	l := open(t, o)
	const records = 5000
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var readers sync.WaitGroup
	for reader := range 4 {
		readers.Go(func() {
			visible := reader%2 == 0
			c := l.CursorAfter(0)
			last, count := uint64(0), 0
			for count < records {
				if err := c.Wait(ctx, visible); err != nil {
					t.Errorf("reader %d after %d: %v", reader, count, err)
					return
				}
				limit := l.Durable()
				if visible {
					limit = l.Visible()
				}
				for {
					var r journal.Record
					ok, err := c.Next(limit, &r)
					if err != nil {
						t.Error(err)
						return
					}
					if !ok {
						break
					}
					if r.Txid <= last || !bytes.Equal(r.Body, numbered(int(r.Timestamp)).Body) {
						t.Errorf("reader %d: record %d behind %d: %s", reader, r.Txid, last, r.Body)
						return
					}
					last = r.Txid
					count++
				}
			}
		})
	}
	for i := 0; i < records; {
		var batch []journal.Record
		for len(batch) < 1+i%17 && i < records {
			r := numbered(i)
			r.Sequence = 0
			batch = append(batch, r)
			i++
		}
		if _, err := l.Append(batch); err != nil {
			t.Fatal(err)
		}
	}
	readers.Wait()
	l.Close()
}

func TestAppendAllocatesNothing(t *testing.T) {
	o := options(t)
	o.SegmentBytes = 64 << 20
	l := open(t, o)
	defer l.Close()
	batch := []journal.Record{numbered(1), numbered(2), numbered(3)}
	for i := range batch {
		batch[i].Sequence = 0
	}
	if n := testing.AllocsPerRun(1000, func() {
		if _, err := l.Append(batch); err != nil {
			t.Fatal(err)
		}
	}); n > 0.5 { // the goroutine that syncs allocates a list a sync
		t.Errorf("%v allocations a batch", n)
	}
}

func TestRecordsThatDoNotFit(t *testing.T) {
	t.Parallel()
	l := open(t, options(t))
	defer l.Close()
	for _, r := range []journal.Record{{Body: make([]byte, journal.SegmentBytesMin)}, {Topic: make([]byte, 1<<16)}} {
		if n, err := l.Append([]journal.Record{{Body: []byte("first")}, r, {Body: []byte("third")}}); n != 1 || !errors.Is(err, journal.ErrTooLarge) {
			t.Errorf("%d, %v", n, err)
		}
	}
	if got := contents(t, l, 0); len(got) != 2 {
		t.Errorf("%d records, not the two in front", len(got))
	}
}

func FuzzOpen(f *testing.F) {
	o := options(f)
	l := open(f, o)
	for i := range 10 {
		append1(f, l, numbered(i))
	}
	l.Close()
	whole, err := os.ReadFile(filepath.Join(o.Directory, "one.0000000000.journal"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:8192], 4096)
	f.Add([]byte("not a journal"), 0)
	f.Fuzz(func(t *testing.T, bytes []byte, at int) {
		o := options(t)
		o.System = unsynced{mmapstore.OS()}
		file := slices.Clone(whole)
		if at >= 0 && at < len(file) {
			copy(file[at:], bytes)
		}
		if err := os.WriteFile(filepath.Join(o.Directory, "one.0000000000.journal"), file, 0o640); err != nil {
			t.Fatal(err)
		}
		for _, accept := range []bool{false, true} {
			o.AcceptDamage = accept
			l, err := journal.Open(o)
			if err != nil {
				continue
			}
			contents(t, l, 0)
			l.Close()
		}
	})
}
