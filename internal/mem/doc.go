// Package mem gives the engine memory outside the Go heap: address space that
// is reserved once for the most a run may ever need and turned into memory as
// it is used.
//
// ROSS sizes its pools once, at start; a run that needs one event more dies hours in. Here
// a pool is a Region. Reserving only costs addresses, so the reservation can be as large as
// the machine's memory; growing copies and moves nothing; and an address handed to C stays
// valid. Large regions ask for huge pages, which matters when events are visited in an
// order no hardware prefetcher can guess.
//
// # Address space is reserved at once
//
// Nothing ever moves: an index becomes an address by one multiply-add, and C can keep the base.
// But address space is limited, too: 128 TiB, what ulimit -v sets, and some 65,000 mappings of a
// process. So a reservation is bounded by the budget's limit and takes at most a part of what is
// left, since the runtime of Go needs some as well. When a region that has less than requested is
// full, its error says so.
//
// The chunks of a ladder, of which each PE has its own (csrc), are named by numbers, and nothing
// points to them. They move to a range twice as large when theirs is full.
//
// # The race detector sees one variable
//
// It knows nothing outside the Go heap but variables of the program. So in a build with -race all
// regions are parts of one variable of 1.5 GiB, of which only what is used costs memory. Regions
// then have less room, see zoneSize.
//
// # One budget for all memory
//
// --max-memory counts events, lineages, blocks, histories, the buddy pool and the keys of queues
// together; the default is 80 % of what is free, control groups included. LPs and their states are
// charged before they are made. Reaching the limit is an error with the number of pending events,
// not a crash, and optimistic runs slow down before that (package timewarp). Buffers of the
// instrumentation are not counted: --buffer-size bounds them, twice that for each PE and file.
package mem
