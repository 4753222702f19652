//go:build !linux

package main

import "runtime"

// yield lets another thread have the processor, if only one of this process.
func yield() { runtime.Gosched() }
