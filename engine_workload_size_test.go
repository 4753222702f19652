// The size of the loads: about 10,000 events of each run for each one of these.

//go:build !race && !asan

package ross

const loadStart = 16 // events of an LP at the start

// LargestWorld is the number of ranks that one process has in tests.
const LargestWorld = 512
