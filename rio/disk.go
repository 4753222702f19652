// This file owns the steps that change files, and lets tests make them fail.

package rio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// disk changes files. Once fault has returned an error, it changes nothing more.
type disk struct {
	fault func(step string) error
	dead  error
}

// step is called before each change.
func (d *disk) step(what, path string) error {
	if d.dead == nil && d.fault != nil {
		if err := d.fault(what + " " + path); err != nil {
			d.dead = fmt.Errorf("ross: checkpoint: %s: %s: %w: store it again", path, what, err)
		}
	}
	return d.dead
}

const makeRoom = "make room on the disk, or name another folder"

// create makes a file, or empties an existing one, and writes and syncs its beginning.
func (d *disk) create(path string, data []byte) error {
	if err := d.step("create", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fileError(err, "name a folder that exists and can be written to")
	}
	err = d.writeAt(f, data, 0)
	if err == nil {
		err = d.sync(f)
	}
	return errors.Join(err, closeFile(f))
}

func (d *disk) writeAt(f *os.File, data []byte, offset uint64) error {
	if err := d.step("write", f.Name()); err != nil {
		return err
	}
	if _, err := f.WriteAt(data, int64(offset)); err != nil {
		return fileError(err, makeRoom)
	}
	return nil
}

func (d *disk) sync(f *os.File) error {
	if err := d.step("sync", f.Name()); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return fileError(err, makeRoom)
	}
	return nil
}

func closeFile(f *os.File) error {
	if err := f.Close(); err != nil {
		return fileError(err, makeRoom)
	}
	return nil
}

func (d *disk) rename(from, to string) error {
	if err := d.step("rename", from); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return fileError(err, "check which other program changes the files")
	}
	return nil
}

// removeAll removes those of the files that exist.
func (d *disk) removeAll(paths ...string) error {
	for _, path := range paths {
		if err := d.step("remove", path); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fileError(err, "remove it by hand")
		}
	}
	return nil
}

// syncFolder makes sure that names given in the folder of a checkpoint survive a loss of power.
func (d *disk) syncFolder(name string) error {
	dir := filepath.Dir(name)
	if err := d.step("sync", dir); err != nil {
		return err
	}
	f, err := os.Open(dir)
	if err != nil {
		return fileError(err, "name a folder that can be read")
	}
	err = f.Sync()
	if err != nil {
		err = fileError(err, "name a folder on another file system")
	}
	return errors.Join(err, closeFile(f))
}

func isEnd(err error) bool {
	return err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
