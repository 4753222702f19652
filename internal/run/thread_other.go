// This file owns what a thread does to give way, and what it has used, on other systems than Linux.

//go:build !linux

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

// threadUsage returns what the calling thread has used; ok is false if that is unknown.
func threadUsage() (u processorUse, ok bool) { return processorUse{}, false }
