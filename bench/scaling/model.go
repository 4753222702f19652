// This file owns the model: the time of a Reduction by the number of ranks, and the
// resulting cost of GVT.

package main

import (
	"fmt"
	"io"
	"math"
	"math/bits"
)

// recordBytes is what a Reduction combines: mpi.Record.
const recordBytes = 152

// What the engine does (internal/run, internal/engine/timewarp), counted in events of a PE.
const (
	interval = 2048 // from one GVT to the next, at most
	window   = 4096 // that may be uncommitted
	progress = 64   // between two calls that let MPI make progress: a poll, or a test, every 128
)

// tree is a way to combine: the number of messages that must follow each other.
type tree func(ranks int) (stages int)

// binomial is what Open MPI does by default: up a binomial tree, and down again
// (ompi/mca/coll/libnbc/nbc_iallreduce.c).
func binomial(ranks int) int { return 2 * bits.Len(uint(ranks-1)) }

// doubling is recursive doubling, --mca coll_libnbc_iallreduce_algorithm 4: exchanges at
// distances 1, 2, 4; one more stage before and one after if ranks is not a power of 2.
func doubling(ranks int) int {
	n := bits.Len(uint(ranks)) - 1
	if ranks != 1<<n {
		n += 2
	}
	return n
}

// cluster has the model's parameters of machines and of the simulation. Times are in
// seconds.
type cluster struct {
	latency   float64 // of a short message, one way
	bandwidth float64 // bytes a second
	combine   float64 // of two records
	start     float64 // of a Reduction
	event     float64 // of a PE: from one event to the next, with everything except GVT
	lag       float64 // of a stage, in calls that let MPI make progress: it waits for one
	attempts  float64 // Reductions for a GVT
	work      float64 // of a PE for an attempt
}

// typical is a cluster with 100 Gbit/s, and PHOLD, whose events are nearly as short as
// possible. docs/scaling.md has the sources.
var typical = cluster{
	latency: 1.5e-6, bandwidth: 12e9, combine: 20e-9, start: 0.1e-6,
	event: 150e-9, lag: 1.1, attempts: 2, work: 6e-6,
}

// stage is one message, and combining it.
func (c *cluster) stage() float64 { return c.latency + recordBytes/c.bandwidth + c.combine }

// reduce is a Reduction of ranks that do nothing else.
func (c *cluster) reduce(ranks int, t tree) float64 {
	return c.start + float64(t(ranks))*c.stage()
}

// gvt is the cost of GVT.
type gvt struct {
	round float64 // from the first cut to the result, seconds
	work  float64 // share of the time in which PEs work on GVT
	idle  float64 // share of the time in which they wait for it because their window is full
}

// gvt returns the cost with the given number of ranks. A round proceeds during events as
// long as the window has room. When a round begins, the events since the last result, and
// those during the last round, are uncommitted, so on average (window-interval)/2 are left.
// A waiting PE only lets MPI make progress.
func (c *cluster) gvt(ranks int, t tree) gvt {
	stages := c.attempts * float64(t(ranks))
	room := (window - interval) / 2 * c.event
	busy := c.stage() + c.lag*progress*c.event
	beside := min(stages, room/busy)
	after := (stages - beside) * c.stage()
	round := c.attempts*c.start + beside*busy + after
	whole := interval*c.event + round + c.attempts*c.work
	return gvt{round: round, work: c.attempts * c.work / whole, idle: after / whole}
}

// tolerable is the share of the time that GVT may cost.
const tolerable = 0.03

// shortest returns the least time of an event, in seconds, with which GVT costs no more than
// is tolerable: the longer events take, the better they hide it.
func (c cluster) shortest(ranks int, t tree) float64 {
	low, high := 1e-9, 1.0
	for high/low > 1.001 {
		c.event = math.Sqrt(low * high)
		if g := c.gvt(ranks, t); g.work+g.idle > tolerable {
			low = c.event
		} else {
			high = c.event
		}
	}
	return high
}

// memory is the least number of bytes that a rank needs for the other ranks: for each PE of
// the run a pointer in each of its PEs, and the count of open messages in each of its
// mailboxes; and, at the end, the figures of all ranks, twice.
func memory(ranks, pes int) (always, end float64) {
	const pointer, pace = 8, 8
	const rankFigures, peFigures, stats = 64, 624, 1100
	all := float64(ranks) * float64(pes)
	return all * float64(pes) * (pointer + pace),
		float64(ranks)*(rankFigures+stats) + 2*all*peFigures
}

// printModel prints the model of a typical cluster.
func printModel(out io.Writer) error {
	p := &printer{out: out}
	trees := []struct {
		name string
		tree tree
	}{{"binomial tree", binomial}, {"recursive doubling", doubling}}
	ranks := []int{2, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20}
	for _, t := range trees {
		p.line("%s: ranks, stages, reduction (us); round (us), GVT at work, GVT idle (%%) with events of 150 ns, and of 1000 ns; least event for 3 %% (ns)", t.name)
		for _, n := range ranks {
			c := typical
			text := fmt.Sprintf("%7d  %2d  %5.1f", n, t.tree(n), c.reduce(n, t.tree)*1e6)
			for _, c.event = range []float64{150e-9, 1e-6} {
				g := c.gvt(n, t.tree)
				text += fmt.Sprintf("  %5.0f %4.1f %4.1f", g.round*1e6, 100*g.work, 100*g.idle)
			}
			p.line("%s  %5.0f", text, c.shortest(n, t.tree)*1e9)
		}
	}
	p.line("memory of a rank for others, and once more at the end (MB): ranks, with 1 PE each, with 32")
	for _, n := range ranks {
		always1, end1 := memory(n, 1)
		always32, end32 := memory(n, 32)
		p.line("%7d  %9.3f %9.3f  %9.3f %9.3f", n, always1/1e6, end1/1e6, always32/1e6, end32/1e6)
	}
	return p.err
}

// printer keeps the first error.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format+"\n", args...)
	}
}
