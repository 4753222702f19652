// This file owns the processor that Go has for what writes files.

package instr

import (
	"runtime"
	"sync"
)

// spare counts the goroutines that write files. PEs never give up the processors that Go has
// (GOMAXPROCS), and it would take a writer milliseconds to get one of them: so Go has
// one more while there are any, which the operating system gives time to when it is needed.
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
	if spare.users--; spare.users == 0 && runtime.GOMAXPROCS(0) == spare.before+1 { // else somebody has changed it
		runtime.GOMAXPROCS(spare.before)
	}
}
