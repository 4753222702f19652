// This file pins what LPs have: their making, their random streams, their blocks.

package kernel_test

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/rng"
)

// The making of LPs: how many they are, and how many goroutines fill them in, changes
// nothing about them.

func TestManyLPsAreMadeAsFewAre(t *testing.T) {
	const lps = 150_001
	type own struct{ _ uint64 }
	first := ross.Type[own]{Name: "first", Event: ross.On(func(*own, *ross.LP, *word) {})}
	second := first
	second.Name = "second"
	for _, kind := range []mapping.Kind{mapping.Linear, mapping.RoundRobin} {
		for _, types := range []int{1, 2} {
			t.Run(fmt.Sprintf("%v, %d types", kind, types), func(t *testing.T) {
				cfg := rosstest.Small()
				cfg.Synch, cfg.PEs, cfg.LPs, cfg.NLP, cfg.NKP, cfg.Mapping, cfg.Streams.PerLP = 3, 2, lps, 0, 7, kind, 2
				if types > 1 {
					cfg.TypeMap = func(id ross.LPID) int { return int(id) % 3 / 2 }
				}
				sim, _ := rosstest.Define(t, cfg, []ross.LPType{first, second}[:types]...)
				streams := rng.NewSeeder(rng.DefaultSeeds)
				layout, err := mapping.NewEven(kind, 2, lps, 7)
				require.NoError(t, err)
				var inKP [2][7]uint64
				states := map[*own]bool{}
				for gid := range uint64(lps) {
					lp := sim.LP(ross.LPID(gid))
					pe, local := layout.Locate(gid)
					kp := layout.KP(pe, local)
					inKP[pe][kp]++
					same := lp.ID() == ross.LPID(gid) && lp.PE() == sim.PE(ross.PEID(pe)) && lp.Local() == int(local) &&
						lp.KP() == lp.PE().KP(int(kp)) &&
						*lp.Stream(0) == streams.Stream(2*gid) && *lp.Stream(1) == streams.Stream(2*gid+1) && lp.Stream(2) == nil
					require.True(t, same, "LP %d", gid)
					require.Equal(t, types > 1 && gid%3 == 2, lp.TypeName() == "second", "LP %d", gid)
					states[ross.StateOf[own](lp)] = true
				}
				for pe := range inKP {
					for kp, n := range inKP[pe] {
						require.Equal(t, n, uint64(sim.PE(ross.PEID(pe)).KP(kp).NumLPs()))
					}
				}
				require.Len(t, states, lps, "each LP has a state of its own")
			})
		}
	}
}

// A run of 10 million LPs takes 10 MB more for each byte.
func TestAnLPTakesTwoCacheLines(t *testing.T) {
	require.EqualValues(t, 128, kernel.LPSize)
	require.EqualValues(t, 168, unsafe.Sizeof(kernel.KP{}))
}

// The random streams: which of ROSS's streams an LP draws from,
// and which tie-breaker each send takes.

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
				cfg.Streams.PerLP, cfg.Streams.Seeds = int(per), c.given
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
		"models'": {func(c *ross.Config) { c.Streams.Seeds = [4]uint64{1, 22, 333, 4444} },
			[]string{"\nRNG Seeds: 1 22 333 4444\n"}, []string{"Core RNG", "Clamping"}},
		"cores', clamped": {func(c *ross.Config) { c.Streams.CoreSeeds = [4]uint64{1, 22, 333, 1 << 33} },
			[]string{"\nCore RNG Seeds: 1 22 333 8589934592\nClamping Provided Core Seeds\n"},
			[]string{"\nRNG Seeds", "LP Seeds"}},
		"both, clamped": {func(c *ross.Config) {
			c.Streams.Seeds, c.Streams.CoreSeeds = [4]uint64{1 << 31, 22, 333, 4444}, [4]uint64{1 << 31, 22, 333, 4444}
		}, []string{
			"\nRNG Seeds: 2147483648 22 333 4444\nClamping Provided LP Seeds\nCore RNG Seeds: 2147483648 22 333 4444\nClamping Provided Core Seeds\n"}, nil},
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
			typ := ross.Type[none]{
				Init: func(_ *none, lp *ross.LP) {
					to := (lp.ID() + 1) % 4
					ross.Send(lp, to, 1, word{})
					ross.Send(lp, to, 1000, word{}) // past the end
					ross.Send(lp, to, 2, word{})
					ross.NewEvent[word](lp, to, math.MaxFloat64).N = 1 // past the end
					ross.SendPriority(lp, to, 3, 0.5, word{})
				},
				Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
					require.Len(t, lp.Signature().Ties, 1)
					ties[lp.ID()] = append(ties[lp.ID()], lp.Signature().Ties[0])
				}),
			}
			cfg := rosstest.Small()
			cfg.Streams.PerLP, cfg.Streams.CoreSeeds = 3, c.given
			out := rosstest.Run(t, cfg, typ)
			for gid := range uint64(4) {
				g := rosstest.Core(c.seeds, 3, 4, gid)
				var draws []float64
				for range 5 {
					draws = append(draws, g.Unif())
				}
				require.Equal(t, []float64{draws[0], draws[2], draws[4]}, ties[ross.LPID((gid+1)%4)])
			}
			st := out.Summary()
			require.EqualValues(t, 8, st.EventsPastEnd)
			require.EqualValues(t, 12, st.NetEvents())
		})
	}
}

func TestEventAtTheEndIsPastIt(t *testing.T) {
	var at []float64
	typ := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) {
			ross.Send(lp, lp.ID(), 100, word{})
			ross.Send(lp, lp.ID(), math.Nextafter(100, 0), word{})
		},
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) { at = append(at, lp.Now()) }),
	}
	cfg := rosstest.Small()
	cfg.NLP = 1
	out := rosstest.Run(t, cfg, typ)
	require.Equal(t, []float64{math.Nextafter(100, 0)}, at)
	st := out.Summary()
	require.EqualValues(t, 1, st.EventsPastEnd)
	require.Contains(t, out.Report, "Total Events Scheduled Past End Time")
}

func TestRunThatEndsAtOnceHandlesNothing(t *testing.T) {
	cfg := rosstest.Small()
	cfg.End = 0
	typ := rosstest.Once(func(*ross.LP) { t.Error("an event was handled") })
	typ.PreRun = func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 0, word{}) }
	out := rosstest.Run(t, cfg, typ)
	st := out.Summary()
	require.EqualValues(t, 5, st.EventsPastEnd)
}

func TestRunWithoutAnEndGoesOnUntilNoEventIsLeft(t *testing.T) {
	cfg := rosstest.Small()
	cfg.End = math.Inf(1)
	var last float64
	typ := ross.Type[none]{
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, m *word) {
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
		}),
	}
	out := rosstest.Run(t, cfg, typ)
	st := out.Summary()
	require.EqualValues(t, 4*1002, st.NetEvents())
	require.EqualValues(t, 4, st.EventsPastEnd)
	require.Equal(t, math.MaxFloat64, last)
	require.Contains(t, out.Report, "inf")
}

// What becomes of blocks that are misused, of Blocks in messages, and of
// bits that do not exist.

// shelf is a state with blocks.
type shelf struct {
	A, B  ross.Block[int64]
	Count int64
}

var borrowed ross.Block[int64] // of LP 0

// shelves returns a type whose LP 3 handles events at times 1.5 and 2: that is what do is
// called in, with the number of the event.
func shelves(saving ross.Saving, do func(s *shelf, lp *ross.LP, n int64)) ross.Type[shelf] {
	t := ross.Type[shelf]{
		Name: "shelf", Saving: saving,
		Init: func(s *shelf, lp *ross.LP) {
			s.A = ross.Alloc[int64](lp, 5)
			if lp.ID() == 0 {
				borrowed = s.A
			}
			if lp.ID() == 3 {
				ross.Send(lp, 3, 1.5, word{N: 1})
				ross.Send(lp, 3, 2, word{N: 2})
			}
		},
		Event: ross.On(func(s *shelf, lp *ross.LP, m *word) {
			if saving == ross.SaveByLog {
				ross.Save(lp, s)
			}
			do(s, lp, m.N)
		}),
	}
	if saving == ross.SaveByReverse {
		t.Event = t.Event.(ross.EventHandler[shelf, word]).Reverse(func(*shelf, *ross.LP, *word) {})
	}
	return t
}

var blockModels = map[string]struct {
	do   func(s *shelf, lp *ross.LP, n int64)
	want string // "": nothing is wrong
}{
	"freed twice by an event": {func(s *shelf, lp *ross.LP, n int64) {
		if n == 1 {
			ross.Free(lp, s.A)
			ross.Free(lp, s.A)
		}
	}, "at time 1.5: freed a block of 40 bytes that had already been freed"},
	"freed twice by two": {func(s *shelf, lp *ross.LP, _ int64) { ross.Free(lp, s.A) },
		"at time 2: freed a block of 40 bytes that had already been freed"},
	"freed when others have its memory": {func(s *shelf, lp *ross.LP, n int64) {
		ross.Free(lp, s.A)
		if n == 1 {
			s.B = ross.Alloc[int64](lp, 5)
		}
	}, "at time 2: freed a block of 40 bytes that had already been freed"},
	"another LP's": {func(_ *shelf, lp *ross.LP, _ int64) { ross.Free(lp, borrowed) },
		"at time 1.5: freed a block of 40 bytes of another LP"},
	"looked at when it is freed": {func(s *shelf, lp *ross.LP, n int64) {
		if n == 1 {
			ross.Free(lp, s.A)
		} else if v := s.A.Of(lp); len(v) != 5 || v[0] != 0 {
			panic("there are no values to work with")
		}
	}, "at time 2: read a block that had been freed"},
	"the zero Block": {func(s *shelf, lp *ross.LP, _ int64) {
		ross.Free(lp, s.B)
		ross.Free(lp, ross.Block[int64]{})
		ross.Free(lp, ross.Alloc[int64](lp, 0))
	}, ""},
	"looked at by the event that frees it": {func(s *shelf, lp *ross.LP, n int64) {
		old := s.A
		v := &old.Of(lp)[1]
		ross.Save(lp, v)
		*v += n
		ross.Free(lp, old)
		s.A = ross.Alloc[int64](lp, 5) // not the same memory yet
		copy(s.A.Of(lp), old.Of(lp))
		if s.Count += n; s.A.Of(lp)[1] != s.Count {
			panic("the contents are gone")
		}
	}, ""},
}

func TestMisuseOfBlocksIsTold(t *testing.T) {
	for name, c := range blockModels {
		for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta, ross.SaveNever} {
			for _, synch := range []int{1, 2, 3, 6} {
				t.Run(fmt.Sprintf("%s/%v/synch=%d", name, saving, synch), func(t *testing.T) {
					cfg := rosstest.Small()
					cfg.Synch, cfg.ConsLookahead = ross.Scheduler(synch), 0.1
					out := rosstest.Try(t, cfg, shelves(saving, c.do))
					if c.want == "" {
						require.NoError(t, out.Err)
						return
					}
					require.ErrorIs(t, out.Err, ross.ErrSave)
					require.ErrorContains(t, out.Err, "ross: LP 3 (shelf) "+c.want)
				})
			}
		}
	}
}

// TestMemoryIsTakenAndGivenBackByEventsOnly has the other handlers try.
func TestMemoryIsTakenAndGivenBackByEventsOnly(t *testing.T) {
	model := shelves(ross.SaveByReverse, func(s *shelf, _ *ross.LP, _ int64) { s.Count++ })
	for name, use := range map[string]func(s *shelf, lp *ross.LP){
		"Alloc": func(s *shelf, lp *ross.LP) { s.B = ross.Alloc[int64](lp, 1) },
		"Free":  func(s *shelf, lp *ross.LP) { ross.Free(lp, s.A) },
	} {
		for _, synch := range []int{1, 3, 6} {
			m := model
			m.Event = m.Event.(ross.EventHandler[shelf, word]).Reverse(func(s *shelf, _ *ross.LP, _ *word) { s.Count-- })
			m.Event = m.Event.(ross.EventHandler[shelf, word]).Commit(func(s *shelf, lp *ross.LP, _ *word) { use(s, lp) })
			cfg := rosstest.Small()
			cfg.Synch = ross.Scheduler(synch)
			out := rosstest.Try(t, cfg, m)
			require.ErrorIs(t, out.Err, ross.ErrSave, "%s in Commit, synch %d", name, synch)
			require.ErrorContains(t, out.Err, "call Alloc and Free in Init, PreRun and Event")
		}
		m := model
		m.Event = m.Event.(ross.EventHandler[shelf, word]).Reverse(
			func(s *shelf, lp *ross.LP, _ *word) { s.Count--; use(s, lp) })
		cfg := rosstest.Small()
		cfg.Synch = 6
		require.ErrorContains(t, rosstest.Try(t, cfg, m).Err, "call Alloc and Free in Init, PreRun and Event", name)
	}
}

func TestMessagesWithBlocksAreRefused(t *testing.T) {
	type inner struct{ List [2]ross.Block[int64] }
	type outer struct {
		N  int
		In inner
	}
	refused := func(typ ross.LPType, where string) {
		sim, err := ross.New(rosstest.Small())
		require.NoError(t, err)
		defer sim.Close()
		err = sim.Define(typ)
		require.ErrorIs(t, err, ross.ErrModel)
		require.ErrorContains(t, err, `LP type "post": message: `+where+
			" is a ross.Block: unusable model: its memory belongs to the LP that allocated it, so send its contents")
	}
	refused(ross.Type[none]{Name: "post", Event: ross.On(func(*none, *ross.LP, *outer) {})},
		"kernel_test.outer.In.List[0]")
	refused(ross.Type[none]{Name: "post", Event: ross.On(func(*none, *ross.LP, *ross.Block[byte]) {})},
		"ross.Block[uint8]")
}

func TestBitsThatDoNotExistEndTheRun(t *testing.T) {
	for name, use := range map[string]func(b *ross.Bits, i uint){
		"Set": (*ross.Bits).Set, "Clear": (*ross.Bits).Clear, "Get": func(b *ross.Bits, i uint) { b.Get(i) },
	} {
		for _, synch := range []int{1, 2, 3, 6} {
			model := rosstest.Once(nil)
			i := uint(31)
			model.Event = ross.OnUndo(func(_ *none, _ *ross.LP, bits *ross.Bits, _ *word) { use(bits, i) })
			cfg := rosstest.Small()
			cfg.Synch, cfg.ConsLookahead = ross.Scheduler(synch), 0.1
			rosstest.Run(t, cfg, model)
			i = 40
			out := rosstest.Try(t, cfg, model)
			require.ErrorIs(t, out.Err, ross.ErrBits)
			require.ErrorContains(t, out.Err, "ross: LP 3 (once) at time 1.5: Bits."+name+
				"(40): no such bit: bits go from 0 to 31")
		}
	}
}

// Short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)
