// This file owns random streams that belong to one process.

package proc

import (
	"github.com/ross-go/ross/internal/num/hash64"
	"github.com/ross-go/ross/rng"
)

// Stream returns a random stream of the process's own. It is a value that the process keeps in a variable, and which is
// undone with its other variables:
//
//	draws := p.Stream(uint64(i)) // of machine i
//	for {
//		p.Sleep(draws.Exponential(300))
//
// It depends on the seeds of the run, the LP and the key alone, and not on what other processes draw: so variants of a
// model with equal keys meet the same random numbers. The same key gives the same stream again.
func (p *Self) Stream(key uint64) rng.Stream {
	first := p.run.k.RNG.CLCG4
	first.Skip(-int64(first.Count()))
	seed := uint64(0)
	for _, c := range first.State().C {
		seed = hash64.Word(seed, uint64(c))
	}
	return rng.NewSeeder(rng.SeedsOf(hash64.Word(seed, key))).Stream(0)
}
