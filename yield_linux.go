package ross

import "golang.org/x/sys/unix"

// yield lets another thread of the machine have the processor, if one wants it.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
