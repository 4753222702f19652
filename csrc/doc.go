// Package csrc contains all C code of ross, and is the only package with `import
// "C"` apart from package csrc/clibm, which calls the C library for tests, and csrc/cmodel, which runs C models.
//
// The C files are next to the Go files, so that go get, vendoring and the build cache
// treat them like any source. Structures that grow, sort and chase pointers are in C;
// work per event is in Go, which calls C once per batch. Users of these structures
// read packages pq (the pending-event set), avl and buddy; each has a twin in Go with
// the same results, which builds without cgo use.
//
// Map of the layers, from the lowest to the highest. A name without a suffix is a header and
// a C file, which defines what the header declares. Files include headers only of their own
// layer and of lower ones, so that calls go down. tools/carrows.txt lists what each includes.
//
//	event.h                 layout of events and keys
//	order                   their total order
//	sort                    sorting keys
//	pool                    memory for keys: chunks and lists
//	bucket                  keys in chunks, unordered
//	tieheap                 keys that cannot be divided
//	window                  the next window: taking buckets, sorting them
//	rung                    one rung: the widths of its buckets
//	stack                   all rungs, and the top beyond them
//	ladder                  the ladder queue: what Go calls; ladder_internal.h for C
//	check, layout           for tests: invariants, offsets
//	avl.h, avl.c, avl.go    the index of received events
//	buddy.h, buddy.c        the buddy pool: splitting, merging, batches, its invariants
//	mpi_world, mpi.go       MPI, under the build tag mpi: start and end, signals, blocking
//	                        operations; mpi_internal.h for C
//	mpi_mailbox             messages between threads of ranks
//	mpi_reduce              the all-reduce of GVT, and broadcasts
//	mpi_shared              memory that the ranks of a machine share
//
// driver/ holds C programs that run these without Go, for valgrind.
//
// # Calls are rare, and cheap
//
// A cgo call costs some 25 ns. So Go calls once per window of the queue or batch of
// blocks, and all functions are noescape and nocallback.
//
// # Structs are declared twice
//
// Go and C see the same event, node of a lineage, key, window, node of avl and pool of
// buddy. Tests compare every offset (layout_test.go of pq, avl and buddy).
//
// # Keys are passed by address
//
// gcc would pass a struct of 16 bytes in two registers, and join them through the stack.
// Where 16 bytes are loaded just after 8 and 8 were stored, the processor waits.
// bench/README.md, "What made it faster", has the gain.
package csrc
