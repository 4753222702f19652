// This file owns the tests of the amounts of a Level, computed by hand.

package resource_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	. "github.com/ross-go/ross/resource"
	"github.com/ross-go/ross/stats"
)

// tank is a level that is filled and drained by parts.
type tank struct {
	Fill, Drain Level[int32]
	Got, Rest   int32
}

// TestPartsOfALevelAddUp delivers a whole in parts to one who waits for all of it, and takes another whole in parts.
func TestPartsOfALevelAddUp(t *testing.T) {
	for _, c := range []struct {
		part, whole float64
		n           int32
	}{{0.1, 1, 10}, {0.3, 3, 10}, {0.7, 7, 10}, {0.07, 0.7, 10}, {0.01, 1, 100}, {1e-9, 1e-6, 1000}, {0.1, 100, 1000},
		{1.1, 3.3, 3}, {17.35, 1735, 100}, {1e300, 3e300, 3}} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic, ross.RollbackCheck} {
			for _, saving := range savings {
				turns := ross.On(func(s *tank, lp *ross.LP, m *turn) {
					if m.K < c.n {
						_, o := s.Fill.Put(lp, m.K, c.part)
						require.Equal(t, Starts, o)
						_, o = s.Drain.Get(lp, m.K, c.part)
						require.Equal(t, Starts, o, "%v: part %d: there is %v", c, m.K, s.Drain.Now())
					}
					for who, amount, ok := s.Fill.Next(lp); ok; who, amount, ok = s.Fill.Next(lp) {
						require.Equal(t, [2]any{int32(-1), -c.whole}, [2]any{who, amount})
						*ross.Write(lp, &s.Got)++
					}
				})
				if saving == ross.SaveByReverse {
					turns = turns.Reverse(func(*tank, *ross.LP, *turn) {})
				}
				cfg := rosstest.Small()
				cfg.Synch, cfg.NLP, cfg.NKP, cfg.End = synch, 1, 1, 2000
				out := rosstest.Run(t, cfg, ross.Type[tank]{Name: "tank", Saving: saving, Event: turns,
					Init: func(s *tank, lp *ross.LP) {
						s.Fill.Open(lp, LevelRules{Capacity: c.whole})
						s.Drain.Open(lp, LevelRules{Capacity: math.Inf(1), Amount: c.whole})
						_, o := s.Fill.Get(lp, -1, c.whole)
						require.Equal(t, Waits, o)
						for k := range c.n {
							ross.Send(lp, lp.ID(), float64(k), turn{k})
						}
					}})
				s := ross.StateOf[tank](out.LP(0))
				require.Equal(t, [3]any{int32(1), 0.0, 0.0}, [3]any{s.Got, s.Fill.Now(), s.Drain.Now()}, "%v", c)
				require.NoError(t, out.Close())
			}
		}
	}
}

// TestThirdsOfALevelAreEnoughForAWhole has shares that no float64 is: they are enough for a whole, and fill it up.
func TestThirdsOfALevelAreEnoughForAWhole(t *testing.T) {
	for _, n := range []float64{3, 7, 9, 11, 49, 300} {
		rosstest.Run(t, rosstest.Small(), once(nothing, func(s *yard, lp *ross.LP) {
			s.Dry.Open(lp, LevelRules{Capacity: 1})
			for range int(n) {
				_, o := s.Dry.Put(lp, 1, 1/n)
				require.Equal(t, Starts, o, n)
			}
			_, o := s.Dry.Get(lp, 1, 1)
			require.Equal(t, Starts, o, n)
			require.Zero(t, s.Dry.Now())
		}))
	}
}

// TestALevelGivesNoMoreThanThereIs takes the next larger float, but for one that differs by rounding.
func TestALevelGivesNoMoreThanThereIs(t *testing.T) {
	rosstest.Run(t, rosstest.Small(), once(nothing, func(s *yard, lp *ross.LP) {
		s.Tank.Get(lp, 1, 4.9) // of 5
		require.Equal(t, 0.1, s.Tank.Now())
		got, o := s.Tank.Get(lp, 1, 0.1*(1+1e-14))
		require.Equal(t, Waits, o)
		s.Tank.Leave(lp, got)
		_, o = s.Tank.Get(lp, 1, 0.10000000000000002)
		require.Equal(t, Starts, o)
		require.Zero(t, s.Tank.Now())
		put, o := s.Tank.Put(lp, 1, 10)
		require.Equal(t, Starts, o)
		require.Zero(t, put)
		put, o = s.Tank.Put(lp, 1, 1e-14)
		require.Equal(t, Waits, o)
		s.Tank.Leave(lp, put)
		_, o = s.Tank.Put(lp, 1, 1e-15) // rounded, there are 10
		require.Equal(t, Starts, o)
		require.Equal(t, 10.0, s.Tank.Now())
		require.Equal(t, 10.0, s.Tank.Capacity())
	}))
}

// units is depots of all kinds, with the tags that users write.
type units struct {
	Desk    Servers[int32]        `ross:"desk,h"`
	Shelf   Store[uint32, uint32] `ross:"shelf,h,of=boxes"`
	Box     Store[uint32, uint32] `ross:"box,h"`
	Tanks   [2]Level[int32]       `ross:"tanks,h,of=litres,names=a;b,total=all"`
	Account Level[int32]          `ross:"account,d"`
	Plain   Level[int32]
	Outside struct{ Silo Level[int32] } `ross:",,of=t"`
}

func TestFiguresHaveTheirUnits(t *testing.T) {
	out := rosstest.Run(t, rosstest.Small(),
		ross.Type[units]{Name: "units", Event: ross.On(func(*units, *ross.LP, *turn) {})})
	table, err := stats.Collect(out.Simulation)
	require.NoError(t, err)
	got := map[string]string{}
	for _, r := range table.Rows() {
		got[r.Name] = r.Unit
	}
	want := map[string]string{}
	put := func(resource, time, holds string, figures ...string) {
		for _, f := range figures {
			unit := "customers"
			switch f {
			case "Wait", "Stay", "WaitGet", "WaitPut":
				unit = time
			case "Amount", "Items":
				unit = holds
			case "Utilization":
				unit = "share"
			}
			want[resource+"."+f] = unit
		}
	}
	put("desk", "h", "", "InQueue", "InService", "Utilization", "Wait", "Stay", "Refused", "Reneged", "Interrupted")
	for name, holds := range map[string]string{"shelf": "boxes", "box": "items"} {
		put(name, "h", holds, "Items", "Getters", "Putters", "WaitGet", "WaitPut", "Reneged", "Refused")
	}
	for name, of := range map[string][2]string{"tanks[a]": {"h", "litres"}, "tanks[b]": {"h", "litres"},
		"all": {"h", "litres"}, "account": {"d", ""},
		"Plain": {"", ""}, "Outside.Silo": {"", "t"}} {
		put(name, of[0], of[1], "Amount", "Getters", "Putters", "WaitGet", "WaitPut", "Reneged", "Refused")
	}
	require.Equal(t, want, got)
}
