// This file owns what is measured: the models, the cells, and their order of importance.

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross/bench"
)

// workload is a model in several sizes.
type workload struct {
	name, title string
	lps         int // of size 1
	// args are the words of the command line for a size; nil: those of this program's own models.
	args func(size int) []string
	// Virtual times: of a short run, which shows how many events a time has, and the most that there are events for, 0
	// if there is no end.
	probe, most float64
	// A large machine gets a fixed model of another size, but PEs cannot each have one of the same size.
	fixed bool
}

// workloads returns the models, the most important first.
func workloads() []workload {
	return []workload{
		{name: modelB, title: "PHOLD B: 1,024 LPs x 16 events, remote 0.1, lookahead 0.1", lps: bench.WorkloadB.LPs,
			probe: 20},
		{name: modelA, title: "PHOLD A: 8,192 LPs x 1 event, remote 0.25, lookahead 0.1", lps: bench.WorkloadA.LPs,
			probe: 40},
		{name: modelS, title: "B with states of 1 KiB, saved as differences", lps: sizedLPs, probe: 10},
		{name: modelC, title: "B with messages of 256 bytes", lps: sizedLPs, probe: 10},
		{name: dragonfly, title: "models/dragonfly: 1,056 terminals, or 16,512 on more than 16 processors",
			args: dragonflyArgs, probe: 400, most: 3000, fixed: true},
	}
}

const dragonfly = "dragonfly"

// dragonflyArgs returns the options of a small network, or of a large one.
func dragonflyArgs(size int) []string {
	if size == 1 {
		return nil
	}
	return []string{"--routers=16", "--channels=8", "--terminals=8"}
}

// How PEs run.
const (
	sequential   = "sequential"
	optimistic   = "optimistic"
	conservative = "conservative"

	threads = "threads"
	ranks   = "ranks"
)

// variant is a way to run a model, other than the number of PEs.
type variant struct {
	Scheduler string `json:"scheduler"`
	// On is what PEs are: threads of one process, or ranks, which are processes of one PE each.
	On    string `json:"on,omitempty"`
	Bound bool   `json:"bound,omitempty"` // to cores
}

func (v variant) String() string {
	if v.Scheduler == sequential {
		return v.Scheduler
	}
	text := v.Scheduler + ", " + v.On
	if v.Bound {
		text += ", bound"
	}
	return text
}

// cell is a model, and how it is run. Cells differ in the first fields.
type cell struct {
	Workload string `json:"workload"`
	Size     int    `json:"size"` // times the smallest model
	variant
	PEs int     `json:"pes"`
	End float64 `json:"end"` // virtual time

	LeftOut string   `json:"left_out,omitempty"` // why it was not measured
	First   *oneRun  `json:"first,omitempty"`    // with digests, and no part of the figures
	Runs    []oneRun `json:"runs,omitempty"`
}

// name returns what the cell is called in messages.
func (c *cell) name() string {
	name := fmt.Sprintf("%s, %v", c.Workload, c.variant)
	if c.Scheduler != sequential {
		name += fmt.Sprintf(", PEs: %d", c.PEs)
	}
	if c.Size > 1 {
		name += fmt.Sprintf(", size %d", c.Size)
	}
	return name
}

// args returns the words of the command line, without those that say where files go.
func (c *cell) args(w *workload) []string {
	var all []string
	if w.args == nil {
		all = []string{modelWord, "--workload=" + c.Workload, "--lps=" + strconv.Itoa(w.lps*c.Size)}
	} else {
		all = slices.Clone(w.args(c.Size))
	}
	all = append(all, "--end="+strconv.FormatFloat(c.End, 'g', -1, 64))
	if c.Scheduler == sequential {
		return append(all, "--synch="+sequential)
	}
	all = append(all, "--synch="+c.Scheduler, "--balance=off")
	bind := "--bind=none"
	if c.Bound {
		bind = "--bind=cores"
	}
	if c.On == ranks {
		return append(all, "--ranks="+strconv.Itoa(c.PEs), "--pes=1", bind)
	}
	return append(all, "--pes="+strconv.Itoa(c.PEs), bind)
}

// layout is what cells depend on.
type layout struct {
	cores, processors int  // that may be used
	binds, starts     bool // PEs can be bound, and ranks started
}

// counts returns the numbers of PEs: powers of two, all cores, all hardware threads.
func (l layout) counts() (all []int) {
	for n := 1; n < l.cores; n *= 2 {
		all = append(all, n)
	}
	all = append(all, l.cores)
	if l.processors > l.cores {
		all = append(all, l.processors)
	}
	return all
}

// fixedSize returns the size of the models of strong scaling. Those of size 1 are for up to 16 processors.
func (l layout) fixedSize() int {
	size := 1
	for 16*size < l.processors {
		size *= 2
	}
	return size
}

// How long sequential runs of strong scaling may take, in seconds: at least as long that runs on all cores take
// shortest, if these are that much faster; fewer cells say more than runs that end when they have begun.
const (
	shortest = 0.04
	longest  = 4
)

// startSeconds is how long a process takes to start and to end, more or less, and slowdown how much longer runs take
// than if they scaled well. Time that is left goes into more turns.
const (
	startSeconds = 0.15
	slowdown     = 2.5
)

// seconds returns how long sequential runs of strong scaling take, if there is a time for all cells.
func (l layout) seconds(budget time.Duration, cells []*cell) float64 {
	left := 0.8*budget.Seconds() - startSeconds*(1+leastTurns)*float64(len(cells))
	return min(max(left/l.weight(cells)/slowdown, shortest*float64(max(l.cores, 3))), longest)
}

// variants returns all variants that the machine can have, and how important they are: less is more. Weak scaling of
// them comes after strong scaling of the more important half.
func (l layout) variants() (all []variant, strong, weak []int) {
	for _, v := range []struct {
		variant
		strong, weak int
	}{
		{variant{optimistic, threads, false}, 1, 5},
		{variant{conservative, threads, false}, 2, 6},
		{variant{optimistic, threads, true}, 3, 9},
		{variant{optimistic, ranks, false}, 4, 10},
		{variant{conservative, threads, true}, 7, 11},
		{variant{conservative, ranks, false}, 8, 12},
		{variant{optimistic, ranks, true}, 13, 15},
		{variant{conservative, ranks, true}, 14, 16},
	} {
		if v.Bound && !l.binds || v.On == ranks && !l.starts {
			continue
		}
		all, strong, weak = append(all, v.variant), append(strong, v.strong), append(weak, v.weak)
	}
	return all, strong, weak
}

// cells returns the cells of some workloads, the most important first. A cell that two series have is there once.
func (l layout) cells(of []workload) (all []*cell) {
	type entry struct {
		*cell
		tier, workload, at int
	}
	var entries []entry
	add := func(c cell, tier, workload, at int) {
		for i := range entries {
			if e := &entries[i]; e.Workload == c.Workload && e.Size == c.Size && e.variant == c.variant && e.PEs == c.PEs {
				e.tier = min(e.tier, tier)
				return
			}
		}
		entries = append(entries, entry{&c, tier, workload, at})
	}
	variants, strong, weak := l.variants()
	counts := l.counts()
	for i, w := range of {
		fixed := l.fixedSize()
		add(cell{Workload: w.name, Size: fixed, variant: variant{Scheduler: sequential}, PEs: 1}, 0, i, 0)
		for k, v := range variants {
			for _, n := range counts {
				at := 2 // One PE and all cores say most.
				if n == 1 || n == l.cores {
					at = 1
				}
				add(cell{Workload: w.name, Size: fixed, variant: v, PEs: n}, strong[k], i, at)
				if w.fixed {
					continue
				}
				add(cell{Workload: w.name, Size: n, variant: variant{Scheduler: sequential}, PEs: 1}, weak[0], i, 0)
				add(cell{Workload: w.name, Size: n, variant: v, PEs: n}, weak[k], i, at)
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(a.tier-b.tier, a.workload-b.workload, a.at-b.at, a.PEs-b.PEs, a.Size-b.Size)
	})
	for _, e := range entries {
		all = append(all, e.cell)
	}
	return all
}

// tasksOf returns the cells as tasks of the planner. Only the sequential runs of strong scaling are measured, the
// others are references.
func (l layout) tasksOf(cells []*cell) (all []*task) {
	type model struct {
		workload string
		size     int
	}
	references := map[model]*task{}
	for _, c := range cells {
		t, key := &task{of: c, expected: 1}, model{c.Workload, c.Size}
		if c.Scheduler == sequential {
			references[key], t.once = t, c.Size != l.fixedSize()
			if smaller := references[model{c.Workload, l.fixedSize()}]; t.once && smaller != nil {
				t.reference, t.expected = smaller, 1.5*float64(c.Size)/float64(l.fixedSize())
			}
		} else {
			t.reference, t.expected = references[key], 2/float64(min(c.PEs, l.cores))
		}
		all = append(all, t)
	}
	return all
}

// weight returns how long all runs take, least turns of each, in units of the time of a sequential run of strong
// scaling.
func (l layout) weight(cells []*cell) (sum float64) {
	for _, c := range cells {
		runs := float64(1 + leastTurns)
		if c.Scheduler == sequential && c.Size != l.fixedSize() {
			runs = 1
		}
		sum += runs * float64(c.Size) / float64(l.fixedSize()) / float64(min(c.PEs, l.cores))
	}
	return sum
}

// series are the cells of a workload and variant by the number of PEs.
type series struct {
	Workload string
	variant
	Weak  bool
	cells []*cell
}

func (s *series) scaling() string {
	if s.Weak {
		return "weak"
	}
	return "strong"
}

// seriesOf returns all series of cells, those of strong scaling first, in the order of workloads and variants.
func (l layout) seriesOf(of []workload, cells []*cell) (all []series) {
	variants, _, _ := l.variants()
	for _, weak := range []bool{false, true} {
		for _, w := range of {
			for _, v := range variants {
				s := series{Workload: w.name, variant: v, Weak: weak}
				for _, c := range cells {
					size := l.fixedSize()
					if weak {
						size = c.PEs
					}
					if c.Workload == w.name && c.variant == v && c.Size == size {
						s.cells = append(s.cells, c)
					}
				}
				if weak && w.fixed {
					continue
				}
				slices.SortFunc(s.cells, func(a, b *cell) int { return a.PEs - b.PEs })
				all = append(all, s)
			}
		}
	}
	return all
}

// matching returns the workloads with names among words that are separated by commas; "": all.
func matching(all []workload, words string) ([]workload, error) {
	if words == "" {
		return all, nil
	}
	var names []string
	for _, w := range all {
		names = append(names, w.name)
	}
	var some []workload
	for word := range strings.SplitSeq(words, ",") {
		i := slices.Index(names, word)
		if i < 0 {
			return nil, fmt.Errorf("machine: -only=%s: no workload %q: there are %s", words, word, strings.Join(names, ", "))
		}
		some = append(some, all[i])
	}
	return some, nil
}
