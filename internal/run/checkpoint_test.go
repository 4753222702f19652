// A run that is stored and loaded again commits what one does that was never stopped: on any number of PEs, KPs,
// ranks and files, with any mapping and scheduler, and with the states of the kitchen, of all ways to be undone.

package run_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rio"
)

// leg is a part of a run: on some ranks, from a checkpoint or from the beginning, to a
// checkpoint or to the end.
type leg struct {
	from, to  string
	mode      ross.LoadMode
	ranks     int
	configure func(*ross.Config)
	file      func(rank int) int
	stop      context.Context // that ends while it runs; nil: none
}

// runLeg runs a model and returns the digest and the simulations, which are open.
func runLeg(t testing.TB, g leg, types ...ross.LPType) (uint64, []*ross.Simulation) {
	t.Helper()
	g.ranks = max(g.ranks, 1)
	cluster := worldtest.New(g.ranks, testrand.Seed(t), 20)
	sims, errs := make([]*ross.Simulation, g.ranks), make([]error, g.ranks)
	onRanks(g.ranks, func(rank int) {
		cfg := ross.DefaultConfig()
		cfg.Digest, cfg.MaxMemory = true, 256<<20
		g.configure(&cfg)
		cfg.Checkpoints.AfterRun = true
		if g.ranks > 1 {
			knobsOf(&cfg).World = cluster.Rank(rank)
		}
		errs[rank] = func() (err error) {
			if sims[rank], err = ross.New(cfg); err != nil {
				return err
			}
			sim := sims[rank]
			if err = sim.Define(types...); err != nil {
				return err
			}
			if g.from != "" {
				if err = sim.Load(g.from, g.mode); err != nil {
					return err
				}
			}
			err = sim.Run(g.stop)
			if g.stop != nil && errors.Is(err, context.Canceled) {
				return nil
			}
			if err != nil || g.to == "" {
				return err
			}
			if g.file != nil {
				return sim.Store(g.to, ross.DataFile(g.file(rank)))
			}
			return sim.Store(g.to)
		}()
	})
	t.Cleanup(func() { closeAll(sims) })
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireAllPending(t, sims)
	return *runOf(sims[0]).Stats.Digest, sims
}

// requireAllPending requires that the events which a run has left, for a checkpoint, are those of the
// queues, and that nothing leaked if there are none.
func requireAllPending(t testing.TB, sims []*ross.Simulation) {
	t.Helper()
	live, pending := int64(0), int64(0)
	for _, s := range sims {
		for _, pe := range runOf(s).Locals {
			live += int64(pe.Arena.Peak()) - int64(pe.Arena.Freed())
			pending += int64(pe.Queue.Len())
		}
	}
	if require.Equal(t, pending, live, "slots of events leaked"); pending == 0 {
		requireNoLeak(t, sims...)
	}
}

// onRanks calls f for each rank, all at once.
func onRanks(n int, f func(rank int)) {
	var over sync.WaitGroup
	for rank := range n {
		over.Go(func() { f(rank) })
	}
	over.Wait()
}

// shape is how a run is spread out.
type shape struct {
	synch, ranks, pes, nkp, files int
	mapping                       mapping.Kind
	compress                      bool
	lookahead                     float64
}

func (s shape) String() string {
	return fmt.Sprintf("synch=%d,ranks=%d,pes=%d,nkp=%d,files=%d,%v,%v", s.synch, s.ranks, s.pes, s.nkp, s.files,
		s.mapping, s.compress)
}

func (s shape) on(lps uint64, end float64) func(*ross.Config) {
	return func(c *ross.Config) {
		n := uint64(s.pes * max(s.ranks, 1))
		c.Synch, c.PEs, c.NKP, c.Checkpoints.Files, c.Mapping, c.Checkpoints.Compress = ross.Scheduler(s.synch), s.pes, int(
			s.nkp), int(s.files), s.mapping, s.compress
		c.NLP, c.End, c.ConsLookahead = int(lps/n), end, s.lookahead
		if lps%n != 0 {
			c.LPs = int(lps)
		}
	}
}

var shapes = []shape{
	{synch: 1, pes: 1, nkp: 16, files: 1},
	{synch: 3, pes: 2, nkp: 1, files: 2},
	{synch: 2, pes: 3, nkp: 7, files: 3, mapping: mapping.RoundRobin, compress: true},
	{synch: 3, pes: 4, nkp: 16, files: 4, mapping: mapping.RoundRobin},
	{synch: 3, ranks: 2, pes: 2, nkp: 4, files: 2, compress: true},
	{synch: 2, ranks: 2, pes: 1, nkp: 3, files: 4},
	{synch: 6, pes: 1, nkp: 5, files: 1},
}

// shapesFor returns the shapes for a load. Chains without delay take ranks long.
func shapesFor(load string) (all []shape) {
	for _, s := range shapes {
		if load == "spread" {
			s.lookahead = 0.1
		} else if s.ranks > 0 {
			continue
		}
		all = append(all, s)
	}
	return all
}

// pair is a load, and how it is run up to a checkpoint and from there on.
type pair struct {
	name         string
	load         func() *load
	n            int // of the pair
	store, again shape
	want         uint64 // digest of a run that is not stopped
}

// forAll runs a test for each load on each shape, with another one to go on: of some loads
// on some shapes, for builds that need not try them all.
func forAll(t *testing.T, f func(*testing.T, pair)) {
	for name, l := range loads {
		shapes := shapesFor(name)
		for i, store := range shapes {
			if testlevel.Is(testlevel.Some) && i%3 != 1 || name == "tied" && (i%2 == 0 || testlevel.Is(testlevel.Few)) {
				continue
			}
			p := pair{name, l, i, store, shapes[(i+3)%len(shapes)], plainDigest(t, name)}
			t.Run(fmt.Sprintf("%s/%v/%v", name, p.store, p.again), func(t *testing.T) {
				testkit.Watch(t)
				f(t, p)
			})
		}
	}
}

func TestLoadedRunGoesOnAsIfNeverStopped(t *testing.T) {
	forAll(t, func(t *testing.T, p pair) {
		stored := p.load().end / 2 // of tied ones, events of this very time are left
		cp := filepath.Join(t.TempDir(), "half")
		half, _ := runLeg(t, leg{to: cp, ranks: p.store.ranks, configure: p.store.on(loadLPs, stored)}, p.load().lpType())
		require.NotEqual(t, p.want, half)
		c, err := rio.Open(cp)
		require.NoError(t, err)
		require.NoError(t, c.Verify())
		require.NoError(t, c.Close())
		got, _ := runLeg(t, leg{from: cp, mode: ross.LoadInit, ranks: p.again.ranks,
			configure: p.again.on(loadLPs, p.load().end)}, p.load().lpType())
		require.Equal(t, p.want, got)
	})
}

// TestEachCheckpointOfARunningSimulationLeadsToItsEnd has checkpoints stored all the time,
// also between events of one time, and starts again from some of them.
func TestEachCheckpointOfARunningSimulationLeadsToItsEnd(t *testing.T) {
	forAll(t, func(t *testing.T, p pair) {
		prefix := filepath.Join(t.TempDir(), "run")
		got, sims := runLeg(t, leg{ranks: p.store.ranks, configure: func(c *ross.Config) {
			p.store.on(loadLPs, p.load().end)(c)
			c.Checkpoints.Name, c.Checkpoints.Interval, c.Checkpoints.Keep, knobsOf(
				c).MostStored = prefix, time.Nanosecond, 1000, 100
		}}, p.load().lpType())
		require.Equal(t, p.want, got)
		require.NoError(t, sims[0].CheckpointError())
		numbers, err := rio.Numbers(prefix)
		require.NoError(t, err)
		require.NotEmpty(t, numbers)
		for _, n := range []uint64{numbers[len(numbers)/2], numbers[len(numbers)-1]} {
			got, _ := runLeg(t, leg{ranks: p.again.ranks, configure: func(c *ross.Config) {
				p.again.on(loadLPs, p.load().end)(c)
				c.Checkpoints.Restart = rio.Numbered(prefix, n)
			}}, p.load().lpType())
			require.Equal(t, p.want, got, "from checkpoint %d of %d", n, len(numbers))
		}
	})
}

// TestStoppedRunLeavesACheckpoint stops runs at some event, with and without other
// checkpoints on their way.
func TestStoppedRunLeavesACheckpoint(t *testing.T) {
	forAll(t, func(t *testing.T, p pair) {
		prefix := filepath.Join(t.TempDir(), "stopped")
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		var commits atomic.Int64
		stopped := p.load()
		at := int64(500 + 1000*p.n)
		stopped.commit = func(*loadState, *ross.LP, *ross.Bits, *loadMsg) {
			if commits.Add(1) == at {
				stop()
			}
		}
		digest, sims := runLeg(t, leg{ranks: p.store.ranks, stop: ctx, configure: func(c *ross.Config) {
			p.store.on(loadLPs, p.load().end)(c)
			c.Checkpoints.Name, c.Checkpoints.OnExit, c.Checkpoints.Keep = prefix, true, 1
			if p.n%2 == 0 {
				c.Checkpoints.Interval = time.Nanosecond
			}
		}}, stopped.lpType())
		require.NotEqual(t, p.want, digest)
		require.GreaterOrEqual(t, sims[0].Summary().NetEvents(), uint64(at))
		errs := make([]error, len(sims))
		onRanks(len(sims), func(rank int) { errs[rank] = sims[rank].Store(prefix) })
		require.ErrorContains(t, errs[0], "must not have failed")
		got, again := runLeg(t, leg{ranks: p.again.ranks, configure: func(c *ross.Config) {
			p.again.on(loadLPs, p.load().end)(c)
			c.Checkpoints.Name, c.Checkpoints.Restart = prefix, "latest"
		}}, p.load().lpType())
		require.Equal(t, p.want, got)
		require.Equal(t, plainEvents(t, p.name), sims[0].Summary().NetEvents()+again[0].Summary().NetEvents(),
			"none is lost, none done twice")
	})
}

// Checkpoints of events that have tie-breakers in common: all that one event sent
// without delay, to LPs of any PE, with other events of that time in between.

const (
	fanLPs = 5
	fanEnd = 6
)

// twig is a message: a trunk goes on at the next whole time, and each sends twigs without delay.
// Trunks, which have one tie-breaker, are handled in between the twigs of others.
type twig struct {
	Left  uint64 // generations of twigs that may follow
	Class uint8  // index into classes
	Trunk bool
}

// fan has each event send several events without delay, of its priority or a lower one, so that
// hundreds with common tie-breakers are pending at once.
func fan(then func(lp *ross.LP)) ross.Type[uint64] {
	return ross.Type[uint64]{
		Name: "fan", Saving: ross.SaveByLog,
		Init: func(_ *uint64, lp *ross.LP) {
			ross.SendPriority(lp, lp.ID(), 1, classes[0], twig{Left: 3, Trunk: true})
		},
		Event: ross.On(func(s *uint64, lp *ross.LP, m *twig) {
			ross.Save(lp, s)
			*s += uint64(m.Class) + 1
			r := lp.RNG()
			anyone := func() ross.LPID { return ross.LPID(r.Integer(0, fanLPs-1)) }
			if m.Left > 0 {
				for range r.Integer(1, 3) {
					class := uint8(r.Integer(int64(m.Class), int64(lastClass)))
					ross.SendPriority(lp, anyone(), 0, classes[class], twig{Left: m.Left - 1, Class: class})
				}
			}
			if m.Trunk {
				class := uint8(r.Integer(0, int64(lastClass)))
				ross.SendPriority(lp, anyone(), 1, classes[class], twig{Left: 3, Class: class, Trunk: true})
			}
			then(lp)
		}),
	}
}

// TestTieBreakersInCommonSurviveARestart stops a run after each of its first events, stores it there,
// and goes on with other PEs and KPs, so that each PE skips events that others take.
func TestTieBreakersInCommonSurviveARestart(t *testing.T) {
	testkit.Watch(t)
	spread := func(pes, nkp int) func(*ross.Config) {
		return func(c *ross.Config) {
			c.LPs, c.NLP, c.End, c.NKP = fanLPs, 1, fanEnd, int(nkp)
			if c.Mapping = mapping.RoundRobin; pes > 1 {
				c.Synch, c.PEs = 3, pes
			}
		}
	}
	never := func(*ross.LP) {}
	want, sims := runLeg(t, leg{configure: spread(1, 1)}, fan(never))
	events := int(sims[0].Summary().NetEvents())
	require.Greater(t, events, 200)
	for at := 1; at < 200; at += testlevel.Times(1, 5) {
		t.Run(fmt.Sprint(at), func(t *testing.T) { // which closes the runs
			cp, handled := filepath.Join(t.TempDir(), "fan"), 0
			_, sims := runLeg(t, leg{to: cp, configure: spread(1, []int{1, 2, fanLPs}[at%3])}, fan(func(lp *ross.LP) {
				if handled++; handled == at {
					lp.Stop()
				}
			}))
			require.EqualValues(t, at, sims[0].Summary().NetEvents())
			got, _ := runLeg(t, leg{from: cp, mode: ross.LoadInit, configure: spread([]int{2, 1, 3}[at%3], 2)}, fan(never))
			require.Equal(t, want, got)
		})
	}
}

// When a running simulation stores checkpoints: never two of one virtual time.

// step is a message; N counts them.
type step struct{ N uint64 }

// pacer has LP 0 handle events at given times. Each waits until no checkpoint is being written.
func pacer(sim **ross.Simulation, times ...float64) ross.Type[uint64] {
	send := func(lp *ross.LP, i uint64) {
		if lp.ID() == 0 && i < uint64(len(times)) {
			ross.Send(lp, 0, times[i]-lp.Now(), step{i})
		}
	}
	return ross.Type[uint64]{
		Init: func(_ *uint64, lp *ross.LP) { send(lp, 0) },
		Event: ross.On(func(_ *uint64, lp *ross.LP, m *step) {
			for runOf((*sim)).Checkpoints.Running.Busy.Load() {
				runtime.Gosched() // not a short sleep: on one processor that would let no other goroutine run
			}
			send(lp, m.N+1)
		}).Reverse(func(*uint64, *ross.LP, *step) {}),
	}
}

// clocksOf returns the virtual times of the checkpoints of a prefix. No event after them has been
// handled, unless the run was conservative.
func clocksOf(t *testing.T, prefix string, conservative bool) (clocks []float64) {
	numbers, err := rio.Numbers(prefix)
	require.NoError(t, err)
	for _, n := range numbers {
		c, err := rio.Open(rio.Numbered(prefix, n))
		require.NoError(t, err)
		clocks = append(clocks, c.Info().Clock)
		for i := range c.Entries() {
			part, err := c.Read(i)
			require.NoError(t, err)
			var lp rio.LP
			for ok, err := part.NextLP(&lp); ok; ok, err = part.NextLP(&lp) {
				require.NoError(t, err)
				require.True(t, conservative || lp.Now <= c.Info().Clock, "an event at %g, clock %g", lp.Now, c.Info().Clock)
			}
		}
		require.NoError(t, c.Close())
	}
	return clocks
}

// runPaced runs a pacer and returns the clocks of its checkpoints.
func runPaced(t *testing.T, configure func(*ross.Config), times ...float64) (clocks []float64, report string) {
	t.Helper()
	var out, told strings.Builder
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.Output, cfg.Checkpoints.Keep, cfg.Checkpoints.Name, cfg.End = 4, &out, 1000, filepath.Join(t.TempDir(),
		"run"), times[len(times)-1]+1
	// GVT comes to each event
	cfg.Tuning.GVTInterval, cfg.Tuning.FixedGVT, cfg.Tuning.MaxOptLookahead, cfg.Tuning.Batch = 1, true, 0, 1
	cfg.Log = slog.New(slog.NewTextHandler(&told, nil))
	configure(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(pacer(&sim, times...)))
	require.NoError(t, sim.Run(context.Background()))
	require.NoError(t, sim.CheckpointError())
	require.Empty(t, told.String(), "the report has it")
	return clocksOf(t, cfg.Checkpoints.Name, cfg.Synch == 2), out.String()
}

func TestNoTwoCheckpointsAreOfOneVirtualTime(t *testing.T) {
	const e = 0.7
	var times []float64
	for n := 1048576.0; len(times) < 100; n++ {
		if at := n * e; (math.Floor(at/e)+1)*e == at { // where rounding hides the next multiple
			times = append(times, slices.Repeat([]float64{at}, 20)...) // GVT stays for some rounds
		}
	}
	for _, synch := range []int{1, 6, 3, 2} {
		t.Run(fmt.Sprint(synch), func(t *testing.T) {
			clocks, _ := runPaced(t, func(c *ross.Config) {
				c.Synch, c.Checkpoints.VirtualInterval = ross.Scheduler(synch), e
				c.PE.PreLPInit = func(pe *ross.PE) {
					engineOf(pe).Engine.Checkpoints.Running.SetVirtual(
						math.Nextafter(times[0], 0))
				}
			}, times...)
			require.NotEmpty(t, clocks)
			for i := range clocks[1:] {
				require.Less(t, clocks[i], clocks[i+1])
			}
			if synch == 1 || synch == 6 {
				require.Equal(t, times[0], clocks[0], "at the very multiple")
			}
		})
	}
}

func TestIntervalsTooShortForFloatsDoNotStopARun(t *testing.T) {
	for _, every := range []float64{5e-324, 1e-12, 1e300, math.MaxFloat64} {
		for _, synch := range []int{1, 3} {
			clocks, _ := runPaced(t,
				func(c *ross.Config) { c.Synch, c.Checkpoints.VirtualInterval = ross.Scheduler(synch), every }, 1e9, 2e9, 2e9+1,
				3e9)
			for i := range clocks {
				require.True(t, i == 0 || clocks[i-1] < clocks[i], "%v", clocks)
			}
			require.Equal(t, every > 1, len(clocks) == 0, "every %g: %v", every, clocks)
		}
	}
}

func TestStatesOfAllKindsAreStoredWhole(t *testing.T) {
	const end = 12
	want := map[bool]result{}
	for _, never := range []bool{false, true} {
		want[never], _ = cook(t, never, end, nil)
	}
	for i, store := range shapes {
		load := shapes[(i+3)%len(shapes)]
		never := i%2 == 0
		if testlevel.Is(testlevel.Few) && i%3 != 1 {
			continue
		}
		t.Run(fmt.Sprintf("%v/%v/never=%v", store, load, never), func(t *testing.T) {
			testkit.Watch(t)
			prefix := filepath.Join(t.TempDir(), "kitchen")
			options := func(k *kitchen, s shape) func(*ross.Config) {
				return func(c *ross.Config) {
					s.on(kitchenLPs, end)(c)
					c.Streams.PerLP, c.TypeMap, c.MaxMemory = 3, k.typeOf, 200<<20
				}
			}
			k := newKitchen(never)
			digest, _ := runLeg(t, leg{ranks: store.ranks, configure: func(c *ross.Config) {
				options(k, store)(c)
				c.Checkpoints.Name, c.Checkpoints.VirtualInterval, c.Checkpoints.Keep = prefix, 1.7, 1000
			}}, k.types()...)
			require.Equal(t, want[never].digest, digest)
			require.Equal(t, want[never].finals, k.finals)
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.NotEmpty(t, numbers)
			names := []string{prefix}
			for _, n := range numbers {
				names = append(names, rio.Numbered(prefix, n))
			}
			if testlevel.Is(testlevel.Few) {
				names = []string{names[0], names[len(names)/2]}
			}
			k = newKitchen(never)
			runLeg(t, leg{to: prefix, ranks: store.ranks, configure: func(c *ross.Config) {
				options(k, store)(c)
				c.End = 2 + 1.5*float64(i)
			}}, k.types()...)
			for _, name := range names {
				k := newKitchen(never)
				digest, sims := runLeg(t, leg{ranks: load.ranks, configure: func(c *ross.Config) {
					options(k, load)(c)
					c.Checkpoints.Restart = name
				}}, k.types()...)
				require.Equal(t, want[never].digest, digest, "from %s", name)
				require.Equal(t, want[never].finals, k.finals)
				require.Equal(t, want[never].states, *sims[0].Summary().StateDigest)
				require.Less(t, sims[0].Summary().NetEvents(), want[never].events)
				closeAll(sims)
			}
		})
	}
}

// TestCheckpointsUnderAttack stores all the time while everything goes wrong that can, and goes
// on from the first and the last checkpoint.
func TestCheckpointsUnderAttack(t *testing.T) {
	end := float64(testlevel.Times(12, 6))
	for name, c := range map[string]struct {
		pes   int
		p     float64
		never bool
		set   func(*ross.Config)
	}{
		"tiny rings": {3, 0.3, true, func(c *ross.Config) { knobsOf(c).RingSize = 1 }},
		"batch of 1": {2, 0.05, false, func(c *ross.Config) { c.Tuning.Batch = 1 }},
		"GVT all the time": {2, 0.3, true, func(c *ross.Config) {
			c.Tuning.GVTInterval, c.Tuning.Batch,
				c.Tuning.FixedGVT = 1, 1, true
		}},
		"GVT seldom":    {4, 0.1, false, func(c *ross.Config) { c.Tuning.GVTInterval, c.Tuning.FixedGVT = 1000, true }},
		"1 KP":          {2, 0.05, true, func(c *ross.Config) { c.NKP = 1 }},
		"64 KPs":        {3, 0.9, false, func(c *ross.Config) { c.NKP = 64 }},
		"real time":     {2, 0.3, true, func(c *ross.Config) { c.Synch, c.Tuning.GVTInterval = 5, 1 }},
		"little memory": {2, 0.1, false, func(c *ross.Config) { c.MaxMemory = 2 << 20 }},
	} {
		if testlevel.Few.LeavesOut(name, "tiny rings", "real time") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			testkit.Watch(t)
			want, _ := cook(t, c.never, end, nil)
			prefix := filepath.Join(t.TempDir(), "kitchen")
			on := func(k *kitchen, s shape) func(*ross.Config) {
				return func(cfg *ross.Config) {
					s.on(kitchenLPs, end)(cfg)
					cfg.Streams.PerLP, cfg.TypeMap, cfg.MaxMemory = 3, k.typeOf, 200<<20
				}
			}
			k := newKitchen(c.never)
			digest, _ := runLeg(t, leg{configure: func(cfg *ross.Config) {
				on(k, shape{synch: 3, pes: c.pes, nkp: 8, files: c.pes})(cfg)
				c.set(cfg)
				knobsOf(cfg).Disturb = harass(t, c.pes, c.p)
				cfg.Checkpoints.Name, cfg.Checkpoints.Interval, cfg.Checkpoints.Keep = prefix, time.Nanosecond, 1000
			}}, k.types()...)
			require.Equal(t, want.digest, digest)
			require.Equal(t, want.finals, k.finals)
			numbers, err := rio.Numbers(prefix)
			require.NoError(t, err)
			require.NotEmpty(t, numbers)
			for _, n := range []uint64{numbers[0], numbers[len(numbers)-1]} {
				k := newKitchen(c.never)
				digest, _ := runLeg(t, leg{configure: func(cfg *ross.Config) {
					on(k, shape{synch: 3, pes: 2, nkp: 4, files: 1})(cfg)
					knobsOf(cfg).Disturb = harass(t, 2, 0.2)
					cfg.Checkpoints.Restart = rio.Numbered(prefix, n)
				}}, k.types()...)
				require.Equal(t, want.digest, digest, "from checkpoint %d", n)
				require.Equal(t, want.finals, k.finals)
			}
		})
	}
}
