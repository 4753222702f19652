// Package racetest is for tests whose builds watch memory: Finds shows that the race detector finds
// a race, and Pick has two sizes of a test, one for builds in which accesses to memory are slow.
package racetest

// Pick returns usual, or, in a build in which each access to memory is slow, the second size.
func Pick[T any](usual, slow T) T {
	if Slow {
		return slow
	}
	return usual
}
