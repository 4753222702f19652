// Package partition makes mappings from the graph of a model: it places LPs on PEs, and on the KPs of
// each PE, such that few events cross PEs, all PEs have about the same load, and the lookahead between
// PEs is large.
//
// # Use
//
// A [Graph] has the LPs of the model, the expected work of each, and the expected number of events
// between any two that exchange some. [FromLinks] makes it from a list of links, [FromNeighbours] from a
// function that lists the neighbours of an LP:
//
//	g, err := partition.FromLinks(lps, nil, func(yield func(partition.Link) bool) {
//		for lp := range lps {
//			if !yield(partition.Link{A: lp, B: (lp + 1) % lps, Events: 1}) {
//				return
//			}
//		}
//	})
//	cfg.LPs = lps
//	cfg.Mapping = g.Mapping(partition.Options{})
//
// This works for any number of PEs, KPs and ranks. Loads and events are expectations, whose ratios
// matter, not their units. Good sources are the rates of the model, or the event trace of a short run;
// 1 for each link is a fair guess if nothing is known.
//
// [Graph.Compare] estimates what to expect before anything runs, such as this, for a dragonfly of 65
// groups of 16 routers on 4 PEs, with ids in no order:
//
//	mapping               cut    share  imbalance  least lookahead
//	linear               7813   79.1 %      0.0 %  0.1
//	round robin          8320   84.2 %      0.0 %  0.1
//	partition            1631   16.5 %      2.7 %  0.1
//
// The share is that of the events that will cross PEs.
//
// # When it helps
//
// An event that stays on its PE costs less than one that crosses, because it is not copied to
// another core and cannot arrive late, and a conservative run takes larger steps if the lookahead
// between PEs is larger. How much that is worth depends on what the mapping was before, and on how much
// an event computes. These runs of PHOLD on graphs compute next to nothing; they have 2 PEs on 2 cores
// of one machine (bench/README.md has the table):
//
//   - With ids in an order that has nothing to do with the graph, a linear or a round-robin mapping
//     has half of all events cross. On a torus of 32 x 32 x 32 the partition has 2 % cross, and runs are
//     20 to 30 % faster than linear ones. On a dragonfly, with 10 % instead of 50 %, they are 27 %
//     faster.
//   - With ids in the order of the graph, the linear mapping of a torus or a dragonfly cuts as little
//     as the partition. The partition is 6 to 16 % slower there, because the place of an LP is looked up
//     in a table instead of being computed: a linear mapping in a table is as slow. So compare first,
//     and stay with the linear mapping if it is as good.
//   - If LPs of a dragonfly's groups have a hundredth of the lookahead of the links between groups,
//     the partition does not cut groups, and conservative runs are twice as fast as linear ones,
//     which cut one.
//
// If the load of a model is uneven, balance is worth more than the cut: give loads to the graph, or let
// the engine's report show which PE waits (docs/instrumentation.md). Between machines a crossing event
// costs more than here, and so the cut is worth more; that was not measured. A model whose LPs send to
// all others alike has no good cut, and no mapping helps it.
//
// # Lookahead
//
// With Link.Lookahead, cutting a link costs its events times the ratio of the graph's greatest
// lookahead and the link's own, at most 1,024, so that links of little lookahead are cut last.
// Options.KeepBelow is stricter: it keeps all links below a lookahead inside a PE, at any price.
// [Graph.Bound] returns how far that can go. Set Config.ConsLookahead to Quality.Lookahead, which is
// the least one between PEs, instead of the least of all links; LPs of the same PE may send to each other
// with any delay.
//
// # Algorithm
//
// Multilevel recursive bisection. The graph is contracted, pair by pair along heavy edges, until it has
// some hundred vertices. Of these a first cut is made, by growing one side from a random vertex. Then
// the contractions are undone step by step, and in each graph vertices at the cut change sides as long as
// that makes the cut better (Hendrickson and Leland, "A multilevel algorithm for partitioning graphs",
// Supercomputing 1995; Karypis and Kumar 1998; Fiduccia and Mattheyses 1982; the files name what is
// taken from whom). Each side is divided in the same way until there is one part for each PE; then the
// LPs of each PE are divided among its KPs.
//
// All weights become integers, so all sums are exact, and all random numbers come from Options.Seed:
// the result is the same on all processors and ranks, whatever the order of the links.
//
// # Cost
//
// Time and memory grow in proportion to LPs and links, and time with the logarithm of the number of
// parts. 1,000,000 LPs with 3,000,000 links on 2 PEs of 16 KPs take 4 to 5 s on one core, and three
// quarters of a second to make the graph; 32,768 LPs with 98,304 links take half a second
// (BenchmarkPartition). Small graphs take longer than they need, because the best of several cuts is
// used. Every rank does all of this.
package partition
