// Package gvt computes Global Virtual Time: a signature that is at or before
// that of every event not yet handled and of every message under way. Whatever
// is before GVT can never be rolled back.
//
// # In one process
//
// PEs are threads that poll a [Group] between batches of events; none ever
// waits for another. A round has two cuts, after Mattern ("Efficient algorithms
// for distributed snapshots and global virtual time approximation", JPDC 18,
// 1993), in the form that shared memory allows (Fujimoto and Hybinette,
// "Computing global virtual time in shared-memory multiprocessors", TOMACS
// 7(4), 1997): no message has to be counted.
//
//  1. First cut. A PE that sees a new round takes the minimum of what it has
//     sent but not yet put into a channel, and from now on of everything that it
//     sends ([Cut]). When all PEs have passed this cut, a message that nobody
//     has in his minimum lies in a channel already.
//  2. Second cut. Each PE then empties its channels, does the rollbacks that
//     these messages cause, and reports the lesser of its least pending event
//     and the minimum above ([Settle]).
//  3. When all have reported, each PE reads all reports: the least of them is
//     GVT ([Done]). A next round cannot overwrite a report that somebody still
//     has to read, since its second cut waits for everybody's first.
//
// Proof sketch. Take a message or a pending event x at the moment of the last
// report. If x was sent after its sender's first cut and before that sender's
// report, the sender's minimum has it. If it was sent before the first cut, the
// receiver, whose report follows all first cuts, found it in its channel, or it
// was still unsent at the cut and the sender's minimum has it. If it was sent
// after the sender's report, an event not before that report caused it.
//
// Between two polls a PE does one batch of events, so a round takes about two
// batches of the slowest PE, and costs each PE a few reads of lines that
// seldom change.
//
// # What a report carries
//
// A [Bound] is a signature, not a time: in models in which many events share
// one time, as all do whose delays are whole numbers, a GVT that is a time would
// commit nothing until the last of them is done. A [Report] also carries flags
// that are joined by OR, so that all PEs learn of a stop in the same round.
package gvt
