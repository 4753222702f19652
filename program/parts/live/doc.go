// This file is the package documentation: what can be seen of a running simulation, and how.

// Package live shows a simulation while it runs: a progress bar on the terminal, and a small HTTP
// server with a page, the figures as JSON, metrics for Prometheus, and Go's profiles. It only
// observes: every figure comes from [ross.Simulation.Snapshot], which costs the run next to
// nothing, and it never changes which events are committed.
//
// The engine does not import this package. A program that does not use it does not link it.
//
// # In a program
//
// A program.Program has the live view as one of package parts. In another program Register adds the options --progress
// and
// --http after those of the engine, and Options.Run replaces Simulation.Run:
//
//	cfg := ross.DefaultConfig()
//	var view live.Options
//	o := ross.NewOptions("phold")
//	cfg.Register(o)
//	view.Register(o)
//	// o.Main, ross.New, sim.Define
//	err := view.Run(ctx, sim, os.Stderr)
//
// [Start] and [View.Stop] are its two halves, for programs that do more in between. A program
// without a command line fills in Options itself.
//
// # The bar
//
// The bar is drawn on standard error, four times a second, if that is a terminal (--progress). It
// shows how far GVT is, how many events per second were committed in the last few seconds, the
// efficiency, the time left if GVT continues at its pace, the rollbacks, and the memory. If the
// terminal is too narrow, the last figures are left out. For a run without an end a turning stroke
// replaces the bar. While there is a bar, the run prints no progress lines ("GVT #..."); all its
// other output appears above the bar. When the run ends, successfully or not, the bar is removed.
//
// In a run over MPI only rank 0 has a bar. Its event figures are those of its own PEs.
//
// # The server
//
// --http=8080 serves at http://127.0.0.1:8080/ until the run is over:
//
//	/               a page that shows the figures, also of each PE, once a second
//	/snapshot.json  the figures
//	/metrics        the figures, and those of the Go runtime, for Prometheus
//	/debug/pprof/   profiles, for go tool pprof
//
// An address without a host can only be reached from this machine. Requests that name another host
// are refused, so that no web page can read the figures. Nor can a web page take a profile, which
// would slow the run down: requests that a browser sends for another page are refused, except links
// to figures. This protection is limited to this machine, because browsers report too little to
// others. An address with a host is bound as given, 0.0.0.0:8080 for all networks; everybody who
// can reach it can read the figures and take profiles, without a password. Port 0 means a free
// port, which is printed. Each rank serves its own PEs: rank r at the given port plus r.
//
// The server has its own mux. But net/http/pprof, which makes the profiles, also registers itself
// with http.DefaultServeMux: a program that serves that mux shows the profiles there as well.
package live
