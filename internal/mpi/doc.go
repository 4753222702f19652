// Package mpi carries messages between the ranks of a simulation, and combines
// what they know, without ever waiting. It is the part of the engine that knows
// MPI; it knows words and bytes, not events. The C under it is csrc/mpi_*.c.
//
// Without the build tag mpi (or without cgo) nothing of MPI is linked, and Start
// returns ErrNotBuilt.
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
// A [World] is a duplicate of a communicator, so that messages of the program
// around the simulation are never mixed up with ours. Each other object has
// communicators of its own. They are made by all ranks, in one order, before work
// starts; then each belongs to one goroutine. With more than one thread MPI has to
// be started at level Multiple.
//
// What blocks is done by package empi. It cannot use a communicator that it has not
// made, and has no operation that does not block; csrc has both. [World.Abort] is for
// any goroutine at any time, also while others hang in MPI.
//
// # Receiving
//
// A mailbox keeps 32 persistent receives posted, for any sender, as a ring. MPI
// matches messages with them in the order of posting, so the oldest tells whether
// anything has come in: an empty [Mailbox.Poll] is one call into C with one
// MPI_Test, which also lets MPI make progress. If that one is complete, one
// MPI_Testsome looks at the next eight; what is complete out of order waits for
// its turn. MPI_Testsome alone would save a call, and takes no longer for up to eight
// receives; but that of Open MPI does not look again after it has made progress,
// so that every message would be one Poll late.
//
// A Poll returns all messages that are complete, in ring order, in C memory. Their
// receives are posted again by a later Poll, eight with one MPI_Startall.
//
// A message has a word of ours in front: its length, its sender's mailbox, and
// whether it announces a long one. So MPI_Get_count is not needed.
//
// # Sending
//
// There are 64 buffers of 16 KiB. [Mailbox.Buffer] lends one to the caller to
// fill, and [Mailbox.PostBuffer] starts an MPI_Isend of it; [Mailbox.Post] copies a message
// into another one. Which sends are complete is looked at, with one MPI_Testsome, when
// none is free, a receiver has no room or a long message is to go, and in [Mailbox.Idle].
//
// Post takes messages of more than 2048 words, too: they get a buffer of their own size,
// which is kept. Such a message is announced by its first word alone in its place in
// the order; the words follow on a second communicator, for which the receiver then
// posts a receive of that length. So the ring needs no room for the longest
// message, and the order stays.
//
// MPI guarantees that messages of one thread on one communicator are matched in
// the order of sending. Hence a channel from mailbox to mailbox is first in, first
// out, which anti-messages need.
//
// # Pace
//
// MPI accepts short messages whether their receiver looks or not, and keeps them
// in the receiver's memory without limit. Here every 16th message from one mailbox
// to another is synchronous (MPI_Issend): it is complete when it is received. While
// two of them are not, Post returns false for this receiver; others are not held
// up. At most 32 messages of a sender wait beside the ring.
//
// A Post that returned false is to be tried again after a Poll. Two mailboxes
// that post to one another and never poll would wait for ever.
//
// # Reductions
//
// A [Reduction] is one MPI_Iallreduce of a [Record] of 152 bytes with an operation
// of ours: sums, an OR, and the least of a key of twelve words. That is what a
// round of GVT needs at once: when the balance of sent and received messages is 0,
// none was under way, and the key is a signature (Mattern, JPDC 18, 1993; ROSS:
// gvt/mpi_allreduce.c does it in several steps). Several ranks with an equal key:
// the lowest counts, so that the result does not depend on the order in which MPI
// combines.
//
// A signature whose lineage is longer is compared by [Reduction.StartWords], of a
// list of up to 65536 words, of which the least is the result. There is a datatype
// for each power of two, made when first needed; MPI never divides an element of
// it. The list carries its length, from which the operation knows it.
//
// A [Broadcast] sends length and first 256 bytes at once; the rest follows if
// there is one.
//
// # Sharing memory
//
// [World.Share] finds the ranks of this machine, and [Shared.Allocate] has MPI make a segment of
// memory for each that all of them see (MPI_Win_allocate_shared). The layer gives it
// away as words, and never touches it: package world has rings there, by which such ranks do
// without MPI for most messages.
//
// # Errors and signals
//
// MPI's errors are returned. What MPI has done is unknown then: the engine prints
// the error and calls [World.Abort].
//
// MPI libraries install handlers of signals. They are taken away after
// initializing: a nil dereference in Go stays a panic that can be recovered, and
// os/signal works.
//
// # Costs
//
// Two ranks on a machine with two processors, Open MPI 4.1.4 over shared memory;
// medians beside some other work, which can double them.
// `go test -tags mpi -run '^$' -bench . ./internal/mpi`
//
//	empty Poll                    53 ns alone, 64 ns with a second rank, at any level of threads
//	Post                          210 ns for 72 bytes, 690 ns for 4 KiB
//	PostBuffer                    210 ns for 72 bytes, 305 ns for 5 KiB, which 80 events of 64 bytes are
//	latency, one way              0.55 us for 72 bytes, 3.1 us for 4 KiB and 5 KiB (2.2 us with
//	                              PostBuffer), 15.5 us for 64 KiB
//	one way, as fast as it goes   0.26 us for 72 bytes, 1.4 us (3.0 GB/s) for 4 KiB, 1.5 us for
//	                              5 KiB (1.2 us with PostBuffer), 8.6 us (7.6 GB/s) for 64 KiB
//	Reduction                     1.4 us of a record, 2.3 us of 64 words, 20 us of 4096
//
// Calls of MPI for a message, of sender and receiver together: 1.16 (MPI_Isend, an
// eighth of MPI_Startall, some MPI_Testsome of the sender), one in each Poll, and one
// more in a Poll that found something. A sender that tries again and again while
// there is no room makes one call each time.
//
// With more ranks than processors a Reduction takes until every rank has had a
// processor: milliseconds, if those that wait only yield.
package mpi
