//go:build !linux

package run

// threadUsage returns what the calling thread has used; ok is false if that is unknown.
func threadUsage() (u processorUse, ok bool) { return processorUse{}, false }
