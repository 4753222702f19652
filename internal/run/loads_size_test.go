// The size of the loads: about 10,000 events of each run for each one of these.

//go:build !race && !asan

package run_test

const loadStart = 16 // events of an LP at the start

// largestWorld is the number of ranks that one process has in tests.
const largestWorld = 512
