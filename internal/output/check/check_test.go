// This file pins what --synch=6 accepts, and how it reports events that are not undone; the example, and
// short names for what the tests of this package use most.

package check_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/report"
)

// till is a state with a part of every kind; job hangs on it.
type (
	till struct {
		Balance int64
		Rate    float64
		Queue   []*job
		Names   map[string]job
		Coins   ross.Block[job]
		More    ross.Block[ross.Block[job]]
	}
	job struct{ Weight int64 }
)

// handlers are Event and Reverse of tills.
type handlers = func(s *till, lp *ross.LP, bits *ross.Bits, m *word)

func nothing(*till, *ross.LP, *ross.Bits, *word) {}

// tills returns a type whose LP 3 gets one event from LP 1, at time 1.5, and, if
// again, another one at time 2.
func tills(event, reverse handlers) ross.Type[till] {
	return ross.Type[till]{
		Name:  "till",
		Check: &ross.Checker[till]{Message: true},
		Init: func(s *till, lp *ross.LP) {
			s.Balance = 100
			s.Queue = []*job{{1}, {2}}
			s.Names = map[string]job{"a": {1}}
			s.Coins = ross.Alloc[job](lp, 3)
			s.More = ross.Alloc[ross.Block[job]](lp, 2)
			s.More.Of(lp)[1] = ross.Alloc[job](lp, 2)
			if lp.ID() == 1 {
				ross.Send(lp, 3, 1.5, word{N: 7})
			}
		},
		Event: ross.OnUndo(func(s *till, lp *ross.LP, bits *ross.Bits, m *word) {
			if m.N > 0 {
				event(s, lp, bits, m)
			}
		}).Reverse(func(s *till, lp *ross.LP, bits *ross.Bits, m *word) {
			if m.N > 0 {
				reverse(s, lp, bits, m)
			}
		}),
	}
}

const (
	undoFix    = ": bad rollback: undo in Reverse all that Event did to the state and the message"
	rounding   = "; likely cause: rounding, since x+d-d need not be x: keep the old value, or use ross.Save or SaveByDelta"
	streamFix  = ": bad rollback: take back in Reverse as many draws as Event made, or none: the engine restores the streams"
	rerunFix   = ": bad rollback: let Event depend on state, message and streams alone, and change nothing else; likely causes: math/rand, time.Now, the order of a map, a variable of the package, the state of another LP"
	foreignFix = ": bad rollback: an LP's state and streams are for its own handlers: send an event to change them"
	ofEvent    = " the event that LP 1 sent at time 0"
	undone     = "ross: LP 3 (till) at time 1.5: Reverse of" + ofEvent + " left "
	rerun      = "ross: LP 3 (till) at time 1.5: Event, called again after the rollback of" + ofEvent + ", left "
)

func TestCheckNamesWhatReverseLeavesBehind(t *testing.T) {
	for name, c := range map[string]struct {
		event, reverse handlers
		want           string
	}{
		"a field is forgotten": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Balance -= 10 }, nothing,
			undone + "till.Balance at 90, it was 100 before" + undoFix,
		},
		"two fields": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Balance, s.Rate = 90, 0.5 }, nothing,
			undone + "till.Balance at 90, it was 100 before; till.Rate at 0.5, it was 0 before" + undoFix,
		},
		"a rounding error": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Rate += 0.1; s.Rate += 0.2 },
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Rate -= 0.3 },
			undone + "till.Rate at 5.551115123125783e-17, it was 0 before" + undoFix + rounding,
		},
		"an element behind a pointer": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Queue[1].Weight++ }, nothing,
			undone + "till.Queue[1].Weight at 3, it was 2 before" + undoFix,
		},
		"an entry of a map": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Names["a"] = job{5} }, nothing,
			undone + `till.Names["a"].Weight at 5, it was 1 before` + undoFix,
		},
		"a value in a block": {
			func(s *till, lp *ross.LP, _ *ross.Bits, _ *word) { s.Coins.Of(lp)[2].Weight = 4 }, nothing,
			undone + "till.Coins[2].Weight at 4, it was 0 before" + undoFix,
		},
		"a value in a block in a block": {
			func(s *till, lp *ross.LP, _ *ross.Bits, _ *word) { s.More.Of(lp)[1].Of(lp)[0].Weight = 4 }, nothing,
			undone + "till.More[1][0].Weight at 4, it was 0 before" + undoFix,
		},
		"the message": {
			func(_ *till, _ *ross.LP, _ *ross.Bits, m *word) { m.N++ }, nothing,
			undone + "Message.N at 8, it was 7 before" + undoFix,
		},
		"a draw too few": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { lp.RNG().Unif(); lp.RNG().Unif() },
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { lp.RNG().Reverse() },
			undone + "RNG() at draw 1, it was 0 before and 2 after Event" + streamFix,
		},
		"a draw too many, of another stream": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { lp.Stream(1).Unif() },
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { lp.Stream(1).Skip(-2) },
			undone + "Stream(1) at draw 18446744073709551615, it was 0 before and 1 after Event" + streamFix,
		},
		"what was changed before an LP suspended itself": {
			func(s *till, lp *ross.LP, _ *ross.Bits, _ *word) { s.Balance++; lp.Suspend(false, 1) }, nothing,
			undone + "till.Balance at 101, it was 100 before" + undoFix,
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Checking(6), tills(c.event, c.reverse))
			require.EqualError(t, out.Err, c.want)
			require.ErrorIs(t, out.Err, ross.ErrReverse)
			require.Equal(t, 1, ross.ExitCode(out.Err))
		})
	}
}

func TestCheckNamesWhatASecondCallDoesOtherwise(t *testing.T) {
	var calls int64 // state that nothing rolls back
	for name, c := range map[string]struct {
		event handlers
		want  string
	}{
		"another state": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Rate = float64(calls) },
			rerun + "till.Rate at 2, it was 1 after the first call" + rerunFix,
		},
		"another message left": {
			func(_ *till, _ *ross.LP, _ *ross.Bits, m *word) { m.N = 7 + calls },
			rerun + "Message.N at 9, it was 8 after the first call" + rerunFix,
		},
		"another payload": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { ross.Send(lp, 2, 1, word{N: -calls}) },
			rerun + "Sends[0].Message.N at -2, it was -1 after the first call" + rerunFix,
		},
		"another destination and time": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) {
				ross.Send(lp, ross.LPID(calls), float64(calls), word{})
			},
			rerun + "Sends[0].To at 2, it was 1 after the first call; Sends[0].Time at 3.5, it was 2.5 after the first call" +
				rerunFix,
		},
		"another priority": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) {
				ross.SendPriority(lp, 2, 1, float64(calls)/4, word{})
			},
			rerun + "Sends[0].Priority at 0.5, it was 0.25 after the first call" + rerunFix,
		},
		"more sends": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) {
				for range calls {
					ross.Send(lp, 2, 1, word{})
				}
			},
			rerun + "the number of its sends at 2, it was 1 after the first call; " +
				"the engine's stream at draw 2, it was draw 1 after the first call" + rerunFix,
		},
		"a send past the end": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { ross.Send(lp, 2, float64(calls-1)*1000, word{}) },
			rerun + "the number of its sends at 0, it was 1 after the first call; " +
				"the number of its sends past the end at 1, it was 0 after the first call" + rerunFix,
		},
		"a draw more": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { lp.RNG().Skip(calls) },
			rerun + "RNG() at draw 2, it was draw 1 after the first call" + rerunFix,
		},
		"a suspension": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) {
				if calls == 2 {
					lp.Suspend(true, 5)
				}
			},
			rerun + "Suspended() at 5, true, it was 0, false after the first call" + rerunFix,
		},
	} {
		t.Run(name, func(t *testing.T) {
			calls = 0
			counted := func(s *till, lp *ross.LP, bits *ross.Bits, m *word) {
				calls++
				c.event(s, lp, bits, m)
			}
			restore := func(s *till, _ *ross.LP, _ *ross.Bits, m *word) { s.Rate, m.N = 0, 7 }
			out := rosstest.Try(t, rosstest.Checking(6), tills(counted, restore))
			require.EqualError(t, out.Err, c.want)
		})
	}
}

func TestCheckNoticesThatAnotherLPsStateWasChanged(t *testing.T) {
	for name, at := range map[string]float64{"before its event": 1, "before the end": 200} {
		t.Run(name, func(t *testing.T) {
			var three *till
			model := tills(func(*till, *ross.LP, *ross.Bits, *word) {}, nothing)
			init := model.Init
			model.Init = func(s *till, lp *ross.LP) {
				if lp.ID() == 3 {
					three = s
				}
				init(s, lp)
			}
			model.Event = ross.On(func(s *till, lp *ross.LP, _ *word) {
				if lp.ID() == 3 {
					ross.Send(lp, 0, 1, word{})
					ross.Send(lp, 3, at, word{})
				} else if lp.ID() == 0 {
					three.Balance = 1
				}
			})
			model.Event = model.Event.(ross.EventHandler[till, word]).Reverse(func(*till, *ross.LP, *word) {})
			out := rosstest.Try(t, rosstest.Checking(6), model)
			require.EqualError(t, out.Err, fmt.Sprintf("ross: LP 3 (till) at time %g: something other than its events left "+
				"till.Balance at 1, it was 100 after its last event%s", map[float64]float64{1: 2.5, 200: 1.5}[at], foreignFix))
		})
	}
}

func TestCheckerOfTheModelReplacesTheComparisonOfFields(t *testing.T) {
	drift := func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Rate += 0.1; s.Rate += 0.2 }
	back := func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Rate -= 0.3 }
	saved, cleaned := 0, 0
	checker := func(tolerance float64) *ross.Checker[till] {
		return &ross.Checker[till]{
			Save: func(s *till) any { saved++; return s.Rate },
			Compare: func(s *till, saved any) error {
				if d := s.Rate - saved.(float64); math.Abs(d) > tolerance {
					return fmt.Errorf("the rate is off by %.1g", d)
				}
				return nil
			},
			Clean: func(any) { cleaned++ },
			Print: func(w io.Writer, s *till) { fmt.Fprintf(w, "rate %.1g\n", s.Rate) },
		}
	}
	for synch, want := range map[int]string{
		6: undone + "the state different: the rate is off by 6e-17" + undoFix,
		4: "ross: LP 3 (till) at time 0: the rollback of all events (1) left the state different: the rate is off by 6e-17: " +
			"bad rollback: use --synch=6 to find the event that is not undone",
	} {
		model := tills(drift, back)
		model.Check = checker(1e-9)
		rosstest.Run(t, rosstest.Checking(synch), model)
		require.Equal(t, saved, cleaned)
		require.NotZero(t, saved)
		model.Check = checker(0)
		out := rosstest.Try(t, rosstest.Checking(synch), model)
		require.EqualError(t, out.Err, want)
		require.Contains(t, out.Report, "which differs:\nrate 6e-17\n")
		saved, cleaned = 0, 0
	}
}

func TestHalfACheckerIsRefused(t *testing.T) {
	model := tills(nothing, nothing)
	model.Check = &ross.Checker[till]{Save: func(*till) any { return nil }}
	sim, err := ross.New(rosstest.Checking(6))
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(model)
	require.EqualError(t, err,
		`ross: LP type "till": Check has only one of Save and Compare: unusable model: give both or neither`)
}

func TestCheckNamesTheWayOfSaving(t *testing.T) {
	model := tills(func(s *till, lp *ross.LP, _ *ross.Bits, _ *word) { ross.Save(lp, &s.Rate); s.Rate, s.Balance = 1, 90 },
		nothing)
	model.Event, model.Saving = model.Event.(ross.UndoHandler[till, ross.Bits, word]).Reverse(nil), ross.SaveByLog
	out := rosstest.Try(t, rosstest.Checking(6), model)
	require.EqualError(t, out.Err, "ross: LP 3 (till) at time 1.5: restoring what Save recorded in"+ofEvent+
		" left till.Balance at 90, it was 100 before: bad rollback: call ross.Save or ross.Write for everything that Event changes, before it changes it")

	var coin *job // of a block that the event does not ask for
	deltas := ross.Type[ross.Block[job]]{
		Name: "deltas",
		Init: func(s *ross.Block[job], lp *ross.LP) {
			*s = ross.Alloc[job](lp, 1)
			coin = &s.Of(lp)[0]
			ross.Send(lp, lp.ID(), 1, word{})
		},
		Event: ross.On(func(*ross.Block[job], *ross.LP, *word) { coin.Weight = 1 }),
	}
	cfg := rosstest.Checking(6)
	cfg.NLP = 1
	out = rosstest.Try(t, cfg, deltas)
	require.ErrorContains(t, out.Err, "restoring the state saved before the event that LP 0 sent at time 0 left ")
	require.ErrorContains(t, out.Err,
		"[0].Weight at 1, it was 0 before: bad rollback: change in Event only what the engine saves")
}

func TestCheckGoesOnWithSuspendedLPs(t *testing.T) {
	model := rosstest.Forever(func(lp *ross.LP) {
		if lp.Now() == 5 {
			lp.Suspend(true, 3)
		}
	})
	model.Event = model.Event.(ross.EventHandler[none, word]).Reverse(func(*none, *ross.LP, *word) {})
	commits := 0
	model.Event = model.Event.(ross.EventHandler[none, word]).Commit(func(*none, *ross.LP, *word) { commits++ })
	want := rosstest.Run(t, rosstest.Checking(1), model)
	wantCommits := commits
	commits = 0
	got := rosstest.Run(t, rosstest.Checking(6), model)
	require.Equal(t, *want.Summary().Digest, *got.Summary().Digest)
	require.Equal(t, wantCommits, commits)
	code, suspended := got.LP(0).Suspended()
	require.True(t, suspended)
	require.Equal(t, 3, code)
}

// TestCheckFiresTheHookAsASequentialRunDoes has the hook change a state, too,
// which is its right.
func TestCheckFiresTheHookAsASequentialRunDoes(t *testing.T) {
	for name, c := range map[string]struct {
		trigger ross.HookTrigger
		tick    func(lp *ross.LP)
	}{
		"at a time":           {ross.HookAt(3.5), rosstest.NoTick},
		"at the end":          {ross.HookAt(10), rosstest.NoTick},
		"when the model says": {ross.HookWhenModelCalls(), func(lp *ross.LP) { lp.TriggerGVTHook() }},
	} {
		t.Run(name, func(t *testing.T) {
			hooks := func(synch int) (at []float64) {
				cfg := rosstest.Checking(synch)
				cfg.NLP, cfg.End, cfg.HookTrigger = 1, 10, c.trigger
				cfg.GVTHook = func(pe *ross.PE, _ bool) {
					at = append(at, pe.GVT())
					ross.StateOf[job](pe.LP(0)).Weight++
					if name == "when the model says" {
						pe.SetHookTrigger(c.trigger)
					}
				}
				rosstest.Run(t, cfg, ross.Type[job]{
					Init: func(_ *job, lp *ross.LP) { ross.Send(lp, 0, 1, word{}) },
					Event: ross.On(func(_ *job, lp *ross.LP, _ *word) {
						c.tick(lp)
						ross.Send(lp, 0, 1, word{})
					}).Reverse(func(*job, *ross.LP, *word) {}),
				})
				return at
			}
			require.Equal(t, hooks(1), hooks(6))
			require.NotEmpty(t, hooks(6))
		})
	}
}

func TestCheckWarnsThatThereAreNoGVTs(t *testing.T) {
	var log strings.Builder
	cfg := rosstest.Checking(6)
	cfg.HookTrigger = ross.HookEvery(1)
	cfg.GVTHook = func(*ross.PE, bool) { t.Error("the hook ran") }
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	rosstest.Run(t, cfg, tills(nothing, nothing))
	require.Contains(t, log.String(), "it will never fire; use HookAt")
}

// TestCheckRefusesStatesThatItCannotSave has a state with pointers and no
// Reverse.
func TestCheckRefusesStatesThatItCannotSave(t *testing.T) {
	model := tills(nothing, nothing)
	model.Event = model.Event.(ross.UndoHandler[till, ross.Bits, word]).Reverse(nil)
	for _, synch := range []int{4, 6} {
		sim, err := ross.New(rosstest.Checking(synch))
		require.NoError(t, err)
		err = sim.Define(model)
		require.ErrorIs(t, err, ross.ErrModel)
		require.ErrorContains(t, err,
			"Queue is a slice, which the engine cannot save: unusable model: use a container.Queue, Stack, Heap or Slab, or a ross.Block; if no handler changes it, it is a parameter")
		require.NoError(t, sim.Close())
	}
}

func TestCheckLeavesTheModelsOwnMistakesToTheModel(t *testing.T) {
	mine := errors.New("overdrawn")
	for name, c := range map[string]struct {
		event, reverse handlers
		want           string
	}{
		"Fail, with a wrong Reverse": {
			func(s *till, lp *ross.LP, _ *ross.Bits, _ *word) { s.Balance = 0; lp.Fail(mine) }, nothing,
			"ross: LP 3 (till) at time 1.5: the model gave up: overdrawn",
		},
		"a panic": {
			func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") }, nothing,
			"ross: LP 3 (till) at time 1.5: panic: oh: handler panicked: see the stack",
		},
		"a panic in Reverse": {nothing,
			func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") },
			"ross: LP 3 (till) at time 1.5: panic: oh: handler panicked: see the stack",
		},
		"a send in Reverse": {nothing,
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { ross.Send(lp, 2, 1, word{}) },
			"ross: LP 3 (till) at time 1.5: sent LP 2 an event (rosstest.Word): send outside a handler",
		},
		"more memory than there is": {
			func(_ *till, lp *ross.LP, _ *ross.Bits, _ *word) { ross.Alloc[job](lp, 1<<24) }, nothing,
			"ross: LP 3 (till) at time 1.5: allocated 16777216 values of check_test.job of 8 bytes each, and the limit is 67108864 bytes: memory limit reached",
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Checking(6), tills(c.event, c.reverse))
			require.ErrorContains(t, out.Err, c.want)
		})
	}
}

func TestChecksRunOnOnePE(t *testing.T) {
	for _, synch := range []int{4, 6} {
		cfg := rosstest.Checking(synch)
		cfg.PEs = 2
		_, err := ross.New(cfg)
		require.EqualError(t, err, fmt.Sprintf("ross: option --pes=2: --synch=%d runs on one PE; use --pes=1, or --synch=3",
			synch))
		require.ErrorIs(t, err, ross.ErrUsage)
	}
}

func TestCheckCountsForwardCallsForEachLP(t *testing.T) {
	cfg := rosstest.Checking(6)
	cfg.Dir = t.TempDir()
	out := rosstest.Run(t, cfg, tills(nothing, nothing))
	require.Contains(t, out.Report, report.StartLine(6))
	st := out.Summary()
	assert.EqualValues(t, 2, st.EventsProcessed)
	assert.EqualValues(t, 1, st.EventsRolledBack)
	assert.EqualValues(t, 1, st.NetEvents())
	text, err := os.ReadFile(filepath.Join(cfg.Dir, report.LPStatsDir, "pe_0.txt"))
	require.NoError(t, err)
	assert.Regexp(t, `LPID: 3\t.*Events processed: 2\n`, string(text))
}

// The check knows Save from what Reverse undoes.

// dial is a state; an event changes a field of it in two ways.
type dial struct{ A int64 }

func TestCheckNamesSaveAfterAChangeThatReverseUndoes(t *testing.T) {
	model := ross.Type[dial]{
		Init: func(_ *dial, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(s *dial, lp *ross.LP, _ *word) {
			if s.A++; lp.ID() == 3 {
				ross.Save(lp, &s.A)
				s.A = 0
			}
		}).Reverse(func(s *dial, _ *ross.LP, _ *word) { s.A-- }),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.End, cfg.Synch = 8, 10, 6
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(model))
	err = sim.Run(context.Background())
	require.ErrorIs(t, err, ross.ErrReverse)
	require.ErrorContains(t, err, "dial.A at 1, it was 0 before")
	require.ErrorContains(t, err, "leave to Save the fields that Event saves before it first changes them")
}

// The check calls Event a second time after the rollback, as an optimistic run does. Event comes to the same only if
// it depends on nothing but state, message and streams: the Go variable here is something else, and nothing undoes it.
func Example_outside() {
	type desk struct{ Ticket int64 }
	next := int64(100)
	cfg := ross.DefaultConfig()
	cfg.Synch, cfg.NLP = ross.RollbackCheck, 1
	sim, err := ross.New(cfg)
	if err != nil {
		panic(err)
	}
	defer sim.Close()
	err = sim.Define(ross.Type[desk]{
		Name: "desk",
		Init: func(_ *desk, lp *ross.LP) { ross.Send(lp, 0, 1, struct{}{}) },
		Event: ross.On(func(s *desk, _ *ross.LP, _ *struct{}) {
			s.Ticket = next
			next++
		}),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(sim.Run(context.Background()))
	// Output:
	// ross: LP 0 (desk) at time 1: Event, called again after the rollback of the event that LP 0 sent at time 0, left desk.Ticket at 101, it was 100 after the first call: bad rollback: let Event depend on state, message and streams alone, and change nothing else; likely causes: math/rand, time.Now, the order of a map, a variable of the package, the state of another LP
}

// Short names for what the tests of this package use most.

type (
	none = rosstest.None
	word = rosstest.Word
)
