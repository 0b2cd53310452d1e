// Package mmapstore is the one place that maps files into memory. Everything on
// disk goes through its System, so that tests can make a disk full, make a sync
// fail, or see what was done in which order.
package mmapstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// System is the file system as storage needs it.
type System interface {
	// Create makes a file of a size, with all its blocks allocated, so that a
	// full disk shows here and not when the memory is written to. It fails if
	// the file exists.
	Create(path string, size int64) (File, error)
	// Open opens a file to read and write.
	Open(path string) (File, error)
	// List returns the names in a directory, sorted.
	List(directory string) ([]string, error)
	// SyncDirectory makes the names in a directory durable.
	SyncDirectory(directory string) error
}

// File is a file that is mapped as a whole.
type File interface {
	// Bytes are the file's; writes to them reach it. They are valid until
	// Close.
	Bytes() []byte
	// Sync makes everything durable that was written before.
	Sync() error
	// Populate makes the pages of a range ready to be written without a fault.
	// It is a hint.
	Populate(from, to int)
	Close() error
}

// OS is the System of the operating system.
func OS() System { return osSystem{} }

type osSystem struct{}

func (osSystem) Create(path string, size int64) (File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return nil, err
	}
	if err := unix.Fallocate(int(f.Fd()), 0, 0, size); err != nil {
		f.Close()
		os.Remove(path)
		return nil, &fs.PathError{Op: "allocate", Path: path, Err: err}
	}
	return mapFile(f, size)
}

func (osSystem) Open(path string) (File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return mapFile(f, info.Size())
}

func (osSystem) List(directory string) ([]string, error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func (osSystem) SyncDirectory(directory string) error {
	f, err := os.Open(directory)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// mapped is a mapped file of the operating system.
type mapped struct {
	file  *os.File
	bytes []byte
}

func mapFile(f *os.File, size int64) (File, error) {
	if size == 0 {
		return &mapped{file: f}, nil // nothing can be mapped
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	return &mapped{f, b}, nil
}

func (m *mapped) Bytes() []byte { return m.bytes }

func (m *mapped) Sync() error { return unix.Fdatasync(int(m.file.Fd())) }

func (m *mapped) Populate(from, to int) {
	const page = 4096
	from, to = from&^(page-1), min(to, len(m.bytes))
	if from < to {
		_ = unix.Madvise(m.bytes[from:to], unix.MADV_POPULATE_WRITE)
	}
}

func (m *mapped) Close() error {
	var err error
	if m.bytes != nil {
		err = unix.Munmap(m.bytes)
		m.bytes = nil
	}
	return errors.Join(err, m.file.Close())
}
