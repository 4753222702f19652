// This file determines where to write a file that must appear complete.

// Package atomicfile knows how to write a file that must appear under its name only when it is complete:
// under a temporary name next to the file to be replaced, or, if that cannot be replaced, directly
// into it. It also finds out before a run whether that will be possible, and what to do about an error of a file.
package atomicfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Place is where a file is to be written.
type Place struct {
	// Path is the file to replace; if the name is a symbolic link, it is the target at the end of
	// the links. With Straight it is the file to open.
	Path string
	// Straight is true for a file that is a device, a FIFO or a file opened by a shell, which must not
	// be replaced.
	Straight bool
	// Perm are the permissions of the file that is replaced, 0 without such a file.
	Perm fs.FileMode
}

// mostLinks is the maximum number of links in a chain, as on Linux.
const mostLinks = 40

// Of returns where a file called path is to be written. The target of a link need not exist. It is
// an error if the file is a folder or a socket, or if the links cannot be followed.
func Of(path string) (Place, error) {
	// Not Lstat and Readlink first: the links of /proc/self/fd lead to pipes, which have no names.
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return follow(path)
	case err != nil:
		return Place{}, err
	case info.IsDir():
		return Place{}, &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
	case info.Mode()&fs.ModeSocket != 0:
		return Place{}, &fs.PathError{Op: "open", Path: path, Err: errSocket}
	case !info.Mode().IsRegular():
		return Place{Path: path, Straight: true}, nil
	}
	p, err := follow(path)
	if !p.Straight {
		p.Perm = info.Mode().Perm()
	}
	return p, err
}

var errSocket = errors.New("it is a socket")

// follow returns the target of symbolic links, whether it exists or not.
func follow(path string) (Place, error) {
	end := path
	for range mostLinks {
		to, err := os.Readlink(end)
		if err != nil { // not a link, or does not exist
			return Place{Path: end}, nil
		}
		// ".." refers to the real folder, not to the link.
		dir, err := filepath.EvalSymlinks(filepath.Dir(end))
		if err != nil {
			return Place{}, err
		}
		if strings.HasPrefix(dir, "/proc/") { // a file that a shell has opened: continue writing it
			return Place{Path: path, Straight: true}, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		end = to
	}
	return Place{}, fmt.Errorf("%s: more than %d symbolic links, one after the other", path, mostLinks)
}

// Open opens a file that is to be written directly.
func (p Place) Open() (*os.File, error) { return os.OpenFile(p.Path, os.O_WRONLY|os.O_APPEND, 0) }

// Write has write write a file, which has its name when it is complete.
func Write(path string, write func(io.Writer) error) error {
	at, err := Of(path)
	if err != nil {
		return err
	}
	var file *os.File
	if at.Straight {
		file, err = at.Open()
	} else {
		file, err = os.CreateTemp(filepath.Dir(at.Path), filepath.Base(at.Path)+".*.part")
	}
	if err != nil {
		return err
	}
	b := bufio.NewWriter(file)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	if at.Straight {
		return cmp.Or(err, file.Close())
	}
	_ = file.Chmod(cmp.Or(at.Perm, 0o644)) // some file systems have no permissions
	if err == nil {
		err = file.Sync()
	}
	if err = cmp.Or(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), at.Path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}
