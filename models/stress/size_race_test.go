//go:build race || asan

// How much the tests do where each memory access costs a call.

package main

const (
	randomRuns = 10
	shrink     = 3 // divides the end of a run
)
