// This file pins the order of events of one time: by priority, then by
// tie-breaker, whatever they were sent by, and whatever the queue.

package ross_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testrand"
	"github.com/ross-go/ross/models/rosstest"
)

// All events are at one time. Priorities on a coarse grid, on none, and apart
// by one bit must not be told from tie-breakers by less than all their bits.
func TestEventsOfOneTimeComeByPriorityAndThenByTieBreaker(t *testing.T) {
	priorities := map[string]func(rnd *rand.Rand) float64{
		"all the same": func(*rand.Rand) float64 { return 1 },
		"few":          func(rnd *rand.Rand) float64 { return float64(rnd.IntN(5)) / 4 },
		"any":          func(rnd *rand.Rand) float64 { return rnd.Float64() },
		"apart by one bit": func(rnd *rand.Rand) float64 {
			return math.Float64frombits(math.Float64bits(0.3) + rnd.Uint64N(20))
		},
		"around a grid point": func(rnd *rand.Rand) float64 {
			return math.Float64frombits(math.Float64bits(0.5) + rnd.Uint64N(7) - 3)
		},
	}
	type mark struct{ Priority, Tie float64 }
	for name, priority := range priorities {
		for _, window := range []int{0, 1, 7} {
			t.Run(name, func(t *testing.T) {
				rnd := testrand.New(t)
				t.Logf("window %d", window)
				var got []mark
				sent := 0
				typ := ross.Type[none, word]{
					Init: func(_ *none, lp *ross.LP) {
						for range 300 {
							ross.SendPriority(lp, ross.LPID(rnd.IntN(4)), 7, priority(rnd), word{})
							sent++
						}
					},
					Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
						s := lp.Signature()
						require.Len(t, s.Ties, 1)
						got = append(got, mark{s.Priority, s.Ties[0]})
						if sent < 2000 { // more of the same time, from two times
							ross.SendPriority(lp, 0, 1, priority(rnd), word{})
							sent++
						}
					},
				}
				cfg := rosstest.Small().WithWindow(window)
				cfg.End = 8
				rosstest.Run(t, cfg, typ)
				require.Len(t, got, 1200)
				require.True(t, slices.IsSortedFunc(got, func(a, b mark) int {
					return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.Tie, b.Tie))
				}))
			})
		}
	}
}

// Neither the queue nor its window changes what a run does.
func TestQueueDoesNotChangeTheRun(t *testing.T) {
	typ := ross.Type[none, word]{
		Init: func(_ *none, lp *ross.LP) {
			for range 20 {
				ross.Send(lp, lp.ID(), math.Ceil(lp.RNG().Exponential(2)), word{})
			}
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
			delay := math.Floor(lp.RNG().Exponential(2))
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 3)), delay, word{N: m.N + 1})
		},
	}
	base := rosstest.Run(t, rosstest.Small(), typ)
	want := base.Stats()
	for name, cfg := range map[string]ross.Config{
		"narrow": rosstest.Small().WithWindow(1), "odd": rosstest.Small().WithWindow(13), "wide": rosstest.Small().WithWindow(128), "go": rosstest.Small(),
	} {
		if name == "go" {
			cfg.PQ = "go"
		}
		got := rosstest.Run(t, cfg, typ).Stats()
		require.Equal(t, *want.Digest, *got.Digest, name)
		require.Equal(t, want.NetEvents(), got.NetEvents(), name)
		require.Equal(t, want.EventsPastEnd, got.EventsPastEnd, name)
	}
}
