// This file pins that ranks learn that another one is gone, whenever it dies, and do not trust what they get.

package ross_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/testlevel"
	"github.com/ross-go/ross/internal/world"
	"github.com/ross-go/ross/internal/world/worldtest"
	"github.com/ross-go/ross/stats"
)

// mortal is the world of a rank that dies before it uses it for the given time, counted from 1.
type mortal struct {
	world.World
	left atomic.Int64
	die  func()
}

func (m *mortal) uses() {
	if m.left.Add(-1) == 0 {
		m.die()
	}
}

func (m *mortal) Barrier() error { m.uses(); return m.World.Barrier() }

func (m *mortal) Bcast(data []byte, root int) ([]byte, error) {
	m.uses()
	return m.World.Bcast(data, root)
}

func (m *mortal) AllGather(own []byte) ([][]byte, error) { m.uses(); return m.World.AllGather(own) }

func (m *mortal) Send(data []byte, to int) error { m.uses(); return m.World.Send(data, to) }

func (m *mortal) Receive(from int) ([]byte, error) { m.uses(); return m.World.Receive(from) }

func (m *mortal) AllReduceInt64(op mpi.Op, values []int64) error {
	m.uses()
	return m.World.AllReduceInt64(op, values)
}

func (m *mortal) Mailboxes(n int) ([]world.Mailbox, error) { m.uses(); return m.World.Mailboxes(n) }

func (m *mortal) Reduction() (world.Reduction, error) {
	m.uses()
	r, err := m.World.Reduction()
	return &mortalReduction{r, m}, err
}

func (m *mortal) Close() error { m.uses(); return m.World.Close() }

type mortalReduction struct {
	world.Reduction
	m *mortal
}

func (r *mortalReduction) Start(rec *mpi.Record) error { r.m.uses(); return r.Reduction.Start(rec) }

func (r *mortalReduction) StartWords(words []uint64) error {
	r.m.uses()
	return r.Reduction.StartWords(words)
}

// useAll makes every call that ranks make together, with all that a run may do. It returns the first error.
func useAll(folder string, w world.World, ranks int) (err error) {
	cfg := inWorld(w, ranks)
	cfg.Output, cfg.Dir, cfg.Digest, cfg.Statistics = io.Discard, folder, true, 3
	cfg.StatsPath, cfg.EngineStats, cfg.StatsLimit = folder+"/stats", 1, 1<<20
	cfg.IOName, cfg.IOVirtualInterval, cfg.IOOnExit = folder+"/io", 1, true
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.Close()) }()
	sim.Announce("here")
	for _, call := range []func() error{
		sim.InitIO,
		func() error { return sim.Define(pulses(false)) },
		func() error { return sim.Run(context.Background()) },
		func() error {
			_, err := ross.Gather(sim, func(*ross.LP, *pulse) int { return 1 })
			return err
		},
		func() error { _, err := stats.Collect(sim); return err },
		func() error { return sim.StoreCheckpoint(folder+"/last", ross.ByFormula) },
	} {
		if err := call(); err != nil {
			return err
		}
	}
	return nil
}

// without runs ranks. One of them dies before it uses its world for the given time, 0 for never. It returns what
// the others return, and how often that rank has used its world.
func without(dies, ranks int, at int64, run func(w world.World) error) (errs []error, uses int64) {
	cluster := worldtest.New(ranks, 1, 0)
	buried := make(chan struct{})
	m := &mortal{World: cluster.Rank(dies), die: func() {
		cluster.Kill(dies)
		<-buried // what it does afterwards is not part of this
	}}
	m.left.Store(at)
	errs = make([]error, ranks)
	var left, dead sync.WaitGroup
	for rank := range ranks {
		if rank == dies {
			dead.Go(func() { errs[rank] = run(m) })
		} else {
			left.Go(func() { errs[rank] = run(cluster.Rank(rank)) })
		}
	}
	left.Wait()
	close(buried)
	dead.Wait()
	return append(errs[:dies:dies], errs[dies+1:]...), at - m.left.Load()
}

func TestRanksThatAreLeftSayWhichOneIsGone(t *testing.T) {
	modeltest.Watch(t)
	const ranks = 3
	step := int64(2 * ranks) // each rank dies at other places
	if testlevel.Is(testlevel.Few) {
		step *= 2
	}
	for dies := range ranks {
		// Rounds of GVT differ from run to run, and so does the number of uses.
		whole := t.TempDir()
		errs, uses := without(dies, ranks, 0, func(w world.World) error { return useAll(whole, w, ranks) })
		require.NoError(t, errors.Join(errs...))
		for at := int64(1 + 2*dies); at <= uses; at += step {
			folder := t.TempDir()
			errs, used := without(dies, ranks, at, func(w world.World) error { return useAll(folder, w, ranks) })
			if used < at {
				require.NoError(t, errors.Join(errs...))
				continue
			}
			for _, err := range errs {
				require.ErrorContains(t, err, fmt.Sprintf("rank %d is gone", dies), "use %d of %d", at, uses)
				require.NotErrorIs(t, err, ross.ErrEngine, "use %d of %d", at, uses)
				require.True(t, ross.ShouldPrint(err))
			}
		}
	}
}

// garbled is the world of a rank that gets half of what another one sent, at the given time, counted from 1.
type garbled struct {
	world.World
	left atomic.Int64
	list bool // it was a list, and all need its length
}

func (g *garbled) cut(b []byte) []byte {
	if g.left.Add(-1) == 0 {
		return b[:len(b)/2]
	}
	return b
}

func (g *garbled) Bcast(data []byte, root int) ([]byte, error) {
	b, err := g.World.Bcast(data, root)
	return g.cut(b), err
}

func (g *garbled) AllGather(own []byte) ([][]byte, error) {
	all, err := g.World.AllGather(own)
	if err == nil {
		all[len(all)-1] = g.cut(all[len(all)-1])
		g.list = g.list || g.left.Load() == 0
	}
	return all, err
}

func (g *garbled) Receive(from int) ([]byte, error) {
	b, err := g.World.Receive(from)
	return g.cut(b), err
}

func TestRanksDoNotTrustTheLengthOfWhatTheyGet(t *testing.T) {
	modeltest.Watch(t)
	const ranks = 3
	run := func(who int, at int64) (*garbled, error) {
		folder := t.TempDir()
		cluster := worldtest.New(ranks, 1, 0)
		g := &garbled{World: cluster.Rank(who)}
		g.left.Store(at)
		errs := make([]error, ranks)
		var over sync.WaitGroup
		for rank := range ranks {
			over.Go(func() {
				var w world.World = g
				if rank != who {
					w = cluster.Rank(rank)
				}
				errs[rank] = useAll(folder, w, ranks)
			})
		}
		over.Wait()
		return g, errors.Join(errs...)
	}
	for who := range ranks {
		whole, err := run(who, 0)
		require.NoError(t, err)
		gets := -whole.left.Load()
		for at := int64(1 + who%2); at <= gets; at += 2 {
			g, err := run(who, at)
			require.NotErrorIs(t, err, ross.ErrEngine, "get %d of %d on rank %d", at, gets, who)
			if g.list {
				require.ErrorContains(t, err, "ross: ", "get %d of %d on rank %d", at, gets, who)
			}
		}
	}
}

// deaf is the world of a rank that cannot read what rank 0 sends to all, once is is set.
type deaf struct {
	world.World
	is *atomic.Bool
}

func (d *deaf) Bcast(data []byte, root int) ([]byte, error) {
	b, err := d.World.Bcast(data, root)
	if d.is.Load() && root == 0 {
		b = nil
	}
	return b, err
}

// The middle one of three ranks cannot join a checkpoint: the last one does not wait for it.
func TestARankThatCannotJoinACheckpointIsAnErrorOfAll(t *testing.T) {
	modeltest.Watch(t)
	const ranks = 3
	folder := t.TempDir()
	cluster := worldtest.New(ranks, 1, 0)
	errs := make([]error, ranks)
	var over sync.WaitGroup
	for rank := range ranks {
		over.Go(func() {
			w := &deaf{cluster.Rank(rank), new(atomic.Bool)}
			sim, err := come(w, ranks, "Run")
			if errs[rank] = err; err == nil {
				w.is.Store(rank == 1)
				errs[rank] = sim.StoreCheckpoint(folder+"/c", ross.ByFormula)
			}
			errs[rank] = errors.Join(errs[rank], sim.Close())
		})
	}
	over.Wait()
	for rank, err := range errs {
		require.ErrorContains(t, err, "what rank 0 sent of it cannot be read", "rank %d", rank)
	}
	require.NoFileExists(t, folder+"/c.rio-md")
}
