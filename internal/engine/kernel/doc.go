// Package kernel is the world of a handler: LPs, KPs and PEs, the history of what handlers did,
// and everything a handler can call. A PE knows neither other PEs nor GVT rounds:
// package timewarp adds undoing and channels, package run adds the schedulers. Only Run has all PEs of the process.
// While none of them is in its loop it gives KPs to other PEs (move.go), and one PE the queue of all (serial.go).
//
// # Types
//
//	Run       what all PEs of a rank share: settings, types, layout, budget; read-only while
//	          events are handled
//	PE        a processor's share: LPs, KPs, event arena, pending-event set
//	KP        LPs that roll back together, and their History
//	LP        id, time, state, random streams; two cache lines
//	Type      a kind of LP, without its type parameters
//	Message   a kind of message that a Type receives, with its handlers
//	Timers    the timers of an LP, armed and free
//	History   the log by which the uncommitted events of a KP are undone
//	Address   what other PEs may read of a PE
//	Outlet    the way out of this package: events for other PEs
//
// # Order of things
//
// Package run calls [PE.Open], which charges and makes LPs, streams, states, the event arena and
// the queue (make.go, makelps.go). A scheduler then handles events. For each it sets PE.Current, PE.Running
// and LP.Now and calls LP.Event; whatever else calls the model says so by verbs of the PE (running.go). The handler
// comes back through the faces of package ross:
//
//	LP.Schedule    send.go       a send: tie-breaker, checks, slot, key, queue
//	LP.Save        save.go       a value that may be put back
//	LP.Alloc, Free blocks.go     memory that rolls back; blocktags.go has which is in use
//	LP.Record      recording.go  a word for a statistic, which counts when the event commits
//	LP.Arm, Disarm timer.go      an event that may be cancelled
//	LP.Suspend     suspend.go    ignore events from now on
//	LP.Print       notes.go      a text for when the event commits
//	Watch          watch.go      the handler of LPs whose events are shown
//	LP.Blame       errors.go     a mistake of the model
//	LP.TriggerHook hook.go       call the GVT hook
//	LP.Stop        stop.go       end the run; stopafter.go: end it later
//
// When nothing can undo the event any more, the scheduler calls [PE.Committed] (commit.go), if
// anybody wants to see the event: the digest, the trace or the model's Commit. Then it frees the
// slot.
//
// Upper floors read the fields of these types, and write those that are theirs to write: the
// scheduler sets Left, Horizon, Current, Running and GVT; package timewarp pushes and pops
// histories; package collect calls SetTrace and sets PerLP.
//
// # Sizes in bytes
//
//	LP, with a stream of 48 and the core stream of 24     128
//	in addition (coldfields.go): flags                      1
//	type, if there are several                              2
//	digest, if there is one                                 8
//	time, if ross_all_lp_stats is written                   8
//	each further stream                                    48
//	KP, with the ends of its history                      168
//	header of an event in a history                        32
//	record of a send, a suspension, a note                  8
//	record of a saved value of n bytes                     16 + n, rounded up to 8
//	record of a recording in a statistic                   16
//	record of n bytes of undo data                          8 + n, rounded up to 8
//	record of a timer armed, expired or cancelled           8
//	record of a delta of up to 512 bytes                    8 + n, rounded up to 8
//	record of a longer delta, an allocation, a free        16, and a block of package buddy
//	history of a KP at first; it doubles                 4096, less if memory is short
//
// An event of PHOLD takes 40 bytes of history until it commits: a header and a send.
//
// # Who handles an LP
//
// The LPs of all PEs of a process lie in one array, PE by PE of the mapping (numbers.go). Event.Dst is a
// place in it, so that neither an event nor an anti-message changes when its LP is handled by another PE.
// LP.PE and KP.PE say who that is now, KP.Home who it is by the mapping; models see the second (PE, LP.PE).
//
// KPs move (move.go) only while nothing is uncommitted, and every PE stands still: histories are empty, no
// anti-message is needed any more, and lanes hold nothing. So what moves is small: pending events go to the
// queue of the new PE, but stay in the slots of the arena in which they are, which gets them back when they
// have committed; recordings in statistics go along; LPs that may stop the run are listed anew. States,
// streams and timers stay where they are. Blocks of Alloc stay in the pool of KP.Home, which takes a lock
// while any KP is away. With KPs away a sender finds the PE of the receiver in a table of 2 bytes for each
// LP of the process; without, by the bounds of its own LPs, as before.
//
// # One handler for each message
//
// An event says in its header which Message it has: the LP type's number would not tell, since a
// type may have several. An LP whose type has one message and no undo data has the model's Event
// as its handler; others have handleMessage, which finds it with one indexed load. A first timer
// changes the handler of its LP in the same way, so that models without timers do not look for
// them.
//
// Undo data is written to memory of the PE and copied to the history when the handler has
// returned, because the history may move while the handler sends. It is the address that Reverse
// and Commit get; without undo data they get that of the bits.
//
// # A cancelled timer stays in the queue until that is swept
//
// Cancelling searches no queue: the event of the timer, which has lapsed, finds at its time that its timer has gone,
// and does nothing (lapsed.go). What is cancelled and undone is a number in the LP to which the event belongs. When
// more than half of the events in a queue have lapsed or were cancelled (Dead), and at least 1,024, a sweep frees them,
// so that each pays for a look at two events. A scheduler without a history sweeps between its turns, others at a GVT.
// A cancellation may be undone as long as it is in a history. So a sweep first turns the numbers of timers back to
// those that committed events have left, by the records of the histories, and then forward again: commit does nothing
// for it, and slots of timers hold nothing for it.
//
// A sweep comes at another time in each scheduler, so lapsed events count nowhere: those that come up before one
// are counted out when they are met ([GroupLapsed]), and digest, trace and watch leave them out. Nor do they hold back
// or bring about what waits for an event: where a scheduler looks at what comes next, it drops those that have lapsed
// for good ([PE.Least], [PE.HasLapsed]). Before, they were committed, and in the digest; but a digest is of events in
// their order, so an event would have to wait for its turn to be in it.
//
// # Every send draws
//
// [LP.Schedule] draws the tie-breaker before it checks anything, so sends past the end and faulty
// sends draw too. ROSS does the same, and the tie-breakers of an LP must be those of ROSS. One
// comparison of several conditions sorts out the unusual sends; LP.allowed then finds the mistake.
//
// # A delay that vanishes in rounding
//
// now + delay == now is possible for a delay above 0. Such an event has the time of its cause but an
// unrelated tie-breaker. If that orders it after its cause, it stays as it is, and has the place
// that it has in ROSS. If not, ROSS loses the event without a word; here it is treated as a
// zero-delay event, which inherits the lineage of its cause and so comes after it. models/raid has
// such delays.
//
// # A zero-delay event must not come before its cause
//
// With a lower priority value it would, and an optimistic scheduler would roll back for ever. It is
// an error that names both priorities ([ErrOrder]).
//
// # Handlers are recast, not wrapped
//
// ross.Type is generic, the engine is not. A closure that converted the arguments would cost a
// second indirect call per event. Functions that differ only in what their pointer arguments point
// to have the same calling convention, so the function value is reinterpreted once, when the type
// is registered ([Handler]). No reflection remains on the hot path. Only an Event with the bits of
// ROSS, which is an [UndoHandler], is wrapped: most models need no bits, and pass three arguments.
//
// # Message types are compared by type word
//
// A send must match the receiver's message type. The first word of an interface that holds a *M
// identifies M: comparing it is one load and one compare, and with one message type in the
// simulation one compare with a field of the PE. Package reflect would cost calls.
//
// # A mistake ends the run at the next event
//
// Send returns nothing: models would have to check an error after every send, and would not. The
// first mistake is kept with LP, type and time, the scheduler's countdown is set to 0, and Run
// returns the error. A panic in a handler becomes such an error. The library never panics, exits
// or prints because of a model's mistake.
//
// # Mistakes of speculative events are notes
//
// An event that was handled too early may see a state that never occurs, and complain. So errors
// and texts of an optimistic event are notes in its history: reported when it commits, dropped when
// it is undone. GVT does not pass an event with an error, so the run ends where a sequential run would
// (package run, stop.go). The same holds for panics if the engine saves the state (SaveByLog, SaveByDelta):
// it can take the half-finished event back, and suspends the LP. If the model reverses by hand, a
// panic ends the run at once, because nobody knows how far Event got.
//
// # The history of a KP is a log
//
// ROSS keeps with each event what undoes it: a list of children, a copy of the streams, a delta.
// That is a second cache line per event, at a place as random as the first. Here each KP has one
// log: for each event a header, then what its handler did, in the order in which it did it. This is
// one sequential write per event, without allocations and without pointers to follow. Rollback pops
// records from the new end, so sends, saves, deltas, allocations and notes are undone newest first,
// however they are mixed. Fossil collection advances the old end. An empty log starts again at its
// beginning, so it stays in the cache.
//
// # Random streams are run backwards
//
// A header has the number of draws from the LP's first stream and from that of its tie-breakers,
// cut to 32 bits. An event that is undone draws backwards until they are reached, at some 10 ns a
// draw. The two states would be 48 bytes that each event writes, and that fossil collection reads
// past: without them two PEs are 3 to 5 % faster. A count does not lead back to what a normal
// distribution keeps, nor past a SetState or a Skip over many draws. So a stream that keeps
// something is saved as a whole, and so are those of LPs that have several or whose type SetsStreams.
// If the handler of another type sets the stream, the next event or rollback of the LP finds that
// out, and the run ends with an error ([LP.RefuseSet]).
//
// # A handler always finishes
//
// A handler cannot be stopped in the middle when there is no room for a record. [KP.Grow] and
// LP.Alloc then lend it memory beyond the budget, the event is taken back, and the loan with it. An
// event that GVT has reached, and for which everything has been tried, keeps what its history was
// lent until it commits.
//
// # Suspended LPs commit the events that they ignore
//
// For the engine an ignored event has been handled: it has a header, commits, and is in the digest.
// So its sender, GVT and rollback need no special case, and all schedulers commit the same events.
//
// # Reads instead of prefetches
//
// With many LPs each event misses the cache three times: event, LP, state. Prefetch instructions
// did not help, because processors drop a prefetch whose page is not in the TLB, which is where it
// would matter. So [PE.WarmCaches] really reads a word of each for the whole window, of an event and its message a word
// of each cache line. These reads overlap; those of handlers, one event after the other, would not. Reading more than
// the first line of a state gained nothing. Runs that fit the cache skip it. The ladder does the same before it writes
// to its buckets. bench/README.md, "What made it faster", has the gain.
//
// # Huge pages for the LPs
//
// LPs and states are visited in random order. Their slabs, which are in the Go heap, ask for huge
// pages before they are first written; so do large regions of package mem. This avoids most TLB
// misses.
//
// # PEs work in pages of their own
//
// Senders read ids, types of LPs and the flag of a sleeping PE. These are in [Address], apart from
// what the owner writes all the time. Separate cache lines are not enough for what two PEs work
// with: a processor that accesses lines in sequence fetches the next ones, up to the end of the
// page, and takes them from the PE that works with them. So PEs, KPs, arenas and queues end with an
// empty page ([Apart]), and the ladder's memory in C is whole pages. They do not all begin at the
// same offset in their pages, since they would then share few sets of the first-level cache. The
// empty page is behind the fields, because fields beyond the first 4096 bytes of a struct cost a
// comparison with nil, 2 % on one PE. bench/README.md, "Time Warp", has the gain.
//
// # The digest
//
// Each LP mixes its committed events in order: time, sender, priority, tie-breakers (the first, the
// event's own, and their number), and the bytes of the message without padding. The results of the
// LPs, mixed with their ids, are added up, so the order between LPs, which means nothing, has no
// effect. Equal digests mean that each LP handled the same events in the same order, whatever the
// scheduler. Only runs that ask for the digest pay for it.
//
// The message counts as it was sent, because models write to their messages, and what Event leaves
// there for Reverse may differ after a rollback although the model is right. A scheduler that
// commits at once digests an event before it calls Event. An optimistic one keeps a copy of the
// message, made before Event first sees it ([event.Arena.Keep]). Checkpoints use this copy for
// events that were handled and undone. A hash in place of the copy would be smaller, but would have
// changed the digests of all models.
//
// Package run adds a second number over the final states, since a field that Reverse forgets may
// affect no event.
package kernel
