// This file pins what --synch=4 accepts, and how it tells of what its rollback
// leaves behind.

package check_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/models/rosstest"
)

const (
	allUndone = "ross: LP 3 (till) at time 0: the rollback of all events (1) left "
	debugFix  = ": bad rollback: use --synch=6 to find the event that is not undone"
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
			out := rosstest.Try(t, rosstest.Checking(4), tills(c.event, nothing))
			require.EqualError(t, out.Err, c.want)
			require.ErrorIs(t, out.Err, ross.ErrReverse)
		})
	}
}

func TestDebugTellsHowManyLPsDiffer(t *testing.T) {
	model := rosstest.Forever(rosstest.NoTick)
	wrong := ross.Type[job, word]{
		Name:    "wrong",
		Init:    func(_ *job, lp *ross.LP) { model.Init(nil, lp) },
		Event:   func(s *job, lp *ross.LP, _ *ross.Bits, _ *word) { s.Weight++ },
		Reverse: func(*job, *ross.LP, *ross.Bits, *word) {},
	}
	out := rosstest.Try(t, rosstest.Checking(4), wrong)
	require.EqualError(t, out.Err, "ross: LP 0 (wrong) at time 0: the rollback of all events (4), which left 3 more LPs different, "+
		"left job.Weight at 1, it was 0 after Init"+debugFix)
}

// TestDebugStopsWhereMemoryEnds has a model without an end.
func TestDebugStopsWhereMemoryEnds(t *testing.T) {
	for name, saving := range map[string]ross.Saving{"by Reverse": ross.SaveByReverse, "by deltas": ross.SaveByDelta} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Checking(4)
			cfg.NLP, cfg.End, cfg.MaxMemory = 64, 1e9, 8<<20
			model := rosstest.Chatter(saving)
			model.Event = func(s *rosstest.Sum, lp *ross.LP, _ *ross.Bits, m *word) {
				s.N += m.N
				ross.Send(lp, rosstest.Anywhere(lp), lp.RNG().Exponential(1), word{N: 1})
			}
			out := rosstest.Run(t, cfg, model)
			st := out.Stats()
			require.Regexp(t, `Memory limit reached after \d+ events: they are rolled back now`, out.Report)
			require.Greater(t, st.EventsProcessed, uint64(10000))
			require.Zero(t, st.NetEvents())
		})
	}
}

func TestDebugTellsOfTheModelsOwnMistakes(t *testing.T) {
	mine := errors.New("overdrawn")
	out := rosstest.Try(t, rosstest.Checking(4), rosstest.Forever(func(lp *ross.LP) {
		if lp.Now() >= float64(10-lp.ID()) {
			lp.Fail(mine)
		}
	}))
	require.Error(t, out.Err) // forever has no Reverse, and none to need: its state is empty
	require.ErrorIs(t, out.Err, mine)
	require.ErrorContains(t, out.Err, "ross: LP 3 (forever) at time 7: the model gave up: overdrawn")

	out = rosstest.Try(t, rosstest.Checking(4), tills(func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") }, nothing))
	require.ErrorContains(t, out.Err, "ross: LP 3 (till) at time 1.5: panic: oh")
	out = rosstest.Try(t, rosstest.Checking(4), tills(nothing, func(*till, *ross.LP, *ross.Bits, *word) { panic("oh") }))
	require.ErrorContains(t, out.Err, "ross: LP 3 (till) at time 1.5: panic: oh")
}

func TestDebugStopsWithItsContext(t *testing.T) {
	sim, _ := rosstest.Define(t, rosstest.Checking(4), rosstest.Forever(rosstest.NoTick))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, sim.Run(ctx), context.Canceled)
}

func TestDebugRefusesWhatIsNeverUndone(t *testing.T) {
	sim, err := ross.New(rosstest.Checking(4))
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(rosstest.Chatter(ross.SaveNever))
	require.EqualError(t, err, `ross: LP type "chatter": Saving is SaveNever, and --synch=4 rolls back every event: unusable model: `+
		`use --synch=6, which checks the other types`)
}

func TestDebugWarnsThatNoHookFires(t *testing.T) {
	var log bytes.Buffer
	cfg := rosstest.Checking(4)
	cfg.HookTrigger = ross.HookAt(5)
	cfg.GVTHook = func(*ross.PE, bool) { t.Error("the hook ran") }
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	rosstest.Run(t, cfg, rosstest.Chatter(ross.SaveByReverse))
	require.Contains(t, log.String(), "--synch=4 commits none: it will never fire; use --synch=6")
}

func TestChecksNeedMemoryForCopies(t *testing.T) {
	type large struct{ Room [4 << 20]byte }
	cfg := rosstest.Checking(6)
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
