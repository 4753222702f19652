// This file owns one run of a study: the simulation, and the results that it gives.

package study

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/experiment"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// runner returns the function that makes one run.
func (s *study) runner(p *plan) func(context.Context, *experiment.Trial) (experiment.Responses, error) {
	return func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
		model, cfg, err := s.make(p, t.Point)
		if err != nil {
			return nil, err
		}
		// The seeds are those of the command line. Nothing is printed or written.
		cfg.Replication, cfg.Comm, cfg.Ranks = t.Replication, t.Comm, 1 // the processes share the runs
		cfg.Output, cfg.Log, cfg.Dir, cfg.Statistics = nil, nil, "", 0
		r, err := simulate(ctx, model, cfg)
		if err != nil {
			return nil, err
		}
		for _, name := range p.results {
			if _, known := r[name]; !known {
				return nil, unknownResult(name, slices.Sorted(maps.Keys(r)))
			}
		}
		maps.DeleteFunc(r, func(_ string, v float64) bool { return v != v }) // nothing was recorded
		return r, nil
	}
}

// simulate makes a run, and returns all its results; those for which nothing was recorded are NaN.
func simulate(ctx context.Context, model program.Program, cfg ross.Config) (experiment.Responses, error) {
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close() // even if the model ends the goroutine
	if err := model.Build(sim); err != nil {
		return nil, err
	}
	if err := sim.Run(ctx); err != nil {
		return nil, err
	}
	r, err := ofStatistics(sim)
	if err == nil && model.Results != nil {
		var more map[string]float64
		more, err = model.Results(sim)
		maps.Copy(r, more)
	}
	if err == nil && len(r) == 0 {
		err = errors.New("the model has no results: record statistics (package stats) or give Program.Results")
	}
	return r, errors.Join(err, sim.Close())
}

// ofStatistics returns the results that are statistics: of a counter the number counted, of others the mean, and of
// histograms three quantiles too. A name that several types of LPs have begins with the type.
func ofStatistics(sim *ross.Simulation) (experiment.Responses, error) {
	table, err := stats.Collect(sim)
	if err != nil {
		return nil, err
	}
	rows := table.Rows()
	times := map[string]int{}
	for _, row := range rows {
		times[row.Name]++
	}
	r := experiment.Responses{}
	for i := range rows {
		row := &rows[i]
		name := row.Name
		if times[name] > 1 {
			name = row.Group + " " + name
		}
		switch row.Kind {
		case "counter":
			r[name] = row.Sum
		case "histogram":
			for percent, q := range map[int]float64{50: 0.5, 90: 0.9, 99: 0.99} {
				r[fmt.Sprintf("%s p%d", name, percent)] = row.Quantile(q)
			}
			r[name] = row.Mean
		default:
			r[name] = row.Mean
		}
	}
	return r, nil
}
