// This file is the package documentation.

// Package rng provides the reversible random-number streams of a parallel
// discrete-event simulation, and the distributions that models draw from.
//
// # The generator
//
// CLCG4 (L'Ecuyer and Andres, "A random number generator based on the
// combination of four LCGs", Mathematics and Computers in Simulation 44, 1997)
// runs four small linear congruential generators side by side,
//
//	c_j <- a_j * c_j mod m_j,   m_j = 2^31-1, 2^31-105, 2^31-225, 2^31-325
//
// and combines them with alternating signs into one uniform number. Its period, the least
// common multiple of the m_j-1, is about 2^115. (The bound that is often cited, 2^121, would
// need m_j-1 that have no common divisor but 2.) Three properties make it suit Time Warp:
//
//   - each component has an inverse multiplier, so a draw can be undone;
//   - a jump over n draws costs O(log n), forward or back;
//   - the sequence splits into streams 2^72 draws apart, and the start of any stream
//     is computed from its number alone. Every LP gets its own streams, so the numbers
//     it draws do not depend on how LPs are mapped to processors.
//
// Seeds, stream numbers and all draws are bit for bit those of ROSS on x86-64 with
// glibc 2.28 or later, on every architecture: package internal/num/libm has C's logarithms,
// powers and sines. Where a function departs from ROSS, its comment says so.
//
// # How it is used
//
// A [Seeder] turns four seeds and a stream number into a generator. [CLCG4] is the
// bare generator of 24 bytes, which an engine embeds wherever it needs uniform
// numbers; [Stream] adds the distributions and is what a model uses. Both are plain
// values without pointers: copying one copies its whole future. Neither is safe for
// concurrent use; give each goroutine its own stream.
//
// # Replications
//
// Runs of one model with different seeds are independent only if their seeds are. The
// generator is linear: with seeds k*s a stream draws k times what it draws with seeds
// s, modulo 1. So the seeds 1 1 1 1, 2 2 2 2, 3 3 3 3 are not independent
// replications, nor are 1 2 3 4 and 2 3 4 5. [Seeds.Patterned] recognizes such patterns.
//
// [RunSeeds] makes all seeds of a run from one number, and [Seeds.Replication] moves every
// stream to a part that no other replication draws from: a stream of 2^72 draws consists of
// 2^24 parts. [SeedsOf] makes unrelated seeds from the number of a replication, without that
// guarantee.
//
// # Distributions that ROSS does not have
//
// [Stream.Intn], [Stream.Erlang], [Stream.Triangular], [Stream.PERT], [Stream.Beta], [Stream.TruncatedNormal],
// [Stream.Shuffle] and [Choice] need no preparation. Others have tables, which are made once, before the run, and
// shared by all LPs: [Alias] draws an index by weights, [Discrete] a value by weights, [Empirical] a number
// distributed as a sample, and [Zipf] a rank. Their Draw takes the stream, so what they draw is undone like every
// other draw.
//
//	distribution                                     uniform draws
//	Erlang(k, mean)                                  k
//	Intn, Triangular                                 1
//	Alias, Discrete, Empirical, Choice               1
//	PERT, Beta                                       2 for each try, 1.5 or less on average; 4 for small shapes
//	TruncatedNormal                                  2 for each try, 1.5 or less on average
//	Shuffle(n, swap)                                 n-1
//	Zipf                                             1 for each try, 1.1 or less on average
//	RateTable                                        1 for an arrival
//	Thinning                                         2 for each try
//
// # Arrivals with a rate that changes
//
// [RateTable] has rates that are constant in intervals, such as the hours of a day, and repeat; [Thinning] has any
// function of time with a bound. Next draws the time to the next arrival of such a Poisson process:
//
//	day, err := rng.NewRateTable([]float64{0, 7, 19}, []float64{2, 12, 5}, 24) // before the run
//
//	func (s *Source) next(lp *ross.LP, m *Next) {
//		ross.Send(lp, desk, 0, Arrive{})
//		ross.Send(lp, lp.ID(), day.Next(lp.RNG(), lp.Now()), Next{})
//	}
//
// # Undoing
//
// There are three ways back.
//
// State and SetState save and restore everything. This is exact whatever was drawn in
// between, and costs a copy of 48 bytes.
//
// Rewind undoes the draws since Count had a value, which is all that must be kept. It is how an
// engine rolls back. It cannot pass a SetState, a Skip over 2^15 draws or more, or the use of a
// value that Normal01 had kept; Keeps and WasSet report such streams, which an engine saves whole.
//
// Reverse and Skip(-n) walk back along the uniform numbers. A model that reverses by
// hand counts its draws (the difference of Count before and after) and undoes as many.
// Most distributions are nothing but uniform draws, so this is exact, with one
// exception: Normal01, NormalSD and LogNormal make two values from one pair of draws
// and keep the second for the next call. Going back over the pair's draws drops the
// kept value, as it must. But the call that uses the kept value draws nothing, so a
// count of draws cannot show that it must be undone. To go back to a point between the
// two calls of a pair, restore a saved state.
//
// # Invalid parameters
//
// No function panics or loops for ever. Distributions over the real numbers
// return NaN where the parameter makes no sense; those over the integers return the
// nearest value that does. Each function says which. The functions that make tables return
// an error. A distribution with a fixed
// number of draws makes them whatever its parameters are, except Integer and Ulong
// with an empty range.
//
// # Cost
//
// A uniform draw takes about a quarter of the time of the textbook form, for two
// reasons: with m = 2^31-k the remainder needs no division, since 2^31 is k modulo m;
// and the three wrap-arounds of the combination, which as branches are mispredicted
// half of the time, are read off an integer sum of the components, which is known long
// before the floating-point one. Both are explained where they are coded, in clcg4.go.
// BenchmarkUnif compares the two forms.
package rng
