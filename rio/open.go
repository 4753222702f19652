// This file owns Checkpoint: it finds the files and reads the manifest.

package rio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Checkpoint is an open checkpoint. It is safe for concurrent use.
type Checkpoint struct {
	name   string
	m      *manifest
	files  *located
	starts []uint64  // index of the first LP of each partition
	orig   *original // nil if the files are ours
	newer  error
}

// Open opens the checkpoint of this name, ours or one of ROSS: it reads and checks the manifest,
// and that the other files are there, with the right id and size. Read checks data, Verify checks
// everything. A checkpoint that was committed before a crash is found even if its files do not have
// their final names yet.
//
// If the manifest is missing and other files exist, the error wraps ErrDamaged and ErrNone.
//
// The files stay open until Close, so another run may replace the checkpoint meanwhile.
func Open(name string) (*Checkpoint, error) {
	path := name + manifestSuffix
	m, errNew := readManifest(path + newSuffix)
	if errNew == nil {
		return open(name, m, true)
	}
	if errors.Is(errNew, fs.ErrNotExist) {
		errNew = nil
	}
	c, err := openFinal(name)
	switch {
	case err == nil:
		c.newer = errNew
		return c, nil
	case errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrDamaged):
		if errNew != nil {
			return nil, errNew
		}
		if Exists(name) {
			return nil, fmt.Errorf("ross: checkpoint: %s: the file is missing, but others of the checkpoint exist: %w (%w): %s",
				path, ErrDamaged, ErrNone, loadAnother)
		}
		return nil, fmt.Errorf("ross: checkpoint: %s: %w (%w): name one that was stored", path, ErrNone, fs.ErrNotExist)
	case errNew != nil:
		return nil, fmt.Errorf("%w (and %w)", err, errNew)
	}
	return nil, err
}

func openFinal(name string) (*Checkpoint, error) {
	m, err := readManifest(name + manifestSuffix)
	if errors.Is(err, ErrForeign) {
		if c, known, errOriginal := openOriginal(name); known {
			return c, errOriginal
		}
	}
	if err != nil {
		return nil, err
	}
	return open(name, m, false)
}

func open(name string, m *manifest, isNew bool) (*Checkpoint, error) {
	files, err := locate(name, m, isNew)
	if err != nil {
		return nil, err
	}
	return newCheckpoint(name, m, files), nil
}

func newCheckpoint(name string, m *manifest, files *located) *Checkpoint {
	c := &Checkpoint{name: name, m: m, files: files, starts: make([]uint64, len(m.entries))}
	var n uint64
	for i := range m.entries {
		c.starts[i] = n
		n += m.entries[i].LPs
	}
	return c
}

// readManifest reads a manifest of ours.
func readManifest(path string) (*manifest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError(err, "name a checkpoint that can be read")
	}
	defer f.Close()
	size, err := sizeOf(f)
	if err != nil {
		return nil, err
	}
	head, err := readHead(f, manifestHead+crcSize)
	if err != nil {
		return nil, err
	}
	// Checked before a file that is something else is read whole.
	if err := checkManifestHead(path, head, size); err != nil {
		return nil, err
	}
	b, err := readBytes(f, 0, size)
	if err != nil {
		return nil, err
	}
	return decodeManifest(path, b)
}

func sizeOf(f *os.File) (uint64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, fileError(err, loadAnother)
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("ross: checkpoint: %s: expected a file, found %v: %w: %s", f.Name(), info.Mode(), ErrForeign,
			loadAnother)
	}
	return uint64(info.Size()), nil
}

// readBytes reads n bytes, which the file should have.
func readBytes(f *os.File, offset, size uint64) ([]byte, error) {
	b := make([]byte, size)
	n, err := f.ReadAt(b, int64(offset))
	if uint64(n) == size {
		return b, nil
	}
	if isEnd(err) {
		return nil, damaged(f.Name(), offset+uint64(n), "expected %d bytes, the file ends", size-uint64(n))
	}
	return nil, fileError(err, loadAnother)
}

// located holds the open data files and index of a checkpoint.
type located struct {
	data  []*os.File
	index *os.File
}

func (l *located) all() []*os.File {
	if l.index == nil {
		return l.data
	}
	return append(slices.Clone(l.data), l.index)
}

func (l *located) paths() []string {
	var paths []string
	for _, f := range l.all() {
		paths = append(paths, f.Name())
	}
	return paths
}

func (l *located) close() error {
	var errs []error
	for _, f := range l.all() {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// locate opens the files that belong to a manifest. If the manifest is new, they may have their
// temporary names.
func locate(name string, m *manifest, isNew bool) (*located, error) {
	l := &located{}
	for i, want := range m.files {
		f, err := locateOne(dataName(name, i), isNew, dataHead, func(path string, head []byte, size uint64) error {
			if err := checkDataHeader(path, head, want.id, uint32(i)); err != nil {
				return err
			}
			if size != want.size {
				return damaged(path, size, "expected %d bytes, the file has %d", want.size, size)
			}
			return nil
		})
		if err != nil {
			return nil, errors.Join(err, l.close())
		}
		l.data = append(l.data, f)
	}
	f, err := locateOne(name+indexSuffix, isNew, indexHead, func(path string, head []byte, size uint64) error {
		return checkIndexHead(path, head, size, m.id, m.lps())
	})
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	l.index = f
	return l, nil
}

// locateOne opens a file under its final name or, if that file does not belong to the checkpoint,
// under its temporary one.
func locateOne(path string, isNew bool, headSize int, check func(path string, head []byte, size uint64) error) (
	*os.File, error) {
	f, err := openChecked(path, headSize, check)
	if err == nil || !isNew {
		return f, err
	}
	f, errNew := openChecked(path+newSuffix, headSize, check)
	if errNew == nil {
		return f, nil
	}
	if errors.Is(errNew, fs.ErrNotExist) {
		return nil, err
	}
	return nil, errNew
}

func openChecked(path string, headSize int, check func(path string, head []byte, size uint64) error) (*os.File, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("ross: checkpoint: %w: %w: %s", err, ErrDamaged, loadAnother)
	}
	if err != nil {
		return nil, fileError(err, loadAnother)
	}
	size, err := sizeOf(f)
	if err == nil {
		var head []byte
		if head, err = readHead(f, headSize); err == nil {
			err = check(path, head, size)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Info returns the description of the run. For ROSS's own checkpoints it has only LPs, and Streams:
// 1.
func (c *Checkpoint) Info() *Info { return c.m.info() }

// Newer returns why a newer checkpoint of the same name could not be read, so that Open opened the
// one before it. Such a checkpoint was committed before a crash but its files do not have their
// final names. Newer is nearly always nil: there is no such checkpoint.
func (c *Checkpoint) Newer() error { return c.newer }

// Original reports whether ROSS itself wrote the checkpoint.
func (c *Checkpoint) Original() bool { return c.orig != nil }

// Jobs returns the runs stored in it, at least one.
func (c *Checkpoint) Jobs() []Job { return slices.Clone(c.m.jobs) }

// Entries returns the partitions, in their order.
func (c *Checkpoint) Entries() []Entry { return slices.Clone(c.m.entries) }

// Close closes the files. Contents that were read remain valid.
func (c *Checkpoint) Close() error { return c.files.close() }
