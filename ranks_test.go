// This file pins that ranks which call different things get an error that names both, and do not wait; and that ranks
// learn that another one is gone, whenever it dies, and do not trust what they get.

package ross_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/ranks/mpi"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testkit"
	"github.com/ross-go/ross/internal/testing/testlevel"
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
	cfg.Output, cfg.Dir, cfg.Digest, cfg.Statistics = io.Discard, folder, true,
		ross.StatisticsInReport|ross.StatisticsInFiles
	cfg.Instruments.Path, cfg.Instruments.Engine, cfg.Instruments.Limit = folder+"/stats", ross.SampleByGVT, 1<<20
	cfg.Checkpoints.Name, cfg.Checkpoints.VirtualInterval, cfg.Checkpoints.OnExit = folder+"/io", 1, true
	sim, err := ross.New(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.Close()) }()
	sim.Announce("here")
	for _, call := range []func() error{
		func() error { return sim.Define(pulses(false)) },
		func() error { return sim.Run(context.Background()) },
		func() error {
			_, err := ross.Gather(sim, func(*ross.LP, *pulse) int { return 1 })
			return err
		},
		func() error { _, err := stats.Collect(sim); return err },
		func() error { return sim.Store(folder + "/last") },
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
	testkit.Watch(t)
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
	testkit.Watch(t)
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
	testkit.Watch(t)
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
				errs[rank] = sim.Store(folder + "/c")
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

// pulse is the state of LPs that send each other events, on all ranks.
type pulse struct{ Count stats.Counter }

type beat struct{ _ int64 }

// pulses fail at time 1, if they are to.
func pulses(fail bool) ross.LPType {
	send := func(lp *ross.LP) {
		ross.Send(lp, ross.LPID(lp.RNG().Integer(0, int64(lp.PE().Simulation().TotalLPs())-1)), 0.5+lp.RNG().Unif(), beat{})
	}
	return ross.Type[pulse]{
		Name: "pulse",
		Init: func(_ *pulse, lp *ross.LP) { send(lp) },
		Event: ross.On(func(s *pulse, lp *ross.LP, _ *beat) {
			if fail && lp.Now() > 1 {
				lp.Fail(errors.New("out of luck"))
			}
			s.Count.Inc(lp)
			send(lp)
		}),
	}
}

// rankCall is a call that all ranks make.
type rankCall struct {
	name string
	do   func(sim *ross.Simulation) error // nil: the process ends
	last bool                             // the rank calls nothing after it
}

func rankCalls(t *testing.T) []rankCall {
	folder := t.TempDir()
	one := func(*ross.LP, *pulse) int { return 1 }
	type other struct{ _ int64 }
	return []rankCall{
		{name: "Define", do: func(sim *ross.Simulation) error { return sim.Define(pulses(false)) }},
		{name: "Load of a in mode 1", do: func(sim *ross.Simulation) error { return sim.Load(folder+"/a", ross.LoadInit) }},
		{name: "Load of a in mode 2",
			do: func(sim *ross.Simulation) error { return sim.Load(folder+"/a", ross.LoadPostInit) }},
		{name: "Load of b in mode 1", do: func(sim *ross.Simulation) error { return sim.Load(folder+"/b", ross.LoadInit) }},
		{name: "Run", do: func(sim *ross.Simulation) error { return sim.Run(context.Background()) }},
		{name: "Gather of a int for each ross_test.pulse", do: func(sim *ross.Simulation) error {
			_, err := ross.Gather(sim, one)
			return err
		}},
		{name: "Gather of a int for each ross_test.other", do: func(sim *ross.Simulation) error { // which no LP has
			_, err := ross.Gather(sim, func(*ross.LP, *other) int { return 1 })
			return err
		}},
		{name: "Reduce of a int for each ross_test.pulse", do: func(sim *ross.Simulation) error {
			_, err := ross.Reduce(sim, one, func(a, b int) int { return a + b })
			return err
		}},
		{name: "stats.Collect", do: func(sim *ross.Simulation) error { _, err := stats.Collect(sim); return err }},
		{name: "stats.CollectBy", do: func(sim *ross.Simulation) error {
			_, err := stats.CollectBy(sim, func(*ross.LP) string { return "all" })
			return err
		}},
		{name: "Store of c", do: func(sim *ross.Simulation) error { return sim.Store(folder + "/c") }},
		{name: "Store of d", do: func(sim *ross.Simulation) error { return sim.Store(folder + "/d") }},
		{name: "Close", do: (*ross.Simulation).Close, last: true},
		{name: "the end of the process", last: true},
	}
}

// inWorld returns the configuration of a rank of a small model.
func inWorld(w world.World, ranks int) ross.Config {
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.End, cfg.LPs, cfg.MaxMemory = ross.Optimistic, 3, 2*ranks, 16<<20
	cfg.Checkpoints.AfterRun = true
	return cfg.InWorld(w)
}

// come brings a rank to a stage.
func come(w world.World, ranks int, stage string) (*ross.Simulation, error) {
	sim, err := ross.New(inWorld(w, ranks))
	if err != nil || stage == "New" {
		return sim, err
	}
	fails := stage == "a Run that fails"
	if err = sim.Define(pulses(fails)); err != nil || stage == "Define" {
		return sim, err
	}
	if err = sim.Run(context.Background()); fails && err != nil {
		return sim, nil
	}
	return sim, err
}

// pair is what ranks call at the same time: those with an odd number b, and the others a.
type pair struct{ a, b rankCall }

// differ has n ranks come to a stage, make the calls of each pair, and close. It returns what the calls return, by
// pair and rank.
func differ(t *testing.T, stage string, n int, pairs ...pair) (errs [][]error) {
	t.Helper()
	cluster := worldtest.New(n, 1, 0)
	for range pairs {
		errs = append(errs, make([]error, n))
	}
	var over sync.WaitGroup
	for rank := range n {
		over.Go(func() {
			sim, err := come(cluster.Rank(rank), n, stage)
			for i, p := range pairs {
				call := p.a
				if rank%2 == 1 {
					call = p.b
				}
				if err == nil && call.do == nil {
					cluster.Kill(rank)
					_ = sim.Close() // gives its memory back, and reaches nobody
					return
				}
				if errs[i][rank] = err; err == nil {
					errs[i][rank] = call.do(sim)
				}
			}
			assert.NoError(t, sim.Close())
		})
	}
	over.Wait()
	return errs
}

func TestRanksThatCallDifferentThingsGetAnErrorThatNamesBoth(t *testing.T) {
	testkit.Watch(t)
	calls := rankCalls(t)
	for _, stage := range []string{"New", "Define", "Run", "a Run that fails"} {
		for _, n := range []int{2, 4} {
			var all []pair
			for _, a := range calls {
				for _, b := range calls {
					p := pair{a, b}
					switch {
					case a.name == b.name || a.do == nil:
					case a.last || b.last:
						p.check(t, stage, differ(t, stage, n, p)[0])
					default:
						all = append(all, p)
					}
				}
			}
			for i, errs := range differ(t, stage, n, all...) {
				all[i].check(t, stage, errs)
			}
		}
	}
}

// check requires that the ranks got the errors that they should.
func (p pair) check(t *testing.T, stage string, errs []error) {
	t.Helper()
	calls := "rank 1 calls"
	if len(errs) > 2 {
		calls = "ranks 1 and 3 call"
	}
	want := fmt.Sprintf("ross: %s: %s %s at the same time: let all ranks make the same calls in the same order", p.a.name,
		calls, p.b.name)
	speakers := 0
	for rank, err := range errs {
		where := fmt.Sprintf("after %s, rank %d of %d: %s and %s", stage, rank, len(errs), p.a.name, p.b.name)
		call := p.a
		if rank%2 == 1 {
			call = p.b
		}
		switch {
		case call.last && (call.do == nil || p.b.do != nil):
			require.NoError(t, err, where)
		case p.b.do == nil:
			require.Regexp(t, "rank [13] is gone", fmt.Sprint(err), where)
		default:
			require.ErrorContains(t, err, want, where)
		}
		if ross.ShouldPrint(err) {
			speakers++
		}
	}
	if p.b.do != nil {
		require.Equal(t, 1, speakers, want)
	}
}

func TestACheckpointIsAppendedByAllRanksOrNone(t *testing.T) {
	testkit.Watch(t)
	store := func(sim *ross.Simulation) error { return sim.Store(t.TempDir() + "/c") }
	p := pair{rankCall{name: "Store of c", do: store},
		rankCall{name: "Store of c Appending", do: func(sim *ross.Simulation) error {
			return sim.Store(t.TempDir()+"/c", ross.Appending())
		}}}
	p.check(t, "Run", differ(t, "Run", 2, p)[0])
}

// A rank that leaves has left: what others call after that fails as well, though they call the same.
func TestRanksDoNotWaitForOneThatHasLeft(t *testing.T) {
	testkit.Watch(t)
	cluster := worldtest.New(4, 1, 0)
	var over sync.WaitGroup
	errs := make([][]error, 4)
	for rank := range errs {
		over.Go(func() {
			sim, err := ross.New(inWorld(cluster.Rank(rank), 4))
			if err != nil {
				errs[rank] = []error{err}
				return
			}
			if rank != 2 {
				errs[rank] = append(errs[rank], sim.Define(pulses(false)), sim.Define(pulses(false)))
			}
			errs[rank] = append(errs[rank], sim.Close())
		})
	}
	over.Wait()
	for rank, errs := range errs {
		last := len(errs) - 1
		require.NoError(t, errs[last])
		require.Equal(t, rank == 2, last == 0)
		for _, err := range errs[:last] {
			require.ErrorContains(t, err, "ross: Define: rank 2 calls Close at the same time")
			require.Equal(t, rank == 0, ross.ShouldPrint(err))
		}
	}
}

func TestAPanicOfCollectBysFunctionIsAnErrorOfAllRanks(t *testing.T) {
	testkit.Watch(t)
	errs := differ(t, "Run", 3, pair{a: rankCall{do: func(sim *ross.Simulation) error {
		_, err := stats.CollectBy(sim, func(lp *ross.LP) string {
			if lp.ID() == 4 {
				panic("no such group")
			}
			return "all"
		})
		return err
	}}, b: rankCall{do: func(sim *ross.Simulation) error {
		_, err := stats.CollectBy(sim, func(*ross.LP) string { return "all" })
		return err
	}}})[0]
	for rank, err := range errs {
		require.ErrorContains(t, err, "stats: CollectBy: the function for LP 4 (pulse) panicked: no such group", "rank %d",
			rank)
		require.Equal(t, rank == 2, ross.ShouldPrint(err))
	}
	require.ErrorIs(t, errs[2], ross.ErrPanic)
}

// A model that makes such a call in Run gets an error, and the run goes on.
func TestCallsOfAllRanksByTheModelAreRefused(t *testing.T) {
	testkit.Watch(t)
	cluster := worldtest.New(2, 1, 0)
	calls := rankCalls(t)
	errs, refused := make([]error, 2), make([][]error, 2)
	var over sync.WaitGroup
	for rank := range errs {
		over.Go(func() {
			var sim *ross.Simulation
			cfg := inWorld(cluster.Rank(rank), 2)
			cfg.PE.PostLPInit = func(*ross.PE) {
				for _, call := range calls {
					if rank == 1 && !call.last { // one rank alone
						refused[rank] = append(refused[rank], call.do(sim))
					}
				}
			}
			var err error
			if sim, err = ross.New(cfg); err == nil {
				err = errors.Join(sim.Define(pulses(false)), sim.Run(context.Background()), sim.Close())
			}
			errs[rank] = err
		})
	}
	over.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Len(t, refused[1], len(calls)-2)
	for i, err := range refused[1] {
		require.Error(t, err, calls[i].name)
	}
}
