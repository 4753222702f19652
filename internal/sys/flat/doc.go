// Package flat writes Go values as bytes and reads them back, for values that ranks send to each
// other. It writes numbers, booleans, strings, slices, maps, pointers, and arrays and structs of
// these. Fields count whether or not they are exported, which package gob does not do.
//
// What is read back equals what was written, down to the difference between a nil slice and an
// empty one, and shares no memory with it:
//
//	codec, err := flat.For[T]()
//	b, err := codec.Append(nil, &v)
//	rest, err := codec.Read(b, &copyOfV)
//
// A value is written as a tree. Two pointers to one variable become pointers to two, and a value
// that refers to itself is an error. [For] refuses types that cannot be written: those that hold
// channels, functions, interfaces or unsafe pointers.
//
// The bytes are those of the machine: writer and reader must have the same word size and byte
// order, as ranks have. A type without pointers is copied as a whole, which costs about as much as
// copying memory. Other types go through package reflect.
package flat
