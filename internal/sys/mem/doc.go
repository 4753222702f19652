// Package mem gives the engine memory outside the Go heap: address space that
// is reserved once for the most a run may ever need and turned into memory as
// it is used.
//
// ROSS sizes its pools once, at start; a run that needs one event more dies hours in. Here
// a pool is a Region. Reserving only costs addresses, so the reservation can be as large as
// the machine's memory; growing copies and moves nothing; and an address handed to C stays
// valid. Large regions ask for huge pages, which matters when events are visited in an
// order no hardware prefetcher can guess.
//
// # Address space is reserved at once
//
// Nothing ever moves: an index becomes an address by one multiply-add, and C can keep the base.
// But address space is limited, too: 128 TiB, what ulimit -v sets, and some 65,000 mappings of a
// process. So a reservation is bounded by the budget's limit and takes at most a part of what is
// left, since the runtime of Go needs some as well. When a region that has less than requested is
// full, its error says so.
//
// The chunks of a ladder (each PE has its own, csrc) are named by numbers, and nothing
// points to them. They move to a range twice as large when theirs is full.
//
// # The race detector sees one variable
//
// It knows nothing outside the Go heap but variables of the program. So in a build with -race all
// regions are parts of one variable of 1.5 GiB; only the part in use costs memory. Regions
// then have less room, see zoneSize. A run that needs more ends with "memory limit reached", whatever
// --max-memory is.
//
// A report about this memory means that PEs share what they must not share, or that a model keeps the address
// of a message or a block. The detector does not see accesses in C (keys and buckets of a ladder, lists of a buddy
// pool, keys that C compares): --pq=go or -tags purego shows these. Nor does it see rings between processes, but
// the same rings between ranks that are goroutines (internal/ranks/world/worldtest).
//
// # One budget for all memory
//
// --max-memory is a ceiling on the memory of the process. It counts events, lineages, blocks,
// histories, the buddy pool, the keys of queues, LPs and their states, and the copies that
// checkpoints are written from. From 64 MiB on it also includes the program itself, its libraries
// and threads (at most a quarter of the ceiling), and the buffers of the instrumentation, which a
// low ceiling makes smaller; and the garbage of Go's heap is collected before it exceeds the
// ceiling by more than 1/32 (debug.SetMemoryLimit, unless GOMEMLIMIT or the program has set a
// limit). What is not counted is what a model allocates by itself with make and new, and the
// memory that MPI takes later.
//
// The default is 80 % of what is free, control groups of both versions included. Reaching the
// limit is an error with the number of pending events, not a crash, and optimistic runs slow down
// before that (package timewarp). A copy for a checkpoint that does not fit goes to a file without a
// name in the checkpoint's folder.
//
// PHOLD at a quarter of what it takes without a ceiling on one PE (142 of 592 MB), with checkpoints
// and a trace, has at most 0.74, 0.87 and 0.96 of the ceiling resident with 1, 2 and 4 PEs:
// go test ./models/phold -run Ceiling -v
package mem
