//go:build !linux

package run

// threadUsage returns what the calling thread has used; ok is false if that is unknown.
func threadUsage() (u usage, ok bool) { return usage{}, false }
