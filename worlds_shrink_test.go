// A case that fails is made simpler as long as it still fails.

package ross_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ross-go/ross"
)

// shrunk returns the simplest case found that still fails.
func (c worldCase) shrunk(t *testing.T) worldCase {
	const tries = 400
	left := tries
	for found := true; found; {
		found = false
		for _, simpler := range c.simpler() {
			if left--; left < 0 {
				return c
			}
			if wrong, _ := simpler.check(t); wrong != "" {
				c, found = simpler, true
				break
			}
		}
	}
	return c
}

// simpler returns cases that are simpler in one way each, those that are much simpler first.
func (c worldCase) simpler() (all []worldCase) {
	m, w := c.Model, c.Run
	model := func(change func(m *worldModel)) {
		n := c
		n.Model.Kinds = slices.Clone(m.Kinds)
		if change(&n.Model); !n.equal(c) {
			all = append(all, n)
		}
	}
	run := func(change func(w *worldRun)) {
		n := c
		if w.Again != nil {
			again := *w.Again
			n.Run.Again = &again
		}
		if change(&n.Run); !n.equal(c) {
			all = append(all, n)
		}
	}
	if w.Again != nil {
		run(func(w *worldRun) { w.Again = nil })
	}
	run(func(w *worldRun) { w.Fault, w.Every = noFault, 0 })
	for _, part := range []float64{0.5, 0.8, 0.95} {
		model(func(m *worldModel) { m.End *= part })
	}
	model(func(m *worldModel) { m.LPs = (m.LPs + 1) / 2 })
	model(func(m *worldModel) { m.LPs = max(m.LPs-1, 1) })
	model(func(m *worldModel) { m.Population = (m.Population + 1) / 2 })
	for i := range m.Kinds {
		if len(m.Kinds) > 1 {
			model(func(m *worldModel) { m.Kinds = slices.Delete(m.Kinds, i, i+1) })
		}
		model(func(m *worldModel) { m.Kinds[i] = worldKind{Undo: m.Kinds[i].Undo} })
		model(func(m *worldModel) { m.Kinds[i].Undo = byDelta })
	}
	for _, field := range []func(*worldModel) *float64{
		func(m *worldModel) *float64 { return &m.Zero }, func(m *worldModel) *float64 { return &m.Grid },
		func(m *worldModel) *float64 { return &m.Priorities }, func(m *worldModel) *float64 { return &m.Burst },
		func(m *worldModel) *float64 { return &m.Far }, func(m *worldModel) *float64 { return &m.Suspend },
		func(m *worldModel) *float64 { return &m.StopFrom }, func(m *worldModel) *float64 { return &m.FailFrom },
		func(m *worldModel) *float64 { return &m.Remote }, func(m *worldModel) *float64 { return &m.WarmUp },
		func(m *worldModel) *float64 { return &m.Below },
	} {
		model(func(m *worldModel) { *field(m) = 0 })
	}
	model(func(m *worldModel) { m.Streams = 1 })
	model(func(m *worldModel) { m.Logs = false })
	run(func(w *worldRun) { w.Ranks, w.RingWords = 1, 0 })
	run(func(w *worldRun) { w.Ranks = min(w.Ranks, 2) })
	run(func(w *worldRun) { w.PEs = (w.PEs + 1) / 2 })
	run(func(w *worldRun) { w.Harass = 0 })
	run(func(w *worldRun) { w.NKP = 1 })
	run(func(w *worldRun) { w.Mapping = 0 })
	run(func(w *worldRun) { w.Batch = 1 })
	run(func(w *worldRun) { w.Window = 0 })
	run(func(w *worldRun) { w.Late, w.RingWords, w.Worth = 0, 0, 0 })
	run(func(w *worldRun) { w.Ring, w.Keys = 0, 0 })
	run(func(w *worldRun) { w.Shift = 0 })
	run(func(w *worldRun) { w.Stretch /= 2 })
	run(func(w *worldRun) { w.Samples = 0 })
	run(func(w *worldRun) { w.FaultAt /= 2 })
	if w.Synch != ross.Conservative {
		run(func(w *worldRun) { w.Synch = ross.Optimistic })
	}
	// Every second one with another order as well: a change of anything else changes what an order means.
	order := rand.Uint64()
	for i, other := range all {
		if i%2 == 0 {
			other.Run.Order = order
			all = append(all, other)
		}
	}
	return all
}

func (c worldCase) equal(o worldCase) bool {
	if !slices.Equal(c.Model.Kinds, o.Model.Kinds) {
		return false
	}
	a, b := c, o
	a.Model.Kinds, b.Model.Kinds = nil, nil
	if (a.Run.Again == nil) != (b.Run.Again == nil) {
		return false
	}
	if a.Run.Again != nil && *a.Run.Again != *b.Run.Again {
		return false
	}
	a.Run.Again, b.Run.Again = nil, nil
	x, y := a.Model, b.Model
	return a.Run == b.Run && x.LPs == y.LPs && x.Population == y.Population && x.End == y.End && x.Streams == y.Streams &&
		x.Zero == y.Zero && x.Grid == y.Grid && x.Priorities == y.Priorities && x.Burst == y.Burst && x.Far == y.Far &&
		x.Suspend == y.Suspend && x.StopFrom == y.StopFrom && x.FailFrom == y.FailFrom && x.Remote == y.Remote &&
		x.WarmUp == y.WarmUp && x.Below == y.Below && x.Logs == y.Logs
}
