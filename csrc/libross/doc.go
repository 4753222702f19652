// Command libross is a library for models that are written in C against the interface of ROSS: it runs them unchanged
// on this engine, in one process. Built as an archive, it has a C program's side of the interface (ross.h); the Go
// program in it does nothing by itself.
//
// docs/c-models.md is its manual, and README.md says how to build it and a model.
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
// Options (options.go) are those of the model and of the engine; the variables of ROSS that a model may set are their
// defaults (settings.go).
package main
