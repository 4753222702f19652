// This file owns Ranks: what a rank reports to the others in a round, and what they
// all conclude from it.

package gvt

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/ranks/mpi"
)

// Reduction combines the reports of the ranks without waiting. It is part of
// internal/ranks/mpi.World.
type Reduction interface {
	Start(*mpi.Record) error
	Test() (*mpi.Record, bool, error)
	StartWords([]uint64) error // the lexicographically least list
	TestWords() ([]uint64, bool, error)
}

// Ranks is this rank's part in the GVT of all ranks. It belongs to the member with id
// 0, which communicates for the rank.
type Ranks struct {
	red   Reduction
	lines *event.Lineages
	state int
	own   []uint64 // this rank's bound, in words
	said  Bound    // that bound
	least []uint64 // the first words of the least bound
	wide  []uint64
	node  uint32 // lineage of the last result
	// Reductions is the number of all-reduce operations.
	Reductions uint64
}

// States of Ranks.
const (
	quiet     = iota
	combining // the records
	widening  // lists of words, since the record does not hold all of a lineage
)

// NewRanks returns the part of a rank. lines are the lineages of the member with id 0.
func NewRanks(red Reduction, lines *event.Lineages) *Ranks { return &Ranks{red: red, lines: lines} }

// A bound is a list of words that order as bounds do: time, priority, first
// tie-breaker, each as its bits, then the other tie-breakers, whose bits are raised
// by 1 so that there is room below them for the 0 that ends the lineage, then
// receiver, sender and time of sending. All words of a list after its end are 0.
const (
	more = 1 // the least word of a tie-breaker

	headWords = 3
	tailWords = 4 // from the end of the lineage on
)

// words appends the list of a bound, in full.
func (b *Bound) words(list []uint64, lines *event.Lineages) []uint64 {
	if b.IsMax() {
		return append(list, math.MaxUint64)
	}
	list = append(list, b.Key.TS, bits(b.Prio), bits(b.Tie))
	if b.Node != 0 {
		n := len(list)
		list = lines.AppendBits(list, b.Node, 0)
		for i := range list[n:] {
			list[n+i] += more
		}
	}
	return append(list, 0, b.Dst, b.Src, bits(b.SendTime))
}

// endOf returns where the lineage of a list ends, and whether the list is whole. least
// is its first words.
func endOf(least []uint64) (end int, whole bool) {
	if least[0] == math.MaxUint64 {
		return headWords, true
	}
	for end = headWords; end < len(least) && least[end] >= more; end++ {
	}
	return end, end+tailWords <= len(least)
}

// boundOf is the inverse of words. The caller owns a reference to the node.
func boundOf(list []uint64, lines *event.Lineages) (Bound, error) {
	if list[0] == math.MaxUint64 {
		return Max, nil
	}
	b := Before(math.Float64frombits(list[0]), math.Float64frombits(list[1]), math.Float64frombits(list[2]))
	end, _ := endOf(list)
	for _, w := range list[headWords:end] {
		node, err := lines.Extend(b.Node, math.Float64frombits(w-more))
		if err != nil {
			return b, fmt.Errorf("ross: GVT: lineage: %w: raise --max-memory", err)
		}
		lines.Drop(b.Node)
		b.Node = node
	}
	b.Dst, b.Src, b.SendTime = list[end+1], list[end+2], math.Float64frombits(list[end+3])
	return b, nil
}

// send starts the reduction of this rank's report.
func (r *Ranks) send(said *Report) error {
	r.own, r.said = said.words(r.own[:0], r.lines), said.Bound
	rec := mpi.Record{Balance: said.Balance, Flags: uint64(said.Flags) ^ Covered} // a rank that does not say so counts
	copy(rec.Key[:], r.own)
	r.state = combining
	r.Reductions++
	return r.red.Start(&rec)
}

// poll returns what the ranks conclude: done, if they have concluded; settled, if no
// message was under way; and GVT, if settled. If not settled, all members must report
// again.
func (r *Ranks) poll(result *Report) (done, settled bool, err error) {
	if r.state == combining {
		rec, done, err := r.red.Test()
		if !done || err != nil {
			return false, false, err
		}
		if rec.Balance != 0 && rec.Flags&Covered != 0 {
			r.state = quiet
			return true, false, nil
		}
		result.Flags = uint32(rec.Flags) &^ Covered
		r.least = append(r.least[:0], rec.Key[:]...)
	}
	if r.state == widening {
		words, done, err := r.red.TestWords()
		if !done || err != nil {
			return false, false, err
		}
		r.least = append(r.least, words...)
	}
	if _, whole := endOf(r.least); !whole {
		r.state = widening
		return false, false, r.widen()
	}
	r.state = quiet
	node := r.node
	if begins(r.own, r.least) { // its nodes are those of this rank's events, with which it is compared soon
		result.Bound = r.said
		r.lines.Keep(result.Node)
	} else {
		result.Bound, err = boundOf(r.least, r.lines)
	}
	r.lines.Drop(node)
	r.node = result.Node
	return true, true, err
}

// How many more words are compared if a list has not ended: few at first, then as many
// as there are already, so that a lineage of n tie-breakers takes O(log n) operations.
const mostWide = 1 << 16

// widen starts the reduction of the words that follow. Only ranks with the same words
// so far can have the least list.
func (r *Ranks) widen() error {
	n := len(r.least)
	r.wide = r.wide[:0]
	for range min(4*n, mostWide) {
		r.wide = append(r.wide, math.MaxUint64)
	}
	if begins(r.own, r.least) {
		clear(r.wide)
		copy(r.wide, r.own[min(n, len(r.own)):])
	}
	r.Reductions++
	return r.red.StartWords(r.wide)
}

// begins reports whether a list, followed by zeros, begins with others.
func begins(list, with []uint64) bool {
	for i, w := range with {
		switch {
		case i < len(list):
			if list[i] != w {
				return false
			}
		case w != 0:
			return false
		}
	}
	return true
}

// Close releases the lineage of the last GVT.
func (r *Ranks) Close() {
	r.lines.Drop(r.node)
	r.node = 0
}
