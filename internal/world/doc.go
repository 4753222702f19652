// Package world is what the engine sees of the other ranks of a run: mailboxes,
// reductions, and what all ranks do together. There are two kinds of it: MPI, which
// is package internal/mpi, and, for tests, ranks that are goroutines of one process
// (package worldtest), whose messages can be held back at will.
//
// # Two ways for a message
//
// To look into a mailbox of MPI is a call of MPI, and so is each message. Ranks of one
// machine need neither: they exchange messages through rings in memory that they share
// (transport.StreamWriter), one for each ordered pair of mailboxes of different ranks of
// the machine. A message there costs a copy, and a look at an empty ring is a load from
// the cache.
//
//	rank 0, machine A            rank 1, machine A          rank 2, machine B
//	mailbox 0 ---- ring -------> mailbox 0                  mailbox 0
//	    ^  ^ ----- ring --------------'                        |
//	    '----------------------- MPI --------------------------'
//
// Rings lie in the segment of the rank that reads them (type Rings), which touches them
// first. There are up to 64 KiB of room in each, less where a machine has many ranks.
//
// # Order
//
// Messages from one mailbox to another are first in, first out, whatever way they take.
// A message that does not fit its ring is announced there by a note, in its place, and its words go by MPI.
// The reader stops at a note until MPI has brought what belongs to it; MPI keeps the order
// of such messages itself, so the first that comes from that mailbox belongs to the first
// note. The note is written before the message is given to MPI, so it is there when
// that comes out on the other side.
//
// So a Poll has to ask MPI only if there are ranks on other machines, if a reader waits
// at a note, or if MPI has not done with a message of this mailbox: many libraries move
// a long message only while its sender calls them.
//
// # Bells
//
// A mailbox with more than a few rings does not look at each. Who has written into one
// sets its bit in a word of the reader, the bell, unless it is set; the reader takes the whole word,
// which leaves no bit, and looks at the rings whose bits it had. Writer: store the tail, load
// the bell. Reader: swap the bell, load the tail. Operations of sync/atomic have one order that all
// agree on, so either the writer finds no bit, and sets it, or the reader finds the
// message.
//
// # Without shared memory
//
// All of it goes by MPI if MPI cannot share memory, if there is too little of it (the
// /dev/shm of a container), if there are so many ranks on a machine that rings would be too small,
// or if ROSS_NEAR=0 is in the environment. Ranks agree: if one of them lacks it,
// nobody has it.
//
// Nobody ever waits in a ring. A writer without room keeps its message, a reader finds
// nothing; so a rank that is gone holds up others no more than with MPI, and Abort
// ends them. The memory is freed by Close, which all ranks call when no messages are
// under way.
//
// # Costs
//
// Two ranks on a machine with two processors, Open MPI 4.1.4, medians beside much other
// work, rings and MPI in turn; the receiver reads what comes.
// `go test -tags mpi -run '^$' -bench Mailbox ./internal/world`
//
//	                                 rings      MPI
//	empty PollNear, Poll             2.9, 3.9   -, 72 ns
//	latency, one way, 72 bytes       0.4        2.4 us (at best 0.33 and 0.95)
//	latency, one way, 1.5 KiB        1.6        2.2 us (at best 0.8 and 1.5)
//	as fast as it goes, 72 bytes     0.12       0.28 us
//	as fast as it goes, 1.5 KiB      0.36       0.94 us
//	as fast as it goes, 16 KiB       4.4        4.3 us
//	64 KiB, by MPI in any case       20         21 us
//
// An empty PollNear with 64 rings takes what it takes with one.
package world
