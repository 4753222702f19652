// Package gvt computes Global Virtual Time: a place in the order of events that is at or before
// every event not yet handled and every message under way. Events before GVT can never be rolled
// back: they may be committed and their memory reused. The package is the engine's own: what it
// takes and returns are types of internal.
//
// # In one process
//
// PEs are threads that poll a [Group] between batches of events; none ever waits for another. A
// round has two cuts, after Mattern ("Efficient algorithms for distributed snapshots and global
// virtual time approximation", JPDC 18, 1993), in the form for shared memory, which need not count
// messages (Fujimoto and Hybinette, "Computing global virtual time in shared-memory
// multiprocessors", TOMACS 7(4), 1997).
//
//  1. First cut. A PE that sees a new round takes the minimum of what it has sent but not yet put
//     into a channel, and from now on of everything that it sends ([Cut]). When all PEs have passed
//     this cut, every message that is in no PE's minimum is already in a channel.
//  2. Second cut. Each PE then empties its channels, does the rollbacks that
//     these messages cause, and reports the lesser of its least pending event
//     and the minimum above ([ReportDue]). It keeps that minimum until then, since
//     a rollback sends anti-messages.
//  3. When all have reported, each PE reads all reports: the least of them is GVT ([Done]). The
//     next round cannot overwrite a report that some PE has yet to read: its second cut waits for
//     the first cut of all PEs, and no PE joins a round before it has the result of the last.
//
// Between two polls a PE does one batch of events, so a round takes about two
// batches of the slowest PE, and costs each PE a few reads of lines that
// seldom change.
//
// # Why it is a bound
//
// Events are compared in the whole order: first by their signatures (time, priority, tie-breakers),
// and, where these are equal, by receiver (its PE first, then its index there), sender and time of
// sending. A PE's queue has the same order among its own events.
//
// The proof rests on two properties of the engine. First, an event is after its cause: either its
// time is greater or, if it was sent without delay, its lineage is (a priority value lower than
// that of the cause is refused). So its signature is greater. Second, an incoming event or
// anti-message makes a PE undo only events that are not before it, so the resulting anti-messages
// are for events after it.
//
// Let G be the least report of a round. Claim: nothing that a PE handles, undoes or takes from a
// channel after its own report is before G. Suppose otherwise, and take the first such case among
// all PEs, in the order in which they happen.
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
// So there is no first case, and hence none at all. In particular, nothing can come before an event
// that is exactly at G: that event is not speculative ([Bound.Reached]). This needs the whole
// order. If bounds were signatures, two events with one signature would both be at G, although one
// of them might still be under way and come before the other. GVT never decreases: whatever the
// next round can report was pending or unsent at the reports of this one, or appeared after them.
//
// The proof does not need channels that keep the order of messages (anti-messages do), and PEs need
// not handle events in order. It only needs that nothing is hidden: at its report, every event of a
// PE is in the pending set, among the handled events, in a channel, or in its minimum.
//
// # Among ranks
//
// Ranks are processes whose PEs send each other messages over a network. Each rank does a round as
// above. When all members of a rank have reported, they do not compare the reports; instead the
// member with id 0 sends the rank's report to the other ranks, in one non-blocking all-reduce
// ([Ranks]). No rank announces a round: each begins it at its own time, and the all-reduce ends
// when the last rank has joined. But messages carry the round of their sender, so a receiver that
// is behind begins the round as well.
//
// The network cannot be emptied, so messages under way are counted, as in Mattern's algorithm. A
// message is white if it was sent before its sender passed the first cut of this round, and red if
// it was sent after. A report carries the white messages that a PE has sent less those that it has
// taken ([Report.Balance]), and the all-reduce adds these up. When the sum is 0, every white
// message had been taken before its receiver's report, which is what the claim above needs, and the
// least of all reports is GVT. Otherwise all members settle and report again, with everything sent
// since the cut in the minimum, until the sum is 0. Two counters are enough, one for messages of
// even rounds and one for odd rounds: a round ends with none of its white messages under way, and
// no PE sends messages of the next round before it has the result.
//
// The all-reduce finds the least of lists of words that order as bounds do: time, priority,
// tie-breakers, and what follows them. 12 words have room for six tie-breakers. If the least list
// is longer, a second all-reduce compares the words that follow, among those ranks whose words were
// equal so far, then a third, each with more words. So GVT is exact among ranks too, for lineages
// of any length, in O(log length) operations.
//
// On two ranks a round takes 1.4 to 1.8 attempts. An attempt fails if a rank reports before another
// has passed its first cut, and takes messages after that. With more ranks than processors it takes
// two, since a rank that has reported gives its processor to one that still sends.
//
// # One attempt where messages arrive at once
//
// Ranks of one machine exchange messages in memory: a message is there before its sender's report.
// Conservative PEs need not count them. A report covers ([Covered]) what the PE has sent since its
// last report, by the least of these times, and whoever has the result takes in what is there before
// it handles anything. So each message counts in the report of its sender, and it is pending at its
// receiver at the next one. What is sent after a report comes from events at GVT or later, and is at
// least the lookahead after that, beyond the new window. GVT is what it would be after a second
// attempt, since nobody has handled these events: they are beyond the last window.
//
// All ranks have to cover, or messages are counted as above: if PEs leave their loops or somebody
// looks at the run at this GVT; if a message did not fit into the memory; if one has arrived and
// found no memory. Optimistic PEs would handle messages between the reports of sender and receiver,
// and GVT would stay behind by all that they have sent since the last one. Counters stay as they are:
// a white message that is left under way is taken before the next report of its receiver, and so
// before messages of another round have its counter.
//
// # Windows of conservative PEs
//
// A conservative PE handles what is less than the lookahead after GVT. This is right for pending
// events, since whatever they cause on another PE is at least the lookahead later. But messages
// under way may come from events before GVT. A message under way therefore counts with a time that
// is earlier by the lookahead, rounded so that adding the lookahead again does not give a later
// time. If Init has sent an event to a time less than the lookahead, no such time exists; until
// that event has arrived, only the event at GVT is handled.
//
// # Anti-messages
//
// If the sender of an anti-message no longer has the event that it sent, the anti-message may count
// as the event that sent it. That event is before the one taken back and, since it is being undone,
// not before the last GVT.
//
// # What a report carries
//
// A [Bound] is more than a time. In some models many events share one time, for example if all
// delays are whole numbers; a GVT that were only a time would commit nothing until the last of them
// is done. Nor are equal signatures rare: LPs with the same seeds, such as those of appended jobs,
// draw the same tie-breakers. With bounds that ended at the signature, an event at GVT could still
// be overtaken by one under way. A [Report] also carries flags that are joined by OR, so that all
// PEs learn of a stop in the same round.
//
// A Bound has 64 bytes, a Report 128 with its padding.
package gvt
