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
//	one for each PE thread      Mailbox 0  Post ------> Poll   Mailbox 0    these never do
//	                            Mailbox 1  Poll <------ Post   Mailbox 1
//	GVT                         Reduction  Start ... Test      Reduction
//	errors, commands            Broadcast  Start ... Test      Broadcast
//
// A [World] is a duplicate of a communicator, so that messages of the program
// around the simulation are never mixed up with ours. Each other object has
// communicators of its own. They are made by all ranks, in one order, before work
// starts; then each belongs to one goroutine. With more than one thread MPI has to
// be started at level Multiple.
//
// What blocks is done by package empi. It cannot use a communicator that it has not
// made, and has no operation that does not block; csrc has both.
//
// # Receiving
//
// A mailbox keeps 32 receives posted, for any sender, as a ring. MPI matches
// messages with them in the order of posting, so the oldest tells whether
// anything has come in: an empty [Mailbox.Poll] is one call into C with one
// MPI_Test, which also lets MPI make progress. On one machine with Open MPI 4.1
// that took 20 to 40 ns, MPI_Testsome on all of them as long, and MPI_Improbe,
// for which no receives have to be posted, 65 to 125 ns. One call returns all
// messages that are complete, in ring order, in C memory; their receives are
// posted again by the next Poll.
//
// # Sending
//
// [Mailbox.Post] copies a message into one of 64 buffers of 16 KiB, and starts an
// MPI_Isend. A message of more than 2048 words gets a buffer of its own size,
// which is kept. It is announced by a message with its length in its place in the
// order; the words follow on a second communicator, for which the receiver then
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
// of ours: sums, an OR, and the least of a key of four words with what belongs to
// it. That is what a round of GVT needs at once: when the balance of sent and
// received messages is 0, none was under way, and the key is a signature (Mattern,
// JPDC 18, 1993; ROSS: gvt/mpi_allreduce.c does it in several steps). Several
// ranks with an equal key: the lowest counts, so that the result does not depend on
// the order in which MPI combines.
//
// A [Broadcast] sends length and first 256 bytes at once; the rest follows if
// there is one.
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
// Two ranks on a machine with two processors, Open MPI 4.1.4 over shared memory,
// idle; beside other work all took two to three times as long.
// `go test -tags mpi -run '^$' -bench . ./internal/mpi`
//
//	empty Poll                    52 ns alone, 62 ns with a second rank, at any level of threads
//	Post                          220 ns for 72 bytes, 760 ns for 4 KiB
//	latency, one way              0.5 us for 72 bytes, 3.0 us for 4 KiB, 14 us for 64 KiB
//	one way, as fast as it goes   0.24 us for 72 bytes, 1.6 us (2.5 GB/s) for 4 KiB,
//	                              8.9 us (7.4 GB/s) for 64 KiB
//	Reduction                     2.5 to 2.9 us, beside other work
//
// With more ranks than processors a Reduction takes until every rank has had a
// processor: milliseconds, if those that wait only yield.
package mpi
