// This file teaches the package: what a survey of a run's files is for.

// Package survey goes through the instrumentation files of one run for commands that
// draw them. These need to know the whole before they draw the first thing: when the run
// began and ended, which PEs, KPs and LPs there are, how much there is of everything.
// [New] reads the files once for that. [Run.Samples] and [Run.Trace] then read them a
// second time, one record after the other. So memory grows with the number of KPs and
// LPs, never with the length of the run.
//
// # Samples
//
// A record of a PE or a KP counts what happened since the record before it in the
// same file. [Sample] adds when that was. Of the first record of a file that ROSS
// itself wrote nobody knows: its clock is the counter of the processor, which began
// when the machine did. Files of this module begin with the run, at 0.
package survey
