// Package cstack calls functions of C without cgo: on a stack of C that the caller provides. Such a call costs a few
// nanoseconds instead of some 40, because the scheduler of Go takes no part in it.
//
// That is also what it must not be used for: a function that waits for something, or for another thread, holds up the
// garbage collector, and all other goroutines with it. It must not call Go. Signals may arrive meanwhile: Go handles
// them on a stack of their own, and finds no frame of Go at the place of the program.
package cstack
