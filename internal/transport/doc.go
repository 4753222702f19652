// Package transport carries keys of events from one PE to another.
//
// A [Ring] is a bounded queue with one producer and one consumer, neither of
// which ever waits: the producer keeps what finds no room, the consumer takes
// what is there. Two counters that only grow are all that the two share, each
// written by one side (Lamport, "Specifying concurrent program modules", TOPLAS
// 5(2), 1983): tail counts what was put in, head what was taken out.
//
//	        head                tail
//	         | mod size          | mod size
//	+---+---+---+---+---+---+---+---+---+
//	|   |   | k | k | k | k | k |   |   |
//	+---+---+---+---+---+---+---+---+---+
//	          Next: oldest first  ^ Push
//
// The producer remembers the last head that it saw and looks again only when
// that leaves no room (Lee, Bu and Chandranmenon, "A lock-free, cache-efficient
// shared ring buffer for multi-core architectures", ANCS 2010), so that the line
// of the head seldom travels; the line of the tail travels once per batch.
//
// An event itself is not copied: it lies in memory that all PEs of a process
// share, and the receiver owns it from the moment it takes the key. The order
// of the keys is that in which they were pushed: an anti-message, which is a key
// like another here, never overtakes the event that it cancels.
package transport
