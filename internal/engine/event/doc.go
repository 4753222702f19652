// Package event owns the events of a PE: their layout, which C shares, their
// memory, and their order.
//
// An event is a fixed slot outside the Go heap, named by a 32-bit index. The
// pending-event set (package pq) does not read events as long as their keys
// differ: a Key is the time's bits, a prefix of priority and tie-breaker, and
// the index. Compare orders events whose keys agree, by the signature of ROSS
// (McGlohon and Carothers, "Unbiased deterministic total ordering of parallel
// simulations with simultaneous events", WSC 2021): receive time, then
// priority, then the lineage of random tie-breakers.
//
// # Types
//
//	Space     the address range of all arenas of a rank
//	Arena     one PE's share: slots, lanes, blocks; its free slots
//	Event     the first 56 bytes of a slot; the payload follows
//	Key       what the queue sorts
//	Lineages  the tree of tie-breakers
//
// Package kernel takes a slot for each send and fills it; package pq compares events whose keys
// agree; packages kernel and timewarp free the slot when the event has committed or was cancelled.
//
// # Sizes in bytes
//
//	Event                                        56
//	slot with a payload of up to 8 bytes         64
//	slot with a payload of n bytes, n <= 1,024   56 + n, rounded up to 16
//	slot of a larger payload                     that of the other types, and a block of 2^k bytes, at least 256
//	Key                                          16
//	node of a lineage, one hop of a chain        24
//
// A PHOLD with 16 Ki pending events has 1 MiB of events and 256 KiB of keys.
//
// # Events lie outside the Go heap, under 32-bit indices
//
// The collector would scan millions of events for nothing, and C may not keep pointers into the Go
// heap. An index is half as long as a pointer, so a key has room for it. The price: a message may
// hold no pointer, which is checked when its type is registered.
//
// # 56 bytes, and no second line
//
// Sending, ordering and dispatching need 56 bytes, so a message of 8 bytes makes an event one cache
// line. What rollback and commit need is in the history of the KP (package kernel). With larger
// messages slots are packed to 16 bytes, because a line saved counts for more than a slot that
// straddles two.
//
// # Keys of 96 bits and an index
//
// Times are finite and not negative, so their bits order as they do. The prefix has 9 bits for the
// place of the priority on a grid of 1/128 (129 points and the 128 gaps between them) and 23 bits
// for the tie-breaker; a priority in a gap uses the 23 bits for itself. So events themselves are
// read only when keys agree in 96 bits. Of the pairs of events with one time and one priority on
// the grid, one in 8 million does.
//
// # Large messages get a block of their own
//
// The slot holds messages of up to 72 bytes, or of up to 1,024 if all of a model's are larger. Beyond that it holds a
// pointer to a block, so one rare type of large message does not make every event large. Blocks are powers of two, from
// a buddy pool that all PEs of the process share (package buddy), so that freed ones merge, and what one size of
// messages or one PE no longer needs serves others. A PE takes 64 blocks at a time. It gives them back in bundles, of
// 1,024 blocks, 1 MiB or 1/256 of a PE's part of the memory, whichever is least, and keeps two of these at most.
// Messages above a bundle take the lock of the pool for each event, which costs less than filling them.
//
// # Lineages are a shared tree
//
// An event without delay has the tie-breakers of its cause and one more. ROSS copies them into the
// event, and ends a chain at 20. Here they form a tree: an event points at its own node, a node at
// its parent's. A hop costs 24 bytes at any length. Jump pointers (Myers, "An applicative
// random-access stack", 1983) find where two chains part in O(log length), so comparing is cheap
// too. References to nodes are counted; freeing goes up the chain in a loop.
//
// # Slots go home
//
// A slot that is freed on another PE than the one that hands it out goes back to that one's arena,
// 64 at a time. Otherwise senders would open new slots for ever in a model whose events flow one
// way. The slot freed last is used first, since its cache line is usually still near.
//
// # What a PE does not need others can use
//
// The commons of a Space are free slots for any arena, which takes 64 at a time. In a shortage all PEs give
// half of theirs (Share). Once no more than a quarter of the memory is left, a PE that handles no events, because
// another one does (package run), gives all of them, and what comes home is for the commons as well (Rest); a PE that
// cannot undo events when it finds no memory gives what it does not need at each GVT (Trim). With more left, both would
// only open new slots again, and more and more of them. Before a turn such a PE sees to it that it has a slot for each
// event and a block (Provide). A range opens an eighth of the free memory at once at most.
//
// # Kept payloads need no table
//
// A digest over messages as they were sent needs copies of them (Arena.Keep). For messages of up to 72 bytes each slot
// has room for two. Copies of others are in blocks, which only events have that were handled: if all slots had room for
// two, optimistic runs with a digest would take twice the memory. An event that is undone gives the copy back if the
// message is as before (Unkeep). A bit of Class, which Free clears, is set if there is a copy.
package event
