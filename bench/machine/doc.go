// Machine measures in some minutes what a machine is, and how the engine scales on it:
//
//	make machine
//	make machine BUDGET=2m
//
// It writes three files into a folder: tables in Markdown, a picture of the speed-up over the number of PEs, and as
// JSON everything that was measured. bench/README.md says how to read them ("Your machine").
//
// # What the machine is
//
// Processors and where they are (package topology), memory, the versions of Go and of the source; how long a cache
// line takes from one core to another and back (latency.go); how much slower a core is while all others work
// (clock.go); and what part of the processors others use (others.go). What a system does not tell is left out, with a
// note.
//
// # Cells
//
// A cell is a model with a scheduler, a number of PEs, as threads or as ranks, bound to cores or not (cells.go).
// Models are those of package bench, which this program runs itself when its first word is "model" (model.go), and
// models/dragonfly, which lies next to it. Each run is a process of its own, so no run finds the memory of another.
//
// In strong scaling all PEs together have a model of one size. In weak scaling the model grows with them. KPs stay on
// their PEs (--balance=off), because a run that goes on with one PE shows nothing about scaling.
//
// The first run of a cell has --digest, and its digests must be those of the sequential run of the same model. It
// also tells how long the cell takes, and has no part in the figures. Later runs do without digests, and must commit
// as many events. Any difference is a failure: it is written into all files, and the exit status is 1.
//
// # Time
//
// Cells have an order of importance. The planner (plan.go) runs each once, as long as the time left suffices for
// three more runs of it and of all cells before it, and leaves out the others. Then it takes turns through the cells,
// at least three, and more while there is time. How long runs are depends on the number of cells and on the time.
//
// # Where scaling ends
//
// judge.go names the least number of PEs with an efficiency (speed-up divided by PEs) below 0.7, and what took the
// time.
package main
