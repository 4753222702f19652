// This file owns Slow in builds in which accesses to memory are slow.

//go:build race || asan

package racetest

// Slow is true under the race detector and AddressSanitizer. They make each access to memory a
// call, and keep several words for each word of the program.
const Slow = true
