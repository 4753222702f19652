// Package csrc is every line of C of ross, and the only package that says
// `import "C"`.
//
// The C files lie beside the Go files, so that go get, vendoring and the build
// cache treat them like any source. Structures that grow, sort and chase
// memory are in C; Go keeps what it does once per event, and calls in once per
// batch. The packages that users of these structures read are pq (the
// pending-event set), and its like; each has a twin in Go with the same
// results, which is what a build without cgo uses.
//
// Map of the files:
//
//	event.h, order.c        layout of events and keys; their total order
//	ladder.h, ladder.c      the ladder queue: what Go calls
//	ladder_internal.h       its parts
//	rung.c, bucket.c        buckets, their widths and their memory
//	window.c, sort.c        the next window: taking buckets, sorting them
//	tieheap.c               keys that nothing divides
//	check.c, layout.c       what tests ask: invariants, offsets
//	avl.h, avl.c, avl.go    the index of received events
//	buddy.h, buddy.c        the buddy pool: splitting, merging, batches, its invariants
//	mpi_layer.h, mpi.go     MPI, under the build tag mpi: what Go calls
//	mpi_world.c             its start and end, signals, what blocks
//	mpi_mailbox.c           messages between threads of ranks
//	mpi_reduce.c            the all-reduce of GVT, and broadcasts
//	mpi_shared.c            memory that the ranks of a machine share
//
// driver/ holds C programs that run these without Go, for valgrind.
package csrc
