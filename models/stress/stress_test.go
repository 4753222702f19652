// This file pins that every scheduler, at any setting, commits what the sequential one commits, and
// leaves the states that the committed events leave.

package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/racetest"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/pq"
)

var (
	randomRuns = racetest.Pick[uint64](100, 10)
	shrink     = racetest.Pick(1.0, 3.0) // divides the end of a run
)

// result is what does not depend on the scheduler.
type result struct {
	digest    uint64
	events    uint64
	suspended []string
}

var suspendedLine = regexp.MustCompile(`(?m)^LP \d+ suspended itself at .*$`)

// simulate runs the model, which checks itself, and fails a run that hangs.
func simulate(t *testing.T, p params, end float64, change func(*ross.Config)) result {
	t.Helper()
	defer testkit.Watch(t)()
	var out bytes.Buffer
	cfg := ross.DefaultConfig()
	cfg.End, cfg.Output, cfg.Digest, cfg.MaxMemory, cfg.ReportInterval = end, &out, true, 64<<20, 1
	if change != nil {
		change(&cfg)
	}
	stress := p.program(cfg)
	require.NoError(t, stress.Prepare(&cfg))
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, stress.Build(sim))
	require.NoError(t, sim.Run(context.Background()))
	stats := sim.Summary()
	r := result{*stats.Digest, stats.NetEvents(), suspendedLine.FindAllString(out.String(), -1)}
	slices.Sort(r.suspended)
	return r
}

// dealt maps LPs to PEs so that neighbours are apart, and the last PE has fewest.
func dealt(c *ross.Config) {
	pes := uint64(c.PEs)
	c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return min(gid%(pes+1), gid*5%pes) }}
}

func TestSequentialRunsDoNotDependOnTheQueue(t *testing.T) {
	p := defaultParams()
	p.suspend = 0.01
	want := simulate(t, p, 50, nil)
	require.Greater(t, want.events, uint64(20_000))
	require.Len(t, want.suspended, 4, "all sleepers, of two kinds")
	for _, impl := range pq.Impls() {
		require.Equal(t, want, simulate(t, p, 50, func(c *ross.Config) { c.Tuning.PQ = rosstest.Impl(impl) }))
	}
}

// TestEveryParameterChangesTheEvents shows that the comparisons can fail.
func TestEveryParameterChangesTheEvents(t *testing.T) {
	seen := map[uint64]string{}
	for name, change := range map[string]func(*params){
		"none":       func(*params) {},
		"lps":        func(p *params) { p.lps = 63 },
		"remote":     func(p *params) { p.remote = 0.31 },
		"zero":       func(p *params) { p.zero = 0.16 },
		"grid":       func(p *params) { p.grid = 0.31 },
		"population": func(p *params) { p.population = 9 },
		"burst":      func(p *params) { p.burst = 0.05 },
		"suspend":    func(p *params) { p.suspend = 0.05 },
		"lookahead":  func(p *params) { p.lookahead = 0.01 },
		"streams":    func(p *params) { p.streams = 1 },
		"stop":       func(p *params) { p.stop = 5 },
		"stop-after": func(p *params) { p.stop, p.stopAfter = 5, 2 },
	} {
		p := defaultParams()
		change(&p)
		digest := simulate(t, p, 10, nil).digest
		require.Empty(t, seen[digest], "same as %s", name)
		seen[digest] = name
	}
	p := defaultParams()
	p.never = false
	require.Equal(t, "none", seen[simulate(t, p, 10, nil).digest], "how events are undone changes nothing")
}

// busy is a model in which everything happens often, with a lookahead or without.
func busy(lookahead float64) params {
	p := defaultParams()
	p.burst, p.suspend, p.lookahead = 0.02, 0.003, lookahead
	return p
}

func TestParallelRunsCommitWhatASequentialOneDoes(t *testing.T) {
	end := 25.0 / shrink
	for _, c := range []struct {
		synch     int
		lookahead float64
	}{{2, 0.1}, {3, 0.1}, {3, 0}, {5, 0.1}, {5, 0}} {
		p := busy(c.lookahead)
		want := simulate(t, p, end, nil)
		for _, pes := range testlevel.Pick([]int{1, 2, 3, 4}, []int{1, 2, 4}, []int{3}) {
			t.Run(fmt.Sprintf("synch=%d/lookahead=%g/pes=%d", c.synch, c.lookahead, pes), func(t *testing.T) {
				require.Equal(t, want, simulate(t, p, end, func(cfg *ross.Config) {
					cfg.Synch, cfg.PEs = ross.Scheduler(c.synch), pes
				}))
			})
		}
	}
}

func TestResultsDoNotDependOnHowLittleMemoryThereIs(t *testing.T) {
	end := 15.0 / shrink
	p := busy(0)
	p.never = false // an event that cannot be undone cannot be tried again
	want := simulate(t, p, end, nil)
	for pes, mib := range []uint64{1: 4, 2: 6, 3: 10} {
		if pes > 0 {
			t.Run(fmt.Sprintf("pes=%d", pes), func(t *testing.T) {
				for range testlevel.Times(3, 1) {
					require.Equal(t, want, simulate(t, p, end, func(c *ross.Config) {
						c.Synch, c.PEs, c.MaxMemory, c.Tuning.GVTInterval = 3, pes, mib<<20, 1000
					}))
				}
			})
		}
	}
}

func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// randomParams returns parameters of all kinds, within what a run of some
// thousands of events can show.
func randomParams(r *rand.Rand) params {
	return params{
		lps:        oneOf[uint64](r, 1, 5, 33, 64, 100),
		remote:     oneOf(r, 0, 0.1, 0.3, 1),
		zero:       oneOf(r, 0, 0.1, 0.3, 0.6),
		grid:       oneOf(r, 0, 0.3, 1),
		population: oneOf[uint64](r, 1, 4, 16),
		burst:      oneOf(r, 0, 0.01, 0.2),
		suspend:    oneOf(r, 0, 0.001, 0.05),
		never:      r.IntN(4) == 0,
		lookahead:  oneOf(r, 0, 0, 0.05, 0.5),
		streams:    oneOf[uint64](r, 1, 2),
	}
}

// randomEngine sets what must not matter.
func randomEngine(r *rand.Rand, p *params, c *ross.Config) {
	c.PEs = 1 + r.IntN(4)
	c.Synch = ross.Scheduler(oneOf(r, 3, 3, 5))
	if p.lookahead > 0 {
		c.Synch = ross.Scheduler(oneOf(r, 2, 3, 3, 5))
	}
	c.NKP = int(oneOf[uint64](r, 1, 4, 16, 64))
	c.Tuning.GVTInterval = int(oneOf[uint64](r, 1, 16, 1000))
	c.Tuning.FixedGVT = r.IntN(2) == 0
	c.Tuning.Batch = int(oneOf[uint64](r, 1, 16, 512))
	c.Tuning.MaxOptLookahead = oneOf(r, c.Tuning.MaxOptLookahead, 1)
	c.Tuning.PQ = rosstest.Impl(oneOf(r, pq.Impls()...))
	if r.IntN(2) == 0 {
		dealt(c)
	}
}

func TestRandomConfigurationsAgree(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for i := range randomRuns {
		r := rand.New(rand.NewPCG(seed, i))
		p := randomParams(r)
		end := 3000 / float64(p.lps*p.population)
		end = min(max(end, 3), 100)
		p.stop = oneOf(r, 0, 0, end/2)
		if p.stopAfter = oneOf(r, 0, 1, end/8); p.lookahead > 0 { // a conservative run does not stop within its lookahead
			p.stopAfter = max(p.stopAfter, p.lookahead)
		}
		want := simulate(t, p, end, nil)
		var cfg ross.Config
		got := simulate(t, p, end, func(c *ross.Config) {
			randomEngine(r, &p, c)
			cfg = *c
		})
		require.Equal(t, want, got,
			"seed %d, run %d: %+v, end %g, synch %d, PEs %d, KPs %d, GVT interval %d (fixed: %t), batch %d, queue %s",
			seed, i, p, end, cfg.Synch, cfg.PEs, uint64(cfg.NKP), uint64(cfg.Tuning.GVTInterval), cfg.Tuning.FixedGVT,
			uint64(cfg.Tuning.Batch), cfg.Tuning.PQ.String())
	}
}

// TestModelIsRightInEveryScheduler undoes events in every run.
func TestModelIsRightInEveryScheduler(t *testing.T) {
	modeltest.Run(t, modeltest.Model{
		Program: newProgram, Args: "--lps=32 --end=8 --burst=0.02 --suspend=0.003", Short: testlevel.Is(testlevel.Few),
		NoRestart: "queues are made anew from their elements, and have these at other places",
	})
}

// What the program refuses, and what its defaults give.

var tested = testkit.Program{Name: "stress", Run: run}

func TestUnusableParametersAreRefused(t *testing.T) {
	tested.Refuses(t, [][2]string{
		{"--remote=1.5", "--remote=1.5: must be in [0, 1]"},
		{"--zero=nan", "--zero=NaN: must be in [0, 1]"},
		{"--lookahead=-1", "--lookahead=-1: must be in [0, 1]"},
		{"--stop=-1", "--stop=-1: must be a virtual time of 0 or more"},
		{"--stop-after=-1", "--stop-after=-1: must be a delay of 0 or more"},
		{"--lps=100000000", "--lps=100000000: must be at most 2^24"},
		{"--population=0", "--population=0: must be in [1, 2^20]"},
		{"--streams=3", "--streams=3: must be 1 or 2"},
	})
}

func TestDefaultsRunAHundredThousandEvents(t *testing.T) {
	testlevel.Once(t, "what the defaults are")
	t.Chdir(t.TempDir())
	for _, args := range [][]string{{"--digest"}, {"--digest", "--synch=3", "--pes=0"}} {
		var out, errs bytes.Buffer
		require.Zero(t, run(args, &out, &errs), "%s", &errs)
		require.Regexp(t, `Net Events Processed +10[0-9]{4}\n`, out.String())
		require.Regexp(t, `Committed Event Digest +016117abf3735a1f\n`, out.String())
	}
}
