// This file is the package documentation: what a run looks like as a trace.

// Package chrome is `rossreader trace`: it draws a run as a trace in Chrome's
// trace-event format (JSON), which ui.perfetto.dev and chrome://tracing open.
//
// A PE is a process, and each of its KPs a thread:
//
//   - activity of the PE: a slice "sample" for each of its records, with the counters as
//     arguments.
//   - counters of the PE: the share of each part of its time, in percent of the time between two
//     records, because these do not show when in it the parts were; the rest is time when the PE
//     was idle or did something that is not timed. Event rate (events handled per second),
//     efficiency in percent, queue size, GVT.
//   - a KP: a slice "rollbacks" for each record with rollbacks; how far it is ahead of GVT, as
//     a counter.
//   - events of a KP: a slice for each event of the trace, which begins at its real time and has the
//     least length, since the trace does not show how long the event took. An arrow leads from an
//     event to each event that it sent, if the trace has both. This needs the
//     KP of each LP, which is in samples of LPs (--lp-data=1). Events of other LPs are in a
//     process "event trace", with a thread for each of the first [ownTracks] of them.
//
// Samples by GVT, by real time and at virtual times have separate tracks if there are several
// kinds. Time 0 is the start of the run; for files of ROSS, whose clock is the processor's
// counter divided by --clock-rate, it is the first record.
//
// # Large runs
//
// The trace is written while the files are read. If it would have more than --max-events
// events, half of them are for samples and the rest for the event trace: several samples in a
// row are merged into one, and only one in several records of the event trace is drawn.
package chrome
