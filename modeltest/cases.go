// This file owns which runs there are, in which order, and what is compared.

package modeltest

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/mapping"
)

// all makes the runs, from those whose errors say most to those that find what is left.
func (c *checker) all() error {
	err := inTurn(c.sequential, c.checks, c.again, c.parallel, c.onRanks)
	if c.seq != nil {
		c.seq.closeIf()
	}
	if err == nil {
		c.remark()
	}
	return err
}

// parallel makes the runs that may have several PEs.
func (c *checker) parallel() error {
	return inTurn(c.optimistic, c.conservative, c.auto, c.restarts, c.replications)
}

// inTurn calls functions until one returns an error.
func inTurn(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// attempt makes a run, has judge say why it is left out or what is wrong with it, and has all ranks agree on that. The
// caller closes the outcome.
func (c *checker) attempt(t trial, judge func(o *outcome) (left string, err error)) (
	o *outcome, left string, err error) {
	o = c.play(t)
	if o.sim != nil || o.err != nil {
		left, err = judge(o)
	}
	if c.team != nil {
		left, err = c.agree(o, left, err)
	}
	return o, left, err
}

// same judges a run that must leave what the sequential one has left.
func (c *checker) same(o *outcome) (left string, err error) {
	if o.err != nil {
		return "", c.failure(o)
	}
	return "", c.compare(c.seq, o)
}

// sequential makes the run with which all others are compared.
func (c *checker) sequential() error {
	o, _, err := c.attempt(trial{name: "--synch=1"}, func(o *outcome) (string, error) {
		if o.err == nil && o.events == 0 {
			o.err = fmt.Errorf("no event was handled, so the test proves nothing: send events in Init, "+
				"or give a later Config.End (--end): %w", ErrModel)
		}
		if o.err != nil {
			return "", c.failure(o)
		}
		return "", nil
	})
	if err != nil {
		o.closeIf()
		return err
	}
	c.seq, c.report.Events = o, o.events
	if c.team != nil {
		c.team.model = c.name()
	}
	return nil
}

func (o *outcome) closeIf() {
	if o.sim != nil {
		o.close()
	}
}

// look notes what the model promises, when its types are known.
func (c *checker) look(cfg *ross.Config, s *run.Engine) {
	declared := math.Inf(1)
	for _, t := range s.Types {
		declared = min(declared, t.Lookahead)
	}
	switch {
	case declared > 0:
		c.ahead = max(declared, cfg.ConsLookahead)
	case cfg.ConsLookahead != settings.DefaultLookahead:
		c.ahead = cfg.ConsLookahead
	default:
		c.ahead = math.NaN()
	}
}

// try makes a run, which must leave what the sequential one has left.
func (c *checker) try(t trial) error {
	o, _, err := c.attempt(t, c.same)
	o.closeIf()
	return err
}

// leaveOut notes what is left out.
func (c *checker) leaveOut(what string, why any) {
	c.report.LeftOut = append(c.report.LeftOut, fmt.Sprintf("%s: %v", what, why))
}

// checks has the two schedulers look that undo and compare.
func (c *checker) checks() error {
	if err := c.try(trial{name: "--synch=6", set: on(ross.RollbackCheck, 1, 2, 0), blind: true}); err != nil {
		return err
	}
	all, left, err := c.attempt(trial{name: "--synch=4 --nkp=2", set: on(ross.OptimisticDebug, 1, 2, 0), blind: true},
		func(o *outcome) (string, error) {
			if isAny(o.err, ross.ErrModel, ross.ErrMemory) {
				return o.err.Error(), nil
			}
			if o.err != nil {
				return "", c.failure(o)
			}
			if st := o.sim.Summary(); st.NetEvents() > 0 || st.EventsRolledBack == 0 {
				return "there was no memory for all events at a time: raise Config.MaxMemory (--max-memory), or give an earlier end (Config.End, --end)", nil
			}
			return "", nil
		})
	defer all.closeIf()
	if left != "" {
		c.leaveOut(all.name, left)
	}
	return err
}

// again repeats the sequential run: what is kept outside of the states, or is not the same each time, shows.
func (c *checker) again() error {
	return c.try(trial{name: "--synch=1 --pq=go --buddy=go", set: func(cfg *ross.Config) {
		cfg.Tuning.PQ, cfg.Tuning.Buddy = ross.InGo, ross.InGo
	}})
}

// on returns what sets a scheduler, PEs and KPs, and with pace the batch and the interval of GVT, and KPs that stay.
func on(synch ross.Scheduler, pes, nkp, pace int) func(*ross.Config) {
	return func(c *ross.Config) {
		c.Synch, c.PEs, c.NKP = synch, pes, nkp
		if pace > 0 {
			c.Tuning.Batch, c.Tuning.GVTInterval, c.Tuning.FixedGVT, c.Tuning.FixedKPs = pace, pace, true, true
		}
	}
}

// optimistic makes the runs that roll back: on one PE, where the order of all is always the same, with single KPs
// that are undone while others are ahead; with GVT after each event; with other places of the LPs; and far ahead of
// GVT.
func (c *checker) optimistic() error {
	const few = 8
	runs := []trial{
		{name: "--synch=3 --pes=1 --nkp=4 --batch=8 --gvt-interval=8", set: on(ross.Optimistic, 1, 4, 8), force: 0.4},
		spread(),
		{name: "--synch=3 --pes=2 --nkp=1 --batch=1 --gvt-interval=1 --balance=off", set: on(ross.Optimistic, 2, 1, 1),
			force: 0.02},
		{
			name: "--synch=3 --pes=4 --nkp=1 --batch=512 --gvt-interval=512 --balance=off", set: on(ross.Optimistic, 4, 1, 512),
			force: 0.05, window: few,
		},
		{name: "--synch=3 --pes=3", set: on(ross.Optimistic, 3, 16, 0)},
		{name: "--synch=5 --pes=2", set: on(ross.OptimisticRealTime, 2, 4, 0), force: 0.02},
	}
	if c.model.Short { // that which stores a checkpoint is spread, too
		runs = runs[:1]
	}
	for _, t := range runs {
		if err := c.try(t); err != nil {
			return err
		}
	}
	return nil
}

// spread returns an optimistic run whose LPs are on the PEs in turn.
func spread() trial {
	turns := mapping.RoundRobin
	return trial{
		name: "--synch=3 --pes=3 --nkp=2, round robin", set: on(ross.Optimistic, 3, 2, 0), mapping: turns, force: 0.05,
	}
}

// conservative makes conservative runs, if the model says what its lookahead is.
func (c *checker) conservative() error {
	if math.IsNaN(c.ahead) {
		c.leaveOut("--synch=2",
			"the model promises no lookahead (Type.Lookahead of all types, or Config.ConsLookahead, --cons-lookahead)")
		return nil
	}
	runs := []trial{
		{name: "--synch=2 --pes=2", set: on(ross.Conservative, 2, 4, 0)},
		{name: "--synch=2 --pes=4", set: on(ross.Conservative, 4, 1, 0)},
	}
	if c.model.Short || c.ahead == 0 { // without lookahead each event waits for a GVT
		runs = runs[:1]
	}
	for _, t := range runs {
		o, why, err := c.attempt(t, func(o *outcome) (string, error) {
			if why := c.mayNot(o.err); why != "" {
				return why, nil
			}
			return c.same(o)
		})
		o.closeIf()
		if why != "" {
			c.leaveOut("--synch=2", why)
			c.ahead = math.NaN()
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mayNot returns why a model that is right cannot run conservatively, or "".
func (c *checker) mayNot(err error) string {
	var mistake *ross.ModelError
	switch {
	case errors.Is(err, ross.ErrHook):
		return err.Error()
	case errors.Is(err, ross.ErrLookahead) && errors.As(err, &mistake) &&
		strings.HasPrefix(mistake.What, "stopped the run"):
		for _, t := range engineOf(c.seq.sim).Types {
			if t.Name == mistake.Type && t.NeverStops {
				return ""
			}
		}
		return err.Error()
	}
	return ""
}

// auto has the run choose the scheduler itself.
func (c *checker) auto() error {
	if c.model.Short {
		return nil
	}
	return c.try(trial{name: "--synch=auto --pes=3", set: on(ross.Auto, 3, 2, 0), force: 0.05})
}

// place of the checkpoint in the run: nearer to the end than to the beginning, so that there is only one.
const half = 0.6

// noRestart notes why nothing is restarted. A short test then makes the spread run itself, which otherwise is the one
// that stores.
func (c *checker) noRestart(why any) error {
	c.leaveOut("restart", why)
	if c.model.Short {
		return c.try(spread())
	}
	return nil
}

// restarts stores checkpoints half way, and goes on from them elsewhere.
func (c *checker) restarts() error {
	if why := c.model.NoRestart; why != "" {
		return c.noRestart(why)
	}
	interval := half * lastTime(c.seq.sim)
	if interval == 0 {
		return c.noRestart("all events are at time 0")
	}
	stores := spread()
	stores.set = on(ross.Optimistic, 3, 2, 4)
	stores.name = "--synch=3 --pes=3 --nkp=2 --batch=4 --gvt-interval=4, round robin"
	legs := [][2]trial{
		{stores, {name: "--synch=3 --pes=2 --nkp=1", set: on(ross.Optimistic, 2, 1, 0), force: 0.05}},
		{{name: "--synch=3 --pes=2 --batch=2 --gvt-interval=2 --balance=off", set: on(ross.Optimistic, 2, 16, 2)},
			{name: "--synch=1"}},
		{{name: "--synch=1"}, {name: "--synch=auto --pes=2", set: on(ross.Auto, 2, 4, 0)}},
		{{name: "--synch=1"}, {name: "--synch=2 --pes=3", set: on(ross.Conservative, 3, 2, 0)}},
	}
	if math.IsNaN(c.ahead) {
		legs = legs[:3]
	}
	if c.model.Short {
		legs = legs[:1]
	}
	for i, leg := range legs {
		left, stored, err := c.leg(leg[0], leg[1], interval, fmt.Sprintf("half%d", i))
		if err == nil && !left && !stored { // PEs were too far ahead; the sequential scheduler stores it where it is due
			left, _, err = c.leg(trial{name: "--synch=1"}, leg[1], interval, fmt.Sprintf("half%d-1", i))
		}
		if err != nil || left {
			return err
		}
	}
	return nil
}

func also(f, g func(*ross.Config)) func(*ross.Config) {
	return func(c *ross.Config) {
		if f != nil {
			f(c)
		}
		g(c)
	}
}

// leg makes a run that stores a checkpoint, and one that starts from it. left says that states cannot be stored,
// and stored that there was a checkpoint.
func (c *checker) leg(store, load trial, interval float64, name string) (left, stored bool, err error) {
	ahead := math.Floor((lastTime(c.seq.sim) - interval) / 4)
	store.set = also(store.set, func(cfg *ross.Config) {
		cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.Name = interval, c.path(name)
		if ahead > 0 { // so that GVT has to come between the checkpoint's time and the end
			cfg.Tuning.MaxOptLookahead = ahead
		}
	})
	store.name = fmt.Sprintf("%s --io-virtual-interval=%g", store.name, interval)
	load.set, load.load = also(load.set, func(cfg *ross.Config) { cfg.Checkpoints.Name = c.path(name) }), "latest"
	load.name += " --io-restart=latest (after " + store.name + ")"
	store.once = alone(store)
	o, why, err := c.attempt(store, func(o *outcome) (string, error) {
		if isAny(o.err, ross.ErrModel) {
			return o.err.Error(), nil
		}
		if o.err == nil {
			o.err = o.sim.CheckpointError()
		}
		return c.same(o)
	})
	o.closeIf()
	if why != "" {
		return true, false, c.noRestart(why)
	}
	if err != nil {
		return false, false, err
	}
	next, _, err := c.attempt(load, c.same)
	defer next.closeIf()
	return false, err == nil && next.sim.Clock() > 0, err
}

// replications makes runs with other random numbers.
func (c *checker) replications() error {
	if c.model.Short {
		return nil
	}
	const n = 3
	first := c.seq
	defer func() {
		if c.seq != first {
			c.seq.closeIf()
		}
		c.seq, c.tables = first, 0
	}()
	for c.tables = 1; c.tables <= n; c.tables++ {
		o, _, err := c.attempt(trial{name: "--synch=1"}, func(o *outcome) (string, error) {
			if o.err != nil {
				return "", c.failure(o)
			}
			return "", nil
		})
		if err != nil {
			o.closeIf()
			return err
		}
		if c.seq != first {
			c.seq.close()
		}
		if c.seq = o; o.events == 0 {
			continue
		}
		if err := c.try(trial{name: "--synch=3 --pes=2 --nkp=2", set: on(ross.Optimistic, 2, 2, 0), force: 0.05}); err != nil {
			return err
		}
	}
	return nil
}

// remark says why the test may prove little.
func (c *checker) remark() {
	note := func(format string, args ...any) {
		c.report.Notes = append(c.report.Notes, fmt.Sprintf(format, args...))
	}
	if n := c.report.Events; n < fewEvents {
		note("there are only %d events: a later end (Config.End, --end) or more LPs would show more", n)
	}
	if c.remote == 0 {
		note("no event went from one PE to another: LPs that send each other events would show whether they wait " +
			"for each other as they should")
	}
	if c.report.RolledBack == 0 {
		note("no event was rolled back in an optimistic run: a later end (Config.End, --end) or more events would show more")
	}
	if c.custom {
		note("Config.Mapping is for one number of PEs, so other mappings were used: mapping.For makes one for each number")
	}
}

// isAny reports whether an error is one of several.
func isAny(err error, targets ...error) bool {
	for _, t := range targets {
		if errors.Is(err, t) {
			return true
		}
	}
	return false
}
