//go:build !linux

package ross

import "runtime"

// yield lets another goroutine have the processor, if one wants it.
func yield() { runtime.Gosched() }
