//go:build !linux

package ross

import (
	"runtime"
	"time"
)

// yield lets another goroutine have the processor, if one wants it.
func yield() { runtime.Gosched() }

// sleep sleeps for some microseconds.
func sleep(d time.Duration) { time.Sleep(d) }

// wakeInTime does nothing here.
func wakeInTime() {}
