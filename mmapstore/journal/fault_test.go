package journal_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"farad/mmapstore"
	"farad/mmapstore/journal"
)

// faulty is a file system whose disk can be full and whose syncs can fail.
type faulty struct {
	mmapstore.System
	full, broken atomic.Bool
}

func (f *faulty) Create(path string, size int64) (mmapstore.File, error) {
	if f.full.Load() {
		return nil, &fs.PathError{Op: "allocate", Path: path, Err: syscall.ENOSPC}
	}
	file, err := f.System.Create(path, size)
	return &faultyFile{file, f}, err
}

func (f *faulty) Open(path string) (mmapstore.File, error) {
	file, err := f.System.Open(path)
	return &faultyFile{file, f}, err
}

type faultyFile struct {
	mmapstore.File
	system *faulty
}

func (f *faultyFile) Sync() error {
	if f.system.broken.Load() {
		return syscall.EIO
	}
	return f.File.Sync()
}

// unsynced is a file system whose syncs cost nothing.
type unsynced struct{ mmapstore.System }

func (unsynced) SyncDirectory(string) error { return nil }

func (u unsynced) Create(path string, size int64) (mmapstore.File, error) {
	f, err := u.System.Create(path, size)
	return unsyncedFile{f}, err
}

func (u unsynced) Open(path string) (mmapstore.File, error) {
	f, err := u.System.Open(path)
	return unsyncedFile{f}, err
}

type unsyncedFile struct{ mmapstore.File }

func (unsyncedFile) Sync() error { return nil }

// A body full of heads of records, torn, does not hold recovery up.
func TestHeadsInATornBody(t *testing.T) {
	t.Parallel()
	o := options(t)
	l := open(t, o)
	append1(t, l, numbered(0))
	head := make([]byte, 80)
	head[1] = 0x40 // 16 KiB
	head[64], head[65] = 0xb0, 0x3f
	append1(t, l, journal.Record{Body: bytes.Repeat(head, 700)})
	l.Close()
	path := filepath.Join(o.Directory, "one.0000000000.journal")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	start, _ := lastRecord(file)
	file[start+8] ^= 1
	if err := os.WriteFile(path, file, 0o640); err != nil {
		t.Fatal(err)
	}
	_, err = journal.Open(o)
	var damage *journal.DamageError
	if !errors.As(err, &damage) || damage.Offset != int64(start) || !strings.Contains(err.Error(), "very many records") {
		t.Errorf("%v", err)
	}
}

// A full disk is an error to those who append, and passes.
func TestFullDiskIsAnErrorThatPasses(t *testing.T) {
	t.Parallel()
	system := &faulty{System: mmapstore.OS()}
	o := options(t)
	o.System = system
	l := open(t, o)
	defer l.Close()
	system.full.Store(true)
	appended := 0
	var err error
	for i := 0; err == nil && i < 100_000; i++ {
		var n int
		n, err = l.Append([]journal.Record{numbered(i)})
		appended += n
	}
	if !errors.Is(err, journal.ErrFull) || !errors.Is(err, syscall.ENOSPC) || appended == 0 {
		t.Fatalf("%d records, %v", appended, err)
	}
	if l.Err() != nil {
		t.Errorf("the log has failed: %v", l.Err())
	}
	if got := contents(t, l, 0); len(got) != appended {
		t.Errorf("%d records, not %d", len(got), appended)
	}
	system.full.Store(false)
	waitDurable(t, l, append1(t, l, numbered(appended)))
	if got := contents(t, l, 0); len(got) != appended+1 {
		t.Errorf("%d records after there was room, not %d", len(got), appended+1)
	}
}

// A sync that fails stops everything: nothing more becomes durable.
func TestFailedSyncStopsTheLog(t *testing.T) {
	t.Parallel()
	system := &faulty{System: mmapstore.OS()}
	o := options(t)
	o.System = system
	l := open(t, o)
	safe := append1(t, l, numbered(0))
	waitDurable(t, l, safe)
	system.broken.Store(true)
	append1(t, l, numbered(1))
	for l.Err() == nil {
		c := l.CursorAfter(l.Visible())
		_ = c.Wait(t.Context(), false)
	}
	if _, err := l.Append([]journal.Record{numbered(2)}); !errors.Is(err, journal.ErrFailed) || !errors.Is(err, syscall.EIO) {
		t.Errorf("%v", err)
	}
	system.broken.Store(false)
	if l.Durable() != safe {
		t.Errorf("durable %d, not %d", l.Durable(), safe)
	}
	if err := l.Close(); !errors.Is(err, journal.ErrFailed) {
		t.Errorf("close: %v", err)
	}
}

// appendUntilKilled is the process that the crash test kills: it appends at full
// rate and says what is durable.
func appendUntilKilled(directory string) {
	out := bufio.NewWriter(os.Stdout)
	lines := make(chan uint64, 1<<16)
	go func() {
		for id := range lines {
			fmt.Fprintln(out, id)
			if len(lines) == 0 {
				out.Flush()
			}
		}
	}()
	l, err := journal.Open(journal.Options{
		Directory: directory, Instance: "crash", SegmentBytes: 1 << 20, Durable: func(id uint64) { lines <- id },
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	batch := make([]journal.Record, 32)
	for i := 0; ; {
		for j := range batch {
			batch[j] = numbered(i)
			batch[j].Publisher, batch[j].Sequence = 1, l.Sequence(1)+uint64(j)+1
			i++
		}
		if _, err := l.Append(batch); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

// kill -9 at any moment: what was said to be durable is there, in order, once,
// and the log goes on.
func TestKilledProcessLosesNothingDurable(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	durable, records := uint64(0), 0
	for round := range 8 {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), "JOURNAL_CRASH_DIRECTORY="+directory)
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		scanner := bufio.NewScanner(out)
		for lines := 0; scanner.Scan(); lines++ {
			id, err := strconv.ParseUint(strings.TrimSpace(scanner.Text()), 10, 64)
			if err != nil {
				t.Fatalf("the process says %s", scanner.Text())
			}
			durable = id
			if lines == 20+round*13 {
				if err := process.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = process.Wait()
		l := open(t, journal.Options{Directory: directory, Instance: "crash", SegmentBytes: 1 << 20})
		all := contents(t, l, 0)
		if len(all) == 0 || all[len(all)-1].Txid < durable {
			t.Fatalf("round %d: %d records, durable was %d", round, len(all), durable)
		}
		for i, r := range all {
			if r.Sequence != uint64(i)+1 {
				t.Fatalf("round %d: record %d has sequence %d", round, i, r.Sequence)
			}
		}
		if len(all) <= records {
			t.Fatalf("round %d: %d records, %d before", round, len(all), records)
		}
		records = len(all)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
