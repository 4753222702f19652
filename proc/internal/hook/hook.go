// Package hook has what only tests set: whether processes run as they are written, and who sees them go on.
package hook

import "sync/atomic"

var (
	// Direct says that no process uses what was generated for it.
	Direct atomic.Bool
	// Seen is called when a process goes on, with its LP, the virtual time, its PID, and what has ended its wait.
	Seen atomic.Pointer[func(lp uint64, now float64, pid uint64, why uint8)]
)
