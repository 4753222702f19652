//go:build !asan

package racetest

// Asan is true under AddressSanitizer, which allocates on its own.
const Asan = false
