// This file pins what a model sees of its LPs, events and their order of life, and what Save and Write do to parts of
// large states. It says which tests of the package are run where all, or few of their cases, would take too long, and
// has short names for what they use most.

package ross_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/rosstest"
	"github.com/ross-go/ross/internal/settings"
	"github.com/ross-go/ross/internal/testlevel"
)

func TestBits(t *testing.T) {
	var b ross.Bits
	for i := range uint(32) {
		require.False(t, b.Get(i))
		b.Set(i)
		require.True(t, b.Get(i))
		require.EqualValues(t, uint64(1)<<(i+1)-1, b)
	}
	for i := range uint(32) {
		b.Clear(i)
		b.Clear(i)
		require.False(t, b.Get(i))
	}
	require.Zero(t, b)
}

func TestBitsAreZeroAtEveryEventAndKeptForCommit(t *testing.T) {
	typ := rosstest.Forever(rosstest.NoTick)
	typ.Event = ross.OnUndo(func(_ *none, lp *ross.LP, bits *ross.Bits, _ *word) {
		require.Zero(t, *bits)
		bits.Set(uint(lp.Now()))
		ross.Send(lp, lp.ID(), 1, word{})
	})
	commits := 0
	typ.Event = typ.Event.(ross.UndoHandler[none, ross.Bits, word]).Commit(func(_ *none, lp *ross.LP, bits *ross.Bits, _ *word) {
		require.EqualValues(t, 1<<uint(lp.Now()), *bits)
		commits++
	})
	cfg := rosstest.Small()
	cfg.End = 30
	rosstest.Run(t, cfg, typ)
	require.Equal(t, 4*29, commits)
}

func TestOrderOfARunsCalls(t *testing.T) {
	var log []string
	note := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
	hook := func(name string) func(*ross.PE) { return func(pe *ross.PE) { note("%s %d", name, pe.ID()) } }
	cfg := rosstest.Small()
	cfg.NLP, cfg.End = 2, 2
	cfg.PE = ross.PEType{PreLPInit: hook("pre"), PostLPInit: hook("post"), Final: hook("final")}
	call := func(name string) func(*none, *ross.LP) {
		return func(_ *none, lp *ross.LP) { note("%s LP %d", name, lp.ID()) }
	}
	typ := ross.Type[none]{
		Init: call("Init"),
		PreRun: func(_ *none, lp *ross.LP) {
			note("PreRun LP %d at %g", lp.ID(), lp.Now())
			ross.Send(lp, 1-lp.ID(), 1+float64(lp.ID())/4, word{})
		},
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) { note("Event LP %d at %g", lp.ID(), lp.Now()) }).Reverse(func(*none, *ross.LP, *word) { note("Reverse") }).Commit(func(_ *none, lp *ross.LP, _ *word) { note("Commit LP %d at %g", lp.ID(), lp.Now()) }),
		Final: call("Final"),
	}
	rosstest.Run(t, cfg, typ)
	require.Equal(t, []string{
		"pre 0", "Init LP 0", "Init LP 1", "post 0", "PreRun LP 0 at 0", "PreRun LP 1 at 0",
		"Event LP 1 at 1", "Commit LP 1 at 1", "Event LP 0 at 1.25", "Commit LP 0 at 1.25",
		"Final LP 0", "Final LP 1", "final 0",
	}, log)
}

// The PE's Final comes after the report in a sequential run, the LPs' Final
// before it, as in ROSS.
func TestFinalsStandAroundTheReport(t *testing.T) {
	cfg := rosstest.Small()
	var out strings.Builder
	cfg.Output = &out
	cfg.PE.Final = func(*ross.PE) { out.WriteString("<PE>") }
	typ := rosstest.Once(rosstest.NoTick)
	typ.Final = func(_ *none, lp *ross.LP) { lp.Printf("<LP %d>", lp.ID()) }
	rosstest.Run(t, cfg, typ)
	var at []int
	for _, part := range []string{"*** END", "<LP 0><LP 1><LP 2><LP 3>", "Running Time", "TW GVT Statistics", "<PE>"} {
		at = append(at, strings.Index(out.String(), part))
	}
	require.NotContains(t, at, -1)
	require.IsIncreasing(t, at)
}

// Commit gets every event once, in the order of the events, with the message as
// the handler left it.
func TestCommitSeesEveryEventOnceAndAsItsHandlerLeftIt(t *testing.T) {
	type state struct{ handled, committed []int64 }
	typ := ross.Type[state]{
		Init: func(_ *state, lp *ross.LP) {
			for i := range 50 {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(30), word{N: int64(i)})
			}
		},
		Event: ross.On(func(s *state, lp *ross.LP, m *word) {
			m.N = -m.N - 1
			s.handled = append(s.handled, m.N)
		}).Commit(func(s *state, lp *ross.LP, m *word) { s.committed = append(s.committed, m.N) }),
	}
	out := rosstest.Run(t, rosstest.Small(), typ)
	for gid := range ross.LPID(4) {
		s := ross.StateOf[state](out.LP(gid))
		require.Greater(t, len(s.handled), 40)
		require.Equal(t, s.handled, s.committed)
		require.Negative(t, s.committed[0])
	}
}

func TestPrintfPrintsAtOnceAndInOrder(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP, cfg.End = 1, 4
	out := rosstest.Run(t, cfg, rosstest.Forever(func(lp *ross.LP) { lp.Printf("LP %d at %g.\n", lp.ID(), lp.Now()) }))
	_, rest, started := strings.Cut(out.Report, "*** START")
	events, _, ended := strings.Cut(rest, "*** END")
	require.True(t, started && ended)
	require.Regexp(t, `(?s)LP 0 at 1\.\n.*LP 0 at 2\.\n.*LP 0 at 3\.\n`, events)
	require.Equal(t, 3, strings.Count(out.Report, "LP 0 at "))

	cfg.Output = nil
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(rosstest.Forever(func(lp *ross.LP) { lp.Printf("nobody reads this") })))
	require.NoError(t, sim.Run(t.Context()))
}

func TestAccessToPEsKPsAndLPs(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP, cfg.NKP = 7, 3
	sim, _ := rosstest.Define(t, cfg, rosstest.Once(rosstest.NoTick))
	require.EqualValues(t, 7, sim.TotalLPs())
	require.EqualValues(t, 1, sim.NumPEs())
	pe := sim.PE(0)
	require.NotNil(t, pe)
	require.Nil(t, sim.PE(1))
	require.Nil(t, sim.PE(math.MaxUint64))
	require.Nil(t, sim.LP(7))
	require.Nil(t, sim.LP(math.MaxUint64))
	require.Same(t, sim, pe.Simulation())
	require.Equal(t, 7, pe.NumLPs())
	require.Equal(t, 3, pe.NumKPs())
	for _, beyond := range []int{-1, 7} {
		require.Nil(t, pe.LP(beyond))
		require.Nil(t, pe.KP(beyond))
	}
	perKP := make([]uint64, 3)
	for i := range 7 {
		lp := sim.LP(ross.LPID(i))
		require.Same(t, pe.LP(i), lp)
		require.Same(t, pe, lp.PE())
		require.EqualValues(t, i, lp.ID())
		require.Zero(t, lp.Now())
		require.Equal(t, "once", lp.TypeName())
		require.Same(t, pe.KP(int(lp.KP().ID())), lp.KP())
		require.Same(t, pe, lp.KP().PE())
		require.EqualValues(t, i/3, uint64(lp.KP().ID()), "KPs follow ROSS's linear rule")
		perKP[uint64(lp.KP().ID())]++
	}
	for i := range 3 {
		require.Equal(t, perKP[i], uint64(pe.KP(i).NumLPs()))
	}
	got := sim.Config()
	require.Equal(t, uint64(cfg.NLP), uint64(got.NLP))
}

func TestStateOfAsksForTheRightType(t *testing.T) {
	type other struct{ _ int }
	sim, _ := rosstest.Define(t, rosstest.Small(), rosstest.Once(rosstest.NoTick))
	require.NotNil(t, ross.StateOf[none](sim.LP(1)))
	require.Nil(t, ross.StateOf[other](sim.LP(1)))
	require.Nil(t, ross.StateOf[struct{}](sim.LP(1)))
}

// States are apart from each other and zero, whatever their size.
func TestStatesAreZeroAndApart(t *testing.T) {
	type big struct{ Bytes [77]byte }
	type tiny struct{ B byte }
	zero := ross.Type[big]{
		Init: func(s *big, lp *ross.LP) {
			require.Zero(t, *s)
			for i := range s.Bytes {
				s.Bytes[i] = byte(lp.ID()) + 1
			}
		},
		Event: ross.On(func(*big, *ross.LP, *word) {}),
	}
	one := ross.Type[tiny]{
		Init: func(s *tiny, lp *ross.LP) {
			require.Zero(t, *s)
			s.B = byte(lp.ID()) + 1
		},
		Event: ross.On(func(*tiny, *ross.LP, *word) {}),
	}
	cfg := rosstest.Small()
	cfg.NLP = 100
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid % 3 % 2) }
	out := rosstest.Run(t, cfg, zero, one)
	for gid := range ross.LPID(100) {
		if s := ross.StateOf[big](out.LP(gid)); s != nil {
			require.Equal(t, strings.Repeat(string(rune(gid+1)), 77), string(s.Bytes[:]))
			continue
		}
		require.EqualValues(t, gid+1, ross.StateOf[tiny](out.LP(gid)).B)
	}
}

// States are Go values: they may hold what the collector has to see.
func TestStatesMayHoldPointers(t *testing.T) {
	type list struct{ at map[float64]string }
	typ := ross.Type[list]{
		Init: func(s *list, lp *ross.LP) {
			s.at = map[float64]string{}
			ross.Send(lp, lp.ID(), 1, word{})
		},
		Event: ross.On(func(s *list, lp *ross.LP, _ *word) {
			s.at[lp.Now()] = fmt.Sprint(lp.Now())
			ross.Send(lp, lp.ID(), 1, word{})
		}),
	}
	out := rosstest.Run(t, rosstest.Small(), typ)
	s := ross.StateOf[list](out.LP(3))
	require.Len(t, s.at, 99)
	assert.Equal(t, "57", s.at[57])
}

// ring is a large state. An event changes a few of its fields, of several sizes.
type (
	ring struct {
		Head  ringHead
		Links [12]ringLink
	}
	ringHead struct {
		Last  float64
		Count uint16
		Flag  bool
	}
	ringLink struct {
		Credits [3]int16
		Tail    uint32
		Queue   [22]uint64
	}
	ringMsg struct {
		In   uint8
		Hops uint32
	}
)

// ringModel has each LP pass messages on. forget is the LP whose handler changes a field without
// saying so.
func ringModel(saving ross.Saving, forget ross.LPID) ross.Type[ring] {
	return ross.Type[ring]{
		Name: "ring", Saving: saving,
		Init: func(_ *ring, lp *ross.LP) {
			for i := range uint8(3) {
				ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), ringMsg{In: i})
			}
		},
		Event: ross.On(func(s *ring, lp *ross.LP, m *ringMsg) {
			head := ross.Write(lp, &s.Head)
			head.Last = lp.Now()
			head.Count++
			head.Flag = !head.Flag
			in := &s.Links[m.In]
			slot := ross.Write(lp, &in.Queue[in.Tail%22])
			*slot = uint64(m.Hops)<<32 | uint64(lp.ID())
			*ross.Write(lp, &in.Tail)++
			out := uint8(lp.RNG().Integer(0, 11))
			ross.Write(lp, &s.Links[out].Credits)[m.Hops%3]--
			if m.Hops%8 == 7 {
				link := ross.Write(lp, &s.Links[m.Hops%12])
				link.Queue = [22]uint64{}
			}
			if lp.ID() == forget {
				s.Links[7].Credits[1]++
			}
			*ross.Write(lp, &m.In) = out // of the message
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 11)), 0.1+lp.RNG().Exponential(1), ringMsg{In: m.In, Hops: m.Hops + 1})
		}),
	}
}

const nobody = ross.LPID(1 << 40)

// digests runs a model of 12 LPs, and returns its digests. It frees the run before the next one.
func digests(t *testing.T, saving ross.Saving, synch, pes, kps int, end float64, model ross.LPType) (d [2]uint64) {
	t.Run(fmt.Sprintf("%v/synch=%d/pes=%d/kps=%d", saving, synch, pes, kps), func(t *testing.T) {
		cfg := rosstest.Small()
		cfg.Synch, cfg.PEs, cfg.NKP, cfg.NLP = ross.Scheduler(synch), pes, int(kps), int(12/pes)
		cfg.End, cfg.Tuning.Batch = end, 4
		st := rosstest.Run(t, cfg, model).Summary()
		d = [2]uint64{*st.Digest, *st.StateDigest}
	})
	return d
}

func TestWritesOfPartsAreUndone(t *testing.T) {
	run := func(saving ross.Saving, synch, pes, kps int) [2]uint64 {
		return digests(t, saving, synch, pes, kps, 60, ringModel(saving, nobody))
	}
	want := run(ross.SaveByLog, 1, 1, 2)
	for _, saving := range []ross.Saving{ross.SaveByLog, ross.SaveByDelta} {
		for _, pes := range testlevel.Pick([]int{1, 2, 3, 4}, []int{2, 4}, []int{4}) {
			for _, kps := range []int{1, 3} {
				assert.Equal(t, want, run(saving, 3, pes, kps), "%v, %d PEs, %d KPs", saving, pes, kps)
			}
		}
		assert.Equal(t, want, run(saving, 6, 1, 2), "%v", saving)
		run(saving, 4, 1, 2)
	}
}

// A change that Write does not know of is found by both checks, and its field is named.
func TestChangesWithoutWriteAreNamed(t *testing.T) {
	for _, synch := range []int{4, 6} {
		cfg := rosstest.Small()
		cfg.Synch, cfg.NLP, cfg.End = ross.Scheduler(synch), 12, 20
		out := rosstest.Try(t, cfg, ringModel(ross.SaveByLog, 5))
		require.ErrorIs(t, out.Err, ross.ErrReverse)
		require.ErrorContains(t, out.Err, "LP 5 (ring)")
		require.ErrorContains(t, out.Err, "ring.Links[7].Credits[1] at ")
	}
	cfg := rosstest.Small()
	cfg.Synch, cfg.NLP, cfg.End = 6, 12, 20
	out := rosstest.Try(t, cfg, ringModel(ross.SaveByLog, 5))
	require.ErrorContains(t, out.Err, "call ross.Save or ross.Write for everything that Event changes, before it changes it")
}

// The engine restores states of any size by deltas, also those that it treats in a special way
// because they are small.
func TestStatesOfAnySizeAreRestored(t *testing.T) {
	models := map[string]ross.LPType{
		"1": sized[[1]byte](), "7": sized[[7]byte](), "8": sized[[1]uint64](), "24": sized[[3]uint64](),
		"60": sized[[15]uint32](), "64": sized[[8]uint64](), "72": sized[[9]uint64](),
		"448": sized[[56]uint64](), "456": sized[[57]uint64](), "2700": sized[[675]uint32](),
	}
	for name, model := range models {
		t.Run(name, func(t *testing.T) {
			run := func(synch, pes int) [2]uint64 {
				return digests(t, ross.SaveByDelta, synch, pes, 2, 20, model)
			}
			want := run(1, 1)
			assert.Equal(t, want, run(3, 3))
			assert.Equal(t, want, run(6, 1))
			run(4, 1)
		})
	}
}

// The report says what state saving takes, of the value and of what says where it belongs.
func TestReportSaysWhatStateSavingTakes(t *testing.T) {
	tick := func(save func(s *rosstest.Sum, lp *ross.LP)) func(*rosstest.Sum, *ross.LP, *word) {
		return func(s *rosstest.Sum, lp *ross.LP, _ *word) {
			save(s, lp)
			s.N++
			ross.Send(lp, lp.ID(), 1, word{})
		}
	}
	for _, c := range []struct {
		saving ross.Saving
		save   func(s *rosstest.Sum, lp *ross.LP)
		bytes  string
	}{
		{ross.SaveByLog, func(s *rosstest.Sum, lp *ross.LP) { ross.Save(lp, &s.N) }, "24.0"},
		{ross.SaveByLog, func(s *rosstest.Sum, lp *ross.LP) { ross.Write(lp, s); ross.Write(lp, s) }, "48.0"},
		{ross.SaveByDelta, func(*rosstest.Sum, *ross.LP) {}, "24.0"},
		{ross.SaveNever, func(*rosstest.Sum, *ross.LP) {}, ""},
	} {
		model := ross.Type[rosstest.Sum]{
			Saving: c.saving,
			Init:   func(_ *rosstest.Sum, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
			Event:  ross.On(tick(c.save)),
		}
		for _, synch := range []int{1, 3} {
			cfg := rosstest.Small()
			cfg.Synch, cfg.End = ross.Scheduler(synch), 20
			want := c.bytes
			if synch == 1 {
				want = ""
			}
			assert.Equal(t, want, rosstest.Run(t, cfg, model).Figure("State Saving (bytes per event)"), "%v, synch %d", c.saving, synch)
		}
	}
}

// sized returns a model whose LPs have arrays as states and change up to two bytes per event. Every
// third event changes its message, too.
func sized[S any]() ross.LPType {
	type packet struct {
		N   uint64
		Old [5]uint16
	}
	return ross.Type[S]{
		Name: fmt.Sprintf("%T", *new(S)), Saving: ross.SaveByDelta,
		Init: func(_ *S, lp *ross.LP) {
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), packet{})
			ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), packet{N: 1})
		},
		Event: ross.On(func(s *S, lp *ross.LP, m *packet) {
			bytes := unsafe.Slice((*byte)(unsafe.Pointer(s)), unsafe.Sizeof(*s))
			for range m.N % 3 {
				bytes[lp.RNG().Integer(0, int64(len(bytes))-1)]++
			}
			m.N++
			ross.Send(lp, ross.LPID(lp.RNG().Integer(0, 11)), 0.1+lp.RNG().Exponential(1), *m)
			if m.N%3 == 0 {
				m.Old[m.N%5]--
			}
		}),
	}
}

// TestMain has AddressSanitizer look at the tests in which memory changes hands. KPs do not move unless a test says so.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least, TestMemoryLimitStopsLargePayloads, TestMemoryLimitRefusesAPayloadThatNeverFits)
	settings.DefaultBalance = "off"
	os.Exit(m.Run())
}

// This file has short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)
