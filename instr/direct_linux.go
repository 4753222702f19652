// This file owns writing past the page cache, which costs almost no processor time, and
// leaves the processors' caches to the simulation: the data is read much later, if ever.

package instr

import (
	"os"

	"golang.org/x/sys/unix"
)

// openDirect opens a file a second time, for such writes. It returns nil if the file
// system does not support them.
func openDirect(path string) *os.File {
	raw, err := os.OpenFile(path, os.O_WRONLY|unix.O_DIRECT, 0)
	if err != nil {
		return nil
	}
	return raw
}
