// This file owns which processors the process may run on.

package ross

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// processors returns a bit for each processor that the process may run on, nil if
// that is not known.
func processors() []byte {
	var mask unix.CPUSet
	if unix.SchedGetaffinity(0, &mask) != nil {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&mask)), unsafe.Sizeof(mask))
}
