// This file owns the processors that the process may run on, on Linux.

package ranks

import (
	"syscall"
	"unsafe"
)

// processors returns a bit mask of the processors that the process may run on, or nil if they
// are unknown.
func processors() []byte {
	var mask [16]uint64 // as in the C library: 1024 processors
	if _, _, err := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(mask),
		uintptr(unsafe.Pointer(&mask))); err != 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&mask)), unsafe.Sizeof(mask))
}
