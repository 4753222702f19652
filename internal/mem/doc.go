// Package mem gives the engine memory outside the Go heap: address space that
// is reserved once for the most a run may ever need and turned into memory as
// it is used.
//
// ROSS sizes its pools once, at start; a run that needs one event more dies
// hours in. Here a pool is a Region: reserving costs nothing but addresses, so
// the reservation can be as large as the machine's memory, growing copies
// nothing and moves nothing, and an address handed to C stays good. Large
// regions ask for huge pages, which matters when events are visited in an
// order no hardware prefetcher can guess.
//
// A limit of the address space (ulimit -v) makes reservations smaller: each takes a part
// of what is left at most. A region that has less than was asked for, and is full, says so.
//
// In a build with -race regions are parts of one variable of the program, so that the race
// detector sees them. There they have less room, see zoneSize.
//
// All regions of a simulation draw on one Budget, the ceiling that
// --max-memory sets.
package mem
