// Package buddy is the memory pool of a PE: it holds what lives from the moment an
// event is processed until it is committed or rolled back, in particular the deltas
// of states, and what models allocate in handlers. Sizes vary, lives are short, and
// no collector may look at it: so it lies outside the Go heap. In ROSS it is
// core/buddy.c.
//
// # The structure
//
// A buddy system: Knowlton, "A fast storage allocator", CACM 8(10), 1965. Blocks have
// 2^k bytes, 32 at least, and lie at multiples of their size, counted from the base of
// the pool. A block that is too large is split in two halves, buddies, whose offsets
// differ in bit k alone. When both are free again they are merged.
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
//	fill   the magazine is empty: half its room is taken from the lists
//	empty  the magazine is full: the older half is given back
//	drain  the lists have nothing: before the pool grows, all magazines are given back
//
// A magazine has room for 32 blocks, but for 16 KiB at most; all together hold 79 KiB at
// most. Larger blocks go to the lists each time.
//
// # Memory
//
// Address space is reserved once, for the limit; nothing moves. Memory is made usable, and
// charged, from the base on. The pool grows only when neither lists nor magazines have a
// block, and asks for the least that gives one: a free end of the pool becomes the block's
// start. It grows by an eighth of what it has, 64 KiB at least, and by no more than is asked
// when the budget ends; from 16 MiB on by whole huge pages. Memory goes back to the system when
// the pool is closed.
//
// What is charged beside the blocks is their state, 1/32, and 64 KiB to begin with.
//
// # Fragmentation
//
// Rounding up to powers of two costs a factor of 2 at most, from 32 bytes on, and 1.33 to 1.5
// for sizes without preference. On top of that, blocks of random sizes and lives need a fifth
// more than what is in use at the peak. Worst of all is an adversary who leaves one small block
// in each larger one: if m orders above the first are in use, 1 + m/2 times. Tests hold the
// pool to both.
//
// # Differences from ROSS
//
// ROSS's pool has one size, --buddy-size, and fails when it is used up; here that is the first
// size. ROSS keeps a header in each block, which takes from powers of two what makes them fit;
// here the caller says again how large the block was.
//
// # Two implementations
//
// What is done for each block is Go code in this package. What is done for each batch is in C
// (package csrc) or in Go (twin.go), on the same structs in the same memory: after the same
// operations both have the same blocks in the same lists, and a test compares that after each.
// [New] takes "c", "go", or "" for C where the build has it.
//
// # Cost
//
// Alloc and Free together, in nanoseconds, on one x86-64 machine, of blocks of which some
// 1000 are in use and a random one is replaced; make is Go's, whose collector works in the
// background; classes is a bare list for each power of two that never merges:
//
//	size            C    Go   make   classes
//	64              7     7     30         5
//	16 to 215       7     7     57         5
//	4096            7     7   1090         5
//	1 to 8192      12     9    270         5
//	16384          97    22   2900         5
//
// One block taken and freed again, called directly, costs 4. Steps are O(1) amortised in
// the magazines, O(number of orders) behind them.
//
// Where it loses:
//
//   - Above 4 KiB each operation is a call into C, which costs more than its work: Go is
//     faster there. For what such blocks are filled with this hardly counts.
//   - The pool never shrinks, and a block that lives long keeps its neighbours from merging.
//   - [Pool.Free] trusts its caller. Under the build tag invariants it does not: a block
//     that is freed twice, not of this pool, or of another size is reported, and freed
//     blocks are filled with 0xDB.
//
// # Invariants
//
//   - Blocks follow one another without gap, each at a multiple of its size.
//   - Free blocks are in the list of their order, and no two free buddies are left.
//   - What is in a magazine is taken, and in it once.
//   - Free bytes and taken blocks add up.
//
// [Pool.Check] verifies them. csrc/buddy.c numbers them.
package buddy
