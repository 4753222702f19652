// This file owns the processors that the process may run on, on Linux.

package ranks

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// processors returns a bit mask of the processors that the process may run on, or nil if they
// are unknown.
func processors() []byte {
	var mask unix.CPUSet
	if unix.SchedGetaffinity(0, &mask) != nil {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&mask)), unsafe.Sizeof(mask))
}
