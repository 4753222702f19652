// This file owns what other Unix systems have: the system calls behind Region and Filed, since package syscall lacks
// some there, and the replacements for calls that only Linux has.

//go:build unix && !linux

package mem

import (
	"time"

	"golang.org/x/sys/unix"
)

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

const noReserve = 0

func adviseHuge([]byte) {}

// Available returns the bytes that a run may use if the system does not say: 8 GiB.
// --max-memory overrides it.
func Available() uint64 { return min(8<<30, most) }

// AddressSpace returns the bytes of address space that the process has left, if
// known: 64 TiB, half of what common 64-bit systems give.
func AddressSpace() uint64 { return 1 << 46 }

// resident returns 0: only Linux reports how much memory a process has.
func resident() uint64 { return 0 }

// SleepOn sleeps for a while, since nothing wakes it here.
func SleepOn(_ *uint32, _ uint32, most time.Duration) {
	const nap = 100 * time.Microsecond
	if most < 0 || most > nap {
		most = nap
	}
	time.Sleep(most)
}

// Rouse does nothing: nobody sleeps for long.
func Rouse(*uint32) {}
