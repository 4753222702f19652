// This file owns the system calls behind Region and Filed on Linux: those of the standard library, since golang.org/x/sys would be a thirtieth of
// what a small program compiles.

package mem

import "syscall"

const (
	noAccess   = syscall.PROT_NONE
	readWrite  = syscall.PROT_READ | syscall.PROT_WRITE
	mapShared  = syscall.MAP_SHARED
	mapOwn     = syscall.MAP_PRIVATE | syscall.MAP_ANON
	readRandom = syscall.MADV_RANDOM
	dropPages  = syscall.MADV_DONTNEED
)

func mmap(fd, n, access, flags int) ([]byte, error) { return syscall.Mmap(fd, 0, n, access, flags) }

func munmap(b []byte) error { return syscall.Munmap(b) }

func mprotect(b []byte, access int) error { return syscall.Mprotect(b, access) }

func madvise(b []byte, advice int) error { return syscall.Madvise(b, advice) }
