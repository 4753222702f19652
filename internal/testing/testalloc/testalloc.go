// Package testalloc counts what a function allocates, for tests that say it is nothing.
//
// testing.AllocsPerRun counts for the whole program. The runtime allocates now and then as well, such as at the
// beginning of a garbage collection or for files that nobody closed; where a function runs only a few times, and
// takes long each time, that looks like allocations of its own. What a function itself allocates is there in each
// measurement, so the least of some is it.
package testalloc

import "testing"

// measurements is how often a function that seems to allocate is measured again.
const measurements = 5

// PerRun is testing.AllocsPerRun, measured until it is zero, at most five times: it returns the least.
func PerRun(runs int, f func()) float64 {
	least := testing.AllocsPerRun(runs, f)
	for n := 1; n < measurements && least > 0; n++ {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}
