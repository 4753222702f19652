// This file owns the extra Go processor for goroutines that write files.

package instr

import (
	"runtime"
	"sync"
)

// spare counts the goroutines that write files. PEs never give up Go's processors
// (GOMAXPROCS), so a writer would wait milliseconds for one. While there are writers, Go has
// one processor more; the operating system gives it time as needed.
var spare struct {
	sync.Mutex
	users, before int
}

func takeSpare() {
	spare.Lock()
	defer spare.Unlock()
	if spare.users++; spare.users == 1 {
		spare.before = runtime.GOMAXPROCS(0)
		runtime.GOMAXPROCS(spare.before + 1)
	}
}

func leaveSpare() {
	spare.Lock()
	defer spare.Unlock()
	if spare.users--; spare.users == 0 && runtime.GOMAXPROCS(0) == spare.before+1 { // otherwise it was changed elsewhere
		runtime.GOMAXPROCS(spare.before)
	}
}
