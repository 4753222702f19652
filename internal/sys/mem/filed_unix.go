// Memory whose contents are in a file without a name, for what must be kept beyond a ceiling.

//go:build unix

package mem

import (
	"fmt"
	"os"
)

// Filed returns n bytes of a new file in a folder. The system may move them to the disk at any time,
// and does so at Drop, which leaves their contents as they are. Nothing in them may be used after
// the release.
func Filed(dir string, n int) (b []byte, release func(), err error) {
	f, err := os.CreateTemp(dir, ".ross-copy-*")
	if err != nil {
		return nil, nil, fmt.Errorf("make a file for what exceeds the memory limit: %w", err)
	}
	defer f.Close()
	err = os.Remove(f.Name())
	if err == nil {
		err = f.Truncate(int64(n))
	}
	if err == nil {
		b, err = mmap(int(f.Fd()), n, readWrite, mapShared)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("make a file for what exceeds the memory limit: %w", err)
	}
	// Without this Linux reads ahead in large pieces, and then maps the whole of a piece.
	_ = madvise(b, readRandom)
	return b, func() { _ = munmap(b) }, nil
}

// Drop gives the memory of a Filed back to the system. It is read from the file again when it is
// used.
func Drop(b []byte) { _ = madvise(b, dropPages) }
