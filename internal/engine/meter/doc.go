// Package meter counts and times the work of a PE.
//
// No clock is read for each event. Rare phases are always timed (Phase): rounds of GVT,
// rollbacks, fossil collection. Of frequent operations a random few are timed and stand for
// the others (Sampler): refills of the event queue, deltas of states, uses of the rings.
// From both Account computes the times in the report, the samples and Snapshot, which add
// up to the time of the run. What the report prints is in package report/figures.
//
// # Times add up
//
// A phase leaves out the phases within it. Gaps between samples are random, because models
// have rhythms. The cost of the clock is taken off each sample, which is more than a block of
// memory costs, and no sample counts for more than the time since the one before. Where one
// operation in hundreds is timed, those that take long are timed by the processor time of the
// thread (Lap): one during which others had the processor would otherwise stand for hundreds like
// it. LZ4 takes no more than the deltas that it is a part of. What is left of a PE's time is Event
// Processing, so the times of a PE add up to its running time, and a test says so.
//
// The time of rollbacks is split between stragglers and cancelled events by timing one of
// some eight closely. The times of LPs are parts of Event Processing. An LP has few samples or
// none, so the mean of its type counts as four of them.
//
// Counters are plain numbers that only the PE's goroutine uses. Others read copies that the
// PE publishes from time to time.
package meter
