// This file pins the random streams: which of ROSS's streams an LP draws from,
// and which tie-breaker each send takes.

package kernel_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
	"github.com/ross-go/ross/rng"
)

func TestStreamsOfAnLPAreThoseOfROSS(t *testing.T) {
	for name, c := range map[string]struct {
		given [4]uint64
		seeds rng.Seeds
	}{
		"standard seeds": {[4]uint64{}, rng.DefaultSeeds},
		"given seeds":    {[4]uint64{1, 22, 333, 4444}, rng.Seeds{1, 22, 333, 4444}},
		"clamped seeds":  {[4]uint64{math.MaxUint64, 22, 1 << 40, 4444}, rng.Seeds{2147483646, 22, 2147483422, 4444}},
	} {
		for _, per := range []uint64{1, 2, 5} {
			t.Run(name, func(t *testing.T) {
				cfg := rosstest.Small()
				cfg.RNGsPerLP, cfg.Seeds = per, c.given
				sim, _ := rosstest.Define(t, cfg, rosstest.Once(rosstest.NoTick))
				seeder := rng.NewSeeder(c.seeds)
				for gid := range uint64(4) {
					lp := sim.LP(ross.LPID(gid))
					require.Same(t, lp.RNG(), lp.Stream(0))
					for i := range per {
						want := seeder.Stream(gid*per + i)
						for range 3 {
							require.Equal(t, want.Unif(), lp.Stream(int(i)).Unif(), "LP %d, stream %d of %d", gid, i, per)
						}
					}
					require.Nil(t, lp.Stream(int(per)))
					require.Nil(t, lp.Stream(-1))
				}
			})
		}
	}
}

func TestSeedsThatWereGivenStandInTheReport(t *testing.T) {
	for name, c := range map[string]struct {
		set     func(*ross.Config)
		want    []string
		without []string
	}{
		"none": {func(*ross.Config) {}, nil, []string{"RNG Seeds", "Clamping"}},
		"models'": {func(c *ross.Config) { c.Seeds = [4]uint64{1, 22, 333, 4444} },
			[]string{"\nRNG Seeds: 1 22 333 4444\n"}, []string{"Core RNG", "Clamping"}},
		"cores', clamped": {func(c *ross.Config) { c.CoreSeeds = [4]uint64{1, 22, 333, 1 << 33} },
			[]string{"\nCore RNG Seeds: 1 22 333 8589934592\nClamping Provided Core Seeds\n"}, []string{"\nRNG Seeds", "LP Seeds"}},
		"both, clamped": {func(c *ross.Config) {
			c.Seeds, c.CoreSeeds = [4]uint64{1 << 31, 22, 333, 4444}, [4]uint64{1 << 31, 22, 333, 4444}
		}, []string{"\nRNG Seeds: 2147483648 22 333 4444\nClamping Provided LP Seeds\nCore RNG Seeds: 2147483648 22 333 4444\nClamping Provided Core Seeds\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			c.set(&cfg)
			_, report := rosstest.Define(t, cfg, rosstest.Once(rosstest.NoTick))
			for _, text := range c.want {
				assert.Contains(t, report.String(), text)
			}
			for _, text := range c.without {
				assert.NotContains(t, report.String(), text)
			}
		})
	}
}

// Every send draws one tie-breaker of the sender, whether it is delivered or
// not; the first is that of its core stream.
func TestEachSendTakesTheNextTieBreakerOfItsSender(t *testing.T) {
	for name, c := range map[string]struct {
		given [4]uint64
		seeds rng.Seeds
	}{
		"standard seeds": {[4]uint64{}, rng.DefaultCoreSeeds},
		"given seeds":    {[4]uint64{5, 6, 7, 8}, rng.Seeds{5, 6, 7, 8}},
	} {
		t.Run(name, func(t *testing.T) {
			ties := map[ross.LPID][]float64{}
			typ := ross.Type[none, word]{
				Init: func(_ *none, lp *ross.LP) {
					to := (lp.ID() + 1) % 4
					ross.Send(lp, to, 1, word{})
					ross.Send(lp, to, 1000, word{}) // past the end
					ross.Send(lp, to, 2, word{})
					ross.NewEvent[word](lp, to, math.MaxFloat64).N = 1 // past the end
					ross.SendPriority(lp, to, 3, 0.5, word{})
				},
				Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
					require.Len(t, lp.Signature().Ties, 1)
					ties[lp.ID()] = append(ties[lp.ID()], lp.Signature().Ties[0])
				},
			}
			cfg := rosstest.Small()
			cfg.RNGsPerLP, cfg.CoreSeeds = 3, c.given
			out := rosstest.Run(t, cfg, typ)
			for gid := range uint64(4) {
				g := rosstest.Core(c.seeds, 3, 4, gid)
				var draws []float64
				for range 5 {
					draws = append(draws, g.Unif())
				}
				require.Equal(t, []float64{draws[0], draws[2], draws[4]}, ties[ross.LPID((gid+1)%4)])
			}
			st := out.Stats()
			require.EqualValues(t, 8, st.EventsPastEnd)
			require.EqualValues(t, 12, st.NetEvents())
		})
	}
}

func TestEventAtTheEndIsPastIt(t *testing.T) {
	var at []float64
	typ := ross.Type[none, word]{
		Init: func(_ *none, lp *ross.LP) {
			ross.Send(lp, lp.ID(), 100, word{})
			ross.Send(lp, lp.ID(), math.Nextafter(100, 0), word{})
		},
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) { at = append(at, lp.Now()) },
	}
	cfg := rosstest.Small()
	cfg.NLP = 1
	out := rosstest.Run(t, cfg, typ)
	require.Equal(t, []float64{math.Nextafter(100, 0)}, at)
	st := out.Stats()
	require.EqualValues(t, 1, st.EventsPastEnd)
	require.Contains(t, out.Report, "Total Events Scheduled Past End Time")
}

func TestRunThatEndsAtOnceHandlesNothing(t *testing.T) {
	cfg := rosstest.Small()
	cfg.End = 0
	typ := rosstest.Once(func(*ross.LP) { t.Error("an event was handled") })
	typ.PreRun = func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 0, word{}) }
	out := rosstest.Run(t, cfg, typ)
	st := out.Stats()
	require.EqualValues(t, 5, st.EventsPastEnd)
}

func TestRunWithoutAnEndGoesOnUntilNoEventIsLeft(t *testing.T) {
	cfg := rosstest.Small()
	cfg.End = math.Inf(1)
	var last float64
	typ := ross.Type[none, word]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, m *word) {
			last = lp.Now()
			if m.N < 1000 {
				ross.Send(lp, lp.ID(), lp.Now(), word{N: m.N + 1}) // doubles the time
			}
			if m.N == 1000 {
				ross.Send(lp, lp.ID(), math.MaxFloat64-lp.Now(), word{N: m.N + 1})
			}
			if m.N == 1001 { // time overflows: later than any end
				ross.Send(lp, lp.ID(), math.MaxFloat64, word{})
			}
		},
	}
	out := rosstest.Run(t, cfg, typ)
	st := out.Stats()
	require.EqualValues(t, 4*1002, st.NetEvents())
	require.EqualValues(t, 4, st.EventsPastEnd)
	require.Equal(t, math.MaxFloat64, last)
	require.Contains(t, out.Report, "inf")
}
