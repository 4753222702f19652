// This file owns one run: how the model is made for it, what is watched, and what it leaves.

package modeltest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/program"
	"github.com/ross-go/ross/stats"
)

// checker is a call of Check.
type checker struct {
	model  Model
	report *Report
	dir    string // for files of the runs
	team   *team  // the ranks of the runs; nil: all runs are in this process
	seq    *outcome
	remote uint64 // events that went from one PE to another, in all runs
	tables uint64 // replication of the runs

	ahead  float64 // lookahead of the model; NaN: it has promised none
	lps    int     // number of its LPs
	custom bool    // its mapping is for one number of PEs
	end    float64 // virtual time at which the run ends
}

// trial is how a run runs.
type trial struct {
	name    string // as on a command line
	set     func(c *ross.Config)
	mapping mapping.Mapping // nil: that of the model
	force   float64         // part of the turns of a PE in which it undoes events at random
	window  int             // of the event queue; 0: the default
	blind   bool            // committed events are not noted
	once    bool            // of several ranks, the first one makes it
	load    string          // checkpoint to start from
}

// outcome is what a run leaves.
type outcome struct {
	trial
	err                     error
	sim                     *ross.Simulation // open until close
	digest, states          uint64
	events                  uint64
	table, results, printed string
	seen                    *seen   // nil if it is blind
	at                      float64 // time of the first difference that this rank has found
}

func (o *outcome) close() {
	_ = o.sim.Close()
	o.sim = nil
}

// inFolder calls f while there is a folder for files.
func (c *checker) inFolder(f func() error) (err error) {
	if c.dir, err = os.MkdirTemp("", "modeltest-*"); err != nil {
		return fmt.Errorf("modeltest: %w: set TMPDIR to a folder that can be written to", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.dir)) }()
	return f()
}

// program returns the program of the model, and the words of its command line.
func (c *checker) program() (program.Program, []string, error) {
	if c.model.Program != nil {
		p := c.model.Program()
		if p.Build == nil {
			return p, nil, errors.New("modeltest: Model.Program: Build is missing: give a function that calls Simulation.Define")
		}
		return p, strings.Fields(c.model.Args), nil
	}
	types := c.model.Types()
	p := program.Program{Name: "model", Config: c.model.Config,
		Build: func(sim *ross.Simulation) error { return sim.Define(types...) }}
	if p.Config.LPs == 0 {
		p.Config.LPs = ross.CountLPs(types...)
	}
	return p, nil, nil
}

// configure sets what the run decides.
func (c *checker) configure(cfg *ross.Config, t trial) {
	switch {
	case cfg.LPs > 0:
	case c.seq == nil:
		cfg.NLP *= max(1, cfg.PEs) // unless the types of the program have numbers of LPs
	default:
		cfg.LPs = c.lps
	}
	cfg.Synch, cfg.PEs, cfg.Digest, cfg.Record = ross.Sequential, 1, true, ross.RecordNothing
	cfg.Instruments.Engine, cfg.Instruments.Trace, cfg.Statistics, cfg.Dir, cfg.Instruments.Path = 0, 0, 0, "", ""
	cfg.Checkpoints.Interval, cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.OnExit = 0, 0, false
	cfg.Checkpoints.Name, cfg.Checkpoints.Keep = c.path("half"), 1
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = 256 << 20
	}
	cfg.Replication += c.tables
	if t.set != nil {
		t.set(cfg)
	}
	if t.load != "" {
		cfg.Checkpoints.Restart = t.load
	}
	stats := filepath.Join(c.dir, "stats")
	if c.team != nil && c.team.share(cfg) {
		stats = c.path("stats")
	}
	if cfg.Instruments.Model != 0 {
		cfg.Instruments.Path = stats
	}
}

// play makes the model and runs it. The caller closes the simulation.
func (c *checker) play(t trial) *outcome {
	o := &outcome{trial: t}
	if c.tables > 0 {
		o.name += fmt.Sprintf(" --replication=%d", c.tables)
	}
	if c.team != nil {
		o.name = c.team.nameOf(t, o.name)
	}
	if t.once && c.team.rank() > 0 {
		return o
	}
	c.report.Runs = append(c.report.Runs, o.name)
	o.err = c.runInto(o)
	return o
}

// runInto is play without its errors.
func (c *checker) runInto(o *outcome) error {
	p, words, err := c.program()
	if err != nil {
		return err
	}
	cfg := p.Config
	if _, err := p.CommandLine(&cfg).Parse(words); err != nil {
		return err
	}
	var out bytes.Buffer
	cfg.Output = &out
	c.configure(&cfg, o.trial)
	if p.Prepare != nil {
		if err := p.Prepare(&cfg); err != nil {
			return err
		}
	}
	c.place(&cfg, o.trial)
	if o.sim, err = ross.New(cfg); err != nil {
		return err
	}
	engine := engineOf(o.sim)
	engine.Set.Window = o.window
	if o.force > 0 {
		engine.Hooks.Disturb = disturber(cfg.PEs, o.force)
	}
	if err := p.Build(o.sim); err != nil {
		return err
	}
	if !o.blind {
		o.seen = watch(engine)
	}
	if c.seq == nil {
		c.lps = int(o.sim.TotalLPs())
		c.look(&cfg, engine)
	}
	if err := c.limited(o); err != nil {
		return err
	}
	return c.collect(o, p, &out)
}

// place sets what Prepare may have set again: the mapping.
func (c *checker) place(cfg *ross.Config, t trial) {
	if c.seq == nil {
		_, c.custom = cfg.Mapping.(mapping.Places)
		c.end = cfg.End
	}
	if t.mapping != nil {
		cfg.Mapping = t.mapping
	} else if c.custom {
		cfg.Mapping = mapping.Linear
	}
}

// engineOf returns the engine of a simulation.
func engineOf(sim *ross.Simulation) *run.Engine { return inside.Ross.Engine(sim) }

// limited runs the simulation, unless it has too many events.
func (c *checker) limited(o *outcome) error {
	most, what := c.model.MaxEvents, "events"
	if c.seq != nil { // an optimistic run handles some more than once
		most, what = 1000*c.seq.events+1_000_000, "events, rolled-back ones included"
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				if s := o.sim.Snapshot(); s.EventsProcessed > most {
					cancel()
				}
			}
		}
	}()
	err := o.sim.Run(ctx)
	close(ended)
	<-watched
	st := o.sim.Summary()
	switch {
	case st.EventsProcessed <= most:
		return err
	case c.seq != nil:
		return fmt.Errorf("it handled more than %d %s, where the sequential run had %d: it does not end: %w", most, what,
			c.seq.events, ErrModel)
	}
	reached, end := lastTime(o.sim), fmt.Sprintf("its end is at %g", c.end)
	if math.IsInf(c.end, 1) {
		end = "it has no end"
	}
	return fmt.Errorf(
		"it has more than %d events, and has come to virtual time %.3g; %s: give it an earlier Config.End (--end), "+
			"such as %.1g, or raise MaxEvents: %w", most, reached, end, reached*0.1, ErrModel)
}

// lastTime returns the time of the last event.
func lastTime(sim *ross.Simulation) (last float64) {
	for id := range sim.TotalLPs() {
		if lp := sim.LP(ross.LPID(id)); lp != nil { // not on another rank
			last = max(last, lp.Now())
		}
	}
	return last
}

// collect reads what the run has left.
func (c *checker) collect(o *outcome, p program.Program, out *bytes.Buffer) error {
	st := o.sim.Summary()
	o.events = st.NetEvents()
	if st.Digest != nil {
		o.digest = *st.Digest
	}
	if st.StateDigest != nil {
		o.states = *st.StateDigest
	}
	if synch := o.sim.Config().Synch; synch == ross.Optimistic || synch == ross.OptimisticRealTime {
		c.report.RolledBack += st.EventsRolledBack
		c.remote += st.EventsRemote
	}
	if engineOf(o.sim).HasStatistics() {
		t, err := stats.CollectLPs(o.sim)
		if err != nil {
			return err
		}
		o.table = rowsOf(t)
	}
	if p.Results != nil {
		all, err := p.Results(o.sim)
		if err != nil {
			return fmt.Errorf("calling Program.Results: %w", err)
		}
		o.results = fmt.Sprintln(all)
	}
	if c.model.Results != nil {
		all, err := c.model.Results(o.sim)
		if err != nil {
			return fmt.Errorf("calling Model.Results: %w", err)
		}
		o.results += fmt.Sprintf("%+v\n", all)
	}
	if p.Finish != nil {
		out.Reset()
		if err := p.Finish(o.sim); err != nil {
			return fmt.Errorf("calling Program.Finish: %w", err)
		}
		o.printed = out.String()
	}
	return nil
}

// rowsOf returns a line with all digits for each row.
func rowsOf(t *stats.Table) string {
	var b strings.Builder
	for _, r := range t.Rows() {
		fmt.Fprintf(&b,
			"LP %s, %s: %s of %d, count %d, sum %v, mean %v, deviation %v, %v to %v, nonzero %v, bins %v, course %v, values %v\n",
			r.Group, r.Name, r.Kind, r.LPs, r.Count, r.Sum, r.Mean, r.StdDev, r.Min, r.Max, r.NonZero, r.Bins, r.Course,
			r.Values)
	}
	return b.String()
}

// path returns the path of a file of the test, which all ranks see.
func (c *checker) path(name string) string {
	if c.team != nil {
		return filepath.Join(c.team.dir, name)
	}
	return filepath.Join(c.dir, name)
}
