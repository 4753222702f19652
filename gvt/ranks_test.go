// This file owns the tests of whole protocols. GVT among ranks is the least of all bounds, exactly, whatever their
// lineages, and there is no result as long as messages are under way. The small Time Warp of world_test.go is run by
// threads and in random interleavings, with the protocol of GVT intact and broken.

package gvt_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/testrand"
	"github.com/stretchr/testify/require"
)

// rank is one PE of a run with as many ranks as PEs.
type rank struct {
	arena  *event.Arena
	ranks  *gvt.Ranks
	member *gvt.Member
}

func newRanks(t testing.TB, n int, late int) []*rank {
	t.Helper()
	seed := testrand.Seed(t)
	c := worldtest.New(n, seed, late)
	all := make([]*rank, n)
	done := make(chan int)
	for i := range all {
		go func() {
			red, err := c.Rank(i).Reduction()
			require.NoError(t, err)
			a := newArena(t)
			ranks := gvt.NewRanks(red, a.Lines)
			all[i] = &rank{a, ranks, gvt.NewGroup(1, ranks).Member(0)}
			done <- i
		}()
	}
	for range all {
		<-done
	}
	return all
}

// agree takes all ranks through a round. tell returns what a rank reports in an attempt.
func agree(t testing.TB, all []*rank, tell func(i, attempt int) (gvt.Bound, int64)) []gvt.Report {
	t.Helper()
	return agreeWith(t, all, func(i int) uint32 { return 1 << i }, tell)
}

// agreeWith is agree with flags.
func agreeWith(t testing.TB, all []*rank, flags func(i int) uint32,
	tell func(i, attempt int) (gvt.Bound, int64)) []gvt.Report {
	t.Helper()
	received := make([]gvt.Report, len(all))
	tries := make([]int, len(all))
	for _, r := range all {
		require.True(t, r.member.Start())
		r.member.PassCut()
	}
	for left := len(all); left > 0; {
		for i, r := range all {
			switch r.member.Poll() {
			case gvt.ReportDue:
				b, balance := tell(i, tries[i])
				tries[i]++
				r.member.Report(b, flags(i), balance)
			case gvt.Done:
				received[i] = r.member.Result(r.arena.Lines)
				require.NoError(t, r.member.Err())
				left--
			}
		}
	}
	return received
}

func TestGVTAmongRanksIsTheLeastOfAllBounds(t *testing.T) {
	for _, n := range []int{1, 2, 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			all := newRanks(t, n, 30)
			r := testrand.New(t)
			for range 200 {
				sigs := randomSignatures(r, n)
				least := &sigs[0]
				for i := range sigs {
					if sigs[i].compare(least) < 0 {
						least = &sigs[i]
					}
				}
				var nodes []uint32
				received := agree(t, all, func(i, _ int) (gvt.Bound, int64) {
					b := sigs[i].bound(sigs[i].makeEvent(t, all[i].arena.Lines))
					nodes = append(nodes, b.Node)
					return b, 0
				})
				for i, h := range received {
					want := least.bound(least.makeEvent(t, all[i].arena.Lines))
					require.Zero(t, h.Compare(&want, all[i].arena.Lines), "rank %d: %+v instead of %+v", i, h, want)
					require.Equal(t, uint32(1<<n-1), h.Flags)
					all[i].arena.Lines.Drop(want.Node)
					all[i].arena.Lines.Drop(nodes[i])
				}
			}
			for _, x := range all {
				x.ranks.Close()
				require.Zero(t, x.arena.Lines.Live())
			}
		})
	}
}

// randomSignatures agree in a random number of tie-breakers, which may be
// thousands.
func randomSignatures(r *rand.Rand, n int) []signature {
	common := make([]float64, 1+r.IntN([]int{1, 9, 12, 60, 3000}[r.IntN(5)]))
	for i := range common {
		common[i] = r.Float64()
	}
	sigs := make([]signature, n)
	for i := range sigs {
		s := signature{time: float64(r.IntN(2)), prio: 1, ties: common[:1+r.IntN(len(common))], after: r.IntN(4) == 0,
			pe: r.Uint32N(3), dst: r.Uint32N(2), src: r.Uint64N(2), sent: float64(r.IntN(2))}
		for range r.IntN(3) {
			s.ties = append(s.ties[:len(s.ties):len(s.ties)], []float64{0, 0.5, 1}[r.IntN(3)])
		}
		sigs[i] = s
	}
	return sigs
}

func TestRanksTellAgainAsLongAsMessagesAreUnderWay(t *testing.T) {
	all := newRanks(t, 3, 20)
	told := 0
	received := agree(t, all, func(i, attempt int) (gvt.Bound, int64) {
		told++
		b := at(float64(10 - attempt)) // what has come is earlier
		if i == 0 {
			return b, 3 // sent
		}
		return b, -int64(min(attempt, i)) // taken: 0, then 1 and 1, then 1 and 2
	})
	require.Equal(t, 9, told)
	for _, h := range received {
		require.Equal(t, 8.0, timeOf(h))
		require.Zero(t, h.Balance)
	}
}

// Messages under way need no second report if all ranks cover what they have sent, and only then.
func TestRanksThatCoverTellOnce(t *testing.T) {
	for not := range 4 { // the rank that does not cover; 3: all do
		all, told := newRanks(t, 3, 20), 0
		received := agreeWith(t, all, func(i int) uint32 {
			if i == not {
				return 1 << i
			}
			return 1<<i | gvt.Covered
		}, func(i, attempt int) (gvt.Bound, int64) {
			told++
			if i == 0 {
				return at(7), 3
			}
			return at(float64(9 - attempt)), -int64(min(attempt, i))
		})
		attempts := 3
		if not == 3 {
			attempts = 1
		}
		require.Equal(t, 3*attempts, told)
		for _, h := range received {
			require.Equal(t, 7.0, timeOf(h))
			require.Equal(t, uint32(7), h.Flags)
		}
	}
}

func TestNoRankHasEvents(t *testing.T) {
	all := newRanks(t, 2, 0)
	for _, h := range agree(t, all, func(int, int) (gvt.Bound, int64) { return gvt.Max, 0 }) {
		require.True(t, h.Bound.IsMax())
	}
}

// sizes are the numbers of PEs that are tried.
var sizes = []int{1, 2, 3, 8}

// runThreads runs the PEs as the engine does, each in a goroutine.
func (w *world) runThreads() error {
	var over sync.WaitGroup
	for _, p := range w.pes {
		over.Go(func() {
			for !p.step() {
				if p.rng.IntN(8) == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	over.Wait()
	return w.verdict()
}

// runSteps interleaves the steps of the PEs at random, in one goroutine: what
// fails for a seed fails for it again. For a while it prefers some of the PEs,
// so that others are late.
func (w *world) runSteps(rng *rand.Rand) (err error) {
	defer func() {
		if r := recover(); r != nil && w.fault != none {
			err = fmt.Errorf("%v", r) // one of package gvt's own assertions
		}
	}()
	running := append([]*pe(nil), w.pes...)
	likely := 1
	for n := 0; len(running) > 0; n++ {
		if n == 1<<20 {
			return errors.New("the run does not end")
		}
		if n%200 == 0 {
			likely = 1 + rng.IntN(len(running))
			rng.Shuffle(len(running), func(i, j int) { running[i], running[j] = running[j], running[i] })
		}
		i := rng.IntN(min(likely, len(running)))
		if rng.IntN(8) == 0 {
			i = rng.IntN(len(running))
		}
		if running[i].step() {
			running = append(running[:i], running[i+1:]...)
		}
	}
	return w.verdict()
}

// verdict returns what went wrong in a run that is over.
func (w *world) verdict() error {
	for _, p := range w.pes {
		if p.err != nil {
			return p.err
		}
	}
	for round := range w.pes[0].rounds {
		if err := w.checkRound(round); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
	}
	return nil
}

// checkRound compares the results of all PEs in a round with their reports.
func (w *world) checkRound(round int) error {
	first, lines := w.pes[0], w.pes[0].arena.Lines
	received := first.rounds[round].received
	flags, least := uint32(0), gvt.Max
	for _, p := range w.pes {
		if len(p.rounds) != len(first.rounds) {
			return fmt.Errorf("PE %d has seen %d rounds, PE 0 %d", p.id, len(p.rounds), len(first.rounds))
		}
		e := &p.rounds[round]
		if e.received != received {
			return fmt.Errorf("PE %d has received %+v, PE 0 %+v", p.id, e.received, received)
		}
		flags |= e.flags
		if e.reported.Compare(&least, lines) < 0 {
			least = e.reported
		}
	}
	if received.Flags != flags {
		return fmt.Errorf("flags %b, want %b", received.Flags, flags)
	}
	if received.Bound != least || w.pes[received.From].rounds[round].reported != least {
		return fmt.Errorf("GVT is %+v of PE %d, want %+v", received.Bound, received.From, least)
	}
	return nil
}

// try makes a world and runs it.
func try(t *testing.T, n int, seed uint64, f fault, run func(*world) error) (*world, error) {
	t.Helper()
	w, err := newWorld(n, seed, f)
	require.NoError(t, err)
	defer w.space.Release()
	return w, run(w)
}

func TestGVTIsABoundAmongThreads(t *testing.T) {
	first := testrand.Seed(t)
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for seed := first; seed != first+uint64(testlevel.Times(20, 8)); seed++ {
				_, err := try(t, n, seed, none, (*world).runThreads)
				require.NoError(t, err, "seed %d", seed)
			}
		})
	}
}

func TestGVTIsABoundInAllInterleavings(t *testing.T) {
	first := testrand.Seed(t)
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var undone, antis, annihilated, committed, inChains int
			for seed := first; seed != first+50; seed++ {
				w, err := try(t, n, seed, none, func(w *world) error { return w.runSteps(rand.New(rand.NewPCG(seed, 99))) })
				require.NoError(t, err, "seed %d", seed)
				for _, p := range w.pes {
					undone, antis = undone+p.undone, antis+p.antis
					annihilated, committed = annihilated+p.annihilated, committed+p.committed
				}
				for _, r := range w.pes[0].rounds {
					if r.received.Node != 0 {
						inChains++
					}
				}
			}
			t.Logf("%d events committed, %d undone, %d anti-messages, %d annihilated unsent; GVT within a chain %d times",
				committed, undone, antis, annihilated, inChains)
			require.Positive(t, committed)
			require.Positive(t, inChains)
			if n > 1 {
				require.Positive(t, undone)
				require.Positive(t, antis)
				require.Positive(t, annihilated)
			}
		})
	}
}

// TestAProtocolWithAFaultIsNoticed shows that the tests above can fail. Which
// seeds notice a fault is the same in each run.
func TestAProtocolWithAFaultIsNoticed(t *testing.T) {
	for _, f := range []fault{unsentLost, redLost, antisLost, redEndsEarly, notDrained, notSettled, earlyReport} {
		t.Run(string(f), func(t *testing.T) {
			const seeds = 60
			noticed := 0
			var err error
			for seed := range uint64(seeds) {
				_, e := try(t, 3, seed, f, func(w *world) error { return w.runSteps(rand.New(rand.NewPCG(seed, 99))) })
				if e != nil {
					noticed, err = noticed+1, e
				}
			}
			t.Logf("noticed with %d of %d seeds, as: %v", noticed, seeds, err)
			require.Positive(t, noticed)
		})
	}
}
