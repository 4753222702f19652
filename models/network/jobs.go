// This file owns the texts of jobs.

package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/models/network/topology"
	"github.com/ross-go/ross/models/network/workload"
)

// programs are the jobs that have an end, by name.
var programs = map[string]func(p *params, lengths []int, ranks int) (workload.Program, error){
	"alltoall": func(p *params, _ []int, ranks int) (workload.Program, error) {
		return workload.AllToAll(ranks, int64(p.bytes), p.repeat())
	},
	"ring": func(p *params, _ []int, ranks int) (workload.Program, error) {
		return workload.RingAllReduce(ranks, int64(p.bytes), p.repeat())
	},
	"doubling": func(p *params, _ []int, ranks int) (workload.Program, error) {
		return workload.DoublingAllReduce(ranks, int64(p.bytes), p.repeat())
	},
	"barrier": func(p *params, _ []int, ranks int) (workload.Program, error) {
		return workload.Barrier(ranks, p.repeat())
	},
	"stencil": func(p *params, lengths []int, _ int) (workload.Program, error) {
		return workload.Stencil(lengths, int64(p.bytes), p.repeat())
	},
}

func (p *params) repeat() workload.Rounds {
	return workload.Rounds{Count: int(p.rounds), Compute: p.compute}
}

// parseJobs makes the jobs of --jobs.
func (p *params) parseJobs(shape topology.Network) ([]workload.Job, error) {
	var jobs []workload.Job
	var rest *workload.Job // the one without a number
	left := p.net.Terminals()
	words := strings.Split(p.jobs, ",")
	lengths := make([][]int, len(words))
	for i, word := range words {
		name, size, given := strings.Cut(word, ":")
		j := workload.Job{Name: name, Ranks: 1}
		switch {
		case name == "trace":
			trace, err := workload.OpenTrace(size)
			if err != nil {
				return nil, err
			}
			j.Program, j.Ranks = trace, trace.Ranks()
		case given:
			for text := range strings.SplitSeq(size, "x") {
				n, err := strconv.Atoi(text)
				if err != nil || n < 1 || j.Ranks > left {
					return nil, fmt.Errorf("%q: give a name, and a number of ranks or lengths such as 4x4x4, at most %d ranks in all",
						word, p.net.Terminals())
				}
				lengths[i] = append(lengths[i], n)
				j.Ranks *= n
			}
		case slices.ContainsFunc(words[:i], func(w string) bool { return !strings.Contains(w, ":") }):
			return nil, errors.New("two jobs without a number of ranks")
		}
		jobs = append(jobs, j)
		if !given {
			rest = &jobs[i]
			rest.Ranks = 0
		}
		if left -= jobs[i].Ranks; left < 0 {
			return nil, fmt.Errorf("the jobs have more ranks than there are terminals, %d", p.net.Terminals())
		}
	}
	for i := range jobs {
		if jobs[i].Ranks == 0 {
			jobs[i].Ranks = left
			if t, ok := shape.(*topology.Torus); ok && left == p.net.Terminals() {
				lengths[i] = append([]int{shape.Terminals(0)}, t.Lengths()...)
			}
		}
		if err := p.fill(&jobs[i], lengths[i], shape); err != nil {
			return nil, err
		}
	}
	names := map[string]int{}
	for i := range jobs {
		name := jobs[i].Name
		if names[name]++; names[name] > 1 {
			jobs[i].Name += "-" + strconv.Itoa(names[name])
		}
	}
	return jobs, nil
}

// fill gives a job its pattern or program, by its name.
func (p *params) fill(j *workload.Job, lengths []int, shape topology.Network) (err error) {
	if j.Program != nil {
		return nil
	}
	if lengths == nil {
		lengths = []int{j.Ranks}
	}
	if make, ok := programs[j.Name]; ok {
		j.Program, err = make(p, lengths, j.Ranks)
		return err
	}
	group := shape.Terminals(0)
	if d, ok := shape.(interface{ Groups() int }); ok {
		group = p.net.Terminals() / d.Groups()
	}
	j.Load, j.Bytes = p.load, int64(p.bytes)
	j.Pattern, err = workload.NewPattern(j.Name, workload.PatternOptions{
		Ranks: j.Ranks, Lengths: lengths, Group: group, Fraction: p.fraction, Seed: p.seed,
	})
	if err != nil && !slices.Contains(workload.Patterns(), j.Name) {
		return fmt.Errorf("%q: give a pattern, %s, a program, alltoall, barrier, doubling, ring, stencil, or trace", j.Name,
			strings.Join(workload.Patterns(), ", "))
	}
	return err
}
