// This file owns patterns: who sends to whom in traffic without an end.

package workload

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/ross-go/ross/rng"
)

// ErrWorkload is wrapped by errors about workloads that are not possible.
var ErrWorkload = errors.New("workload: not possible")

// Pattern returns to which rank a rank of a job sends next. It draws from the stream if it is random,
// and depends on nothing else. It may be the rank itself.
type Pattern func(rank int, s *rng.Stream) int

// PatternOptions has what some patterns need.
type PatternOptions struct {
	Ranks    int     // of the job, at least 2
	Lengths  []int   // of the grid of ranks, for tornado and neighbour; nil: a ring of all
	Group    int     // ranks of a group, for adversarial
	Fraction float64 // of the messages that go to the hot spot, 0 to 1
	Seed     uint64  // of the permutation
}

// patterns are the patterns by name.
var patterns = map[string]func(PatternOptions) (Pattern, error){
	"uniform": uniform, "neighbour": neighbour, "tornado": tornado, "transpose": transpose,
	"complement": complement, "hotspot": hotspot, "permutation": permutation, "adversarial": adversarial,
}

// Patterns returns the names of the patterns, in alphabetical order.
func Patterns() []string {
	var names []string
	for name := range patterns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// NewPattern returns a pattern by its name (Dally and Towles, "Principles and practices of
// interconnection networks", 2004, chapter 3):
//
//   - uniform: each other rank, with the same probability;
//   - neighbour: one step up or down in a random dimension of the grid;
//   - tornado: almost half way round in each dimension of the grid, (L-1)/2 steps up;
//   - transpose: row and column change places; the ranks are a square number;
//   - complement: rank i sends to the last but i, which inverts all bits if the ranks are a power of two;
//   - hotspot: rank 0 with the probability Fraction, otherwise uniform;
//   - permutation: each rank to another one, always the same, drawn with Seed;
//   - adversarial: any rank of the next group.
func NewPattern(name string, o PatternOptions) (Pattern, error) {
	make, ok := patterns[name]
	if !ok {
		return nil, fmt.Errorf("%w: pattern %q: give one of %v", ErrWorkload, name, Patterns())
	}
	if o.Ranks < 2 {
		return nil, fmt.Errorf("%w: pattern %s for %d ranks: it needs 2 or more", ErrWorkload, name, o.Ranks)
	}
	if o.Lengths == nil {
		o.Lengths = []int{o.Ranks}
	}
	all := 1
	for _, n := range o.Lengths {
		if n < 1 || all > o.Ranks {
			all = 0
			break
		}
		all *= n
	}
	if all != o.Ranks {
		return nil, fmt.Errorf("%w: a grid of %v for %d ranks: it must have as many places", ErrWorkload, o.Lengths, o.Ranks)
	}
	return make(o)
}

func uniform(o PatternOptions) (Pattern, error) {
	last := int64(o.Ranks - 2)
	return func(rank int, s *rng.Stream) int {
		to := int(s.Integer(0, last))
		if to >= rank {
			to++
		}
		return to
	}, nil
}

func neighbour(o PatternOptions) (Pattern, error) {
	lengths := slices.Clone(o.Lengths)
	return func(rank int, s *rng.Stream) int {
		way := int(s.Integer(0, int64(2*len(lengths)-1)))
		below := 1
		for _, n := range lengths[:way/2] {
			below *= n
		}
		n, at := lengths[way/2], rank/below%lengths[way/2]
		return rank + below*((at+1+way%2*(n-2)+n)%n-at)
	}, nil
}

func tornado(o PatternOptions) (Pattern, error) {
	to := make([]int32, o.Ranks)
	for rank := range to {
		below, other := 1, 0
		for _, n := range o.Lengths {
			other += below * ((rank/below%n + (n-1)/2) % n)
			below *= n
		}
		to[rank] = int32(other)
	}
	return fixed(to), nil
}

// fixed is the pattern of a table.
func fixed(to []int32) Pattern { return func(rank int, _ *rng.Stream) int { return int(to[rank]) } }

func transpose(o PatternOptions) (Pattern, error) {
	side := 1 << (bits.Len(uint(o.Ranks)) / 2)
	for side*side > o.Ranks {
		side--
	}
	for (side+1)*(side+1) <= o.Ranks {
		side++
	}
	if side*side != o.Ranks {
		return nil, fmt.Errorf("%w: pattern transpose for %d ranks: give a square number, such as %d", ErrWorkload, o.Ranks,
			side*side)
	}
	return func(rank int, _ *rng.Stream) int { return rank%side*side + rank/side }, nil
}

func complement(o PatternOptions) (Pattern, error) {
	return func(rank int, _ *rng.Stream) int { return o.Ranks - 1 - rank }, nil
}

func hotspot(o PatternOptions) (Pattern, error) {
	if !(o.Fraction >= 0 && o.Fraction <= 1) {
		return nil, fmt.Errorf("%w: pattern hotspot with the fraction %g: must be 0 to 1", ErrWorkload, o.Fraction)
	}
	others, err := uniform(o)
	return func(rank int, s *rng.Stream) int {
		if s.Unif() < o.Fraction {
			return 0
		}
		return others(rank, s)
	}, err
}

func permutation(o PatternOptions) (Pattern, error) {
	return fixed(cyclic(shuffled(o.Ranks, o.Seed))), nil
}

// cyclic has each number of a list send to the one behind it, so that none sends to itself.
func cyclic(list []int32) []int32 {
	to := make([]int32, len(list))
	for i, from := range list {
		to[from] = list[(i+1)%len(list)]
	}
	return to
}

func adversarial(o PatternOptions) (Pattern, error) {
	if o.Group < 1 || o.Ranks <= o.Group {
		return nil, fmt.Errorf("%w: pattern adversarial for %d ranks in groups of %d: it needs two groups", ErrWorkload,
			o.Ranks, o.Group)
	}
	groups := (o.Ranks + o.Group - 1) / o.Group
	return func(rank int, s *rng.Stream) int {
		first := (rank/o.Group + 1) % groups * o.Group
		return first + int(s.Integer(0, int64(min(o.Group, o.Ranks-first)-1)))
	}, nil
}
