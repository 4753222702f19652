// Package transport carries events from one PE to another.
//
// A [Ring] is a bounded queue of records of one size, with one producer and one
// consumer, neither of which ever waits: the producer keeps what finds no room, the
// consumer takes what is there. Two counters that only grow are all that the two
// share, each written by one side (Lamport, "Specifying concurrent program modules",
// TOPLAS 5(2), 1983): tail counts what was put in, head what was taken out.
//
//	        head                tail
//	         | mod size          | mod size
//	+---+---+---+---+---+---+---+---+---+
//	|   |   | r | r | r | r | r |   |   |
//	+---+---+---+---+---+---+---+---+---+
//	          Next: oldest first  ^ Put, then Push
//
// The producer remembers the last head that it saw and looks again only when
// that leaves no room (Lee, Bu and Chandranmenon, "A lock-free, cache-efficient
// shared ring buffer for multi-core architectures", ANCS 2010), so that the line
// of the head seldom travels; the line of the tail travels once per batch.
//
// Records lie one after the other, so that a processor that reads or writes some
// fetches the next by itself. The order of the records is that in which they were
// put: an anti-message, which is a record like another here, never overtakes the
// event that it cancels.
//
// A [StreamWriter] and a [StreamReader] are the ends of a ring of words for messages of
// different lengths, in memory that somebody else has: of two processes, say. They work
// in the same way; only the counters count words.
package transport
