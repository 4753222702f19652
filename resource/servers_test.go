// This file owns the tests of Servers: they do what the oracle does, in every order; and every scheduler, every way to
// undo events and runs that go on from checkpoints leave the same.

package resource_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	. "github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// ruleBook has the rules under which Servers are tested.
func ruleBook() (all []Rules) {
	for _, order := range []Order{FIFO, LIFO, ByPriority, Preemptive} {
		all = append(all, Rules{Servers: 2, Order: order}, Rules{Servers: 1, Order: order, Room: 4},
			Rules{Servers: 2, Order: order, Room: NoRoom}, Rules{Servers: 1, Order: order, Batch: 3})
	}
	return all
}

func sumOf(all []float64) (sum float64) {
	for _, x := range all {
		sum += x
	}
	return sum
}

func TestServersDoWhatTheOracleDoes(t *testing.T) {
	seed := testrand.Seed(t)
	for _, rules := range ruleBook() {
		t.Run(fmt.Sprintf("%+v", rules), func(t *testing.T) {
			p := clinics{rules: rules, lps: 1, oracle: &oracle{rules: rules, servers: rules.Servers}}
			cfg := rosstest.Small()
			cfg.NLP, cfg.NKP, cfg.End, cfg.Seed = 1, 1, float64(testlevel.Times(3000, 600)), seed
			out := rosstest.Run(t, cfg, p.model(ross.SaveByLog))
			require.Empty(t, p.wrong)
			o := p.oracle
			sameAsOracle(t, out, o)
			require.Positive(t, o.interrupted)
			if rules.Room == 0 {
				require.Positive(t, o.reneged)
			} else {
				require.Positive(t, o.refused)
			}
		})
	}
}

// sameAsOracle compares the statistics of LP 0 with those of the oracle.
func sameAsOracle(t *testing.T, out rosstest.Outcome, o *oracle) {
	t.Helper()
	lp, s := out.LP(0), &ross.StateOf[clinic](out.LP(0)).S
	end := out.Config().End
	o.now = end
	o.pass()
	for name, c := range map[string][2]float64{
		"utilization": {o.used / end, s.Utilization.Mean(lp, end)}, "in service": {o.inService / end, s.InService.Mean(lp, end)},
		"in queue": {o.inQueue / end, s.InQueue.Mean(lp, end)},
	} {
		require.InDelta(t, c[0], c[1], 1e-9*(1+c[0]), name)
	}
	for name, c := range map[string]struct {
		want  []float64
		count uint64
		mean  float64
	}{"wait": {o.wait, s.Wait.Count(), s.Wait.Mean()}, "stay": {o.stay, s.Stay.Count(), s.Stay.Mean()}} {
		require.EqualValues(t, len(c.want), c.count, name)
		if c.count > 0 {
			mean := sumOf(c.want) / float64(len(c.want))
			require.InDelta(t, mean, c.mean, 1e-9*(1+mean), name)
		}
	}
	require.Equal(t, [3]uint64{o.refused, o.reneged, o.interrupted}, [3]uint64{s.Refused.Count(), s.Reneged.Count(), s.Interrupted.Count()})
}

// left is what a run leaves.
type left struct {
	digest, states uint64
	table          string
}

func leftBy(t *testing.T, sim *ross.Simulation) left {
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, table.WriteJSON(&text))
	return left{*sim.Summary().Digest, *sim.Summary().StateDigest, text.String()}
}

var savings = []ross.Saving{ross.SaveByDelta, ross.SaveByLog, ross.SaveByReverse}

const lps = 12

// layout sets how a run runs.
func layout(synch ross.Scheduler, pes int, end float64) func(c *ross.Config) {
	return func(c *ross.Config) {
		c.Synch, c.PEs, c.NLP, c.NKP, c.Tuning.Batch, c.Tuning.GVTInterval = synch, pes, int(lps/uint64(pes)), 2, 4, 4
		c.End, c.WarmUp, c.ConsLookahead, c.MaxMemory, c.Digest = end, 10, 0.05, 32<<20, true
	}
}

// sameEverywhere runs a model in all schedulers, and in two legs, with all ways to undo its events.
func sameEverywhere(t *testing.T, end float64, model func(saving ross.Saving) ross.LPType) {
	testkit.Watch(t)
	play := func(saving ross.Saving, synch ross.Scheduler, pes int, from, to string, end float64) left {
		sim := rosstest.RunLeg(t, rosstest.Leg{From: from, To: to, Mode: ross.LoadInit, Configure: layout(synch, pes, end)}, model(saving))
		result := leftBy(t, sim)
		require.NoError(t, sim.Close()) // the race detector has room for few
		return result
	}
	want := play(ross.SaveByLog, ross.Sequential, 1, "", "", end)
	runs := []struct {
		synch ross.Scheduler
		pes   int
	}{{ross.Optimistic, 3}, {ross.RollbackCheck, 1}, {ross.Conservative, 2}, {ross.Optimistic, 2}, {ross.Optimistic, 4}, {ross.OptimisticRealTime, 2}}
	for _, saving := range savings {
		for _, how := range testlevel.Pick(runs, runs[:3], runs[:2]) {
			require.Equal(t, want, play(saving, how.synch, how.pes, "", "", end), "%v, %v, %d PEs", saving, how.synch, how.pes)
		}
		cfg := ross.DefaultConfig()
		layout(ross.OptimisticDebug, 1, end/4)(&cfg)
		out := rosstest.Run(t, cfg, model(saving))
		require.NoError(t, out.Close())
		half := filepath.Join(t.TempDir(), "half")
		play(saving, ross.Optimistic, 2, "", half, end/2)
		require.Equal(t, want, play(saving, ross.Optimistic, 4, half, "", end), "%v, from a checkpoint", saving)
	}
}

func TestServersAreTheSameEverywhere(t *testing.T) {
	rules := ruleBook()
	for _, r := range testlevel.Pick(rules, rules, []Rules{rules[0], rules[4], rules[15]}) {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			p := clinics{rules: r, lps: lps}
			sameEverywhere(t, float64(testlevel.Times(60, 20)), func(saving ross.Saving) ross.LPType { return p.model(saving) })
		})
	}
}
