// Package gvt computes Global Virtual Time: a place in the order of events that is at or
// before every event not yet handled and every message under way. Whatever
// is before GVT can never be rolled back: it may be committed and its memory
// reused.
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
//     and the minimum above ([Settle]). It keeps that minimum until then, since
//     a rollback sends anti-messages.
//  3. When all have reported, each PE reads all reports: the least of them is
//     GVT ([Done]). A next round cannot overwrite a report that somebody still
//     has to read, since its second cut waits for everybody's first, and nobody
//     joins a round before he has the result of the last.
//
// Between two polls a PE does one batch of events, so a round takes about two
// batches of the slowest PE, and costs each PE a few reads of lines that
// seldom change.
//
// # Why it is a bound
//
// Events are compared in the whole order: by their signatures (time, priority,
// tie-breakers), and, where these are equal, by receiver (its PE first, then its index
// there), sender and time of sending. A PE's queue has the same order among its own events.
//
// It rests on two properties of the engine. An event is after its cause: by its
// time, or, if sent without delay, by its lineage (a lower priority value than
// that of the cause is refused). So its signature is greater. And an event or anti-message that comes in
// makes a PE undo only events that are not before it, so that the anti-messages
// which this sends are for events after it.
//
// Let G be the least report of a round. Claim: what a PE handles, undoes or
// takes from a channel after its own report is not before G. Suppose some is,
// and look at the first case, of all PEs, in the order in which they happen.
//
//   - The PE handles an event x. If x was pending at the report, the report is
//     not after x. If it came in, or became pending again, after the report,
//     that was an earlier case. If the PE sent it to itself after the report,
//     its cause was handled after the report, hence is not before G, and x is
//     after its cause.
//   - The PE undoes an event x. Then something not after x came in, was handled
//     or was undone after the report, which was an earlier case. (Undoing all
//     that GVT has not passed, for want of memory, undoes nothing before it.)
//   - The PE takes a message m. If it was in the channel when its sender passed
//     the first cut, it was taken before the report, which follows all first
//     cuts. If it was sent before that cut but not yet in the channel, or sent
//     between the cut and the sender's report, the sender's minimum, hence G, is
//     not after m. If it was sent after the sender's report, the sender handled
//     the cause of m, or undid it, after its report, so that the cause is not
//     before G, and m is after its cause.
//
// There is no first case, hence none. In particular nothing can come before an event that
// is at G itself: that event is no speculation ([Bound.Reached]). This needs the whole order.
// If bounds were signatures, two events of one signature would both be at G, of which one may
// still be under way and come before the other. What a next round can report, too, was
// pending or unsent at the reports of this one, or appeared after them: GVT
// never decreases.
//
// The channels need not keep the order of messages for this (anti-messages need
// it), and no PE has to handle its events in order. What counts is that nothing
// hides: at its report a PE has no event anywhere but in the pending set, among
// the handled ones, in a channel or in its minimum.
//
// # Among ranks
//
// Ranks are processes whose PEs send each other messages over a network. There each
// rank does a round as above, and instead of comparing reports when all its members
// have told, the member with id 0 tells the other ranks, in one all-reduce that does
// not block ([Ranks]). Nobody announces a round: each rank begins it at its own time,
// and the all-reduce ends when the last one has told. But messages carry the round of
// their sender, so that a receiver that is behind begins it, too.
//
// What is under way on a network cannot be emptied, so it is counted, as Mattern has it.
// A message is white or red: sent before or after its sender passed the first cut of
// this round. Reports carry the white messages that a PE has sent less those that it
// has taken ([Report.Balance]), and the all-reduce adds them up. When the sum is 0, all
// white messages had been taken before their takers' reports, which is what the claim
// above needs, and the least of all reports is GVT. Otherwise all members settle and
// tell again, with all that they have sent since the cut in the minimum, until it is.
// Counting needs two counters: one for messages of even rounds and one for odd, since a
// round ends with none of the former under way, and nobody sends any of the next before he has
// the result.
//
// The all-reduce finds the least of lists of words that order as bounds do: time,
// priority, tie-breakers, and what follows them. 12 words have room for six tie-breakers. Where the least list is longer,
// a second all-reduce compares the words that follow, among those ranks that had the
// same before, then a third, each of more words. So GVT is exact among ranks, too:
// lineages of any length, in O(log length) operations.
//
// # Windows of conservative PEs
//
// A conservative PE handles what is less than the lookahead after GVT. That is right for
// what is pending, since whatever it causes on another PE is at least the lookahead
// later. But what is under way may come from events before GVT. So it counts with a
// time that is earlier by the lookahead, and rounded such that adding the lookahead again leads to no
// later time. There is no such time for what Init has sent to a time less than the lookahead; until that has
// arrived nothing is handled but the event at GVT.
//
// # Anti-messages
//
// An anti-message may count as the event whose sending it takes back, where the
// sender no longer has what it sent: that event is before it, and, since it is being
// undone, not before the last GVT.
//
// # What a report carries
//
// A [Bound] is not a time: in models in which many events share
// one time, as all do whose delays are whole numbers, a GVT that is a time would
// commit nothing until the last of them is done. A [Report] also carries flags
// that are joined by OR, so that all PEs learn of a stop in the same round.
package gvt
