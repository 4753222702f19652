// The limits of control groups, of both versions: those of the process's group and of all around it.

package mem

import (
	"os"
	"path"
	"strings"
)

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
