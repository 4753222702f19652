// Package deep copies, compares and digests values of any Go type, for the scheduler that
// checks reverse handlers (--synch=6): it takes a copy of an LP's state, runs an event
// forward and back, and asks what differs. In ROSS that is core/check-revent: states
// are copied and compared as bytes, or by a crv_checkpointer that the model's author
// writes for the LP type. Here reflection knows the fields, and the answer names them:
//
//	State.Queue[3].Weight: 2.5 before, 3.5 after
//
// # How a copy is made
//
// A type is compiled once, by [NewCopier], into runs of bytes that hold no pointer
// (without padding) and the places that hold one. A state without pointers is then
// one copy and a few comparisons of bytes; paths are computed only when they differ.
//
// Other states are graphs. A [Snapshot] is the list of the blocks of memory that
// can be reached: the state, what its pointers point to, the elements of its
// slices, the entries of its maps. Each block is kept with its address and a
// shallow copy, whose pointers are still those of the original:
//
//	          address     copy
//	block 0   0xc010  ->  State{Head: 0xc0a0, Tail: 0xc0b0}
//	block 1   0xc0a0  ->  node{Weight: 2.5, Next: 0xc0b0}
//	block 2   0xc0b0  ->  node{Weight: 1.0, Next: nil}
//
// An address leads to its block by a hash table, so that cycles end and what was
// shared stays shared. [Copier.Restore] writes every changed block back to where it
// was: whoever else points there sees the old value too. [Copier.Diff] goes through
// the blocks and through the live memory side by side. Neither recurses along
// pointers, so a list may be as long as memory allows.
//
// # What is equal
//
//   - Integers, strings, floats and complex numbers by their bits: a NaN equals the
//     same NaN, and -0 is not 0. Padding and fields named _ do not count.
//   - Pointers by what they point to, wherever it lies: a Reverse may build an equal
//     object anew. What was one object must be one object again, and what was two
//     must be two. A pointer into the middle of another object (to an element of a
//     slice, say) is compared by what it points to alone.
//   - Slices by length and elements. Capacity does not count, nor does nil against
//     empty, nor which slices share an array: growing changes all of that.
//   - Maps by their keys; a pointer in a key is the same pointer. A nil map may have
//     become an empty one, but not the reverse, since writing to nil panics. Of
//     entries whose key is NaN only the number counts: no lookup finds them.
//   - Interfaces by dynamic type and value.
//   - Channels and unsafe.Pointers by identity, functions by their code. Nothing
//     behind them is followed: neither a closure's variables nor the object of an
//     atomic.Pointer.
//   - Types named to NewCopier as opaque by the pointer to them: the engine's own,
//     which a state may refer to but which are no part of it.
//
// # Paths
//
// A path is the Go expression that finds the value: State.M["a"].X, *State.P,
// State.Any.(Circle).Radius. If several lead to it, a shortest one is given. What hangs
// on a pointer in a map's key is State.M[key &{ID:3}].X. A run of equal steps is counted,
// as in State.Head(.Next){1000}.Weight, and a long path loses its middle. Differences
// come in the same order every time: near the state first, fields as declared, map
// entries by key.
//
// # Digests
//
// A [Hasher] gives one number for a value and all it leads to. What is equal by the rules
// above has the same, in each run of a program and on each machine of its kind: functions
// count by their names there, channels, unsafe.Pointers and pointers to opaque types only as
// nil or not. Different values have different ones with the usual probability, but for
// graphs of equal objects that differ only far from each of them.
package deep
