// Runs that choose their scheduler while they go on commit what a sequential run commits, however often they change
// it.

package run_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
)

// changing makes a run change its scheduler all the time, and undoes much of what is optimistic.
func changing(t testing.TB, c *ross.Config, pes int) {
	c.Synch, c.PEs = ross.Auto, pes
	knobsOf(c).Probe = time.Duration(20+rand.IntN(500)) * time.Microsecond
	knobsOf(c).Disturb = harass(t, pes, 0.2)
}

// chosen returns what the report says about the scheduler that was chosen.
func chosen(t testing.TB, st report.Summary) string {
	t.Helper()
	for _, f := range st.Extra {
		if f.Label == "Scheduler Chosen" {
			return f.Value
		}
	}
	t.Fatal("the report does not say which scheduler was chosen")
	return ""
}

func TestARunThatChangesItsSchedulerCommitsWhatASequentialOneDoes(t *testing.T) {
	for name, l := range loads {
		if testlevel.Few.LeavesOut(name, "spread") {
			continue
		}
		want := plainDigest(t, name)
		for _, pes := range testlevel.Pick([]int{2, 3}, []int{3}, []int{3}) {
			both := []mapping.Kind{mapping.Linear, mapping.RoundRobin}
			for _, kind := range testlevel.Pick(both, both, both[1:]) {
				t.Run(fmt.Sprintf("%s/pes=%d/%v", name, pes, kind), func(t *testing.T) {
					testkit.Watch(t)
					require.Equal(t, want, l().digest(t, func(c *ross.Config) {
						onPEs(pes)(c)
						if kind == mapping.RoundRobin {
							c.Mapping, c.LPs = kind, loadLPs
						}
						changing(t, c, pes)
						c.ConsLookahead = map[string]float64{"spread": 0.1, "tied": 0}[name]
					}))
				})
			}
		}
	}
}

func TestAllWaysToUndoSurviveAChangeOfTheScheduler(t *testing.T) {
	for _, never := range []bool{false, true} {
		want, _ := cook(t, never, kitchenEnd, nil)
		tried := map[string]bool{}
		cookOne := func(pes int) {
			got, sim := cook(t, never, kitchenEnd, func(c *ross.Config) {
				c.NLP, c.LPs = 1, kitchenLPs
				changing(t, c, pes)
				c.ConsLookahead = 0
			})
			require.Equal(t, want.digest, got.digest)
			require.Equal(t, want.states, got.states)
			require.Equal(t, want.events, got.events)
			require.Equal(t, want.finals, got.finals)
			require.Equal(t, want.commits, got.commits)
			require.Equal(t, want.lines, got.lines)
			tried[chosen(t, sim.Summary())] = true
			require.NoError(t, sim.Close())
		}
		for _, pes := range testlevel.Pick([]int{2, 3, 4}, []int{2, 3}, []int{2}) {
			for range testlevel.Times(20, 4) {
				cookOne(pes)
			}
		}
		testkit.Until(t, "another scheduler was chosen", func() bool {
			if len(tried) == 1 {
				cookOne(3)
			}
			return len(tried) > 1
		})
	}
}

func TestStatisticsSurviveAChangeOfTheScheduler(t *testing.T) {
	want := measure(t, 1, func(c *ross.Config) {})
	for _, pes := range []int{2, 4} {
		for range testlevel.Times(5, 2) {
			require.Equal(t, want, measure(t, 1, func(c *ross.Config) {
				changing(t, c, pes)
				c.ConsLookahead = 0.1
			}))
		}
	}
}

func TestErrorsAreThoseOfASequentialRunWhileTheSchedulerChanges(t *testing.T) {
	for name, fail := range map[string]func(lp *ross.LP){
		"error": func(lp *ross.LP) { ross.Send(lp, lp.ID(), -1, order8{}) },
		"panic": func(*ross.LP) { panic("enough") },
	} {
		for _, at := range []ross.LPID{0, 63} {
			model := func() ross.LPType {
				return ross.Type[gauge]{
					Name:   "failing",
					Saving: ross.SaveByDelta,
					Init:   func(_ *gauge, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{}) },
					Event: ross.On(func(s *gauge, lp *ross.LP, m *order8) {
						if m.Tag > 200 && lp.ID() == at {
							fail(lp)
							return
						}
						ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 63)), 0.1+lp.RNG().Exponential(1), order8{m.Tag + 1})
					}),
				}
			}
			try := func(t *testing.T, configure func(*ross.Config)) error {
				cfg := ross.DefaultConfig()
				cfg.LPs, cfg.End, cfg.ConsLookahead = 64, 1e6, 0.1
				configure(&cfg)
				sim, err := ross.New(cfg)
				require.NoError(t, err)
				defer sim.Close()
				require.NoError(t, sim.Define(model()))
				return sim.Run(t.Context())
			}
			t.Run(fmt.Sprintf("%s/LP %d", name, at), func(t *testing.T) {
				testkit.Watch(t)
				var want, got *ross.ModelError
				require.ErrorAs(t, try(t, func(*ross.Config) {}), &want)
				for range testlevel.Times(20, 1) {
					require.ErrorAs(t, try(t, func(c *ross.Config) { changing(t, c, 2) }), &got)
					require.Equal(t, want.LP, got.LP)
					require.Equal(t, want.Time, got.Time)
				}
			})
		}
	}
}

// throwers throw something to one another, with a least delay, which they may declare.
func throwers(least, declared float64) ross.LPType {
	return ross.Type[gauge]{
		Name:       "thrower",
		NeverStops: true,
		Lookahead:  declared,
		Init:       func(_ *gauge, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{}) },
		Event:      ross.On(thrown(least)),
	}
}

// thrown returns what they do with an event.
func thrown(least float64) func(*gauge, *ross.LP, *order8) {
	return func(s *gauge, lp *ross.LP, m *order8) {
		s.Count++
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 63)), least+lp.RNG().Exponential(1), order8{m.Tag + 1})
	}
}

func TestLookaheadOfAllTypesCounts(t *testing.T) {
	for name, c := range map[string]struct {
		declared []float64
		set      float64
		want     float64 // lookahead of the conservative scheduler
		auto     float64 // and of Auto; 0: it is not tried
	}{
		"declared":           {[]float64{0.5, 0.25}, settings.DefaultLookahead, 0.25, 0.25},
		"one does not":       {[]float64{0.5, 0}, settings.DefaultLookahead, settings.DefaultLookahead, 0},
		"none, but set":      {[]float64{0, 0}, 0.125, 0.125, 0.125},
		"more is set":        {[]float64{0.5, 0.25}, 0.375, 0.375, 0.375},
		"set to 0":           {[]float64{0, 0}, 0, 0, 0},
		"declared, set to 0": {[]float64{0.5, 0.5}, 0, 0.5, 0.5},
	} {
		for synch, want := range map[ross.Scheduler]float64{ross.Conservative: c.want, ross.Auto: c.auto} {
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.LPs, cfg.ConsLookahead = synch, 2, 64, c.set
			cfg.TypeMap = func(gid ross.LPID) int { return int(gid % 2) }
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			require.NoError(t, sim.Define(throwers(1, c.declared[0]), throwers(1, c.declared[1])))
			require.Equal(t, want, runOf(sim).Set.ConsLookahead, "%s, %v", name, synch)
			require.NoError(t, sim.Close())
		}
	}
	for _, bad := range []float64{-1, math.Inf(1), math.NaN()} {
		sim, err := ross.New(ross.DefaultConfig())
		require.NoError(t, err)
		require.EqualError(t, sim.Define(throwers(1, bad)),
			fmt.Sprintf("ross: LP type \"thrower\": Lookahead is %g: unusable model: give a finite delay of 0 or more", bad))
	}
}

func TestAPromisedLookaheadThatIsNotKeptIsAnError(t *testing.T) {
	for _, synch := range []ross.Scheduler{ross.Conservative, ross.Auto} {
		cfg := ross.DefaultConfig()
		cfg.Synch, cfg.PEs, cfg.LPs, cfg.End = synch, 2, 64, 1e5
		knobsOf(&cfg).Probe = 50 * time.Microsecond
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		require.NoError(t, sim.Define(throwers(0.1, 0.2)))
		require.ErrorIs(t, sim.Run(t.Context()), ross.ErrLookahead)
		require.NoError(t, sim.Close())
	}
}

// onePE asks for one PE on a command line, which Auto obeys.
func onePE(c *ross.Config) {
	o := ross.NewOptions("one")
	c.Register(o)
	_, _ = o.Parse([]string{"--pes=1"}) // it can be read
}

func TestAutoSaysWhichSchedulerItChoseAndWhy(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*ross.Config)
		want string
	}{
		"short": {func(c *ross.Config) { knobsOf(c).Probe = time.Hour },
			"^sequential, since the run was over before others were tried$"},
		"long": {func(c *ross.Config) { c.End, knobsOf(c).Stretch = 200, 8 },
			`^(sequential|conservative|optimistic), the fastest when last compared \(million events/s: sequential [0-9.e-]+, conservative [0-9.e-]+, optimistic [0-9.e-]+; seconds: sequential [0-9.e-]+, conservative [0-9.e-]+, optimistic [0-9.e-]+\)$`},
		"one PE": {onePE, "^sequential, since there is one PE$"},
		"hook": {func(c *ross.Config) { c.HookTrigger = ross.HookAt(5) },
			"^optimistic: with a GVT hook the scheduler does not change, and conservative needs a lookahead and no hook$"},
		"samples": {func(c *ross.Config) { c.Instruments.Engine = ross.SampleByGVT },
			"^conservative: with instrumentation the scheduler does not change, and there is a lookahead$"},
		"checkpoints": {func(c *ross.Config) { c.Checkpoints.VirtualInterval = 5 },
			"^conservative: with checkpoints while it runs the scheduler does not change, and there is a lookahead$"},
		// the fastest, once others are tried
		"many LPs": {func(c *ross.Config) { c.LPs, c.End = 1<<17+1, 0.5 }, "^(sequential|conservative|optimistic), "},
	} {
		if testlevel.Is(testlevel.Few) && name == "many LPs" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			cfg := ross.DefaultConfig()
			cfg.Synch, cfg.PEs, cfg.LPs, cfg.End = ross.Auto, 2, 64, 20
			c.set(&cfg)
			sim, err := ross.New(cfg)
			require.NoError(t, err)
			defer sim.Close()
			require.NoError(t, sim.Define(throwers(0.1, 0.1)))
			require.NoError(t, sim.Run(t.Context()))
			require.Regexp(t, c.want, chosen(t, sim.Summary()))
		})
	}
	sims, errs := runOnRanks(t, worldtest.New(2, 0, 0), 2, func(_ int, c *ross.Config) {
		c.Synch, c.PEs, c.LPs, c.End = ross.Auto, 1, 64, 20
	}, throwers(0.1, 0.1))
	require.Equal(t, []error{nil, nil}, errs)
	require.Equal(t, "conservative: with several ranks the scheduler does not change, and there is a lookahead",
		chosen(t, sims[0].Summary()))
	closeAll(sims)
}

func TestARunThatChangesItsSchedulerCanBeStopped(t *testing.T) {
	for _, events := range []int64{1, 20_000} {
		cfg := ross.DefaultConfig()
		cfg.PEs, cfg.LPs, cfg.End = 2, 64, math.Inf(1)
		changing(t, &cfg, 2)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		ctx, stop := context.WithCancel(t.Context())
		thrower := throwers(0.1, 0.1).(ross.Type[gauge])
		var handled atomic.Int64
		event := thrown(0.1)
		thrower.Event = ross.On(func(s *gauge, lp *ross.LP, m *order8) {
			if handled.Add(1) == events {
				stop()
			}
			event(s, lp, m)
		})
		require.NoError(t, sim.Define(thrower))
		err = sim.Run(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "ross: run stopped at time ")
		require.NoError(t, sim.Close())
	}
}

func TestARunGoesOnFromACheckpointOfAnotherScheduler(t *testing.T) {
	t.Chdir(t.TempDir())
	run := func(set func(*ross.Config)) (digest, states uint64) {
		cfg := ross.DefaultConfig()
		cfg.LPs, cfg.End, cfg.Digest, cfg.Checkpoints.Files = 64, 50, true, 2
		set(&cfg)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(throwers(0.1, 0.1)))
		require.NoError(t, sim.Run(t.Context()))
		st := sim.Summary()
		return *st.Digest, *st.StateDigest
	}
	digest, states := run(func(c *ross.Config) {})
	run(func(c *ross.Config) { c.Synch, c.PEs, c.Checkpoints.VirtualInterval = ross.Optimistic, 3, 20 })
	for range testlevel.Times(10, 3) {
		d, s := run(func(c *ross.Config) {
			c.Checkpoints.Restart = "latest"
			changing(t, c, 2)
		})
		require.Equal(t, digest, d)
		require.Equal(t, states, s)
	}
}

func TestSuspendedLPsStaySuspendedWhenTheSchedulerChanges(t *testing.T) {
	sleepers := ross.Type[gauge]{
		Name: "sleeper",
		Init: func(_ *gauge, lp *ross.LP) {
			for range 4 {
				ross.Send(lp, lp.ID(), lp.RNG().Unif(), order8{})
			}
		},
		Event: ross.On(func(s *gauge, lp *ross.LP, m *order8) {
			if s.Count++; s.Count == 20+int64(lp.ID()) {
				lp.Suspend(false, 7)
			}
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 63)), 0.1+lp.RNG().Exponential(1), order8{m.Tag + 1})
		}),
	}
	run := func(set func(*ross.Config)) (counts []int, ignored uint64) {
		cfg := ross.DefaultConfig()
		cfg.LPs, cfg.End, cfg.ConsLookahead = 64, 100, 0.1
		set(&cfg)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		defer sim.Close()
		require.NoError(t, sim.Define(sleepers))
		require.NoError(t, sim.Run(t.Context()))
		for i := range ross.LPID(64) {
			counts = append(counts, int(ross.StateOf[gauge](sim.LP(i)).Count))
		}
		st := sim.Summary()
		return counts, st.NetEvents()
	}
	want, events := run(func(*ross.Config) {})
	require.Equal(t, 20, want[0])
	for range testlevel.Times(10, 3) {
		got, n := run(func(c *ross.Config) { changing(t, c, 3) })
		require.Equal(t, want, got)
		require.Equal(t, events, n)
	}
}

// TestZeroPEsAreOneForEachProcessorThatGoUses which may be fewer than the machine has.
func TestZeroPEsAreOneForEachProcessorThatGoUses(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5} {
		was := runtime.GOMAXPROCS(n)
		sim, err := ross.New(ross.Config{Synch: ross.Optimistic, LPs: 32, End: 1})
		runtime.GOMAXPROCS(was)
		require.NoError(t, err)
		require.Equal(t, n, sim.Config().PEs)
		require.NoError(t, sim.Close())
	}
}

// TestAutoChoosesTheNumberOfPEs where the model is the same for any number.
func TestAutoChoosesTheNumberOfPEs(t *testing.T) {
	was := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(was)
	t.Chdir(t.TempDir())
	const fixed = " auto chooses no other number: give --pes$"
	run := func(set func(*ross.Config), args ...string) *ross.Simulation {
		cfg := ross.DefaultConfig()
		cfg.End, cfg.Digest, cfg.MaxMemory = 20, true, 1<<30
		o := ross.NewOptions("auto")
		cfg.RegisterLPs(o.Group("model"))
		cfg.Register(o)
		_, err := o.Parse(args)
		require.NoError(t, err)
		set(&cfg)
		sim, err := ross.New(cfg)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, sim.Close()) })
		require.NoError(t, sim.Define(throwers(0.1, 0.1)))
		require.NoError(t, sim.Run(t.Context()))
		return sim
	}
	nothing := func(*ross.Config) {}
	want := *runOf(run(nothing, "--lps=64")).Stats.Digest
	for name, c := range map[string]struct {
		pes  int
		text string
		set  func(*ross.Config)
		args []string
	}{
		"whole":         {3, "; 3 PEs, chosen too \\(--pes\\)$", nothing, nil},
		"given":         {2, "^sequential, since the run was over before others were tried$", nothing, []string{"--pes=2"}},
		"one given":     {1, "^sequential, since there is one PE$", nothing, []string{"--pes=1"}},
		"little memory": {2, "; 2 PEs, chosen too \\(--pes\\)$", nothing, []string{"--max-memory=32M"}},
		"least memory": {1, "one PE: there is one processor, one LP, or memory for one \\(--max-memory\\)$", nothing,
			[]string{"--max-memory=1M"}},
		"hook":        {1, "one PE: with a GVT hook" + fixed, func(c *ross.Config) { c.HookTrigger = ross.HookAt(5) }, nil},
		"samples":     {1, "one PE: with instrumentation" + fixed, nothing, []string{"--engine-stats=1"}},
		"checkpoints": {1, "one PE: with checkpoints while it runs" + fixed, nothing, []string{"--io-virtual-interval=5"}},
		"mapping": {1, "mapping.For",
			func(c *ross.Config) { c.Mapping = mapping.Places{PE: func(uint64) uint64 { return 0 }} }, nil},
		"mapping for all": {3, "3 PEs, chosen too", func(c *ross.Config) {
			c.Mapping = mapping.For(func(s mapping.Shape) (mapping.Places, error) {
				return mapping.Places{PE: func(id uint64) uint64 { return id % s.PEs }}, nil
			})
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			sim := run(c.set, append([]string{"--synch=auto", "--lps=64"}, c.args...)...)
			require.EqualValues(t, c.pes, sim.NumPEs())
			require.Equal(t, c.pes, sim.Config().PEs)
			require.Equal(t, strconv.Itoa(c.pes), sim.RunInfo().Options["pes"])
			require.EqualValues(t, c.pes, sim.RunInfo().PEs)
			require.Regexp(t, c.text, chosen(t, sim.Summary()))
			require.Equal(t, want, *runOf(sim).Stats.Digest)
		})
	}
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.LPs, cfg.MaxMemory = ross.Auto, 2, 1<<30
	few, err := ross.New(cfg)
	require.NoError(t, err)
	require.EqualValues(t, 2, uint64(few.NumPEs()), "no more than LPs")
	require.NoError(t, few.Close())
	grows := run(nothing, "--synch=auto", "--nlp=64")
	require.EqualValues(t, 1, uint64(grows.NumPEs()))
	require.Contains(t, chosen(t, grows.Summary()), "--lps in place of --nlp")
	require.EqualValues(t, 1, grows.Summary().Synch, "it ran sequentially")
}
