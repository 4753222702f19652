// This file pins that random elements are there, are all equally likely however many others have been deleted, and are the
// same in every scheduler.

package container_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	. "github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/rosstest"
)

// club draws members, in an order that is in Sum.
type club struct {
	Members Set[int64]
	Fees    Map[int64, float64]
	Seats   Slab[int64]
	Sum     uint64
	Wrong   int64
}

func (c *club) draw(lp *ross.LP) {
	r := lp.RNG()
	note := func(x int64) { c.Sum = c.Sum*31 + uint64(x) }
	if member, ok := c.Members.Random(lp, r); ok != (c.Members.Len() > 0) || ok && !c.Members.Has(lp, member) {
		c.Wrong++
	} else if ok {
		note(member)
		if r.Integer(0, 2) > 0 {
			c.Members.Delete(lp, member)
		}
	}
	if member, ok := c.Fees.Random(lp, r); ok != (c.Fees.Len() > 0) || ok && !c.Fees.Has(lp, member) {
		c.Wrong++
	} else if ok {
		note(member)
		if r.Integer(0, 2) > 0 {
			c.Fees.Delete(lp, member)
		}
	}
	if h := c.Seats.Random(lp, r); (h != 0) != (c.Seats.Len() > 0) || h != 0 && c.Seats.Get(lp, h) == nil {
		c.Wrong++
	} else if h != 0 {
		note(*c.Seats.Get(lp, h))
		if r.Integer(0, 2) > 0 {
			c.Seats.Remove(lp, h)
		}
	}
	for range r.Integer(0, 2) {
		x := r.Integer(0, 99)
		c.Members.Add(lp, x)
		c.Fees.Put(lp, x, 1)
		c.Seats.Add(lp, x)
	}
}

func TestRandomElementsAreTheSameInAllSchedulers(t *testing.T) {
	var want [2]uint64
	for i, run := range [][3]int{{1, 1, 4}, {3, 2, 1}, {3, 3, 2}, {2, 2, 1}, {6, 1, 4}} {
		cfg := rosstest.Small()
		cfg.Synch, cfg.PEs, cfg.NLP, cfg.NKP = ross.Scheduler(run[0]), run[1], int(6/run[1]), int(run[2])
		cfg.End, cfg.Tuning.Batch, cfg.ConsLookahead = 60, 4, 0.01
		out := rosstest.Run(t, cfg, ross.Type[club]{
			Init: func(_ *club, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, tick{}) },
			Event: ross.On(func(c *club, lp *ross.LP, _ *tick) {
				c.draw(lp)
				ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 5)), 0.01+lp.RNG().Exponential(1), tick{})
			}),
		})
		st := out.Summary()
		got := [2]uint64{*st.Digest, *st.StateDigest}
		if i == 0 {
			want = got
			for id := range ross.LPID(6) {
				require.NotZero(t, ross.StateOf[club](out.LP(id)).Sum)
			}
		}
		require.Equal(t, want, got, "%v", run)
		for id := range ross.LPID(6) {
			require.Zero(t, ross.StateOf[club](out.LP(id)).Wrong)
		}
	}
}

func TestAllElementsAreEquallyLikely(t *testing.T) {
	const draws = 20_000
	for _, keep := range []int64{1, 2, 3, 40, 200} { // every keep-th of 400 stays, so 2 are left of the last
		counts := [3]map[int64]int{{}, {}, {}}
		n := 0
		run(1, func(c *club, lp *ross.LP) {
			handles := map[int64]Handle{}
			for x := range int64(400) {
				c.Members.Add(lp, x)
				c.Fees.Put(lp, x, 0)
				handles[x] = c.Seats.Add(lp, x)
			}
			for x := range int64(400) {
				if x%keep != keep-1 {
					c.Members.Delete(lp, x)
					c.Fees.Delete(lp, x)
					c.Seats.Remove(lp, handles[x])
				}
			}
			n = c.Members.Len()
			for range draws {
				member, _ := c.Members.Random(lp, lp.RNG())
				fee, _ := c.Fees.Random(lp, lp.RNG())
				counts[0][member]++
				counts[1][fee]++
				counts[2][*c.Seats.Get(lp, c.Seats.Random(lp, lp.RNG()))]++
			}
		})
		require.Equal(t, int(400/keep), n)
		for _, count := range counts {
			require.Len(t, count, n)
			chi, mean := 0.0, draws/float64(n)
			for x, k := range count {
				require.Equal(t, keep-1, x%keep)
				chi += (float64(k) - mean) * (float64(k) - mean) / mean
			}
			free := float64(n - 1) // the mean of chi, whose variance is twice as much
			require.InDelta(t, free, chi, 4.5*math.Sqrt(2*free)+4)
		}
	}
}
