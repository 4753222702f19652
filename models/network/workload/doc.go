// Package workload has what networks of package interconnect are loaded with: traffic patterns, the
// communication of parallel programs, traces, and several jobs at a time.
//
// # Jobs
//
// A [Job] has a number of ranks, which are placed on terminals of the network, and what they do:
//
//	p, err := workload.NewPattern("uniform", workload.PatternOptions{Ranks: 64})
//	s, err := workload.Stencil([]int{4, 4, 4}, 4096, workload.Rounds{Count: 10, Compute: 2000})
//	w, err := workload.New(net, []workload.Job{
//		{Name: "background", Ranks: 64, Pattern: p, Bytes: 512, Load: 0.3},
//		{Name: "stencil", Ranks: 64, Program: s},
//	}, workload.Random, 1)
//	...
//	sim.Define(net.Router(), w.Host())
//	sim.Run(ctx)
//	results, err := w.Results(sim)
//
// A [Pattern] is traffic without an end: each rank sends messages at random times (a Poisson process),
// whether or not the network can carry them. Its results are latency and accepted load, over the time of
// the job. For these let Config.WarmUp pass first, since the network is empty at the beginning.
//
// A [Program] is what ranks do one after the other: they compute, send, and wait for messages. Its
// result is above all when it ends. Sends do not block, as MPI_Isend, and receives do, as MPI_Recv; the
// network is all that takes time, besides computing. There are collective operations ([AllToAll],
// [RingAllReduce], [DoublingAllReduce], [Barrier]), a [Stencil], and programs from files ([ReadTrace]). A program of
// the model's own is any type with the methods of Program.
//
// # Jobs that cannot go on
//
// A program that has not ended when the run has may need a later Config.End, or no run may be long enough:
// its ranks wait for one another or for what no rank sends, or its packets are in a deadlock of the
// network. Results distinguishes these by what the run leaves: what each rank waits for, and what is on its
// way. For a job that cannot go on, Result.Stuck describes who waits for what, and Results returns an error
// that wraps [ErrStuck] with the results. Other jobs may go on meanwhile. A packet whose route has no end is
// an error of the run (interconnect.Config.MaxHops), as are operations and patterns with ranks that do not
// exist.
//
// # Placements
//
// Jobs get terminals in the order of their numbers ([Contiguous]), one of each router in turn
// ([RoundRobin]), or in a random order ([Random]). On a dragonfly, contiguous jobs stay within few groups,
// and share few links with others; random ones balance the global links.
//
// # Traces
//
// [ReadTrace] reads a text format with a line for each operation. Traces of DUMPI and OTF2 are binary,
// and there is no Go library for either: convert them by the tools of these projects, dumpi2ascii and
// otf2-print, whose output has a line or a few for each call. MPI_Send and MPI_Isend become send, MPI_Recv
// and the MPI_Wait of an MPI_Irecv become recv, and the time between two calls becomes compute.
//
// # Design
//
// Operations are computed from the rank and their index, so a rank of an all-to-all among a thousand needs
// as little memory as one that waits at a barrier, and undoing an operation is nothing but setting the
// index back. A process does up to 256 operations in an event. Messages that come before their receive
// are counted by sender and tag in a map of the state.
package workload
