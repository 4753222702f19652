// This file owns the reservation of disk space ahead of what is written: writing takes four times as long if the file
// system learns of a file's growth write by write. It also owns writing past the page cache, which costs almost no
// processor time, and leaves the processors' caches to the simulation: the data is read much later, if ever.

package instr

import (
	"os"
	"syscall"
)

// allocate reserves n bytes from an offset of the file on, without changing its length.
// It reports whether the file system supports this.
func allocate(d disk, from, n int64) bool {
	const keepSize = 1 // FALLOC_FL_KEEP_SIZE
	f, ok := d.(*os.File)
	return ok && syscall.Fallocate(int(f.Fd()), keepSize, from, n) == nil
}

// openDirect opens a file a second time, for such writes. It returns nil if the file
// system does not support them.
func openDirect(path string) *os.File {
	raw, err := os.OpenFile(path, os.O_WRONLY|syscall.O_DIRECT, 0)
	if err != nil {
		return nil
	}
	return raw
}
