// This file owns programs in which all ranks take part: collective operations, and the stencil.

package workload

import (
	"fmt"
	"math/bits"
)

// collective is a program of rounds, each of a number of steps, in which a rank sends to one rank and
// receives from another.
type collective struct {
	ranks, rounds, steps int
	step                 func(rank, step int) (to, from int, bytes int64)
	compute              float64 // ns, at the end of each round
}

func (c *collective) Ranks() int { return c.ranks }

func (c *collective) Op(rank, index int) (Op, bool) {
	each := 2*c.steps + 1
	round, at := index/each, index%each
	if round >= c.rounds {
		return Op{}, false
	}
	if at == 2*c.steps {
		return Op{Kind: Compute, Time: c.compute}, true
	}
	to, from, bytes := c.step(rank, at/2)
	return pair(at, to, from, bytes, uint32(round*c.steps+at/2)), true
}

// Rounds is how often a program does what it does, and for how many ns a rank computes after each time.
type Rounds struct {
	Count   int
	Compute float64
}

func (r Rounds) check(name string, ranks, least int, bytes int64) error {
	switch {
	case ranks < least || ranks > 1<<24:
		return fmt.Errorf("%w: %s of %d ranks: must be %d to 2^24", ErrWorkload, name, ranks, least)
	case bytes < 0:
		return fmt.Errorf("%w: %s of %d bytes: must be 0 or more", ErrWorkload, name, bytes)
	case r.Count < 1 || r.Count > 1<<20:
		return fmt.Errorf("%w: %s of %d rounds: must be 1 to 2^20", ErrWorkload, name, r.Count)
	case !(r.Compute >= 0 && r.Compute <= 1e12):
		return fmt.Errorf("%w: %s with a computation of %g ns: must be 0 to 10^12", ErrWorkload, name, r.Compute)
	}
	return nil
}

// AllToAll has each rank send the given number of bytes to each other one, to the next one first.
func AllToAll(ranks int, bytes int64, r Rounds) (Program, error) {
	if err := r.check("all-to-all", ranks, 2, bytes); err != nil {
		return nil, err
	}
	return &collective{ranks: ranks, rounds: r.Count, steps: ranks - 1, compute: r.Compute,
		step: func(rank, step int) (int, int, int64) {
			return (rank + step + 1) % ranks, (rank + ranks - step - 1) % ranks, bytes
		}}, nil
}

// RingAllReduce reduces a vector of the given number of bytes: each rank passes parts of it round a ring, twice
// (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009).
func RingAllReduce(ranks int, bytes int64, r Rounds) (Program, error) {
	if err := r.check("ring all-reduce", ranks, 2, bytes); err != nil {
		return nil, err
	}
	part := (bytes + int64(ranks) - 1) / int64(ranks)
	return &collective{ranks: ranks, rounds: r.Count, steps: 2 * (ranks - 1), compute: r.Compute,
		step: func(rank, _ int) (int, int, int64) {
			return (rank + 1) % ranks, (rank + ranks - 1) % ranks, part
		}}, nil
}

// DoublingAllReduce reduces a vector of the given number of bytes by recursive doubling: in step i, ranks whose
// numbers differ in bit i exchange all of it (Thakur, Rabenseifner and Gropp, "Optimization of
// collective communication operations in MPICH", 2005). The ranks are a power of two.
func DoublingAllReduce(ranks int, bytes int64, r Rounds) (Program, error) {
	if err := r.check("recursive-doubling all-reduce", ranks, 2, bytes); err != nil {
		return nil, err
	}
	if bits.OnesCount(uint(ranks)) != 1 {
		return nil, fmt.Errorf("%w: recursive-doubling all-reduce of %d ranks: give a power of two, such as %d", ErrWorkload,
			ranks, 1<<(bits.Len(uint(ranks))-1))
	}
	return &collective{ranks: ranks, rounds: r.Count, steps: bits.Len(uint(ranks)) - 1, compute: r.Compute,
		step: func(rank, step int) (int, int, int64) {
			return rank ^ 1<<step, rank ^ 1<<step, bytes
		}}, nil
}

// Barrier has all ranks wait for all: in step i, a rank sends to the one that is 2^i after it (Hensgen,
// Finkel and Manber, "Two algorithms for barrier synchronization", 1988).
func Barrier(ranks int, r Rounds) (Program, error) {
	if err := r.check("barrier", ranks, 2, 0); err != nil {
		return nil, err
	}
	return &collective{ranks: ranks, rounds: r.Count, steps: bits.Len(uint(ranks - 1)), compute: r.Compute,
		step: barrierStep(ranks)}, nil
}

func barrierStep(ranks int) func(rank, step int) (int, int, int64) {
	return func(rank, step int) (int, int, int64) {
		return (rank + 1<<step) % ranks, (rank + ranks - 1<<step) % ranks, 0
	}
}

// Stencil has the ranks of a grid, which is closed to a ring in each of its up to three dimensions,
// exchange the given number of bytes with both neighbours in each dimension, compute, and wait for one another, in
// each round.
func Stencil(lengths []int, bytes int64, r Rounds) (Program, error) {
	ranks := 1
	for _, n := range lengths {
		if n < 1 || ranks > 1<<24 {
			return nil, fmt.Errorf("%w: stencil of %v ranks: lengths must be at least 1, and 2^24 ranks together", ErrWorkload,
				lengths)
		}
		ranks *= n
	}
	if len(lengths) < 1 || len(lengths) > 3 {
		return nil, fmt.Errorf("%w: stencil of %v ranks: give 1 to 3 lengths", ErrWorkload, lengths)
	}
	if err := r.check("stencil", ranks, 2, bytes); err != nil {
		return nil, err
	}
	return &stencil{lengths, bytes, r.Count, r.Compute, collective{ranks: ranks, steps: bits.Len(uint(ranks - 1)),
		step: barrierStep(ranks)}}, nil
}

type stencil struct {
	lengths []int
	bytes   int64
	rounds  int
	compute float64
	barrier collective
}

func (s *stencil) Ranks() int { return s.barrier.ranks }

// Op first sends to all neighbours, then receives from all.
func (s *stencil) Op(rank, index int) (Op, bool) {
	sides := 2 * len(s.lengths)
	each := 2*sides + 1 + 2*s.barrier.steps
	round, at := index/each, index%each
	if round >= s.rounds {
		return Op{}, false
	}
	tag := uint32(round * (sides + s.barrier.steps))
	switch {
	case at < sides:
		return Op{Kind: Send, Peer: s.neighbour(rank, at), Tag: tag + uint32(at), Bytes: s.bytes}, true
	case at < 2*sides: // what comes from one side was sent to the other
		return Op{Kind: Receive, Peer: s.neighbour(rank, at-sides), Tag: tag + uint32((at-sides)^1)}, true
	case at == 2*sides:
		return Op{Kind: Compute, Time: s.compute}, true
	}
	step := (at - 2*sides - 1) / 2
	to, from, bytes := s.barrier.step(rank, step)
	return pair(at-2*sides-1, to, from, bytes, tag+uint32(sides+step)), true
}

// neighbour returns the rank on a side: down and up in each dimension.
func (s *stencil) neighbour(rank, side int) int32 {
	below := 1
	for _, n := range s.lengths[:side/2] {
		below *= n
	}
	n := s.lengths[side/2]
	at := rank / below % n
	return int32(rank + below*((at+1+side%2*(n-2)+n)%n-at))
}
