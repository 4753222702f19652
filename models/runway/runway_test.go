// This file pins the model: in every scheduler, and against the same model by hand (byhand_test.go).

package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/stats"
)

// Every scheduler and layout leaves the events, states and statistics of a sequential run.

var tested = testkit.Program{Name: "runway", Run: run}

// line is a run of few airports, which are busy.
const line = "--lps=23 --planes=5 --end=400 --warm-up=60 "

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: runway, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, "--lps=23 --planes=5 --end=200 ", "", "--planes=4", "--flight=50", "--lookahead=12",
		"--landing=9", "--take-off=6", "--ground=20", "--lps=22")
}

// TestAStudyRunsOverTheModelsOptions has runs at the same time, which must not share the model's parameters.
func TestAStudyRunsOverTheModelsOptions(t *testing.T) {
	out := tested.SameWithWorkers(t, line+"--replications=3 --vary=planes=2,5 --vary=lps=8..9")
	require.Contains(t, out, "confidence intervals")
}

// The model and its version without the packages: the same events and statistics, fewer lines,
// and the speed.

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
	testkit.Schedulers(func(synch, pes int) {
		configure := func(p *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.NKP, cfg.LPs, cfg.End, cfg.Digest = ross.Scheduler(synch), pes, 2, 20, 400, true
			p.planes = 6
		}
		sim, hand := simulation(t, false, configure), simulation(t, true, configure)
		st, byHand := sim.Summary(), hand.Summary()
		require.Equal(t, st.NetEvents(), byHand.NetEvents())
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		var got handTotals
		for id := range uint64(hand.TotalLPs()) {
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
	for name, tally := range map[string]*testkit.Tally{"wait to land": &hand.ToLand, "wait to take off": &hand.ToTakeOff} {
		r := row(name)
		tally.Same(t, name, r.Count, r.Mean, r.StdDev, r.Min, r.Max)
	}
	toLand := row("wait to land")
	for _, q := range []float64{0.75, 0.9, 0.99} {
		require.InDelta(t, hand.quantile(q), toLand.Quantile(q), 0.5+toLand.Quantile(q)/128, "quantile %g", q)
	}
	for name, level := range map[string]*testkit.Level{"planes waiting to land": &hand.InStack,
		"runway in use": &hand.Runway} {
		r := row(name)
		level.Same(t, name, r.Mean, r.NonZero, r.Max)
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
	model, hand := testkit.Lines(t, "airport.go"), testkit.Lines(t, "byhand_test.go", testkit.ByHand)
	require.Less(t, model*100, hand*60, "%d and %d lines", model, hand)
}

// BenchmarkAirport compares the two versions: runs of 1,024 airports and 200,000 events.
func BenchmarkAirport(b *testing.B) {
	testkit.Versions(b, func(b *testing.B, byHand bool, synch, pes int) (float64, uint64) {
		sim := simulation(b, byHand, func(_ *params, cfg *ross.Config) {
			cfg.Synch, cfg.PEs, cfg.LPs, cfg.End = ross.Scheduler(synch), pes, 1024, 1440
		})
		st := sim.Summary()
		require.NoError(b, sim.Close())
		return st.Runtime, st.NetEvents()
	})
}

// What the program refuses, and what its errors call an airport.

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--nlp=1", "there is one airport"},
		{"--lps=100000000", "--lps=100000000, --planes=4: there may be 2^24 airports"},
		{"--planes=65537", "--planes=65537: there may be 2^24 airports and 2^16 planes at each"},
		{"--flight=5", "--flight=5: must be a number of minutes of at least 10"},
		{"--lookahead=-1", "--lookahead=-1: must be a number of minutes of at least 0"},
		{"--landing=nan", "--landing=NaN"},
		{"--take-off=-1", "--take-off=-1"},
		{"--ground=inf", "--ground=+Inf"},
	})
}

func TestAirportsHaveNames(t *testing.T) {
	p, cfg := defaults()
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	p.total = int64(sim.TotalLPs())
	require.NoError(t, sim.Define(airportType(&p)))
	require.Equal(t, "airport 7", sim.LP(7).Label())
}
