// This file pins that runs agree in every scheduler, that nothing gets lost, the ways of packets, and what the program
// refuses.

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

var tested = testkit.Program{Name: "fabric", Run: run}

// line is a run of a small torus with much load, in which packets are lost, and answers late.
const line = "--dims=4x3 --load=0.8 --hosts=2 --buffer=2 --window=6 --timeout=150 --loss=0.05 --end=400 --warm-up=50 "

func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{Program: newProgram, Args: line, Ranks: 2, Short: testlevel.Is(testlevel.Some)})
	t.Chdir(t.TempDir())
	want := tested.Play(t, line)
	for _, count := range []string{"packets damaged", "packets sent again", "answers to duplicates"} {
		require.Regexp(t, "(?m)^host +"+count+" +counter +24 +[1-9]", want.Table)
	}
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line, "", "--dims=3x4", "--hosts=1", "--buffer=3", "--window=5", "--load=0.7", "--latency=9",
		"--timeout=140", "--loss=0.04")
}

// simulation runs the model.
func simulation(t *testing.T, configure func(p *params, cfg *ross.Config)) *ross.Simulation {
	t.Helper()
	p, cfg := defaults()
	cfg.Output, cfg.Statistics = io.Discard, 0
	configure(&p, &cfg)
	require.NoError(t, p.prepare(&cfg))
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	require.NoError(t, sim.Define(routerType(&p), hostType(&p)))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

// TestNothingGetsLost counts packets and credits. It has a torus whose links are full, which
// would stand still without bubbles.
func TestNothingGetsLost(t *testing.T) {
	testlevel.Once(t, "what the model does")
	sim := simulation(t, func(p *params, cfg *ross.Config) {
		p.dims, p.load, p.buffer, p.window, p.timeout, p.latency, p.loss = "20", 1, 2, 64, 1e5, 1, 0
		cfg.End = 5000
	})
	defer sim.Close()
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	row := func(group, name string) stats.Row {
		r, ok := table.Row(group, name)
		require.True(t, ok, name)
		return r
	}
	arrived, hops := row("host", "latency"), row("host", "hops")
	require.Greater(t, arrived.Count, uint64(3000))
	require.InDelta(t, 20.0/4+1, hops.Mean, 0.2,
		"a packet goes to the router of its host, and passes a quarter of the ring")
	require.GreaterOrEqual(t, arrived.Min, float64(2*1+2*1), "two links and a flit on each")
	last := row("host", "throughput").Course
	require.Greater(t, last[len(last)-1].Count, uint64(30), "it stands still")

	var numbers, waiting, open uint64
	for id := range uint64(sim.TotalLPs()) {
		lp := sim.LP(ross.LPID(id))
		if h := ross.StateOf[host](lp); h != nil {
			numbers += uint64(h.Numbers)
			waiting += uint64(h.Backlog.Len())
			open += uint64(h.Open.Len())
		}
	}
	require.GreaterOrEqual(t, arrived.Count+waiting+open, numbers)
	require.LessOrEqual(t, arrived.Count+waiting, numbers)
	require.Positive(t, waiting)
	require.Positive(t, open)
}

func TestPacketsAreSentAgainUntilTheyArrive(t *testing.T) {
	testlevel.Once(t, "what the model does")
	sim := simulation(t, func(p *params, cfg *ross.Config) {
		p.dims, p.load, p.loss, p.timeout, cfg.End = "4x4", 0.1, 0.3, 400, 10000
	})
	defer sim.Close()
	table, err := stats.Collect(sim)
	require.NoError(t, err)
	damaged, _ := table.Row("host", "packets damaged")
	again, _ := table.Row("host", "packets sent again")
	duplicates, _ := table.Row("host", "answers to duplicates")
	require.Greater(t, damaged.Count, uint64(200))
	require.InDelta(t, damaged.Count, again.Count, 40, "those that were lost, apart from the last ones")
	require.Zero(t, duplicates.Count)
}

func TestWaysOfATorus(t *testing.T) {
	testlevel.Once(t, "what the model does")
	for _, dims := range []string{"2", "5", "4x3", "3x2x5"} {
		tor, err := parseTorus(dims, 2)
		require.NoError(t, err)
		for from := ross.LPID(0); from < ross.LPID(tor.lps); from += 3 {
			for port := range tor.links {
				require.Equal(t, from, tor.across(tor.across(from, port), port^1), "%s: back through %d", dims, port)
			}
			for to := range uint32(tor.lps) {
				if to%3 == 0 {
					continue
				}
				steps, at := 0, from
				for at != ross.LPID(to) {
					at = tor.across(at, tor.route(at, to))
					require.LessOrEqual(t, steps, 6)
					steps++
				}
			}
		}
	}
}

func TestLPsHaveNames(t *testing.T) {
	tor, err := parseTorus("4x3x2", 2)
	require.NoError(t, err)
	require.EqualValues(t, 72, tor.lps)
	require.Equal(t, "router (0,0,0)", tor.label(0))
	require.Equal(t, "router (3,2,1)", tor.label(69))
	require.Equal(t, "host 1 of (1,0,0)", tor.label(5))
	require.Equal(t, []int{0, 1, 1}, []int{tor.kindOf(69), tor.kindOf(70), tor.kindOf(71)})
}

// What the program refuses.

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--dims=4x", "--dims=4x: must be 1 to 5 lengths of 2 to 1024"},
		{"--dims=1x4", "--dims=1x4"},
		{"--dims=2x2x2x2x2x2", "--dims=2x2x2x2x2x2"},
		{"--dims=1024x1024x1024", "at most 2^24 LPs"},
		{"--hosts=0", "--hosts=0: must be 1 to 4"},
		{"--hosts=5", "--hosts=5"},
		{"--buffer=1", "--buffer=1: must be 2 to 64"},
		{"--window=0", "--window=0: must be 1 to 64"},
		{"--load=0", "--load=0: must be above 0"},
		{"--load=nan", "--load=NaN"},
		{"--latency=-1", "--latency=-1"},
		{"--timeout=0", "--timeout=0"},
		{"--loss=1", "--loss=1: must be at least 0 and below 1"},
		{"--lps=7", "--lps"},
	})
}
