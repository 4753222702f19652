// This file owns placements: which terminals belong to which job.

package workload

import (
	"fmt"

	"github.com/ross-go/ross/models/network/interconnect"
	"github.com/ross-go/ross/rng"
)

// Placement is how ranks of jobs are placed on terminals.
type Placement uint8

// Placements. Jobs follow one another in the order of terminals that each of them makes.
const (
	Contiguous Placement = iota // the order of their numbers
	RoundRobin                  // the first terminal of each router, then the second, and so on
	Random                      // a random order
)

var placements = [...]string{"contiguous", "round-robin", "random"}

// String returns the name.
func (p Placement) String() string {
	if int(p) < len(placements) {
		return placements[p]
	}
	return fmt.Sprintf("Placement(%d)", uint8(p))
}

// ParsePlacement returns the placement of a name.
func ParsePlacement(name string) (Placement, error) {
	for p, known := range placements {
		if name == known {
			return Placement(p), nil
		}
	}
	return 0, fmt.Errorf("%w: placement %q: give contiguous, round-robin or random", ErrWorkload, name)
}

// order returns the terminals of a network in the order in which jobs get them.
func (p Placement) order(n *interconnect.Network, seed uint64) []int32 {
	if p == Random {
		return shuffled(n.Terminals(), seed)
	}
	order := make([]int32, 0, n.Terminals())
	if p == Contiguous {
		for t := range n.Terminals() {
			order = append(order, int32(t))
		}
		return order
	}
	for turn := 0; len(order) < n.Terminals(); turn++ {
		for r := range n.Shape().Routers() {
			if first, end := n.TerminalsOf(r); first+turn < end {
				order = append(order, int32(first+turn))
			}
		}
	}
	return order
}

// shuffled returns the numbers below n in a random order, the same for each seed.
func shuffled(n int, seed uint64) []int32 {
	seeds, _ := rng.RunSeeds(seed)
	s := rng.NewSeeder(seeds).Stream(0)
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	s.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}
