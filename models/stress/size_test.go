//go:build !race && !asan

// How much the tests do.

package main

const (
	randomRuns = 100
	shrink     = 1 // divides the end of a run
)
