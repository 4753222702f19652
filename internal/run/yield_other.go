//go:build !linux

// This file owns yielding and short sleeps on other systems, by the Go runtime.

package run

import (
	"runtime"
	"time"
)

// yield lets another goroutine run, if there is one.
func yield() { runtime.Gosched() }

// sleep sleeps for some microseconds.
func sleep(d time.Duration) { time.Sleep(d) }

// wakeInTime does nothing on these systems.
func wakeInTime() {}
