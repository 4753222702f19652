// This file owns one run of a study: the simulation, and the results that it gives.

package study

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/program/parts/experiment"
)

// runner returns the function that makes one run.
func (s *study) runner(p *plan) func(context.Context, *experiment.Trial) (experiment.Responses, error) {
	return func(ctx context.Context, t *experiment.Trial) (experiment.Responses, error) {
		model, cfg, options, err := s.make(p, t.Point)
		if err != nil {
			return nil, err
		}
		// The seeds are those of the command line. Nothing is printed or written.
		cfg.Replication, cfg.Comm, cfg.Ranks = t.Replication, t.Comm, 1 // the processes share the runs
		cfg.Output, cfg.Log, cfg.Dir, cfg.Statistics = nil, s.log, "", 0
		cfg.Checkpoints.Branch = cfg.Checkpoints.Restart != "" // with random numbers of its own
		r, err := s.simulate(ctx, model, cfg, options, p, t)
		if err != nil {
			return nil, err
		}
		s.known.add(maps.Keys(r))
		maps.DeleteFunc(r, func(_ string, v float64) bool { return v != v }) // nothing was recorded
		return r, nil
	}
}

// simulate makes a run, and returns all its results, also those that are computed; those for which nothing was recorded
// are NaN. Those that the plan names must be among them: before the run, unless Program.Results has more.
func (s *study) simulate(ctx context.Context, model program.Program, cfg ross.Config, options *ross.Options, p *plan,
	t *experiment.Trial) (experiment.Responses, error) {
	sim, err := ross.New(cfg)
	if err != nil {
		return nil, err
	}
	defer sim.Close() // even if the model ends the goroutine
	if err := model.Build(sim); err != nil {
		return nil, err
	}
	if err := s.checkBefore(sim, options, p, model.Results != nil); err != nil {
		return nil, err
	}
	if err := sim.Run(ctx); err != nil {
		return nil, err
	}
	rows, err := statistics(sim)
	for i := range rows {
		rows[i].describe(t, p.asked)
	}
	if err == nil {
		err = s.keepCourses(p, rows, &cfg, t)
	}
	r := ofStatistics(rows, p.asked)
	if err == nil && model.Results != nil {
		var more map[string]float64
		more, err = model.Results(sim)
		maps.Copy(r, more)
	}
	if err == nil && len(r) == 0 {
		err = errors.New("the model has no results: record statistics (package stats) or give Program.Results")
	}
	if err == nil {
		err = s.compute(r, options)
	}
	if err == nil {
		err = p.haveAll(r)
	}
	return r, errors.Join(err, sim.Close())
}

// checkBefore returns an error before a run if it cannot give what the command line names. Program.Results may have
// more than statistics.
func (s *study) checkBefore(sim *ross.Simulation, options *ross.Options, p *plan, more bool) error {
	names := !more && (len(p.results)+len(s.formulas) > 0 || p.experiment.Select != nil)
	if !names && s.finding.of == "" {
		return nil
	}
	rows, err := statistics(sim)
	if err == nil {
		err = s.checkCourse(rows)
	}
	if err != nil || !names {
		return err
	}
	r := ofStatistics(rows, p.asked)
	if err := s.compute(r, options); err != nil {
		return err
	}
	return p.haveAll(r)
}

// haveAll returns an error if a result is missing that the command line names.
func (p *plan) haveAll(r experiment.Responses) error {
	for _, name := range p.results {
		if _, known := r[name]; !known {
			return unknownResult("results", name, slices.Sorted(maps.Keys(r)))
		}
	}
	if best := p.experiment.Select; best != nil {
		if _, known := r[best.Response]; !known {
			return unknownResult("select", best.Response, slices.Sorted(maps.Keys(r)))
		}
	}
	return nil
}

// known are the names of the results of runs, whether they have numbers or not.
type known struct {
	lock  sync.Mutex
	names map[string]bool
}

func (k *known) add(names iter.Seq[string]) {
	k.lock.Lock()
	defer k.lock.Unlock()
	if k.names == nil {
		k.names = map[string]bool{}
	}
	for name := range names {
		k.names[name] = true
	}
}

// declared makes known which statistics the model has at the first point, without a run.
func (s *study) declared(p *plan) error {
	model, cfg, options, err := s.make(p, p.experiment.Points[0])
	if err != nil {
		return err
	}
	cfg.Ranks, cfg.Output, cfg.Log, cfg.Dir, cfg.Statistics = 1, nil, nil, "", 0
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer sim.Close()
	if err := model.Build(sim); err != nil {
		return err
	}
	rows, err := statistics(sim)
	r := ofStatistics(rows, p.asked)
	if err == nil {
		err = s.compute(r, options)
	}
	s.known.add(maps.Keys(r))
	return err
}
