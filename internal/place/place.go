// This file owns where a file is written that is to appear whole.

// Package place says how a file is to be written that appears under its name only when it is complete: under a
// temporary name beside what is to be replaced, or, where nothing can be replaced, straight into what is there.
package place

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Place is where a file is to be written.
type Place struct {
	// Path is the file to replace: what is at the end of the links, if the name is that of a symbolic link. With Straight
	// it is the file to open.
	Path string
	// Straight says that there is a device, a FIFO or what a shell has opened, which nothing may replace.
	Straight bool
	// Perm are the permissions of the file that is replaced, 0 if there is none.
	Perm fs.FileMode
}

// mostLinks is how many links may follow one another, as on Linux.
const mostLinks = 40

// Of returns where a file called path is to be written. A link need not lead to a file that exists. It is an error if a
// folder or a socket is there, or if links lead nowhere.
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

// follow returns what is at the end of symbolic links, whether it exists or not.
func follow(path string) (Place, error) {
	end := path
	for range mostLinks {
		to, err := os.Readlink(end)
		if err != nil { // no link, or nothing there
			return Place{Path: end}, nil
		}
		// What follows ".." is beside the folder that is really there.
		dir, err := filepath.EvalSymlinks(filepath.Dir(end))
		if err != nil {
			return Place{}, err
		}
		if strings.HasPrefix(dir, "/proc/") { // a file that a shell has opened: it is to go on there
			return Place{Path: path, Straight: true}, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		end = to
	}
	return Place{}, fmt.Errorf("%s: more than %d symbolic links, one after the other", path, mostLinks)
}

// Open opens what is to be written straight into.
func (p Place) Open() (*os.File, error) { return os.OpenFile(p.Path, os.O_WRONLY|os.O_APPEND, 0) }
