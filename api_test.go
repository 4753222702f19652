// This file pins what a model sees of its LPs, events and their order of life; and when the GVT hook fires, and what it
// may do. It says which tests of the package are run where all, or few of their cases, would take too long, and has
// short names for what they use most.

package ross_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testlevel"
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
	typ.Event = typ.Event.(ross.UndoHandler[none, ross.Bits, word]).Commit(func(_ *none, lp *ross.LP, bits *ross.Bits,
		_ *word) {
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
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) { note("Event LP %d at %g", lp.ID(), lp.Now()) }).Reverse(
			func(*none, *ross.LP, *word) { note("Reverse") }).Commit(
			func(_ *none, lp *ross.LP, _ *word) { note("Commit LP %d at %g", lp.ID(), lp.Now()) }),
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

// watched runs the model of forever's clocks, one event of each LP at each
// whole time, and returns what happened in order: events as "time", calls of the
// hook as "hook GVT", with a ! past the end.
func watched(t *testing.T, set func(*ross.Config), hook func(pe *ross.PE), tick func(lp *ross.LP)) (
	log []string, out rosstest.Outcome) {
	t.Helper()
	cfg := rosstest.Small()
	cfg.NLP, cfg.End = 1, 10
	cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
		mark := ""
		if pastEnd {
			mark = "!"
		}
		log = append(log, fmt.Sprintf("hook %g%s", pe.GVT(), mark))
		hook(pe)
	}
	set(&cfg)
	out = rosstest.Try(t, cfg, rosstest.Forever(func(lp *ross.LP) {
		log = append(log, fmt.Sprint(lp.Now()))
		tick(lp)
	}))
	return log, out
}

func noHook(*ross.PE) {}
func TestHookAtFiresOnceBeforeTheFirstEventAtItsTime(t *testing.T) {
	for name, c := range map[string]struct {
		at   float64
		want []string
	}{
		"between events":     {3.5, []string{"1", "2", "3", "hook 3.5", "4", "5", "6", "7", "8", "9"}},
		"at an event's time": {3, []string{"1", "2", "hook 3", "3", "4", "5", "6", "7", "8", "9"}},
		"at the start":       {0, []string{"hook 0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
		"before the start":   {-1, []string{"hook -1", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
		"after all events":   {9.5, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "hook 9.5!"}},
		"at the end":         {10, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "hook 10!"}},
		"after the end":      {10.5, []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}},
		"never":              {math.Inf(1), []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}},
	} {
		t.Run(name, func(t *testing.T) {
			log, out := watched(t, func(c2 *ross.Config) { c2.HookTrigger = ross.HookAt(c.at) }, noHook, rosstest.NoTick)
			require.NoError(t, out.Err)
			assert.Equal(t, c.want, log)
		})
	}
}

// As ROSS does in a sequential run: at 1, 2, 4, ... 64 with the end at 64, and
// not at 128.
func TestHookThatDoublesItsTimeFiresUpToTheEnd(t *testing.T) {
	var times []float64
	cfg := rosstest.Small()
	cfg.End = 64
	cfg.HookTrigger = ross.HookAt(1)
	cfg.GVTHook = func(pe *ross.PE, pastEnd bool) {
		require.Equal(t, len(times) == 6, pastEnd, "at time %g", pe.GVT())
		times = append(times, pe.GVT())
		pe.SetHookTrigger(ross.HookAt(2 * pe.GVT()))
	}
	rosstest.Run(t, cfg, rosstest.Forever(rosstest.NoTick))
	require.Equal(t, []float64{1, 2, 4, 8, 16, 32, 64}, times)
}

func TestHookFiresSeveralTimesBetweenTwoEvents(t *testing.T) {
	log, out := watched(t, func(c *ross.Config) { c.HookTrigger, c.End = ross.HookAt(1.25), 4 }, func(pe *ross.PE) {
		pe.SetHookTrigger(ross.HookAt(pe.GVT() + 0.5))
	}, rosstest.NoTick)
	require.NoError(t, out.Err)
	require.Equal(t, []string{"1", "hook 1.25", "hook 1.75", "2", "hook 2.25", "hook 2.75", "3", "hook 3.25!",
		"hook 3.75!"}, log)
}

func TestHookOfARunWithoutAnEndStopsWithItsLastEvent(t *testing.T) {
	var times []float64
	cfg := rosstest.Small()
	cfg.End = math.Inf(1)
	cfg.HookTrigger = ross.HookAt(0.5)
	cfg.GVTHook = func(pe *ross.PE, _ bool) {
		times = append(times, pe.GVT())
		pe.SetHookTrigger(ross.HookAt(pe.GVT() + 0.5))
	}
	rosstest.Run(t, cfg, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, 0, 1, word{N: 1}) }))
	require.Equal(t, []float64{0.5, 1, 1.5, 2, 2.5}, times)
}

func TestHookAtSignatureFiresJustBeforeThatEvent(t *testing.T) {
	// Eight events of one time, in three priorities.
	ties := func(see func(lp *ross.LP)) ross.Type[none] {
		return ross.Type[none]{
			Name: "ties",
			Init: func(_ *none, lp *ross.LP) {
				for i := range 2 {
					ross.SendPriority(lp, lp.ID(), 1, float64(int(lp.ID())%3*(i+1))/4, word{})
				}
			},
			Event: ross.On(func(_ *none, lp *ross.LP, _ *word) { see(lp) }),
		}
	}
	var all []ross.Signature
	rosstest.Run(t, rosstest.Small(), ties(func(lp *ross.LP) { all = append(all, lp.Signature()) }))
	require.Len(t, all, 8)
	for i, at := range all {
		n, fired := 0, -1
		cfg := rosstest.Small()
		cfg.HookTrigger = ross.HookAtSignature(at)
		cfg.GVTHook = func(pe *ross.PE, _ bool) {
			require.Equal(t, -1, fired, "the hook fired twice")
			require.EqualValues(t, 1, pe.GVT())
			fired = n
		}
		rosstest.Run(t, cfg, ties(func(*ross.LP) { n++ }))
		require.Equal(t, i, fired, "events before the hook")
	}
}

// A signature that no event has lies between two.
func TestHookAtSignatureBetweenTies(t *testing.T) {
	handled := 0
	typ := rosstest.Forever(func(*ross.LP) { handled++ })
	cfg := rosstest.Small()
	cfg.End = 2
	cfg.HookTrigger = ross.HookAtSignature(ross.Signature{Time: 1, Priority: 1, Ties: []float64{1}})
	fired := 0
	cfg.GVTHook = func(_ *ross.PE, pastEnd bool) {
		fired++
		assert.Equal(t, 4, handled)
		assert.True(t, pastEnd)
	}
	rosstest.Run(t, cfg, typ)
	require.Equal(t, 1, fired)
}

func TestHookEveryWarnsAndNeverFires(t *testing.T) {
	var text bytes.Buffer
	log, out := watched(t, func(c *ross.Config) {
		c.HookTrigger = ross.HookEvery(1)
		c.Log = slog.New(slog.NewTextHandler(&text, nil))
	}, noHook, rosstest.NoTick)
	require.NoError(t, out.Err)
	require.NotContains(t, log, "hook")
	require.Len(t, log, 9)
	require.Equal(t, 1, bytes.Count(text.Bytes(), []byte("level=WARN")))
	require.Contains(t, text.String(),
		"the GVT hook fires at every n-th GVT, and a sequential run computes none: it will never fire; use HookAt")
	_, out = watched(t, func(c *ross.Config) { c.HookTrigger = ross.HookEvery(1) }, noHook, rosstest.NoTick)
	require.NoError(t, out.Err, "without a log")
}

func TestHookWhenModelCallsFiresRightAfterTheEventOfTheCall(t *testing.T) {
	when := func(times ...float64) func(lp *ross.LP) {
		return func(lp *ross.LP) {
			for _, at := range times {
				if lp.Now() == at {
					lp.TriggerGVTHook()
				}
			}
		}
	}
	onCall := func(c *ross.Config) { c.HookTrigger, c.End = ross.HookWhenModelCalls(), 5 }
	for name, c := range map[string]struct {
		set  func(*ross.Config)
		tick func(lp *ross.LP)
		want []string
	}{
		"called twice":       {onCall, when(1, 3), []string{"1", "hook 1", "2", "3", "hook 3", "4"}},
		"twice in one event": {onCall, when(2, 2), []string{"1", "2", "hook 2", "3", "4"}},
		"in the last event":  {onCall, when(4), []string{"1", "2", "3", "4", "hook 4!"}},
		"in every event": {onCall, when(1, 2, 3, 4), []string{"1", "hook 1", "2", "hook 2", "3", "hook 3", "4",
			"hook 4!"}},
		"undone": {onCall, func(lp *ross.LP) {
			lp.TriggerGVTHook()
			lp.TriggerGVTHookReverse()
		}, []string{"1", "2", "3", "4"}},
		"another trigger": {func(c *ross.Config) { c.HookTrigger, c.End = ross.HookAt(3), 5 }, when(1, 2, 3, 4),
			[]string{"1", "2", "hook 3", "3", "4"}},
		"no trigger": {func(c *ross.Config) { c.End = 5 }, when(1, 2, 3, 4), []string{"1", "2", "3", "4"}},
	} {
		t.Run(name, func(t *testing.T) {
			log, out := watched(t, c.set, noHook, c.tick)
			require.NoError(t, out.Err)
			assert.Equal(t, c.want, log)
		})
	}
}

func TestHookOfAnotherKindCanFollow(t *testing.T) {
	log, out := watched(t, func(c *ross.Config) { c.HookTrigger, c.End = ross.HookAt(2), 6 }, func(pe *ross.PE) {
		switch pe.GVT() {
		case 2:
			pe.SetHookTrigger(ross.HookWhenModelCalls())
		case 4:
			pe.SetHookTrigger(ross.HookTrigger{})
		}
	}, func(lp *ross.LP) { lp.TriggerGVTHook() })
	require.NoError(t, out.Err)
	require.Equal(t, []string{"1", "hook 2", "2", "hook 2", "3", "hook 3", "4", "hook 4", "5"}, log)
}

func TestHookThatAsksForATimeNotLaterIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		next ross.HookTrigger
		text string
	}{
		"same": {ross.HookAt(3),
			"ross: GVT hook: called for time 3, it asks to be called again at time 3: trigger is past: give a later time"},
		"earlier": {ross.HookAt(2.5),
			"ross: GVT hook: called for time 3, it asks to be called again at time 2.5: trigger is past: give a later time"},
		"NaN": {ross.HookAt(math.NaN()),
			"ross: GVT hook: asked to be called at time NaN: trigger is past: give a number"},
	} {
		for where, end := range map[string]float64{"between events": 10, "at the end": 3} {
			t.Run(name+" "+where, func(t *testing.T) {
				log, out := watched(t, func(c *ross.Config) { c.HookTrigger, c.End = ross.HookAt(3), end }, func(pe *ross.PE) {
					pe.SetHookTrigger(c.next)
				}, rosstest.NoTick)
				require.ErrorIs(t, out.Err, ross.ErrHook)
				require.EqualError(t, out.Err, c.text)
				require.Len(t, log, 3, "nothing happens after the error: %v", log)
			})
		}
	}
	t.Run("earlier than a signature of the same time", func(t *testing.T) {
		_, out := watched(t, func(c *ross.Config) {
			c.HookTrigger = ross.HookAtSignature(ross.Signature{Time: 3, Priority: 0.5})
		}, func(pe *ross.PE) { pe.SetHookTrigger(ross.HookAt(3)) }, rosstest.NoTick)
		require.ErrorIs(t, out.Err, ross.ErrHook)
	})
}

func TestHookTriggerCanBeSetBeforeTheFirstEvent(t *testing.T) {
	set := func(pe *ross.PE) { pe.SetHookTrigger(ross.HookAt(2)) }
	for name, when := range map[string]func(*ross.Config){
		"before the LPs' Init": func(c *ross.Config) { c.PE.PreLPInit = set },
		"after the LPs' Init":  func(c *ross.Config) { c.PE.PostLPInit = set },
	} {
		t.Run(name, func(t *testing.T) {
			log, out := watched(t, func(c *ross.Config) { c.End = 3; when(c) }, noHook, rosstest.NoTick)
			require.NoError(t, out.Err)
			require.Equal(t, []string{"1", "hook 2", "2"}, log)
		})
	}
}

func TestTriggerWithoutAHookIsHarmless(t *testing.T) {
	cfg := rosstest.Small()
	cfg.HookTrigger = ross.HookAt(3)
	rosstest.Run(t, cfg, rosstest.Forever(rosstest.NoTick))
}

func TestHookSeesTheStatesOfItsTime(t *testing.T) {
	type count struct{ N int }
	typ := ross.Type[count]{
		Init: func(_ *count, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(s *count, lp *ross.LP, _ *word) {
			s.N++
			ross.Send(lp, lp.ID(), 1, word{})
		}),
	}
	cfg := rosstest.Small()
	cfg.End, cfg.HookTrigger = 9, ross.HookAt(4.5)
	var seen []int
	cfg.GVTHook = func(pe *ross.PE, _ bool) {
		for i := range pe.NumLPs() {
			s := ross.StateOf[count](pe.LP(i))
			seen = append(seen, s.N)
			s.N *= 10 // a hook may change them, too
		}
	}
	out := rosstest.Run(t, cfg, typ)
	require.Equal(t, []int{4, 4, 4, 4}, seen)
	require.Equal(t, 44, ross.StateOf[count](out.LP(2)).N)
}

// TestMain has AddressSanitizer look at the tests in which memory changes hands. KPs do not move unless a test says so.
func TestMain(m *testing.M) {
	testlevel.Only(testlevel.Least, TestMemoryLimitStopsLargePayloads, TestMemoryLimitRefusesAPayloadThatNeverFits)
	settings.KPsMove = false
	os.Exit(m.Run())
}

// This file has short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)
