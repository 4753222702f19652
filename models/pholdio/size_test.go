//go:build !race && !asan

// How much the tests do.

package main

const sparse = 1 // of as many combinations one is tried
