//go:build !race && !asan

// How much the tests do.

package main

const sparse = 1 // one in this many combinations is tried
