// This file owns the judgement of where scaling ends, and why.

package main

import (
	"cmp"
	"fmt"
	"slices"
)

// leastEfficiency is that below which scaling has ended.
const leastEfficiency = 0.7

// point is what a series has measured with one number of PEs: medians. Shares are of the time of all PEs together,
// except that of rollback.
type point struct {
	PEs    int
	Rate   float64 // millions of committed events per second
	Undone float64 // events rolled back, of all that were handled
	GVT    float64 // share of the PE that spent most on it
	Idle   float64
	Waited float64 // for a processor, which another program or PE had
}

// Reasons for which scaling ends.
const (
	byRollback   = "rollback"
	byGVT        = "GVT"
	byIdling     = "idle PEs"
	byProcessors = "no processor"
	byMemory     = "memory"
)

// verdict says where scaling ends.
type verdict struct {
	PEs        int     `json:"pes"`
	Efficiency float64 `json:"efficiency"`
	Reason     string  `json:"reason"`
	// Costs are the parts of the lost time, by reason. They are estimates, and need not add up to all of it.
	Costs map[string]float64 `json:"costs"`
	// Slower is by what factor the work on an event takes longer than on one PE.
	Slower float64 `json:"slower"`
}

// judge returns where the efficiency is below leastEfficiency first; false: nowhere, or there is no run on one PE to
// compare with.
//
// What a reason costs is its share of the time, less that on one PE. PEs may be idle because other PEs have no
// processor: only the idle time that exceeds the time of waiting for processors counts as idle, and the rest of both
// as waiting. A PE may wait for a processor while it is idle, so both may be counted twice: together they cost at
// most what is lost. Time that nothing explains is in the events: they take longer, because lines of memory come from
// other cores, caches are shared, or clocks are slower.
func judge(points []point) (v verdict, ended bool) {
	points = slices.SortedFunc(slices.Values(points), func(a, b point) int { return cmp.Compare(a.PEs, b.PEs) })
	if len(points) == 0 || points[0].PEs != 1 || points[0].Rate <= 0 {
		return verdict{}, false
	}
	base := points[0]
	for _, p := range points[1:] {
		efficiency := p.Rate / base.Rate / float64(p.PEs)
		if efficiency >= leastEfficiency {
			continue
		}
		rollback, gvt := max(p.rollback()-base.rollback(), 0), max(p.GVT-base.GVT, 0)
		idle, waited := max(p.Idle-base.Idle, 0), max(p.Waited-base.Waited, 0)
		rest := max(1-efficiency-rollback-gvt, 0)
		both := min(idle+waited, max(rest, idle, waited))
		rest = max(rest-both, 0)
		idle = max(idle-waited, 0)
		v = verdict{PEs: p.PEs, Efficiency: efficiency, Slower: 1 + rest/max(efficiency, 1e-3), Costs: map[string]float64{
			byRollback: rollback, byGVT: gvt, byIdling: idle, byProcessors: both - idle, byMemory: rest,
		}}
		for _, reason := range []string{byRollback, byGVT, byIdling, byProcessors, byMemory} {
			if v.Reason == "" || v.Costs[reason] > v.Costs[v.Reason] {
				v.Reason = reason
			}
		}
		return v, true
	}
	return verdict{}, false
}

// rollback is the share of the time that went into events that were undone.
func (p *point) rollback() float64 { return p.Undone * max(1-p.GVT-max(p.Idle, p.Waited), 0) }

// String says why scaling ends, in words.
func (v verdict) String() string {
	share := fmt.Sprintf("%.0f %% of the time", 100*v.Costs[v.Reason])
	switch v.Reason {
	case byRollback:
		share += " went into events that were undone"
	case byGVT:
		share += " went into GVT"
	case byIdling:
		share += " PEs had no event to handle"
	case byProcessors:
		share += " PEs waited for a processor that others used, or for PEs that did"
	default:
		share = fmt.Sprintf("an event takes %.1f times as long as on one PE", v.Slower)
	}
	return share
}
