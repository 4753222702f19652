// The length of the longest list, as tests run it.

//go:build !race && !asan

package deep

const longList = 1_000_000 // nodes
