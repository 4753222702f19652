// This file pins what --synch=4 accepts, and how it tells of what its rollback
// leaves behind.

package ross_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/report"
)

const (
	allUndone = "ross: LP 3 (till) at time 0: the rollback of all events (1) left "
	debugFix  = ": bad rollback: find with --synch=6 which event is not undone"
)

func TestDebugNamesWhatRollbackLeavesBehind(t *testing.T) {
	for name, c := range map[string]struct {
		event handlers
		want  string
	}{
		"a field": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Balance -= 10 },
			allUndone + "till.Balance at 90, it was 100 after Init" + debugFix,
		},
		"an element behind a pointer": {
			func(s *till, _ *ross.LP, _ *ross.Bits, _ *word) { s.Queue[1].Weight++ },
			allUndone + "till.Queue[1].Weight at 3, it was 2 after Init" + debugFix,
		},
		"a value in a block": {
			func(s *till, lp *ross.LP, _ *ross.Bits, _ *word) { s.Coins.Of(lp)[2].Weight = 4 },
			allUndone + "till.Coins[2].Weight at 4, it was 0 after Init" + debugFix,
		},
		"the message of an event": {
			func(_ *till, _ *ross.LP, _ *ross.Bits, m *word) { m.N++ },
			allUndone + "Pending.Message.N at 8, it was 7 after Init" + debugFix,
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := try(t, checking(4), tills(c.event, nothing))
			require.EqualError(t, out.err, c.want)
			require.ErrorIs(t, out.err, ross.ErrReverse)
		})
	}
}

func TestDebugTellsHowManyLPsDiffer(t *testing.T) {
	model := forever(noTick)
	wrong := ross.Type[job, word]{
		Name:    "wrong",
		Init:    func(_ *job, lp *ross.LP) { model.Init(nil, lp) },
		Event:   func(s *job, lp *ross.LP, _ *ross.Bits, _ *word) { s.Weight++ },
		Reverse: func(*job, *ross.LP, *ross.Bits, *word) {},
	}
	out := try(t, checking(4), wrong)
	require.EqualError(t, out.err, "ross: LP 0 (wrong) at time 0: the rollback of all events (4) left 3 more LPs different and this one "+
		"left job.Weight at 1, it was 0 after Init"+debugFix)
}

// chatter is a model whose LPs send to one another, with all that is undone.
func chatter(saving ross.Saving) ross.Type[job, word] {
	return ross.Type[job, word]{
		Name: "chatter", Saving: saving,
		Init: func(_ *job, lp *ross.LP) { ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), word{1}) },
		Event: func(s *job, lp *ross.LP, _ *ross.Bits, m *word) {
			ross.Save(lp, &s.Weight)
			s.Weight += m.N
			lp.Stream(1).Normal01()
			lp.Printf("not to be seen")
			if s.Weight == 20 {
				lp.Suspend(true, 1)
			}
			ross.Send(lp, anywhere(lp), lp.RNG().Exponential(1), word{1})
		},
		Reverse: func(s *job, _ *ross.LP, _ *ross.Bits, m *word) { s.Weight -= m.N },
	}
}

func TestDebugRollsEverythingBack(t *testing.T) {
	for _, saving := range []ross.Saving{ross.SaveByReverse, ross.SaveByLog, ross.SaveByDelta} {
		t.Run(saving.String(), func(t *testing.T) {
			model := chatter(saving)
			model.Commit = func(*job, *ross.LP, *ross.Bits, *word) { t.Error("an event was committed") }
			out := run(t, checking(4), model)
			st := out.Stats()
			assert.Contains(t, out.report, report.StartLine(4))
			assert.NotContains(t, out.report, "not to be seen")
			assert.Greater(t, st.EventsProcessed, uint64(50))
			assert.Equal(t, st.EventsProcessed, st.EventsRolledBack)
			assert.Zero(t, st.NetEvents())
			assert.Zero(t, *st.Digest)
			assert.Zero(t, st.EventsPastEnd)
			assert.Equal(t, fmt.Sprint(st.EventsProcessed), figureOf(out, "Events Rolled Back and Compared"))
			assert.EqualValues(t, 4, out.LiveEvents(), "the events of Init wait again")
			assert.NoError(t, out.CheckPools())
		})
	}
}

// TestDebugStopsWhereMemoryEnds has a model without an end.
func TestDebugStopsWhereMemoryEnds(t *testing.T) {
	for name, saving := range map[string]ross.Saving{"by Reverse": ross.SaveByReverse, "by deltas": ross.SaveByDelta} {
		t.Run(name, func(t *testing.T) {
			cfg := checking(4)
			cfg.NLP, cfg.End, cfg.MaxMemory = 64, 1e9, 8<<20
			model := chatter(saving)
			model.Event = func(s *job, lp *ross.LP, _ *ross.Bits, m *word) {
				s.Weight += m.N
				ross.Send(lp, anywhere(lp), lp.RNG().Exponential(1), word{1})
			}
			out := run(t, cfg, model)
			st := out.Stats()
			require.Regexp(t, `Memory limit reached after \d+ events: they are rolled back now`, out.report)
			require.Greater(t, st.EventsProcessed, uint64(10000))
			require.Zero(t, st.NetEvents())
		})
	}
}

func TestDebugTellsOfTheModelsOwnMistakes(t *testing.T) {
	mine := errors.New("overdrawn")
	out := try(t, checking(4), forever(func(lp *ross.LP) {
		if lp.Now() >= float64(10-lp.ID()) {
			lp.Fail(mine)
		}
	}))
	require.Error(t, out.err) // forever has no Reverse, and none to need: its state is empty
	require.ErrorIs(t, out.err, mine)
	require.ErrorContains(t, out.err, "ross: LP 3 (forever) at time 7: the model gave up: overdrawn")

	out = try(t, checking(4), tills(func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") }, nothing))
	require.ErrorContains(t, out.err, "ross: LP 3 (till) at time 1.5: panic: oh")
	out = try(t, checking(4), tills(nothing, func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") }))
	require.ErrorContains(t, out.err, "ross: LP 3 (till) at time 1.5: panic: oh")
}

func TestDebugStopsWithItsContext(t *testing.T) {
	sim, _ := define(t, checking(4), forever(noTick))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
}

func TestDebugRefusesWhatIsNeverUndone(t *testing.T) {
	sim, err := ross.New(checking(4))
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(chatter(ross.SaveNever))
	require.EqualError(t, err, `ross: LP type "chatter": Saving is SaveNever, and --synch=4 rolls back every event: unusable model: `+
		`use --synch=6, which checks the other types`)
}

func TestDebugWarnsThatNoHookFires(t *testing.T) {
	var log bytes.Buffer
	cfg := checking(4)
	cfg.HookTrigger = ross.HookAt(5)
	cfg.GVTHook = func(*ross.PE, bool) { t.Error("the hook ran") }
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	run(t, cfg, chatter(ross.SaveByReverse))
	require.Contains(t, log.String(), "--synch=4 commits none: it will never fire; use --synch=6")
}

func TestChecksNeedMemoryForCopies(t *testing.T) {
	type large struct{ Room [4 << 20]byte }
	cfg := checking(6)
	cfg.NLP, cfg.MaxMemory = 4, 40<<20
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(ross.Type[large, word]{
		Event: func(*large, *ross.LP, *ross.Bits, *word) {}, Reverse: func(*large, *ross.LP, *ross.Bits, *word) {},
	})
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "ross: Define: copies of 4 LPs of ")
}
