// This file teaches the package: what of a running simulation can be seen, and how.

// Package live shows a simulation while it runs: a progress bar on the terminal, and a
// small HTTP server with a page, the figures as JSON, metrics for Prometheus, and Go's
// profiles. It only looks on: every figure comes from [ross.Simulation.Snapshot], which
// costs the run next to nothing, and no run commits other events because of it.
//
// The engine does not import this package. A program that does without it links none of
// what it needs.
//
// # In a program
//
// Register adds the options --progress and --http behind the engine's; Run of Options
// takes the place of Run of the simulation:
//
//	cfg := ross.DefaultConfig()
//	var view live.Options
//	o := ross.NewOptions("phold")
//	cfg.Register(o)
//	view.Register(o)
//	// o.Main, ross.New, sim.Define
//	err := view.Run(ctx, sim, os.Stderr)
//
// [Start] and [View.Stop] are its halves, for programs that do more in between. A program
// without a command line fills in Options itself.
//
// # The bar
//
// It stands on standard error, four times a second, if that is a terminal (--progress),
// and says how far GVT is, how many events a second were committed in the last seconds,
// the efficiency, the time left if GVT goes on as so far, the rollbacks, and the memory.
// Of what does not fit the terminal the last is left out. A run without an end has a
// turning stroke in place of the bar. While there is a bar the run prints no progress
// lines ("GVT #..."); all else that it prints appears above the bar. At the end,
// good or bad, the bar goes away.
//
// Only rank 0 of a run over MPI has one. Its event figures are those of its own PEs.
//
// # The server
//
// --http=8080 serves at http://127.0.0.1:8080/ until the run is over:
//
//	/               a page that shows the figures, and those of each PE, once a second
//	/snapshot.json  the figures
//	/metrics        the figures, and those of the Go runtime, for Prometheus
//	/debug/pprof/   profiles, for go tool pprof
//
// An address without a host is one of this machine alone, and requests that name another
// host are refused, so that no web page can read the figures in passing. Nor can one take a
// profile, which slows the run down: what a browser asks for on behalf of another page is
// refused, links to figures aside. Other machines are told too little by browsers to be
// protected like that. An address with a host is bound as it is said, 0.0.0.0:8080 for all networks; whoever reaches it can
// read the figures and take profiles, there is no password. Port 0 is a free port, which
// is printed. Each rank serves its own PEs: rank r at the port that is r higher.
//
// The profiles are on a mux of this package's. But net/http/pprof, which they are made
// with, also adds itself to http.DefaultServeMux: a program that serves that one shows
// them there.
//
// A program that is built with -tags nolive has the options but neither bar nor server, and
// nothing of what they need is linked.
package live
