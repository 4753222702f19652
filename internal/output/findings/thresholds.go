// This file owns the figures from which something counts as wrong with a run: the live page, the reports of rossreader
// and the short report share them, so that they agree about a run. What only a page of a run judges by is in
// findings.go. docs/findings.md says why they are what they are.

package findings

// Figures in percent.
const (
	LowEfficiency = 70 // efficiency below it: of ten events handled, more than two are undone
	MuchSecondary = 50 // of the rollbacks are secondary
	MuchIdle      = 40 // of the time, PEs have nothing to do
	MuchGVT       = 20 // of the time goes to GVT
	MuchRemote    = 40 // of the events go to other PEs; at random, 50 do so on two PEs, and more on more
	FullMemory    = 90 // of the limit is in use
	MostlyOnePE   = 50 // of the time, one PE handles the events of all: the others are not needed
	SomeOnePE     = 5  // of the time, it does so: the loads of PEs are not compared
)

// LackedProcessors reports whether PEs that had processors for some seconds waited for one for a fifth or more of the
// seconds in which they needed one, and for more than a tenth of the time of the run.
func LackedProcessors(had, waited, runtime float64) bool {
	return waited > 0.2*(had+waited) && waited > 0.1*runtime
}

// ShortOfMemory reports whether PEs waited for memory while nearly all of the limit was in use, in bytes, or events
// found none. A peak near the limit alone has made nobody wait.
func ShortOfMemory(peak, limit, shortages, aborted uint64) bool {
	return aborted > 0 || shortages > 0 && 100*float64(peak) >= FullMemory*float64(limit)
}

// Uneven is how many times the mean of all PEs a PE commits if the load is uneven.
const Uneven = 1.5

// Hot is the work of an LP or a KP, in terms of the mean of the PEs, from which it limits a run whose KPs
// move: below it there is little to gain.
const Hot = 1.2
