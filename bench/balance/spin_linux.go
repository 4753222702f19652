package main

import "golang.org/x/sys/unix"

// spin computes on the first processor that the process may use until it is killed.
func spin() {
	var all, first unix.CPUSet
	if unix.SchedGetaffinity(0, &all) == nil {
		for i := range 1024 {
			if all.IsSet(i) {
				first.Set(i)
				break
			}
		}
		_ = unix.SchedSetaffinity(0, &first)
	}
	for x := uint64(1); x != 0; {
		x = 2*x + 1 | 1<<63
	}
}
