// Package csrc contains all C code of ross, and is the only package that says `import
// "C"`, with package csrc/clibm, which calls the C library for tests.
//
// The C files are beside the Go files, so that go get, vendoring and the build cache
// treat them like any source. Structures that grow, sort and chase pointers are in C;
// work per event is in Go, which calls C once per batch. Users of these structures
// read packages pq (the pending-event set), avl and buddy; each has a twin in Go with
// the same results, which builds without cgo use.
//
// Map of the files:
//
//	event.h, order.c        layout of events and keys; their total order
//	ladder.h, ladder.c      the ladder queue: what Go calls
//	ladder_internal.h       its parts
//	rung.c, bucket.c        buckets, their widths and their memory
//	window.c, sort.c        the next window: taking buckets, sorting them
//	tieheap.c               keys that cannot be divided
//	check.c, layout.c       for tests: invariants, offsets
//	avl.h, avl.c, avl.go    the index of received events
//	buddy.h, buddy.c        the buddy pool: splitting, merging, batches, its invariants
//	mpi_layer.h, mpi.go     MPI, under the build tag mpi: what Go calls
//	mpi_world.c             its start and end, signals, blocking operations
//	mpi_mailbox.c           messages between threads of ranks
//	mpi_reduce.c            the all-reduce of GVT, and broadcasts
//	mpi_shared.c            memory that the ranks of a machine share
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
// gcc passes a struct of 16 bytes in two registers, and then joined them through the
// stack. Loading 16 bytes just after storing twice 8 stalls the processor.
// bench/README.md, "What made it faster", has the gain.
package csrc
