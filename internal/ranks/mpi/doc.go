// Package mpi carries messages between the ranks of a simulation, and reduces values over them,
// without ever waiting. It is the only part of the engine that knows MPI. It knows words and bytes,
// not events. The C code below it is csrc/mpi_*.c.
//
// Without the build tag mpi (or without cgo) MPI is not linked, and Start returns ErrNotBuilt.
//
// # Objects
//
//	process                     rank 0                         rank 1
//	-------                     ------                         ------
//	World                       World      Barrier, Gather     World        these block
//	one for each PE thread      Mailbox 0  Post ------> Poll   Mailbox 0    these never do,
//	                            Mailbox 1  Poll <------ Post   Mailbox 1
//	GVT                         Reduction  Start ... Test      Reduction    but for Wait
//	errors, commands            Broadcast  Start ... Test      Broadcast
//
// A [World] is a duplicate of a communicator, so that messages of the surrounding program never mix
// with ours. Each other object has its own communicators. All ranks make the objects, in the same
// order, before work starts; then each object belongs to one goroutine. With more than one thread
// MPI must be started at level Multiple.
//
// Package empi starts MPI and does the blocking operations. It cannot use a communicator that it
// has not made, and has no non-blocking operations; csrc has both. A communicator of the
// surrounding program comes as a Fortran handle. Any goroutine may call [World.Abort] at any time,
// even while others hang in MPI.
//
// # Receiving
//
// A mailbox keeps 32 persistent receives posted, for any sender, as a ring. MPI matches messages
// with them in the order of posting, so the oldest shows whether anything has arrived: an empty
// [Mailbox.Poll] is one call into C with one MPI_Test, which also lets MPI make progress;
// MPI_Improbe would cost 40 to 80 ns more. If the oldest is complete, one MPI_Testsome checks the
// next eight; receives that complete out of order wait for their turn. MPI_Testsome alone would
// save a call, and takes no longer for up to eight receives. But Open MPI's does not check again
// after it has made progress, so every message would be one Poll late.
//
// A Poll returns all messages that are complete, in ring order, in C memory. Their
// receives are posted again by a later Poll, eight with one MPI_Startall.
//
// A word of ours precedes each message: its length, its sender's mailbox, and whether it announces
// a long one. So MPI_Get_count is not needed.
//
// # Sending
//
// There are 64 buffers of 16 KiB. [Mailbox.Buffer] lends one to the caller to fill, and
// [Mailbox.PostBuffer] starts an MPI_Isend of it; [Mailbox.Post] copies a message into another one.
// One MPI_Testsome checks which sends are complete when no buffer is free, when a receiver has no
// room, before a long message is sent, and in [Mailbox.Idle].
//
// Post also accepts messages of more than 2048 words: they get a buffer of their size, which is
// kept. Only the first word of such a message, which announces it, takes its place in the order;
// the words follow on a second communicator, on which the receiver then posts a receive of that
// length. So the ring needs no room for the longest message, and the order is kept.
//
// MPI guarantees that messages of one thread on one communicator are matched in the order of
// sending. Hence a channel from mailbox to mailbox is first in, first out, as anti-messages need.
//
// # Pace
//
// MPI accepts short messages even if their receiver does not poll, and keeps them in the receiver's
// memory without limit. Here every 16th message from one mailbox to another is synchronous
// (MPI_Issend): it is complete when it is received. While two of them are incomplete, Post returns
// false for this receiver; other receivers are not affected. At most 32 messages of a sender wait
// outside the ring.
//
// If Post returned false, poll before trying it again. Two mailboxes that post to each other and
// never poll would wait for ever.
//
// # Reductions
//
// A [Reduction] is one MPI_Iallreduce of a [Record] of 152 bytes with our own operation: sums, an
// OR, and the least of a key of twelve words. This is what a round of GVT needs, in one step: if
// the balance of sent and received messages is 0, none was under way, and the key is a signature
// (Mattern, JPDC 18, 1993; ROSS: gvt/mpi_allreduce.c does it in several steps). Among ranks with
// equal keys the lowest wins, so that the result does not depend on the order in which MPI
// combines.
//
// Signatures with longer lineages are compared by [Reduction.StartWords], which reduces lists of up
// to 65536 words to the least. Each power of two has a datatype, made when first needed; MPI never
// divides an element of it. The list carries its length for the operation.
//
// A [Broadcast] sends the length and the first 256 bytes at once; the rest, if any, follows.
//
// # Sharing memory
//
// [World.Share] finds the ranks of this machine, and [Shared.Allocate] has MPI make a segment of
// memory for each that all of them see (MPI_Win_allocate_shared). The layer hands out the memory as
// words, and never touches it: package world puts rings there, so that such ranks exchange most
// messages without MPI.
//
// # Errors and signals
//
// MPI's errors are returned. The state of MPI is then unknown: the engine prints the error and
// calls [World.Abort].
//
// MPI libraries install signal handlers. These are removed after initialization, so a nil
// dereference in Go remains a panic that can be recovered, and os/signal works.
//
// # Costs
//
// Two ranks on a machine with two processors, Open MPI 4.1.4 over shared memory; medians on a
// machine with other work, which can double them. `go test -tags mpi -run '^$' -bench .
// ./internal/ranks/mpi`
//
//	empty Poll                    53 ns alone, 64 ns with a second rank, at any level of threads
//	Post                          210 ns for 72 bytes, 690 ns for 4 KiB
//	PostBuffer                    210 ns for 72 bytes, 305 ns for 5 KiB, which 80 events of 64 bytes are
//	latency, one way              0.55 us for 72 bytes, 3.1 us for 4 KiB and 5 KiB (2.2 us with
//	                              PostBuffer), 15.5 us for 64 KiB
//	one way, back to back          0.26 us for 72 bytes, 1.4 us (3.0 GB/s) for 4 KiB, 1.5 us for
//	                              5 KiB (1.2 us with PostBuffer), 8.6 us (7.6 GB/s) for 64 KiB
//	Reduction                     1.4 us of a record, 2.3 us of 64 words, 20 us of 4096
//
// MPI calls for a message, of sender and receiver together: 1.16 (MPI_Isend, an eighth of
// MPI_Startall, occasional MPI_Testsome of the sender), one in each Poll, and one more in a Poll
// that found something. A sender that retries while there is no room makes one call each time.
//
// With more ranks than processors a Reduction takes until every rank has had a processor:
// milliseconds, if waiting ranks only yield.
package mpi
