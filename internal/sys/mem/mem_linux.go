// This file owns what only Linux has: mappings that are not accounted for, huge pages on request,
// /proc/meminfo, the limits of control groups, waiting for words of memory, and the system calls behind Region and
// Filed.

package mem

import (
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

const noReserve = syscall.MAP_NORESERVE

// adviseHuge requests huge pages; a kernel without them refuses, which only costs speed.
func adviseHuge(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }

// The address space in bytes that is left to the Go runtime, which ends the process if it
// gets none for its heap or for a thread, whose stack and C heap take some 72 MiB.
const (
	goSpace  = 512 << 20 // or half of what there is, if that is less, but
	goLowest = 256 << 20 // never less than this, however many regions are reserved
)

// AddressSpace returns the bytes of address space that the process has left for regions.
// Without a limit (RLIMIT_AS, which ulimit -v sets) this is 64 TiB, half of what common
// 64-bit systems have.
func AddressSpace() uint64 {
	const most = 1 << 46
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur >= most {
		return most
	}
	var pages uint64
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		size, _, _ := strings.Cut(string(text), " ")
		pages, _ = strconv.ParseUint(size, 10, 64)
	}
	left := limit.Cur - min(pages*uint64(pageSize), limit.Cur)
	return left - min(left, max(min(left/2, goSpace), goLowest))
}

// Available returns the bytes that a new program can use without swapping
// (MemAvailable), or less if a control group or the limit on the address space allows
// less. Of the latter it counts a quarter of what is left, because reservations also use
// it.
func Available() uint64 {
	avail := uint64(1 << 30)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemAvailable:" {
				if kib, err := strconv.ParseUint(f[1], 10, 64); err == nil {
					avail = kib << 10
				}
			}
		}
	}
	groups, _ := os.ReadFile("/proc/self/cgroup")
	avail = cgroupFree(cgroupRoot, string(groups), avail)
	return min(avail, most, AddressSpace()/4)
}

func readBytes(path string) (uint64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	return parseBytes(string(text))
}

func parseBytes(text string) (uint64, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	return n, err == nil
}

// resident returns the memory of the process, shared memory included.
func resident() uint64 {
	text, err := os.ReadFile("/proc/self/statm")
	if f := strings.Fields(string(text)); err == nil && len(f) > 1 {
		pages, _ := parseBytes(f[1])
		return pages * uint64(pageSize)
	}
	return 0
}

// The limits of control groups, of both versions: those of the process's group and of all around it.

// cgroupRoot is where the file systems of control groups are.
const cgroupRoot = "/sys/fs/cgroup"

// cgroupFiles are the names of the limit, of the usage, and of the part of the usage that the kernel
// drops when the group needs memory.
type cgroupFiles struct{ limit, used, cache string }

var (
	cgroup1 = cgroupFiles{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
	cgroup2 = cgroupFiles{"memory.max", "memory.current", "inactive_file"}
)

// cgroupFree returns the least number of bytes that the control groups of this process leave, avail
// if none leaves less. text is /proc/self/cgroup. Within a container, the names in it may be those
// outside, where only the root can be seen.
func cgroupFree(root, text string, avail uint64) uint64 {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		var mounts []string
		files := cgroup1
		switch {
		case f[0] == "0" && f[1] == "":
			mounts, files = []string{"", "unified"}, cgroup2
		case strings.Contains(","+f[1]+",", ",memory,"):
			mounts = []string{f[1], "memory"}
		}
		for _, mount := range mounts {
			for group := path.Clean("/" + f[2]); ; group = path.Dir(group) {
				avail = min(avail, files.free(path.Join(root, mount, group)))
				if group == "/" {
					break
				}
			}
		}
	}
	return avail
}

// free returns the bytes that the group with this folder leaves, or all if it has no limit.
func (f cgroupFiles) free(dir string) uint64 {
	const all = 1 << 62 // version 1 has a limit of nearly 2^63 if it has none
	limit, ok := readBytes(path.Join(dir, f.limit))
	if !ok || limit > all {
		return ^uint64(0)
	}
	used, _ := readBytes(path.Join(dir, f.used))
	stat, _ := os.ReadFile(path.Join(dir, "memory.stat"))
	for line := range strings.Lines(string(stat)) {
		if name, value, _ := strings.Cut(line, " "); name == f.cache {
			cache, _ := parseBytes(value)
			used -= min(used, cache)
		}
	}
	return limit - min(used, limit)
}

// The system calls behind Region and Filed are those of the standard library: golang.org/x/sys would be a thirtieth of
// what a small program compiles.

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

// Operations on a word that processes may share.
const (
	futexWait = 0
	futexWake = 1

	// briefly is how long a thread may sleep without the Go runtime knowing.
	briefly = 10 * time.Millisecond
)

// SleepOn returns when Rouse is called for the word, in any process that has its memory; when the time is over, unless
// it is negative; at once if the word is not as seen; and sometimes without a reason.
//
// The runtime does not know of a sleep that is short by intention. Of others it takes note, gives the goroutine's
// processor to other ones, and has a thread look every 20 microseconds for whether it should. Such threads of some
// ranks would take a good part of the processors for which the ranks give way.
func SleepOn(word *uint32, seen uint32, most time.Duration) {
	t := syscall.NsecToTimespec(int64(most))
	limit := &t
	if most < 0 {
		limit = nil
	}
	if most >= 0 && most <= briefly {
		_, _, _ = syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(seen),
			uintptr(unsafe.Pointer(limit)), 0, 0)
		return
	}
	_, _, _ = syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(seen),
		uintptr(unsafe.Pointer(limit)), 0, 0)
}

// Rouse wakes all that sleep on a word.
func Rouse(word *uint32) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, 1<<30, 0, 0, 0)
}
