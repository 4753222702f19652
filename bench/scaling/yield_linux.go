package main

import "golang.org/x/sys/unix"

// yield lets another process have the processor.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
