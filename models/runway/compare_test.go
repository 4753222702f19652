// The model and its version without the packages: the same events and statistics, fewer lines,
// and the speed.

package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/stats"
)

// simulation runs one of both versions.
func simulation(t testing.TB, byHand bool, configure func(p *params, cfg *ross.Config)) *ross.Simulation {
	t.Helper()
	p, cfg := defaults()
	cfg.Output, cfg.Statistics = io.Discard, 0
	configure(&p, &cfg)
	cfg.ConsLookahead = p.lookahead
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	p.total = int64(sim.TotalLPs())
	if byHand {
		require.NoError(t, sim.Define(handType(&p, cfg.End)))
	} else {
		require.NoError(t, sim.Define(airportType(&p)))
	}
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

func TestVersionByHandComputesTheSameStatistics(t *testing.T) {
	var want handTotals
	modeltest.Schedulers(func(synch, pes int) {
		configure := func(p *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.NKP, cfg.TotalLPs, cfg.End, cfg.Digest = ross.Scheduler(synch), pes, 2, 20, 400, true
			p.planes = 6
		}
		sim, hand := simulation(t, false, configure), simulation(t, true, configure)
		st, byHand := sim.Stats(), hand.Stats()
		require.Equal(t, st.NetEvents(), byHand.NetEvents())
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		var got handTotals
		for id := range hand.TotalLPs() {
			got.add(ross.StateOf[handAirport](hand.LP(ross.LPID(id))), table.Until(), float64(hand.TotalLPs()))
		}
		requireSame(t, table, &got)
		if want.TakeOffs == 0 {
			want = got
		}
		require.Equal(t, want, got)
		require.NoError(t, sim.Close())
		require.NoError(t, hand.Close())
	})
}

// requireSame compares the statistics of both versions.
func requireSame(t *testing.T, table *stats.Table, hand *handTotals) {
	t.Helper()
	row := func(name string) stats.Row {
		r, ok := table.Row("airport", name)
		require.True(t, ok, name)
		return r
	}
	for name, tally := range map[string]*modeltest.Tally{"wait to land": &hand.ToLand, "wait to take off": &hand.ToTakeOff} {
		r := row(name)
		tally.Same(t, name, r.Count, r.Mean, r.StdDev, r.Least, r.Greatest)
	}
	toLand := row("wait to land")
	for _, q := range []float64{0.75, 0.9, 0.99} {
		require.InDelta(t, hand.quantile(q), toLand.Quantile(q), 0.5+toLand.Quantile(q)/128, "quantile %g", q)
	}
	for name, level := range map[string]*modeltest.Level{"planes waiting to land": &hand.InStack, "runway in use": &hand.Runway} {
		r := row(name)
		level.Same(t, name, r.Mean, r.NonZero, r.Greatest)
	}
	landings := row("flights until landing")
	require.NotEmpty(t, landings.Course)
	for i, interval := range landings.Course {
		require.Equal(t, hand.Landings[i], interval.Count)
		require.Equal(t, float64(hand.Flights[i]), interval.Sum)
	}
	require.Equal(t, hand.TakeOffs, row("take-offs").Count)
}

func TestModelIsMuchShorterThanByHand(t *testing.T) {
	testlevel.Once(t, "lengths of files")
	model, hand := modeltest.Lines(t, "airport.go"), modeltest.Lines(t, "byhand_test.go", modeltest.ByHand)
	require.Less(t, model*100, hand*60, "%d and %d lines", model, hand)
}

func BenchmarkAirport(b *testing.B) {
	modeltest.Versions(b, func(b *testing.B, byHand bool, synch, pes int) float64 {
		sim := simulation(b, byHand, func(_ *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.TotalLPs, cfg.End = ross.Scheduler(synch), pes, 1024, 1440
		})
		st := sim.Stats()
		require.NoError(b, sim.Close())
		return st.EventRate()
	})
}
