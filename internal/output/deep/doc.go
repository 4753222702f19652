// Package deep copies, compares and digests values of any Go type, for the scheduler that
// checks reverse handlers (--synch=6): it copies an LP's state, runs an event forward and
// back, and checks what differs. In ROSS this is core/check-revent: states are copied and
// compared as bytes, or by a crv_checkpointer that the model's author writes for the LP
// type. Here reflection knows the fields, and the result names them:
//
//	State.Queue[3].Weight: 2.5 before, 3.5 after
//
// # How a copy is made
//
// A type is compiled once, by [NewCopier], into runs of bytes that hold no pointer
// (without padding) and the places that hold one. A state without pointers is then
// one copy and a few comparisons of bytes; paths are computed only when they differ.
//
// Other states are graphs. A [Snapshot] is the list of the reachable blocks of memory: the
// state, what its pointers point to, the elements of its slices, the entries of its maps.
// Each block is kept with its address and a shallow copy, whose pointers are still those of
// the original:
//
//	          address     copy
//	block 0   0xc010  ->  State{Head: 0xc0a0, Tail: 0xc0b0}
//	block 1   0xc0a0  ->  node{Weight: 2.5, Next: 0xc0b0}
//	block 2   0xc0b0  ->  node{Weight: 1.0, Next: nil}
//
// A hash table maps addresses to blocks, so cycles end and shared blocks stay shared.
// [Copier.Restore] writes every changed block back to its address, so other pointers to it
// see the old value as well. [Copier.Diff] traverses the blocks and the live memory side by
// side. Neither recurses along pointers, so a list may be as long as memory allows.
//
// # What is equal
//
//   - Integers, strings, floats and complex numbers are compared by their bits: a NaN equals
//     the same NaN, and -0 differs from 0. Padding, fields named _ and fields with the tag
//     `ross:"-"` are ignored.
//   - Pointers are compared by what they point to, at any address: a Reverse may build an
//     equal object anew. One object must remain one object, and two must remain two. A
//     pointer into the middle of another object (such as an element of a slice) is compared
//     only by what it points to.
//   - Slices are compared by length and elements. Capacity, nil against empty, and shared
//     arrays are ignored, because growing a slice changes all of these.
//   - Maps are compared by their keys; a pointer in a key must be the same pointer. A nil
//     map may have become an empty one, but not the reverse, because writing to a nil map
//     panics. Of entries whose key is NaN only the number is compared, because no lookup
//     finds them.
//   - Interfaces are compared by dynamic type and value.
//   - Channels and unsafe.Pointers are compared by identity, functions by their code. They
//     are not followed: neither a closure's variables nor the object of an atomic.Pointer is
//     compared.
//   - Types passed to NewCopier as opaque are compared by the pointer to them: those of the
//     engine, which a state may refer to but which are not part of it.
//
// # Paths
//
// A path is the Go expression that finds the value: State.M["a"].X, *State.P,
// State.Any.(Circle).Radius. If there are several, it is a shortest one. What a pointer in a
// map's key points to is State.M[key &{ID:3}].X. A run of equal steps is counted, as in
// State.Head(.Next){1000}.Weight, and a long path loses its middle. Differences come in the
// same order every time: near the state first, fields as declared, map entries by key.
//
// # Digests
//
// A [Hasher] returns one number for a value and everything it refers to. Values that are
// equal by the rules above have the same number, in each run of a program and on each
// machine of the same kind. For this, functions count by their names, and channels,
// unsafe.Pointers and pointers to opaque types only as nil or not nil. Different values have
// different numbers with the usual probability, except graphs of equal objects that differ
// only far from each of them.
package deep
