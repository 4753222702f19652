// The length of the longest list under the race detector and AddressSanitizer, which
// keep several words for each one of the program.

//go:build race || asan

package deep

const longList = 100_000 // nodes
