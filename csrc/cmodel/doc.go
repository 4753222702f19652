// Package cmodel runs types of LPs that are written in C against the interface of ROSS. Command csrc/libross makes of it
// the library for C models, which it runs unchanged on this engine, in one process: then the program is the model's.
//
// docs/c-models.md is its manual.
//
// # Who does what
//
// A C type of LPs is a kernel.Type made of sizes and of the addresses of its functions (types.go). The state of an LP
// is memory of C, since models keep pointers to it; its tw_lp has the addresses of its clock and of its random
// streams, which are the engine's own.
//
// A handler calls nothing of Go. What it does besides changing its state is noted down in the ross_out of its PE
// (libross.h): events that it makes, texts, its suspension. When it has returned, the engine takes them over
// (handlers.go), so that there is one call in each direction for an event. Tie-breakers are drawn then too, in the
// order of tw_event_new, from a stream that nobody else uses: they are those of ROSS.
//
// Options of a C program are those of the model and of the engine; the variables of ROSS that a model may set are their
// defaults (options.go). What C calls to make a run is in entry.go.
package cmodel
