// Package pq is a priority queue that costs O(1): a ladder queue, in C and in Go.
//
// [Queue] holds values of any type, ordered by a time, for any program. A hold operation (a pop
// and a push) costs a fifth to a tenth of container/heap's (bench/README.md, "For other programs").
//
// [EventSet] is the pending-event set of a PE: a priority queue of future events, least first.
// Every event of a simulation goes through it twice. It takes types of the engine, and what
// follows is about it. A Queue is an EventSet whose keys stand for values instead of events.
//
// # What is queued
//
// The set holds keys of 16 bytes (event.Key), not events: the bits of the time, a
// 32-bit prefix of priority and tie-breaker, and the index of the event. Times are finite
// and at least 0, so their bits as integers order as the times do. Only keys that agree
// in the first 96 bits are compared by their events. The order is total: [EventSet.Pop]
// returns events with equal signatures in a fixed order. A Queue has the number of the
// [Queue.Push] instead of the prefix.
//
// # The structure
//
// A ladder queue: Tang, Goh and Thng, "Ladder queue: an O(1) priority queue structure for
// large-scale discrete event simulation", TOMACS 15(3), 2005. Its idea is to sort only
// what is about to be used, and to divide the rest the more coarsely the further away it
// is. It costs O(1) per event, where a heap costs a cache miss per level.
//
//	  time ->
//	+----------+------------------+-----------------------------+-------------+
//	|  window  |  innermost rung  |  outer rungs                |  top        |
//	|  sorted  |  |  |  |  |  |   |  |      |      |      |     |  unsorted   |
//	+----------+------------------+-----------------------------+-------------+
//	           ^ bound            ^ cut of the next part        ^ top cut
//	                +---------+
//	                |  stage  |   pushed beyond the bound, not sorted in yet
//	                +---------+
//
//	window  some 64 keys, sorted, the least last; room for 256
//	stage   up to 256 keys beyond the window, in the order in which they were pushed
//	rungs   rows of buckets; a bucket is a list of chunks of 8 keys, unsorted
//	top     keys beyond the outermost rung, unsorted
//
// A push compares its key with the bound. A near key is inserted into the window, a far
// one is appended to the stage. A pop removes the window's last key. Three operations
// move keys between the parts:
//
//	flush   the stage is full: each staged key goes to its bucket, or to the top
//	refill  the window is empty: flush; then the next buckets, up to about 64 keys,
//	        are sorted and become the window. A bucket with more than 96 keys is
//	        divided first: it becomes a rung of its own, further in. If no rung is
//	        left, the top becomes one.
//	spill   the window is full, or more than 64 of its keys had to move for a new one:
//	        its far half goes back, as the innermost rung or to the top
//
// So each key is moved a few times, whatever the number of keys: into the stage,
// into a bucket, into the window, and out.
//
// # Differences from the paper
//
// Width. The paper divides the range of the times by their number. A pending set has a
// long tail, so the buckets at its head, where the work is, get ten times too many keys.
// Here a sample of 64 keys shows how far the first quarter of them reaches, and the width
// is such that 8 keys fall into a bucket there. Keys beyond the last bucket stay in the
// top.
//
// Caches. The ends of thousands of buckets, which keys are written to in no order, do not
// fit into the first-level cache. With 32,768 keys or more a rung is coarse: its buckets
// get a 64th of the keys, 512 to 4096. Each becomes a rung of narrow buckets when its turn
// comes, by halves of its width, without a sample.
//
// Bits. Buckets divide the bits of the time, by powers of two. An index is a subtraction
// and a shift, without rounding: a key can never land in a bucket on the wrong side of a
// cut. Bits grow with the logarithm of the time, so a set that spans 1e-300 to 1e300 is
// divided as well as one that spans a second.
//
// Ties. In the paper, events of one time end up in one bucket and are sorted all at once.
// Here keys of one time are divided by their prefix (a rung of level 1), and keys that
// agree in all 96 bits are kept in a binary heap that compares events (level 2). While
// the window holds the least of such a heap, the bound is a key and an event: tieMin.
//
// Spills. The paper turns a bottom that is too long into a rung. If each push comes
// before all others, this makes one rung for every few keys. Here inner rungs that are no
// larger than what is spilled are merged into it, as in an LSM tree: sizes at least
// double outwards, and the depth is O(log n).
//
// Windows. The paper sorts one bucket at a time. Here a window takes as many buckets as
// make about 64 keys, because a call into C has a cost, and so that the scheduler can
// prefetch the events of a whole window ([EventSet.Window]).
//
// The newest key. A near key is not inserted at once but when the next one is pushed. The
// comparisons that find its place are mispredicted every other time, and a misprediction
// is only detected when the key is known; one push later the key has long been known. Pop
// compares the newest key with the least of the window, a branch that is nearly always
// predicted correctly.
//
// # Two implementations
//
// Work per event is Go code in this package. Work per window is in C (package csrc) or in
// Go (twin.go, rung.go). Both do the same steps; tests compare their shapes after every
// operation. [New] and [NewEventSet] take "c", "go", or "" for the faster of those that the
// build has. C is faster; the twin in Go runs where there is no C compiler. Both pass one
// conformance suite (pqtest), and each is the other's oracle.
//
// The window is in memory that both sides see. A call into C costs some 25 ns, as much as
// the queue spends on an event, so Go pops, inserts near keys and stages far ones without
// any call. Refill, flush and spill are the only calls.
//
// In C, a bucket of up to 16 keys is sorted with AVX2, without branches: the place of
// a key is the number of keys before it, counted for all at once. Not comparisons but
// mispredicted branches were the cost: the number of keys in a bucket is random, and so is
// how they compare. Fuller ones, and other machines, use insertion for runs and branchless
// merges. For the same reason a key is put into its bucket without a branch on whether it
// needs a new chunk.
//
// # Cost
//
// A push and a pop cost O(1) amortised, and O(log n) at worst, if the times cannot be
// divided: each key before all others, or all keys equal in 96 bits. A test counts the
// steps of adversarial scripts.
//
// Nanoseconds on one x86-64 machine, as orders of magnitude, for the hold model (a pop
// and a push) with exponential increments; package bench measures it:
//
//	pending keys     16   1 Ki   16 Ki   1 Mi
//	C                22     20      23     43
//	Go               22     31      35    109
//	4-ary heap       33     86     121    385
//	container/heap   89    156     211    425
//
// Memory: 16 bytes per key, up to as much again for chunks that are not full, and 8 bytes
// per bucket. There are at most about as many buckets as keys. A chunk of 8 keys has 128 bytes,
// a link of 4, and a place of 4 among the free chunks; a rung 96 bytes, window and stage 4096 each.
//
// Where it loses:
//
//   - A single refill may take O(n): when the top becomes a rung, all of its keys are
//     moved. Throughput does not suffer, but the time of one pop has no fixed bound.
//   - If a queue is filled and then hardly used, this work is wasted. A heap pushes in
//     O(1) and does the work when it pops.
//   - A push into the far end of the window moves what is before it, at worst 255 keys.
//     Delays much shorter than the window's span make this frequent; spilling limits the
//     cost. It is also what keeps some 200 pending keys from being one sorted array.
//   - No key can be removed by itself. An event is cancelled by its state, and its key stays until
//     it becomes the least. The caller then frees the event; [EventSet.Min] frees such
//     events itself. [EventSet.Purge] removes many at once.
//   - Keys that agree in 96 bits need the events for each comparison.
//
// # Invariants
//
//   - The window is sorted and before the bound. Staged keys are at or beyond it.
//   - Each key of a part is before its outer cut, and not before its own.
//   - Each key is in the bucket that its bits name; used-up buckets are empty.
//   - Counts add up, and each chunk is in one bucket or in the free list.
//
// [EventSet.Check] verifies them. csrc/check.c numbers them.
package pq
