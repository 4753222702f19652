// Package cmodel runs types of LPs that are written in C against the interface of ROSS (ross.h): next to types of Go in
// the simulation of a Go program, or, as the library that command csrc/libross makes of it, in a C program.
//
// docs/c-models.md is its manual, and has a whole Go program.
//
// # In a Go program
//
// A [Type] has the address of a tw_lptype and the size of its messages. Its LPType goes to ross.Run, as a ross.Type
// does:
//
//	servers := cmodel.Type[C.job]{Name: "server", LPs: 4, C: unsafe.Pointer(&C.server_type), MessageSize: C.sizeof_job}
//	sim, err := ross.Run(ctx, cfg, clients, servers.LPType())
//
// LPs of both languages send each other that message, a Go struct with the layout of the C struct. The C file is one of
// the Go package, for cgo; [WriteHeaders] writes what it includes, and [State] returns states after the run.
//
// The Go program makes the LPs and the run; the variables of ROSS tell C about them. C has one set of these, so one
// simulation with LPs of C runs at a time.
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
// What the process has is in one variable, node, and what C has for a run in a host. A C program makes its LPs itself
// (setup.c), and calls entry.go; its options are those of the model and of the engine, and variables that it sets are
// their defaults (options.go). For a Go program mixed.go makes what C sees of its LPs.
package cmodel
