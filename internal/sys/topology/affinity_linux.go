// This file owns the processors of a thread, by system calls of Linux.

package topology

import (
	"syscall"
	"unsafe"
)

// Own returns the processors that the calling thread may use, nil if that is unknown.
func Own() Set {
	for words := 16; words <= mostProcessors/64; words *= 2 { // the system refuses masks that are too short
		s := make(Set, words)
		n, _, err := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, 0, uintptr(8*words),
			uintptr(unsafe.Pointer(unsafe.SliceData(s))))
		switch err {
		case 0:
			return s[:(n+7)/8] // what is beyond has not been written
		case syscall.EINVAL:
		default:
			return nil
		}
	}
	return nil
}

// Bind lets the calling thread run only on the processors of the set. The goroutine has to be locked to the thread, and
// the thread must get its former set back before it is unlocked: Go gives it to other goroutines, and never changes it.
func (s Set) Bind() error {
	if len(s) == 0 {
		return syscall.EINVAL
	}
	_, _, err := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, uintptr(8*len(s)),
		uintptr(unsafe.Pointer(unsafe.SliceData(s))))
	if err != 0 {
		return err
	}
	return nil
}
