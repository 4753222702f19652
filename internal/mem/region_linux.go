// What only Linux has: mappings that are not accounted for, huge pages on
// request, and /proc/meminfo.

package mem

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const noReserve = unix.MAP_NORESERVE

// adviseHuge asks for huge pages; a kernel without them refuses, which costs
// nothing but speed.
func adviseHuge(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }

// Available returns the bytes that a new program can use without swapping
// (MemAvailable), or less where a control group allows less.
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
	if limit, ok := readBytes("/sys/fs/cgroup/memory.max"); ok {
		used, _ := readBytes("/sys/fs/cgroup/memory.current")
		avail = min(avail, limit-min(used, limit))
	}
	return min(avail, most)
}

func readBytes(path string) (uint64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}
