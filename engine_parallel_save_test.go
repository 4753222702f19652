// This file pins that rollbacks undo everything: whatever is rolled back, and
// however often, a run comes to what a sequential run comes to, and nothing leaks.

package ross

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/pq"
)

// harass has KPs rolled back for no reason: in each turn of a PE's loop, with a
// probability, one of them by a random number of events. From one GVT to the next
// it is a few times only, since the events that are cancelled stay in the queue
// until their time comes.
func harass(t testing.TB, pes int, probability float64) func(*run.PE) {
	t.Helper()
	return harassWith(t, pes, probability, testrand.Seed(t))
}

// harassWith is harass with a seed.
func harassWith(t testing.TB, pes int, probability float64, seed uint64) func(*run.PE) {
	t.Helper()
	dice := testrand.Several(seed, pes)
	const most = 20
	times, round := make([]int, pes), make([]uint64, pes)
	return func(pe *run.PE) {
		i := pe.ID - pe.Simulation.Base
		if round[i] != pe.Counts.GVTs {
			times[i], round[i] = 0, pe.Counts.GVTs
		}
		r := dice[i]
		if r.Float64() >= probability || times[i] == most {
			return
		}
		times[i]++
		if pe.Member.Busy() && (!pe.Red || pe.Remote != nil) {
			return // it has said that nothing before the next GVT will be undone
		}
		if len(pe.Mine) == 0 {
			return
		}
		kp := pe.Mine[r.IntN(len(pe.Mine))]
		left := 1 << r.IntN(8)
		pe.Rollback(kp, func(_ event.Key, e *event.Event) bool {
			left--
			return left >= 0 && !pe.IsReached(e)
		})
		pe.Settle()
	}
}

// kitchenOn spreads the kitchen's LPs over PEs.
func kitchenOn(pes int) func(*Config) {
	return func(c *Config) { c.Synch, c.PEs, c.NLP = 3, pes, kitchenLPs/uint64(pes) }
}

// kitchenMapping gives three PEs different shares.
func kitchenMapping(c *Config) {
	c.Mapping, c.TotalLPs = mapping.Custom, kitchenLPs
	c.Custom.PE = func(gid uint64) uint64 { return min(gid/5%4, 2) }
}

// requireSame compares what two runs came to, LP by LP.
func requireSame(t testing.TB, want, got result) {
	t.Helper()
	for gid := range want.finals {
		require.Equal(t, want.commits[gid], got.commits[gid], "what LP %d committed", gid)
		require.Equal(t, want.finals[gid], got.finals[gid], "state of LP %d", gid)
		require.Equal(t, want.commitAt[gid], got.commitAt[gid], "time of the last Commit of LP %d", gid)
	}
	require.Equal(t, want, got)
}

const kitchenEnd = 30

func TestForcedRollbacksChangeNothing(t *testing.T) {
	for _, never := range []bool{false, true} {
		end := float64(testlevel.Times(kitchenEnd, kitchenEnd/3))
		want, _ := cook(t, never, end, nil)
		require.Greater(t, want.events, uint64(testlevel.Times(1000, 300)))
		require.NotEmpty(t, want.lines)
		for name, c := range map[string]struct {
			pes int
			p   float64
			set func(*Config)
		}{
			"one PE":            {1, 0.5, func(*Config) {}},
			"two PEs":           {2, 0.3, func(*Config) {}},
			"three PEs":         {3, 0.1, func(*Config) {}},
			"four PEs":          {4, 0.3, func(*Config) {}},
			"none forced":       {2, 0, func(*Config) {}},
			"real time":         {2, 0.3, func(c *Config) { c.Synch, c.GVTInterval = 5, 1 }},
			"tiny rings":        {3, 0.3, func(c *Config) { c.knobs.RingSize = 1 }},
			"batch of 1":        {2, 0.05, func(c *Config) { c.Batch = 1 }},
			"GVT all the time":  {2, 0.3, func(c *Config) { c.GVTInterval, c.Batch, c.FixedGVT = 1, 1, true }},
			"GVT seldom":        {2, 0.1, func(c *Config) { c.GVTInterval, c.FixedGVT = 1000, true }},
			"no optimism":       {2, 0.3, func(c *Config) { c.MaxOptLookahead = 0 }},
			"some optimism":     {2, 0.3, func(c *Config) { c.MaxOptLookahead = 2 }},
			"1 KP":              {2, 0.05, func(c *Config) { c.NKP = 1 }},
			"4 KPs":             {2, 0.6, func(c *Config) { c.NKP = 4 }},
			"64 KPs":            {2, 0.9, func(c *Config) { c.NKP = 64 }},
			"round robin":       {2, 0.3, func(c *Config) { c.Mapping = mapping.RoundRobin }},
			"custom mapping":    {3, 0.3, kitchenMapping},
			"KPs move":          {4, 0.2, func(c *Config) { c.Balance, c.knobs.Shift = "on", 2 }},
			"LZ4 of everything": {2, 0.3, func(c *Config) { c.LZ4Knob = 1 }},
		} {
			if never && (testlevel.Some.LeavesOut(name, "two PEs", "three PEs", "tiny rings", "real time", "4 KPs") || testlevel.Few.LeavesOut(name, "three PEs")) ||
				testlevel.Few.LeavesOut(name, "three PEs", "tiny rings", "real time", "GVT all the time", "1 KP", "LZ4 of everything") {
				continue
			}
			for _, impl := range testlevel.Pick(pq.Impls(), pq.Impls(), []string{""}) {
				t.Run(fmt.Sprintf("never=%v/%s/pq=%s", never, name, impl), func(t *testing.T) {
					modeltest.Watch(t)
					got, sim := cook(t, never, end, func(cfg *Config) {
						kitchenOn(c.pes)(cfg)
						cfg.PQ, cfg.knobs.disturb = impl, harass(t, c.pes, c.p)
						c.set(cfg)
					})
					requireSame(t, want, got)
					if c.p > 0 && name != "no optimism" && name != "batch of 1" {
						require.Greater(t, sim.Stats().EventsRolledBack, uint64(10))
					}
				})
			}
		}
	}
}
