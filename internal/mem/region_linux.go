// Features that only Linux has: mappings that are not accounted for, huge pages on
// request, and /proc/meminfo.

package mem

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const noReserve = unix.MAP_NORESERVE

// adviseHuge requests huge pages; a kernel without them refuses, which only costs speed.
func adviseHuge(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }

// goSpace is the address space in bytes that is left to the Go runtime, unless half of
// all is less: the runtime ends the process if it gets none for a thread or for its
// heap.
const goSpace = 512 << 20

// AddressSpace returns the bytes of address space that the process has left for regions.
// Without a limit (RLIMIT_AS, which ulimit -v sets) this is 64 TiB, half of what common
// 64-bit systems have.
func AddressSpace() uint64 {
	const most = 1 << 46
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur >= most {
		return most
	}
	var pages uint64
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		size, _, _ := strings.Cut(string(text), " ")
		pages, _ = strconv.ParseUint(size, 10, 64)
	}
	left := limit.Cur - min(pages*uint64(pageSize), limit.Cur)
	return left - min(left/2, goSpace)
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
