// A run that is stored and loaded again commits what one does that was never stopped: on
// any number of PEs, KPs, ranks and files, with any mapping and scheduler.

package ross

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rio"
)

// leg is a part of a run: on some ranks, from a checkpoint or from the beginning, to a
// checkpoint or to the end.
type leg struct {
	from, to  string
	mode      LoadMode
	ranks     int
	configure func(*Config)
	file      func(rank int) int
	stop      context.Context // that ends while it runs; nil: none
}

// runLeg runs a model and returns the digest and the simulations, which are open.
func runLeg(t testing.TB, g leg, types ...LPType) (uint64, []*Simulation) {
	t.Helper()
	g.ranks = max(g.ranks, 1)
	cluster := worldtest.New(g.ranks, testrand.Seed(t), 20)
	sims, errs := make([]*Simulation, g.ranks), make([]error, g.ranks)
	onRanks(g.ranks, func(rank int) {
		cfg := DefaultConfig()
		cfg.Digest, cfg.MaxMemory = true, 256<<20
		g.configure(&cfg)
		if g.ranks > 1 {
			cfg.knobs.world = cluster.Rank(rank)
		}
		errs[rank] = func() (err error) {
			if sims[rank], err = New(cfg); err != nil {
				return err
			}
			sim := sims[rank]
			if err = sim.Define(types...); err != nil {
				return err
			}
			if err = sim.InitIO(); err != nil {
				return err
			}
			if g.from != "" {
				if err = sim.LoadCheckpoint(g.from, g.mode); err != nil {
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
			file := ByFormula
			if g.file != nil {
				file = g.file(rank)
			}
			return sim.StoreCheckpoint(g.to, file)
		}()
	})
	t.Cleanup(func() { closeAll(sims) })
	for _, err := range errs {
		require.NoError(t, err)
	}
	requireAllPending(t, sims)
	return *sims[0].r.Stats.Digest, sims
}

// requireAllPending requires that the events which a run has left, for a checkpoint, are those of the
// queues, and that nothing leaked if there are none.
func requireAllPending(t testing.TB, sims []*Simulation) {
	t.Helper()
	live, pending := int64(0), int64(0)
	for _, s := range sims {
		for _, pe := range s.r.Locals {
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
	return fmt.Sprintf("synch=%d,ranks=%d,pes=%d,nkp=%d,files=%d,%v,%v", s.synch, s.ranks, s.pes, s.nkp, s.files, s.mapping, s.compress)
}

func (s shape) on(lps uint64, end float64) func(*Config) {
	return func(c *Config) {
		n := uint64(s.pes * max(s.ranks, 1))
		c.Synch, c.PEs, c.NKP, c.IOFiles, c.Mapping, c.IOCompress = Scheduler(s.synch), s.pes, uint64(s.nkp), uint64(s.files), s.mapping, s.compress
		c.NLP, c.End, c.ConsLookahead = lps/n, end, s.lookahead
		if lps%n != 0 {
			c.TotalLPs = lps
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
				modeltest.Watch(t)
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
		got, _ := runLeg(t, leg{from: cp, mode: LoadInit, ranks: p.again.ranks, configure: p.again.on(loadLPs, p.load().end)}, p.load().lpType())
		require.Equal(t, p.want, got)
	})
}

// TestEachCheckpointOfARunningSimulationLeadsToItsEnd has checkpoints stored all the time,
// also between events of one time, and starts again from some of them.
func TestEachCheckpointOfARunningSimulationLeadsToItsEnd(t *testing.T) {
	forAll(t, func(t *testing.T, p pair) {
		prefix := filepath.Join(t.TempDir(), "run")
		got, sims := runLeg(t, leg{ranks: p.store.ranks, configure: func(c *Config) {
			p.store.on(loadLPs, p.load().end)(c)
			c.IOName, c.IOInterval, c.IOKeep, c.knobs.MostStored = prefix, 1e-9, 1000, 100
		}}, p.load().lpType())
		require.Equal(t, p.want, got)
		require.NoError(t, sims[0].CheckpointError())
		numbers, err := rio.Numbers(prefix)
		require.NoError(t, err)
		require.NotEmpty(t, numbers)
		for _, n := range []uint64{numbers[len(numbers)/2], numbers[len(numbers)-1]} {
			got, _ := runLeg(t, leg{ranks: p.again.ranks, configure: func(c *Config) {
				p.again.on(loadLPs, p.load().end)(c)
				c.IORestart = rio.Numbered(prefix, n)
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
		stopped.commit = func(*loadState, *LP, *Bits, *loadMsg) {
			if commits.Add(1) == at {
				stop()
			}
		}
		digest, sims := runLeg(t, leg{ranks: p.store.ranks, stop: ctx, configure: func(c *Config) {
			p.store.on(loadLPs, p.load().end)(c)
			c.IOName, c.IOOnExit, c.IOKeep = prefix, true, 1
			if p.n%2 == 0 {
				c.IOInterval = 1e-9
			}
		}}, stopped.lpType())
		require.NotEqual(t, p.want, digest)
		require.GreaterOrEqual(t, sims[0].Stats().NetEvents(), uint64(at))
		errs := make([]error, len(sims))
		onRanks(len(sims), func(rank int) { errs[rank] = sims[rank].StoreCheckpoint(prefix, ByFormula) })
		require.ErrorContains(t, errs[0], "must not have failed")
		got, again := runLeg(t, leg{ranks: p.again.ranks, configure: func(c *Config) {
			p.again.on(loadLPs, p.load().end)(c)
			c.IOName, c.IORestart = prefix, "latest"
		}}, p.load().lpType())
		require.Equal(t, p.want, got)
		require.Equal(t, plainEvents(t, p.name), sims[0].Stats().NetEvents()+again[0].Stats().NetEvents(), "none is lost, none done twice")
	})
}
