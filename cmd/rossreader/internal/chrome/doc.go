// This file teaches the package: what a run looks like as a trace.

// Package chrome is `rossreader trace`: it draws a run as a trace in Chrome's
// trace-event format (JSON), which ui.perfetto.dev and chrome://tracing open.
//
// A PE is a process, and each of its KPs a thread:
//
//   - activity of the PE: a slice "sample" for each of its records, with the counters as
//     arguments, and within it a slice for each part of the time. These have the right
//     lengths, but stand one after the other in a fixed order: the record does not tell
//     when in the interval they were. What they leave is the rest, when the PE was idle
//     or did what is not timed.
//   - counters of the PE: event rate (events handled per second), efficiency in percent,
//     queue size, GVT.
//   - a KP: a slice "rollbacks" for each record that tells of rollbacks; how far
//     it is ahead of GVT, as a counter.
//   - events of a KP: an instant for each event of the trace, at its real time. This needs the
//     KP of each LP, which samples of LPs tell (--lp-data=1). Events of other LPs are in
//     a process "event trace", with a thread for each of the first [ownTracks] of them.
//
// Samples by GVT, by real time and at virtual times have tracks of their own if there
// are several of them. Time 0 is the begin of the run; for files of ROSS, whose clock is
// the counter of the processor divided by --clock-rate, the first record.
//
// # Large runs
//
// The trace is written while the files are read. If it would have more than
// --max-events events, half of them go to samples and what remains to the event trace: so
// many samples in a row become one that counts all of theirs, and of the event trace
// each so-many-th record is drawn.
package chrome
