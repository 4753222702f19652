//go:build race || asan

// How much the tests do where each memory access costs a call.

package main

const sparse = 4 // one in this many combinations is tried
