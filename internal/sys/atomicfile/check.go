// This file determines before a run whether a file can be written after it, and what to do about an error of a file.

package atomicfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Check returns why no file can be written under a name, or nil. It leaves nothing behind, and does not try to open a
// device or a FIFO.
func Check(path string) error {
	at, err := Of(path)
	if err != nil || at.Straight {
		return err
	}
	return probe(path, filepath.Dir(at.Path), filepath.Base(at.Path)+".*.part")
}

// CheckFolder makes a folder if it does not exist, and returns why no file can be written in it, or nil.
func CheckFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return probe(dir, dir, ".ross-*")
}

// probe makes a file with a temporary name, writes to it, since a full disk may have room for a name, and removes it.
// Its error names path instead.
func probe(path, dir, pattern string) error {
	f, err := os.CreateTemp(dir, pattern)
	if err == nil {
		_, err = f.WriteString("\n")
		err = cmp.Or(err, f.Close())
		err = cmp.Or(err, os.Remove(f.Name()))
	}
	var why *fs.PathError
	if errors.As(err, &why) {
		err = &fs.PathError{Op: "write", Path: path, Err: why.Err}
	}
	return err
}

// Remedy returns what to do about an error of the system with a file. For an error that can have several causes, such
// as that there is no such file, it is otherwise.
func Remedy(err error, otherwise string) string {
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			return r.fix
		}
	}
	return otherwise
}

var remedies = []struct {
	err syscall.Errno
	fix string
}{
	{syscall.EMFILE, "the process has too many files open: raise its limit (ulimit -n)"},
	{syscall.ENFILE, "the system has too many files open: end other programs, or raise its limit"},
	{syscall.ENOSPC, "make room on the disk, or name a folder on another one"},
	{syscall.EDQUOT, "the quota is used up: remove files, or name a folder on another disk"},
	{syscall.EROFS, "name a folder on a file system that is not read-only"},
	{syscall.EACCES, "change the permissions, or name another"},
	{syscall.EPERM, "change the permissions, or name another"},
	{syscall.ENOTDIR, "a part of the path is a file: name another folder"},
	{syscall.EISDIR, "it is a folder: name a file in it, or remove it"},
	{syscall.ENAMETOOLONG, "give a shorter name"},
	{syscall.ELOOP, "symbolic links go in a circle: name another"},
	{syscall.EFBIG,
		"the file is too large for the file system or the limit of the process (ulimit -f): name a folder on another disk"},
	{syscall.EIO, "the disk fails: name a folder on another one"},
	{syscall.ESTALE, "the folder has gone from its server: name another"},
}
