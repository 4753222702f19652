// This file owns the table of measurements, with the model next to it.

package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/ross-go/ross/bench/internal/median"
)

type key struct {
	np    int
	what  string
	bytes int
}

// results are the figures of runs: the least and the median of each run.
type results map[key][]figure

// read reads the lines of runs, one after the other.
func read(in io.Reader) (results, error) {
	r := results{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var f figure
		if _, err := fmt.Sscan(lines.Text(), &f.np, &f.what, &f.bytes, &f.least, &f.median); err != nil {
			return nil, fmt.Errorf("line %q: %w: give the output of this program under mpirun", lines.Text(), err)
		}
		k := key{f.np, f.what, f.bytes}
		r[k] = append(r[k], f)
	}
	if len(r) == 0 && lines.Err() == nil {
		return nil, fmt.Errorf("no lines: give the output of this program under mpirun")
	}
	return r, lines.Err()
}

// least returns the median over runs of the least of each, in microseconds.
func (r results) least(np int, what string, bytes int) float64 {
	var all []float64
	for _, f := range r[key{np, what, bytes}] {
		all = append(all, f.least/1e3)
	}
	return median.Of(all)
}

// median returns the median over runs of the median of each.
func (r results) median(np int, what string, bytes int) float64 {
	var all []float64
	for _, f := range r[key{np, what, bytes}] {
		all = append(all, f.median/1e3)
	}
	return median.Of(all)
}

// ranks returns the numbers of ranks for which there are runs.
func (r results) ranks() []int {
	seen := map[int]bool{}
	for k := range r {
		seen[k.np] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// modelled returns the time of a Reduction as a sequence of messages, each as long as those
// of its size between two ranks; under is the number of ranks in whose runs these were
// timed.
func (r results) modelled(np, under int) float64 {
	c := cluster{start: r.least(1, "test", 0), latency: r.least(under, "latency", recordBytes)}
	return c.start + float64(binomial(np))*c.latency
}

// print prints both tables.
func (r results) print(out io.Writer) error {
	p := &printer{out: out}
	p.line("microseconds: medians over runs of the least of each (of the median of each)")
	p.line("ranks  stages  reduction, tested    waited             barrier            hop                message of %d  model   error  unscheduled", recordBytes)
	for _, np := range r.ranks() {
		text := fmt.Sprintf("%5d  %6d", np, binomial(np))
		for _, what := range []string{"test", "wait", "barrier", "hop"} {
			text += fmt.Sprintf("  %7.2f (%7.2f)", r.least(np, what, 0), r.median(np, what, 0))
		}
		if np > 1 {
			model, measured := r.modelled(np, np), r.least(np, "test", 0)
			text += fmt.Sprintf("  %13.2f  %6.2f  %+4.0f %%  %6.2f", r.least(np, "latency", recordBytes), model,
				100*(model/measured-1), r.modelled(np, 2))
		}
		p.line("%s", text)
	}
	for _, np := range r.ranks() {
		if np == 1 {
			continue
		}
		p.line("%d ranks: bytes, latency one way, one after the other, MB/s", np)
		for _, size := range sizes {
			s := r.least(np, "stream", size)
			p.line("%7d  %7.2f (%7.2f)  %7.2f (%7.2f)  %6.0f", size, r.least(np, "latency", size), r.median(np, "latency", size),
				s, r.median(np, "stream", size), float64(size)/s)
		}
	}
	if b := r.least(2, "busy", 0); b > 0 {
		p.line("2 ranks that test every 10 us: %.1f (%.1f), %.2f of them a stage", b, r.median(2, "busy", 0),
			(b/2-r.least(2, "latency", recordBytes))/10)
	}
	return p.err
}
