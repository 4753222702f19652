// This file owns how a Machine is read from sysfs of Linux.

package topology

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

const (
	cpuFolder  = "devices/system/cpu"
	nodeFolder = "devices/system/node"
)

// Read reads the processors that are online from sysfs, which is /sys on Linux.
func Read(sys fs.FS) (Machine, error) {
	m, err := read(sys)
	if err != nil {
		return Machine{}, fmt.Errorf("topology: %w", err)
	}
	return m, nil
}

func read(sys fs.FS) (Machine, error) {
	online, err := readSet(sys, cpuFolder+"/online")
	if err != nil {
		return Machine{}, err
	}
	nodeOf, err := readNodes(sys)
	if err != nil {
		return Machine{}, err
	}
	slow, err := readSet(sys, "devices/cpu_atom/cpus") // efficiency cores of Intel
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Machine{}, err
	}
	m, known := Machine{Known: true}, map[int]bool{}
	for _, n := range online.All() {
		if known[n] { // as a hardware thread of a core before
			continue
		}
		of := fmt.Sprintf("%s/cpu%d/", cpuFolder, n)
		siblings, err := readSet(sys, of+"topology/core_cpus_list")
		if errors.Is(err, fs.ErrNotExist) { // Linux before 5.7
			siblings, err = readSet(sys, of+"topology/thread_siblings_list")
		}
		if err != nil {
			return Machine{}, err
		}
		if !siblings.Has(n) {
			return Machine{}, fmt.Errorf("%stopology: processor %d is not among those of its core", of, n)
		}
		c := Core{Node: nodeOf[n]}
		for _, i := range siblings.All() {
			if known[i] {
				return Machine{}, fmt.Errorf("%stopology: processor %d belongs to another core too", of, i)
			}
			if known[i] = true; online.Has(i) {
				c.Processors = append(c.Processors, i)
			}
		}
		for _, f := range []struct {
			name string
			to   *int
		}{{"topology/physical_package_id", &c.Socket}, {"topology/die_id", &c.Die}, {"cpu_capacity", &c.Capacity}} {
			if *f.to, err = readNumber(sys, of+f.name); err != nil {
				return Machine{}, err
			}
		}
		if slow.Len() > 0 {
			if c.Capacity = 2; slow.Has(n) {
				c.Capacity = 1
			}
		}
		m.Cores = append(m.Cores, c)
	}
	if len(m.Cores) == 0 {
		return Machine{}, errors.New(cpuFolder + "/online: no processor is online")
	}
	m.sort()
	return m, nil
}

// readNodes returns the node of each processor. A kernel without support for several has none.
func readNodes(sys fs.FS) (of map[int]int, err error) {
	of = map[int]int{}
	folders, err := fs.Glob(sys, nodeFolder+"/node[0-9]*")
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		node, err := strconv.Atoi(strings.TrimPrefix(path.Base(folder), "node"))
		if err != nil {
			continue
		}
		processors, err := readSet(sys, folder+"/cpulist")
		if err != nil {
			return nil, err
		}
		for _, n := range processors.All() {
			of[n] = node
		}
	}
	return of, nil
}

func readSet(sys fs.FS, name string) (Set, error) {
	text, err := fs.ReadFile(sys, name)
	if err != nil {
		return nil, err
	}
	s, err := ParseSet(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// readNumber returns the number in a file, 0 if there is no file, or if it says that the number is not known: -1.
func readNumber(sys fs.FS, name string) (int, error) {
	text, err := fs.ReadFile(sys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return max(n, 0), nil
}
