// Package transport carries events from one PE to another. Packages timewarp (rings within a
// process) and world (streams between processes) use it.
//
// A [Ring] is a bounded queue of records of one size, with one producer and one
// consumer, neither of which ever waits: the producer keeps what does not fit, and the
// consumer takes what is there. They share only two counters that never decrease, each
// written by one side (Lamport, "Specifying concurrent program modules", TOPLAS 5(2),
// 1983): tail counts what was put in, head what was taken out.
//
//	        head                tail
//	         | mod size          | mod size
//	+---+---+---+---+---+---+---+---+---+
//	|   |   | r | r | r | r | r |   |   |
//	+---+---+---+---+---+---+---+---+---+
//	          Next: oldest first  ^ Put, then Push
//
// The producer remembers the last head that it read, and reads it again only when that
// leaves no room (Lee, Bu and Chandranmenon, "A lock-free, cache-efficient shared ring
// buffer for multi-core architectures", ANCS 2010), so that the cache line of the head
// is seldom transferred; that of the tail is transferred once per batch.
//
// Records are contiguous, so that a processor that reads or writes some prefetches the
// next. Records keep the order in which they were put: an anti-message, which is a
// record like any other here, never overtakes the event that it cancels.
//
// A [StreamWriter] and a [StreamReader] are the ends of a ring of words for messages of
// different lengths, in memory of the caller, which two processes may share. They work
// in the same way, but the counters count words.
package transport
