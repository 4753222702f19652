// This file is the package documentation: the purpose of a survey of a run's files.

// Package survey reads the instrumentation files of one run for commands that draw them.
// Before they begin to draw, these need to know when the run began and ended, which PEs,
// KPs and LPs there are, and the numbers of records. [New] reads the files once for
// this. [Run.Samples] and [Run.Trace] then read them a second time, one record after the
// other. So memory grows with the number of KPs and LPs, never with the length of the
// run.
//
// # Samples
//
// A record of a PE or a KP counts what happened since the previous record in the same
// file. [Sample] adds the time of that record. It is unknown for the first record of a
// file that ROSS itself wrote: its clock is the processor's counter, which started with
// the machine. Files of this module begin with the run, at 0.
package survey
