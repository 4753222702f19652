// This file owns reading the output of go test: panels, lines and points.

package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// results are all that was measured.
type results struct {
	cpu    string // processor, as go test names it
	procs  int    // GOMAXPROCS
	panels []*panel
}

// panel is what was measured by one parameter.
type panel struct {
	by    string
	lines []*line // by scheduler
}

// line is what one scheduler did.
type line struct {
	synch  int
	pes    int      // 0: the panel is about PEs or ranks
	points []*point // by value
}

// point is what was measured at one value: rates in millions of events per second, in ascending
// order.
type point struct {
	at    float64
	rates []float64
}

// quantile returns the rate that the given share of the runs did not exceed, interpolated.
func (p *point) quantile(share float64) float64 {
	x := share * float64(len(p.rates)-1)
	i := int(x)
	next := min(i+1, len(p.rates)-1)
	return p.rates[i] + (x-float64(i))*(p.rates[next]-p.rates[i])
}

// read adds the results of a file.
func (r *results) read(name string, in io.Reader) error {
	s := bufio.NewScanner(in)
	for n := 1; s.Scan(); n++ {
		if cpu, ok := strings.CutPrefix(s.Text(), "cpu: "); ok {
			r.cpu = cpu
			continue
		}
		fields := strings.Fields(s.Text())
		if len(fields) < 2 || !strings.HasPrefix(fields[0], "BenchmarkScaling/") {
			continue
		}
		if err := r.add(fields); err != nil {
			return fmt.Errorf("picture: %s: line %d: %s: %w", name, n, fields[0], err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("picture: %s: %w", name, err)
	}
	return nil
}

// add adds a result: name, number of iterations, and pairs of figure and unit.
func (r *results) add(fields []string) error {
	var by string
	var at float64
	var synch, pes int
	rest, missing := fields[0], 4
	if i := strings.LastIndexByte(rest, '-'); i > strings.LastIndexByte(rest, '/') {
		r.procs, _ = strconv.Atoi(rest[i+1:])
		rest = rest[:i]
	}
	for _, pair := range strings.Split(rest, "/")[1:] {
		var err error
		key, value, _ := strings.Cut(pair, "=")
		switch key {
		case "by":
			by = value
		case "at":
			at, err = strconv.ParseFloat(value, 64)
		case "synch":
			synch, err = strconv.Atoi(value)
		case "pes":
			pes, err = strconv.Atoi(value)
		default:
			continue
		}
		if err != nil {
			return fmt.Errorf("%s is not a number: name it as bench.Scaling does", pair)
		}
		missing--
	}
	unit := slices.Index(fields, "Mev/s")
	if missing != 0 || unit < 0 {
		return fmt.Errorf("by, at, synch, pes or the figure in Mev/s is missing: report them as bench.Scaling does")
	}
	rate, err := strconv.ParseFloat(fields[unit-1], 64)
	if err != nil || rate < 0 {
		return fmt.Errorf("%s Mev/s is not a rate: measure again", fields[unit-1])
	}
	if by == "pes" || by == "ranks" {
		pes = 0
	}
	l := r.panel(by).line(synch, pes)
	if l.pes != pes {
		return fmt.Errorf("its line is of runs on %d PEs: draw runs on %d PEs apart", l.pes, pes)
	}
	p := l.point(at)
	i, _ := slices.BinarySearch(p.rates, rate)
	p.rates = slices.Insert(p.rates, i, rate)
	return nil
}

func (r *results) panel(by string) *panel {
	for _, p := range r.panels {
		if p.by == by {
			return p
		}
	}
	r.panels = append(r.panels, &panel{by: by})
	return r.panels[len(r.panels)-1]
}

// line returns the line of a scheduler. It adds one with that number of PEs if there is not yet one.
func (p *panel) line(synch, pes int) *line {
	i, found := slices.BinarySearchFunc(p.lines, synch, func(l *line, s int) int { return l.synch - s })
	if !found {
		p.lines = slices.Insert(p.lines, i, &line{synch: synch, pes: pes})
	}
	return p.lines[i]
}

func (l *line) point(at float64) *point {
	for _, p := range l.points {
		if p.at == at {
			return p
		}
	}
	p := &point{at: at}
	i := slices.IndexFunc(l.points, func(q *point) bool { return q.at > at })
	if i < 0 {
		i = len(l.points)
	}
	l.points = slices.Insert(l.points, i, p)
	return p
}
