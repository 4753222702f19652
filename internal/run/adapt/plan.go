// This file owns the plan: which KPs move, by what they had to do.

package adapt

import (
	"cmp"
	"slices"
)

// unit is KPs that move together.
type unit struct {
	kps  []int
	at   int     // index of the PE that handles them
	work float64 // seconds
}

const (
	// enough is the most work of a PE, in terms of the mean, with which a plan is content.
	enough = 1.02
	// worth is the least work of a KP, in terms of the mean of the PEs, for which it moves: with less it
	// changes little.
	worth = 1.0 / 256
)

// plan returns the moves that make the PEs' work alike, by the events of each KP, and what the PEs did meanwhile. It
// notes the LP and the KP with most.
func (b *Balance) plan(o *Outcome, d *span) (moves []Move) {
	if o.LPShare > 0 {
		b.LP, b.LPShare = o.LP, o.LPShare
	}
	events := make([]float64, len(d.useful)) // by PE, undone ones included
	var units []unit
	for kp, n := range o.Events {
		at := o.PEOf[kp]
		events[at] += n
		if last := len(units) - 1; b.KeepsPEs && last >= 0 && b.opts.home(units[last].kps[0]) == b.opts.home(kp) {
			units[last].kps, units[last].work = append(units[last].kps, kp), units[last].work+n
		} else if n > 0 || b.KeepsPEs {
			units = append(units, unit{kps: []int{kp}, at: at, work: n})
		}
	}
	for i := range units { // an event takes longer on a PE that has less of a processor
		u := &units[i]
		u.work *= d.useful[u.at] / max(events[u.at], 1)
	}
	load := make([]float64, len(d.useful))
	var heaviest unit
	for _, u := range units {
		if load[u.at] += u.work; u.work > heaviest.work {
			heaviest = u
		}
	}
	if heaviest.work == 0 {
		return nil
	}
	first := heaviest.kps[0]
	b.KP, b.KPPE = uint64(first%b.opts.KPs), b.opts.FirstPE+uint64(b.opts.home(first))
	b.KPShare = heaviest.work / sum(load)
	if b.First == nil {
		b.First = shares(load)
	}
	for _, i := range spread(units, load, b.opts.Domains) {
		for _, kp := range units[i].kps {
			moves = append(moves, Move{KP: kp, To: units[i].at})
		}
	}
	b.Latest = shares(load)
	return moves
}

// shares returns loads as shares of their sum.
func shares(load []float64) []float64 {
	all := make([]float64, len(load))
	for i, x := range load {
		all[i] = x / max(sum(load), 1e-9)
	}
	return all
}

// spread moves units from the PE with the most work to the one with the least, until they are alike or
// no unit fits. It changes units and load, and returns the indices of the units that have moved. The one with the least
// is that of the same domain, if it has less than the mean and would not come to have more than the other.
func spread(units []unit, load []float64, domains []int) (moved []int) {
	mean := sum(load) / float64(len(load))
	was := make([]int, len(units))
	order := make([]int, len(units))
	for i := range units {
		was[i], order[i] = units[i].at, i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(units[j].work, units[i].work) })
	// fit returns the heaviest unit that takes no more than half of the difference of two PEs; without one, the lightest
	// that leaves both with less than the first has; or -1.
	fit := func(from, to int) int {
		gap, best := load[from]-load[to], -1
		for _, i := range order {
			u := &units[i]
			if u.at != from || u.work < worth*mean || u.work >= gap {
				continue
			}
			if best = i; u.work <= gap/2 {
				break
			}
		}
		if best < 0 || min(units[best].work, gap-units[best].work) < gap/64 {
			return -1
		}
		return best
	}
	for range 2 * len(units) {
		from, to := 0, 0
		for i := range load {
			if load[i] > load[from] {
				from = i
			}
			if load[i] < load[to] {
				to = i
			}
		}
		if load[from] <= enough*mean {
			break
		}
		if near := leastNear(from, load, domains); load[near] < mean {
			if i := fit(from, near); i >= 0 && 2*units[i].work <= load[from]-load[near] {
				to = near
			}
		}
		best := fit(from, to)
		if best < 0 {
			break
		}
		units[best].at = to
		load[from] -= units[best].work
		load[to] += units[best].work
	}
	for i := range units {
		if units[i].at != was[i] {
			moved = append(moved, i)
		}
	}
	return moved
}

// leastNear returns the PE with the least work in the domain of a PE. Without domains it is that PE itself.
func leastNear(pe int, load []float64, domains []int) int {
	least := pe
	for i := range min(len(domains), len(load)) {
		if domains[i] == domains[pe] && load[i] < load[least] {
			least = i
		}
	}
	return least
}
