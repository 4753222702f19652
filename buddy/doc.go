// Package buddy is a memory pool outside the Go heap, for short-lived blocks of many sizes: no
// garbage collector scans them. Any program can use it: [Objects] gives values of a type without
// pointers, [Pool.AllocBytes] gives bytes, [Pool.Alloc] addresses.
//
// In the engine each PE has one. It holds what lives from the execution of an event until it is
// committed or rolled back: the deltas of states that are longer than 512 bytes (shorter ones lie in
// the history), and what models allocate in handlers. One more, which all PEs of a process share, has
// the messages that are too large for the slots of events; a PE takes blocks of it and gives them
// back by the dozen ([Pool.ReuseAll], [Pool.FreeAll]). --buddy says whether they are in C or in Go.
// In ROSS it is core/buddy.c.
//
// # The structure
//
// A buddy system: Knowlton, "A fast storage allocator", CACM 8(10), 1965. Blocks have 2^k
// bytes, at least 32, and lie at multiples of their size, counted from the base of the pool. A
// block that is too large is split in two halves, buddies, whose offsets differ only in bit k.
// When both are free again, they are merged.
//
//	         0        4 KiB         8 KiB                        16 KiB
//	memory   +----+----+-------------+----------------------------+
//	         |used|free|    used     |            free            |
//	         +----+----+-------------+----------------------------+
//	state     8b 0 4b 0  8c 0 0 0 ...  4d 0 0 0 0 ...
//
//	lists      free blocks, one doubly linked list for each order; the links are in the
//	           blocks, so that a list needs no memory
//	state      a byte for each 32 bytes: at the start of a block its order and whether it
//	           is free, 0 inside; so that the buddy's fate is one read away
//	magazines  for each order up to 4 KiB a stack of blocks that are taken but not in use
//
// [Pool.Alloc] pops from a magazine, [Pool.Free] pushes. Neither reads or writes the block.
// Three operations move blocks between magazines and lists:
//
//	fill   the magazine is empty: it is half filled from the lists
//	empty  the magazine is full: its older half goes back to the lists
//	drain  the lists have no block: before the pool grows, all magazines are emptied
//
// ReuseAll and FreeAll pass over the magazines: they take many blocks of one order from the lists, or
// put them there, in one call.
//
// A magazine has room for 32 blocks, but at most 16 KiB; all together hold at most 79 KiB.
// Larger blocks always go to the lists.
//
// # Memory
//
// Address space is reserved once, for the limit, so nothing moves. Memory is made usable, and
// charged, from the base upwards. The pool grows only when neither lists nor magazines have a
// block, and requests only as much as gives one: a free end of the pool becomes the start of
// the block. It grows by an eighth of its size, at least 64 KiB, but only by the requested
// amount when the budget is nearly used up; from 16 MiB on it grows by whole huge pages.
//
// Memory returns to the system when the pool is closed, or when [Pool.Shed] gives back that of free
// blocks of whole pages. They stay where they are, marked as taken, and are charged again when the
// lists have no block that is large enough; buddies among them are merged then if need be. The engine sheds when memory
// is short: what one kind of block has taken would otherwise be of no use to any other.
//
// In addition to the blocks, their state (1/32) and an initial 64 KiB are charged.
//
// # Fragmentation
//
// Rounding up to powers of two costs at most a factor of 2, from 32 bytes on, and 1.33 to 1.5
// if sizes follow no pattern. In addition, blocks of random sizes and lifetimes need a fifth
// more than what is in use at the peak. The worst case is an adversary who leaves one small
// block in each larger one: if m orders above the first are in use, the factor is 1 + m/2.
// Tests verify both.
//
// # Differences from ROSS
//
// ROSS's pool has one size, --buddy-size, and fails when it is used up; here that is the
// initial size. ROSS keeps a header in each block, so a power of two no longer fits its block;
// here the caller passes the size again when it frees a block.
//
// # Two implementations
//
// Work per block is Go code in this package. Work per batch is in C (package csrc) or in Go
// (twin.go), on the same structs in the same memory: after the same operations both have the
// same blocks in the same lists, and a test compares this after each operation. [New] takes
// "c", "go", or "" for C if the build has it.
//
// # Cost
//
// Alloc and Free together, in nanoseconds, on one x86-64 machine, with some 1000 blocks in use;
// a random one is replaced. make is Go's allocator, whose collector works in the
// background; classes is a plain list for each power of two, without merging:
//
//	size            C    Go   make   classes
//	64              7     7     30         5
//	16 to 215       7     7     57         5
//	4096            7     7   1090         5
//	1 to 8192      12     9    270         5
//	16384          97    22   2900         5
//
// Allocating and freeing one block directly costs 4. Operations are O(1) amortised in the
// magazines and O(number of orders) in the lists.
//
// Where it loses:
//
//   - Above 4 KiB each operation is a call into C, which costs more than its work: Go is faster
//     there. Compared with filling such a block, the difference is small.
//   - A block that lives long keeps its neighbours from merging, and its page from being shed.
//   - [Pool.Free] trusts its caller. Under the build tag invariants it does not: it reports a
//     block that is freed twice, belongs to another pool, or has another size, and fills freed
//     blocks with 0xDB.
//
// # Invariants
//
//   - Blocks follow one another without gap, each at a multiple of its size.
//   - Free blocks are in the list of their order, and no two free buddies are left.
//   - Blocks in a magazine are marked as taken, and are in it once.
//   - Free bytes and taken blocks add up.
//
// [Pool.Check] verifies them. csrc/buddy.c numbers them.
package buddy
