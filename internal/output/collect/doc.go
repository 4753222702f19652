// Package collect takes the samples and traces that a run is asked for, and writes the files of the
// instrumentation through package instr, which knows records and buffers and no engine.
//
// # Types
//
//	Instruments   what a run collects: the files, and the limit of their size
//	Probe         a PE's part: a buffer for each file, and what is due
//	Host          a PE that is to have a probe, with a function that gives its times
//
// # Parts
//
//	probe.go    what a PE collects and when; buffers that are filling up (which events are traced:
//	            internal/engine/kernel/trace.go)
//	samples.go  counters of PE, KP and LP since the previous sample; memory of a PE; Type.Sample
//	points.go   Type.Point, at virtual times, by analysis LPs
//	files.go    the files: how they are opened and closed, failures; statistics and names of LPs
//	flush.go    what several ranks agree on: where flushes go, how much is written
//
// # Order of things
//
// Package run calls [Open] before the run, which makes the files and probes, and [Probe.Begin] when
// the PE's clock starts. In each turn of its loop a PE calls [Probe.Collect], which takes the
// samples that are due, and [Probe.Hurry]. For each round of GVT it reports [Probe.Ask]. When the
// run is over [Instruments.Close] takes the last samples and publishes the files.
//
// # A flush is agreed on with GVT
//
// A file is a sequence of flushes, and a flush is what PEs 0, 1, ... of all ranks hold at the same
// GVT, as in ROSS. Whether there is one is a flag in the reports for GVT. So all PEs know it at no
// cost and hand over at that GVT, and none waits. A goroutine writes what a PE handed over while
// the PE fills another buffer. A PE waits only if the disk is slower than the simulation, because a
// trace with holes is worth less than a slow one. Where in the file a rank's part goes is a sum of
// sizes. The first PEs of the ranks exchange these one GVT later, when all PEs of their ranks have
// handed over.
//
// # Samples are taken between phases
//
// The times in a sample are differences of times that only grow, so those of a run add up to the
// closing report, to the last digit but for the float32 of the files. What is estimated from
// samples of the clock is settled at each reading and not taken back (meter.Account). Therefore no
// sample is taken within a phase: a GVT sets a flag, and the loop takes the sample when GVT's own
// time has been charged.
//
// # Counters of LPs exist only on request
//
// What an event counts in any case is in cache lines that it touches anyway. Rollbacks, sends and
// reads of LPs are counted in an array that exists only with --kp-data and --lp-data: one branch
// where they occur, none in the handling of an event.
//
// # Analysis LPs are LPs
//
// A sample at a virtual time must see each LP as it is at that time, although its PE may be ahead,
// and must be taken back if a straggler arrives. An LP in each KP with an event at that time gets
// all of this from Time Warp. What a model reports is kept until the event commits and only then
// written, so a file has each point once. The engine is sampled once for each PE and point, when
// the point of KP 0 commits, not by every KP for the whole PE. Events of analysis LPs are in the
// trace, as in ROSS, and in a block of the report, but not in the digest and the counters: these
// belong to the model, whatever is collected.
//
// # A limit is drawn on ahead
//
// --stats-limit is checked where a buffer grows, not for each record: buffers draw small lots of it
// (instr.Limit). Once refused, always refused, and a flag of GVT ends the collection on all PEs of
// all ranks. So the files have no holes and end at nearly the same time.
//
// # A disk that fails ends the collection
//
// Results do not depend on what is collected, so a full disk is reported once and the run goes on.
// The file keeps its temporary name and is cut back to whole flushes, with several ranks to what
// all of them have written.
package collect
