// Package world is the engine's view of the other ranks of a run: mailboxes, reductions, and
// collective operations. There are three implementations: MPI (package internal/ranks/mpi), processes that
// the first of them has started (package launch), and, for tests, ranks that are goroutines of one
// process (package worldtest), whose messages can be delayed.
//
// The tests with worldtest hold messages and reductions back at random, in the order of each
// channel. So whatever is tested within a process (forced rollbacks, hooks, all ways to save
// states) is tested across ranks as well, with seeds, under the race detector, and without MPI.
// Package models/mpitest runs the programs under mpirun.
//
// # Every PE has a mailbox of its own
//
// One thread of a rank that talked for all PEs would need a ring to each PE and back, and one more
// thread where all processors have a PE. MPI is started with the level of threads that mailboxes of
// several PEs need; an empty poll costs the same at each level. Only GVT is reduced by one PE of
// each rank, the first.
//
// # Two ways for a message
//
// Every poll of an MPI mailbox, and every message, is an MPI call. Ranks of one machine need
// neither: they exchange messages through rings in memory that they share (transport.StreamWriter),
// one for each ordered pair of mailboxes of different ranks of the machine. A message there costs a
// copy, and polling an empty ring costs a load from the cache.
//
//	rank 0, machine A            rank 1, machine A          rank 2, machine B
//	mailbox 0 ---- ring -------> mailbox 0                  mailbox 0
//	    ^  ^ ----- ring --------------'                        |
//	    '----------------------- MPI --------------------------'
//
// Rings are in the segment of the rank that reads them (type Rings), which touches them first. Each
// has room for up to 64 KiB, less if a machine has many ranks.
//
// # Order
//
// Messages from one mailbox to another are first in, first out, whichever way they take. A message
// that does not fit into its ring is announced there by a note, in its place, and its words are
// sent by MPI. The reader stops at a note until MPI has delivered the message. MPI keeps the order
// of such messages, so the first one from that mailbox belongs to the first note. The note is
// written before the message is passed to MPI, so it is there when the message arrives.
//
// So Poll calls MPI only if there are ranks on other machines, if a reader waits at a note, or if
// MPI has not finished a message of this mailbox: many libraries move a long message only while its
// sender calls them.
//
// # Flags of news
//
// A mailbox with more than a few rings does not poll each of them. After writing into a ring, the
// writer sets the ring's bit in a word of the reader unless it is set. The reader swaps
// the word with 0, and reads the rings whose bits were set. Writer: store the tail, load the word.
// Reader: swap the word, load the tail. The operations of sync/atomic have one total order, so
// either the writer finds the bit clear, and sets it, or the reader finds the message.
//
// # Sleep
//
// The owner of a mailbox that has nothing to do can sleep (Sleeper): it writes so into a word next to the mailbox's
// rings, looks once more for what it would miss, and waits for the word in the system (futex). A sender looks
// at that word after its message is there, and calls the system only if it has to. The word says for what to wake: for
// messages as well, or only for GVT, a full ring, the loss of a rank, and what the other PEs of the rank have.
//
// Somebody has to wake it for GVT. So if all ranks are on this machine, the reduction of GVT is one in the same memory
// (Reducing): each rank writes its record, and the last one wakes the first PEs of all. Only lists, of lineages that
// do not fit into a record, are reduced by MPI, and looked for every 256 us.
//
// # Without shared memory
//
// All messages are sent by MPI if MPI cannot share memory, if there is too little of it (the
// /dev/shm of a container), if a machine has such a number of ranks that rings would be too small,
// or if ROSS_NEAR=0 is in the environment. The ranks agree: if one of them cannot use rings, none
// does.
//
// No rank ever waits in a ring: a writer without room keeps its message, and a reader finds
// nothing. So a rank that has died holds up others no more than with MPI, and Abort ends them.
// Close frees the memory; all ranks call it when no messages are under way.
//
// # Costs
//
// Two ranks on a machine with two processors, Open MPI 4.1.4, medians on a busy machine, rings and
// MPI in turn; the receiver reads each message. `go test -tags mpi -run '^$' -bench Mailbox
// ./internal/ranks/world`
//
//	                                 rings      MPI
//	empty PollNear, Poll             2.9, 3.9   -, 72 ns
//	latency, one way, 72 bytes       0.4        2.4 us (at best 0.33 and 0.95)
//	latency, one way, 1.5 KiB        1.6        2.2 us (at best 0.8 and 1.5)
//	back to back, 72 bytes           0.12       0.28 us
//	back to back, 1.5 KiB            0.36       0.94 us
//	back to back, 16 KiB             4.4        4.3 us
//	64 KiB, always by MPI            20         21 us
//
// An empty PollNear takes the same with 64 rings as with one.
package world
