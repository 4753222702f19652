// The size of the loads under the race detector and AddressSanitizer, which make
// each event ten times as expensive.

//go:build race || asan

package run_test

const loadStart = 2 // events of an LP at the start

// largestWorld is the number of ranks for whose regions one process has the address space.
const largestWorld = 32
