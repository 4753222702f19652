// This file pins the model: in every scheduler, against the same model by hand (byhand_test.go) and without an engine
// (world_test.go), and against theory.

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/rng"
	"github.com/ross-go/ross/stats"
)

var tested = testkit.Program{Name: "epidemic", Run: run}

// line has a few crowded cells. Some of them are closed for a while.
const line = "--side=4 --people=8 --seeds=3 --latent=1 --sick=3 --contacts=3 --infects=0.4 " +
	"--stay=1.5 --way=0.125 --far=0.2 --closes=3 --warm-up=2 "

// small sets the parameters of the line.
func small(p *params, cfg *ross.Config) {
	p.side, p.people, p.seeds, p.latent, p.sick, p.contacts, p.infects = 4, 8, 3, 1, 3, 3, 0.4
	p.stay, p.way, p.far, p.closes = 1.5, 0.125, 0.2, 3
	cfg.End, cfg.WarmUp = 25, 2
}

func TestModelIsRightInEveryScheduler(t *testing.T) {
	end := testlevel.Pick([]string{"--end=25"}, []string{"--end=25"}, []string{"--end=12"})
	modeltest.Run(t, modeltest.Model{Program: epidemic, Args: line + end[0], Ranks: 2,
		Short: testlevel.Is(testlevel.Some)})
}

func TestEveryParameterChangesTheRun(t *testing.T) {
	tested.DifferentWith(t, line+"--end=12 ", "", "--side=5", "--people=9", "--seeds=2", "--latent=2", "--sick=2",
		"--contacts=2", "--infects=0.3", "--stay=2", "--way=0.25", "--far=0.1", "--closes=2", "--closes=0")
}

func TestTheReportEndsWithThePeople(t *testing.T) {
	testlevel.Once(t, "what the program prints")
	t.Chdir(t.TempDir())
	var n [5]int
	_, last, found := strings.Cut(tested.Play(t, line+"--end=8").Report, "\nPeople at the end: ")
	require.True(t, found)
	_, err := fmt.Sscanf(last, "%d susceptible, %d exposed, %d infectious, %d recovered, %d on their way\n",
		&n[0], &n[1], &n[2], &n[3], &n[4])
	require.NoError(t, err)
	sum := 0
	for i := range n {
		require.Positive(t, n[i], "%d", i)
		sum += n[i]
	}
	require.Equal(t, 4*4*8, sum)
}

// simulation runs the model, which must not fail.
func simulation(t testing.TB, configure func(*params, *ross.Config)) *ross.Simulation {
	t.Helper()
	return simulationOf(t, configure, func(p params, _ ross.Config) ross.LPType { return p.cells() })
}

// manual returns the version by hand.
func manual(p params, cfg ross.Config) ross.LPType { return (&byHand{p, cfg.WarmUp, cfg.End}).cells() }

// simulationOf runs a version of the model.
func simulationOf(t testing.TB, configure func(*params, *ross.Config),
	version func(params, ross.Config) ross.LPType) *ross.Simulation {
	t.Helper()
	p, cfg := defaults()
	cfg.Statistics, cfg.MaxMemory = 0, 512<<20
	configure(&p, &cfg)
	require.NoError(t, p.prepare(&cfg))
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(version(p, cfg)))
	require.NoError(t, sim.Run(context.Background()))
	return sim
}

func TestVersionByHandHasTheSamePeopleAndStatistics(t *testing.T) {
	testkit.Schedulers(func(synch, pes int) {
		configure := func(p *params, cfg *ross.Config) {
			small(p, cfg)
			cfg.Synch, cfg.PEs, cfg.NKP, cfg.End = ross.Scheduler(synch), pes, 2, 40
		}
		sim, hand := simulation(t, configure), simulationOf(t, configure, manual)
		st, byHandSt := sim.Summary(), hand.Summary()
		f := (&byHand{warmUp: 2, end: 40}).total(hand)
		require.Positive(t, f.Passed)
		require.Equal(t, st.NetEvents()+f.Passed, byHandSt.NetEvents(), "cancelled timers are no events")
		table, err := stats.Collect(sim)
		require.NoError(t, err)
		row := func(name string) stats.Row {
			r, ok := table.Row("cell", name)
			require.True(t, ok, name)
			return r
		}
		for name, n := range map[string]uint64{
			"infections": f.Infected, "walks": f.Walks, "walks that were not allowed": f.Stays,
		} {
			require.Greater(t, n, uint64(20), name)
			require.Equal(t, n, row(name).Count, name)
		}
		sick := row("infectious people")
		f.Sick.Same(t, "infectious people", sick.Mean, sick.NonZero, sick.Max)
		require.Equal(t, f.PerDay, daily(t, row("infections per day")))
		n, err := census(sim)
		require.NoError(t, err)
		byHandN, err := ross.Reduce(hand, func(_ *ross.LP, c *handCell) counts { return c.Count }, counts.plus)
		require.NoError(t, err)
		require.Equal(t, n, byHandN)
	})
}

// BenchmarkEpidemic compares the two versions: runs of a command line without options.
func BenchmarkEpidemic(b *testing.B) {
	testkit.Versions(b, func(b *testing.B, byHand bool, synch, pes int) (float64, uint64) {
		configure := func(_ *params, cfg *ross.Config) { cfg.Synch, cfg.PEs = ross.Scheduler(synch), pes }
		var sim *ross.Simulation
		if byHand {
			sim = simulationOf(b, configure, manual)
		} else {
			sim = simulation(b, configure)
		}
		st := sim.Summary()
		require.NoError(b, sim.Close())
		return st.Runtime, st.NetEvents()
	})
}

// daily returns the numbers of a series of days.
func daily(t *testing.T, series stats.Row) (n []uint64) {
	t.Helper()
	for day, i := range series.Course {
		require.Equal(t, float64(day), i.Begin)
		require.Equal(t, float64(i.Count), i.Sum)
		n = append(n, i.Count)
	}
	return n
}

func TestModelWithoutAnEngineHasTheSamePeople(t *testing.T) {
	cases := []func(*params, *ross.Config){
		small,
		func(p *params, cfg *ross.Config) { // most people are on their way, so that most places in the cell are free
			small(p, cfg)
			p.side, p.people, p.seeds, p.stay, p.way, p.contacts, p.sick = 1, 60, 10, 0.04, 1, 150, 9
		},
		func(p *params, cfg *ross.Config) {
			small(p, cfg)
			p.closes, cfg.Seed = 0, 7
		},
		func(p *params, cfg *ross.Config) {
			small(p, cfg)
			p.side, p.people, p.far, p.way, cfg.Seed = 3, 30, 1, 2, 8
		},
		func(p *params, cfg *ross.Config) { p.side, cfg.End = 12, 60 },
	}
	drewPeople := 0
	for i, configure := range testlevel.Pick(cases, cases, cases[:2]) {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			var p params
			var cfg ross.Config
			sim := simulation(t, func(into *params, c *ross.Config) {
				configure(into, c)
				if c.WarmUp, c.Synch = 0, synch; synch == ross.Optimistic && into.side > 1 {
					c.PEs, c.NKP = 2, 2
				}
				p, cfg = *into, *c
			})
			seeds := rng.DefaultSeeds
			if cfg.Seed != 0 {
				seeds, _ = rng.RunSeeds(cfg.Seed)
			}
			want := p.simulate(seeds, cfg.End)
			drewPeople += want.drewPeople
			got, err := census(sim)
			require.NoError(t, err)
			require.Equal(t, want.people, got, "case %d", i)
			table, err := stats.Collect(sim)
			require.NoError(t, err)
			row, _ := table.Row("cell", "infections per day")
			require.Equal(t, want.perDay, daily(t, row), "case %d", i)
			require.Greater(t, row.Count, uint64(30), "case %d is an epidemic", i)
		}
	}
	require.Positive(t, drewPeople)
}

func TestAStudyVariesWhenCellsClose(t *testing.T) {
	out := tested.SameWithWorkers(t, line+"--end=15 --replications=3 --vary=closes=0,1,3")
	require.Contains(t, out, "recovered")
}

func TestCellsHaveNames(t *testing.T) {
	p, _ := defaults()
	require.Equal(t, "cell (3,2)", p.cells().Label(67))
	require.EqualValues(t, 16*32+16, p.middle())
}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--side=0", "--side=0: must be in [1, 4096]"},
		{"--people=0", "--people=0: must be in [1, 16777216]"},
		{"--seeds=21", "--seeds=21: must be in [0, 20]"},
		{"--closes=-1", "--closes=-1"},
		{"--latent=0", "--latent=0: must be in [1e-09, 1e+09]"},
		{"--sick=inf", "--sick=+Inf"},
		{"--contacts=0", "--contacts=0"},
		{"--infects=1.5", "--infects=1.5: must be in [0, 1]"},
		{"--stay=nan", "--stay=NaN"},
		{"--way=0", "--way=0"},
		{"--far=-0.1", "--far=-0.1"},
		{"--lps=7", "--lps"},
	})
}

// oneCell runs an epidemic in one cell that nobody leaves, until it is over, and returns its census.
func oneCell(ctx context.Context, configure func(*ross.Config), people, seeds int, infects float64) (
	n counts, err error) {
	p, cfg := defaults()
	p.side, p.people, p.seeds, p.stay = 1, people, seeds, 1e9
	p.latent, p.sick, p.contacts, p.infects = 1, 2, 4, infects
	cfg.End, cfg.Statistics, cfg.MaxMemory = 1000, 0, 64<<20
	configure(&cfg)
	if err = p.prepare(&cfg); err != nil {
		return n, err
	}
	sim, err := ross.New(cfg)
	if err != nil {
		return n, err
	}
	defer sim.Close()
	if err = sim.Define(p.cells()); err == nil {
		err = sim.Run(ctx)
	}
	if err != nil {
		return n, err
	}
	return census(sim)
}

// Theory: intervals of experiments with one cell cover the exact mean of its final size, which a Markov chain has.

// neverInfected returns the mean number of people who are never infected, of some people, of whom some are infected at
// first, if somebody infectious would infect r others of a population that is all susceptible. Whether the next change
// among s susceptible and y infected people is an infection or a recovery does not depend on how long people are
// exposed (Bailey 1975). at[y] is the mean from s and y on.
func neverInfected(people, seeds int, r float64) float64 {
	at := make([]float64, people+2) // of s-1
	for s := range people - seeds + 1 {
		next := make([]float64, people+2)
		next[0] = float64(s)
		infects := r * float64(s) / float64(people)
		infects /= 1 + infects
		for y := 1; y <= people-s; y++ {
			next[y] = infects*at[y+1] + (1-infects)*next[y-1]
		}
		at = next
	}
	return at[seeds]
}

func TestIntervalsOfOneCellCoverItsExactFinalSize(t *testing.T) {
	testlevel.Once(t, "it is about the numbers that are drawn")
	const people, seeds = 200, 20
	for _, infects := range []float64{0.2, 0.35} {
		r := 4 * 2 * infects
		rosstest.Covers(t, 20, fmt.Sprintf("epidemic, %d people in one cell, R = %g", people, r),
			map[string]float64{"never infected": neverInfected(people, seeds, r)},
			func(configure func(*ross.Config)) (map[string]float64, error) {
				n, err := oneCell(context.Background(), configure, people, seeds, infects)
				return map[string]float64{"never infected": float64(n[susceptible])}, err
			})
	}
}
