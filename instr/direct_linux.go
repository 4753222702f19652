// This file owns writing past the page cache, which costs next to no processor time, and
// leaves the processors' caches to the simulation: what is written fast is read
// much later, if ever.

package instr

import (
	"os"

	"golang.org/x/sys/unix"
)

// openDirect opens a file for such writes once more. It returns nil if the file system
// cannot do it.
func openDirect(path string) *os.File {
	raw, err := os.OpenFile(path, os.O_WRONLY|unix.O_DIRECT, 0)
	if err != nil {
		return nil
	}
	return raw
}
