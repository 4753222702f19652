// GVT among ranks: the least of all bounds, exactly, whatever their lineages, and no
// result as long as messages are under way.

package gvt_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/internal/world/worldtest"
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
	heard := make([]gvt.Report, len(all))
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
				r.member.Report(b, 1<<i, balance)
			case gvt.Done:
				heard[i] = r.member.Result(r.arena.Lines)
				require.NoError(t, r.member.Err())
				left--
			}
		}
	}
	return heard
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
				heard := agree(t, all, func(i, _ int) (gvt.Bound, int64) {
					b := sigs[i].bound(sigs[i].makeEvent(t, all[i].arena.Lines))
					nodes = append(nodes, b.Node)
					return b, 0
				})
				for i, h := range heard {
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

// randomSignatures agree in a random number of tie-breakers, of which there may be
// thousands.
func randomSignatures(r *rand.Rand, n int) []signature {
	common := make([]float64, 1+r.IntN([]int{1, 9, 12, 60, 3000}[r.IntN(5)]))
	for i := range common {
		common[i] = r.Float64()
	}
	sigs := make([]signature, n)
	for i := range sigs {
		s := signature{time: float64(r.IntN(2)), prio: 1, ties: common[:1+r.IntN(len(common))], after: r.IntN(4) == 0, pe: r.Uint32N(3), dst: r.Uint32N(2), src: r.Uint64N(2), sent: float64(r.IntN(2))}
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
	heard := agree(t, all, func(i, attempt int) (gvt.Bound, int64) {
		told++
		b := at(float64(10 - attempt)) // what has come is earlier
		if i == 0 {
			return b, 3 // sent
		}
		return b, -int64(min(attempt, i)) // taken: 0, then 1 and 1, then 1 and 2
	})
	require.Equal(t, 9, told)
	for _, h := range heard {
		require.Equal(t, 8.0, timeOf(h))
		require.Zero(t, h.Balance)
	}
}

func TestNoRankHasEvents(t *testing.T) {
	all := newRanks(t, 2, 0)
	for _, h := range agree(t, all, func(int, int) (gvt.Bound, int64) { return gvt.Max, 0 }) {
		require.True(t, h.Bound.IsMax())
	}
}
