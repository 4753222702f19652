// This file owns Slow in builds without a watch on memory.

//go:build !race && !asan

package racetest

// Slow is true under the race detector and AddressSanitizer. They make each access to memory a
// call, and keep several words for each word of the program.
const Slow = false
