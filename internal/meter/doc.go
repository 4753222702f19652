// Package meter counts and times what a PE does.
//
// Nothing reads a clock for each event. Phases that are rare enough are timed each time
// (Phase): rounds of GVT, rollbacks, fossil collection. Of operations that are not, a
// random few are timed and stand for the others (Sampler): refills of the event queue,
// deltas of states, uses of the rings. Account makes of both the times that the report, the
// samples and Snapshot have, such that they add up to the time of the run.
//
// Counters are plain numbers of one goroutine, that of the PE. Others read what the PE puts
// up for them now and then.
package meter
