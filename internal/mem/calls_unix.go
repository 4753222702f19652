// This file owns the system calls behind Region and Filed on other Unix systems. Package syscall lacks some of them there.

//go:build unix && !linux

package mem

import "golang.org/x/sys/unix"

const (
	noAccess   = unix.PROT_NONE
	readWrite  = unix.PROT_READ | unix.PROT_WRITE
	mapShared  = unix.MAP_SHARED
	mapOwn     = unix.MAP_PRIVATE | unix.MAP_ANON
	readRandom = unix.MADV_RANDOM
	dropPages  = unix.MADV_DONTNEED
)

func mmap(fd, n, access, flags int) ([]byte, error) { return unix.Mmap(fd, 0, n, access, flags) }

func munmap(b []byte) error { return unix.Munmap(b) }

func mprotect(b []byte, access int) error { return unix.Mprotect(b, access) }

func madvise(b []byte, advice int) error { return unix.Madvise(b, advice) }
