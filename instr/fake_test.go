// This file owns the disk of the tests: slow, full, or broken when they want.

package instr

import (
	"io/fs"
	"sync"
)

// fakeDisk is a disk in memory.
type fakeDisk struct {
	mu     sync.Mutex
	data   []byte
	forget bool                            // keep nothing
	before func(write int, p []byte) error // called before each write with its number
	writes int
	sync   error // of Sync
	closed int
}

// startFake starts a file on d.
func startFake(d *fakeDisk, o FileOptions) *File {
	return start(newFile("fake", d, o))
}

// WriteAt writes half of p if before fails.
func (d *fakeDisk) WriteAt(p []byte, at int64) (int, error) {
	d.mu.Lock()
	n := d.writes
	d.writes++
	d.mu.Unlock()
	var err error
	if d.before != nil {
		err = d.before(n, p)
	}
	if err != nil {
		p = p[:len(p)/2]
		err = &fs.PathError{Op: "write", Path: "fake" + PartSuffix, Err: err}
	}
	if d.forget {
		return len(p), err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if more := at + int64(len(p)) - int64(len(d.data)); more > 0 {
		d.data = append(d.data, make([]byte, more)...)
	}
	return copy(d.data[at:], p), err
}

func (d *fakeDisk) Truncate(size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.data = d.data[:size]
	return nil
}

func (d *fakeDisk) Sync() error { return d.sync }

func (d *fakeDisk) Close() error {
	d.closed++
	return nil
}
