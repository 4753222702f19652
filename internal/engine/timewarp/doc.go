// Package timewarp is Time Warp (Jefferson, "Virtual time", TOPLAS 7(3), 1985): stragglers,
// rollback, cancellation, fossil collection, and what to do when memory runs short. It also has the
// channels between PEs, the only part that conservative PEs use. It does not decide when any of
// this happens: package run owns the loop, GVT rounds and pace, and calls this package.
//
// # Types
//
//	PE            kernel.PE, embedded, with stragglers, doomed events, GVT and channels
//	team          the PEs of a rank, as they see one another
//	channels      a PE's ends of the rings to PEs of this rank
//	remote, peer  a PE's ends of the channels to PEs of other ranks
//	Gate          the seam to package run: may an event at or beyond the horizon be handled?
//
// # Order of things
//
// In each turn of its loop (internal/run/parallel.go) a PE calls
//
//	Drain, PollRemote       channels.go, rankreceive.go  take in what others sent
//	Settle               straggler.go                 roll back as that requires
//	HandleOptimistic     handle.go                    the hot loop: a batch of events
//	Flush, TurnRemote       channels.go, ranksend.go     send what they sent
//
// and, when GVT has advanced, RollbackTo if needed, FossilCollect (fossil.go) and Tighten
// (shortage.go).
//
// A send reaches Post (post.go) unless it stays on its PE and is later than all that was handled
// there. An event that arrives goes through accept: after the newest event of its KP it is queued,
// else it is a straggler. Settle works through two lists, so that rollbacks that cause others need
// no stack: stragglers, and doomed events, which were handled and then cancelled. Rollback undoes
// the events of a KP newest first (rollback.go): Reverse, then streams and records (records.go).
// Undoing a send cancels the event (cancel.go): a pending one is marked and dropped when it comes
// up, a handled one is doomed, and one on another PE gets an anti-message, or is taken out of the
// outbox if it has not left. An undone event goes back to the queue.
//
// # Sizes in bytes
//
//	Outbox, for each pair of PEs                                 128
//	ring, for each pair of PEs that talk: 1024 events            552 + 64 Ki for slots of 64;
//	                                                             fewer from 8 PEs on
//	event in a message to another rank, message of n bytes       56 + n, rounded up to 8
//	anti-message to another rank                                 8
//	peer, for each PE of another rank that was talked to         176; and a pointer for each PE
//
// # Events between PEs are copied, into slots that the sender books
//
// Arenas are parts of one address range, so an earlier engine sent only the 16-byte key and the
// receiver read the event where the sender had written it. Its cache line then went to the other
// processor and back. Now the event itself goes through the ring, whose lines are consecutive, so
// that processors fetch them ahead, and then lies in memory that only its receiver touches.
// bench/README.md, "Time Warp", has the gain.
//
// Its slot belongs to a lane: a range of indices for each pair of PEs. The sender hands these slots
// out (event.Arena.Book), so it knows the event by the index that it has at the receiver, and an
// anti-message names this index. Nothing is searched: there is no hash table and no tree. The
// channel keeps order, so the event is always there before its anti-message. Where memory is short,
// or with more than 128 PEs, an event keeps the sender's slot and is shared after all. Long
// messages and lineages are always shared.
//
// The sender of an anti-message has no event any more, so a round of GVT takes the event whose
// sending is undone as its bound: that one is before what it sent.
//
// # Events are flushed 8 to 24 at a time
//
// A flush costs cache misses on both sides, whether it carries one event or several. So events wait
// in the outbox until there are 8 for one PE, or for 8 turns of the loop, or until the PE has
// nothing to do. With hardly any rollbacks 24 are better than 8 by some per cent; with many they
// are far worse. So 8 grows to 24 while more than 98 % of the events stay, and is 8 again when
// fewer than 95 % do (internal/run/pace.go). Conservative PEs always use 24. bench/README.md, "Time
// Warp", has the figures.
//
// # The cache lines that two PEs share
//
// What a PE does with its own data costs the same on two cores as on one. These are the lines that one PE
// writes and another one reads or writes while a run goes on, and how often each goes from one core to the other:
//
//	line                    written by, when              read by, when                  why
//	records of a ring       sender: when it sends (Touch) receiver: once                 the event itself
//	                        and when it flushes
//	Ring.tail               sender: a flush, of 8 to 24   receiver: each turn; a miss    how much is there
//	                        events                        after each flush
//	Ring.head               receiver: each Drain that     sender: when it knows of no    how much room there is
//	                        finds something               room, once in some 1,000 events
//	Address.Asleep          receiver: when it sleeps      sender: each flush; no miss    whom to wake
//	                        and wakes                     while nobody sleeps
//	Group.round             who begins a GVT              all: each turn; a miss a GVT   a round has begun
//	Group.cut, numReports   all: once a round             all: each turn of a round      who has come so far
//	Group.reports           each its own: once a round    all: once a round              the bounds
//	team: Stop, Leave       who ends the run              all: each turn; no miss        whether to stop
//	team: Resting           a PE when it has no event,    idle PEs                       whether all wait
//	                        and when it has one again
//	Arena.back              receiver: when it has freed   sender: when its lane has no   slots of a lane that are
//	                        64 slots of a lane, and at    free slot                      free again
//	                        a GVT
//	moved.owner             KPs that move, at a GVT       all: each send; no miss        who handles an LP
//	depot of blocks and     all: 64 blocks or a chain     all: as often                  memory that others
//	lineages                at a time, under a lock                                      have left
//
// What does not change while events are handled, such as Address.ID, has lines of its own, and a send reads no
// structure that belongs to another PE.
//
// So an event costs a line that goes over and comes back, and its share of a tail: a line is fetched ahead, since
// records follow one another, but a tail is waited for. The slots of a lane, histories, LPs and the queue are touched
// by their PE alone. With KPs that have moved, the blocks of an LP stay in the pool of the PE that they came from.
//
// # A local send seldom looks at the receiver
//
// Whether an event is a straggler depends on the newest event of the receiver's KP, which is a
// cache miss away. A PE keeps its front: no KP has handled an event after it. An event after the
// front, as most are, goes to the queue without a look at its KP.
//
// # Events for a KP that has moved go on
//
// Where KPs may move (package run), PEs of the process know who handles an LP and send there. Other ranks
// know only the mapping, and send to the PE that it gives. If another one handles the LP now, the event is
// put into a ring of this rank like any other, and the slot that it gets there is noted under the id that
// the sender gave it, so that an anti-message goes the same way (relay.go). Until it is on its way it counts
// for the PE that passes it on. A table of owners on all ranks would save the detour of less than a
// microsecond, and cost a rank 2 bytes for each LP of the run and a message to all at each move.
//
// # An event at GVT is not speculation
//
// GVT is a lower bound of what can arrive, in the total order of events. So nothing can come before
// the event that is exactly at GVT, and that event may be handled whatever horizon or window say
// (gvt.Bound.Reached). This is also how types run that cannot be undone (SaveNever): their events
// wait until GVT has reached them.
//
// # The later events of a PE wait behind one that cannot be undone
//
// Only those of its KP would have to. But a KP that stays behind while others go on makes
// stragglers of all that it sends. The number of GVT rounds is the same either way, one for each
// such event, since GVT is the place of one event. bench/README.md, "Events that cannot be undone",
// has the figures.
//
// # Three ways to save states
//
// Reverse handlers, values that the model saves before it changes them, and deltas that the engine
// finds by itself (delta.go). A delta is the XOR of the changed words; LZ4 is tried from 4 KiB on
// (package delta). Deltas of up to 512 bytes are in the history; longer ones get a block of the
// buddy pool, so that histories stay small. The state is compared with a copy made before each
// event: one copy for each PE, none for an LP. A state of up to 64 bytes is copied to the history
// itself, where the copy becomes its delta. A PE makes room for long deltas when it has one.
// bench/README.md, "Time Warp", compares their cost.
//
// # No copies of whole states with coast-forward
//
// The alternative copies the state at every k-th event, and reaches the states between by handling
// events again. A delta of a 64-byte state adds less than 30 ns to an event of 75. For a state of
// 32 KiB a copy at every k-th event saves at most the comparison, some 0.7 us per event. It costs
// k/2 events that are handled again at each rollback, with their sends suppressed, and handlers
// that must be exactly repeatable. Not built.
//
// # Memory at the ceiling throttles optimism
//
// All PEs share the budget. An event that finds no memory is taken back (ROSS's abort event) and
// handled again later. The PE halves the number of events that may be uncommitted and asks for GVT,
// which frees memory. If even the event at GVT finds none, all PEs roll back to GVT, drop cancelled
// events, send slots home, share free ones and give back empty histories and the free pages of their
// pools (Tighten): blocks that optimism took of one size, or on one PE, would be of no use to others. Four such
// rounds in vain are an error: what was sent to others is free only when the anti-messages have
// arrived, so one is not enough, unless the PE is alone. A PE that lacks memory waits for the next
// GVT; trying earlier would cost the others their processor.
//
// A run whose optimism would take 130 times the memory of the sequential run finishes in twice that
// memory (TestOptimismIsThrottledToTwiceTheMemoryOfASequentialRun).
//
// Slots are never given back, so without a margin they would have all memory in the end, and each
// event would wait for a GVT at which all others were undone. Hence slots leave an eighth of the
// memory to histories and blocks, unless the event at GVT needs it. A queue that grows later may take
// this margin. Then histories borrow up to 1/32 of the memory beyond the ceiling as long as there are
// free slots: otherwise every event would cost five GVTs.
//
// A conservative PE cannot take an event back. So before a turn it sees to it that it has some slots and, if
// messages are large, a block, and lets all PEs give what they have left if it does not (PE.Afford). If that
// has not helped four times in a row, it goes on with what there is.
//
// If there is little memory it is taken in small pieces, 4 to 64 KiB, from which histories, slots,
// blocks and the buddy pool are made. Four PEs finish in twice the least memory that the sequential
// run needs, from 256 KiB on (TestFourPEsFitIntoTwiceTheMemoryOfASmallSequentialRun).
//
// # Events that cannot be undone have a reserve
//
// If the handler of such an event finds no memory it is too late: the event can neither be taken
// back nor be handled again. So, if there are such types, optimism leaves an eighth of the memory
// free, in slots or in bytes, and the handler is called only if the reserve is there. Otherwise the
// event at GVT waits like one that found no memory, and all PEs give up what is uncommitted. The
// reserve is left free, not charged, so no other PE can take it while the handler runs. What the
// history lacks is lent until the event commits.
//
// # Messages between ranks hold many events
//
// An outbox lists the slots of events that have not left. When there are enough for one PE, they
// are packed: PHOLD's event takes 64 bytes, an anti-message 8. Nothing is copied into structures in
// between. A message costs both sides about a microsecond, whether it holds one event or a hundred,
// but what comes late is rolled back for. So 32 events are worth a message through MPI, and 16 one
// through memory that ranks share. bench/README.md, "Ranks", has the efficiency for messages of
// several lengths.
//
// # Ids are the sender's, and a log finds the event
//
// An anti-message to another rank names an event by an id. The sender counts its events for each receiver, and the
// receiver notes in a log what has come (package avl): one append when an event arrives, and a search, mostly among
// the newest, when it is cancelled. What GVT has passed goes from the log by itself: an event cannot be cancelled
// any more once GVT has passed the time at which it was sent. So neither side has to learn what
// the other has committed.
//
// Before, the sender handed out the smallest ids that were free, and the receiver had a table by id: one store
// and one load. That made each commit of a sender look up what it had sent, and the tables stayed as long as they
// ever were. Slots booked by the sender, as within a process, would mean managing the receiver's memory from
// afar.
//
// # Lineages are sent as differences
//
// A zero-delay chain that goes back and forth would send all its tie-breakers at each hop, which is
// quadratic in its length. Both sides remember the last lineage that went through a channel, and
// only the depth of the common part and the new tie-breakers are sent.
//
// # An event from another rank that finds no memory waits, and counts
//
// MPI has delivered it, and the sender has forgotten it. It stays in its message, with all that
// follows, and is part of what the PE reports for GVT, while all PEs undo what is not committed, as
// in any shortage. The PE tries again in each turn of its loop.
//
// # The loop looks at GVT among ranks less and less often
//
// In a round each look at the all-reduce is a call of MPI, and another rank may be far from joining
// the round. So a PE with events looks every 4 turns at first, then every 8, then every 16
// ([PE.TestRemote]).
package timewarp
