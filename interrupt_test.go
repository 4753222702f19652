// What ends a run from outside: a signal, and the limit of its memory.

package ross_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/modeltest"
	"github.com/ross-go/ross/models/rosstest"
)

func TestSignalStopsARunAtTheNextGVT(t *testing.T) {
	for _, c := range []struct {
		synch, pes int
		signal     syscall.Signal
		status     int
	}{
		{1, 1, syscall.SIGINT, 130}, {2, 2, syscall.SIGINT, 130}, {3, 2, syscall.SIGINT, 130},
		{3, 1, syscall.SIGTERM, 143}, {5, 2, syscall.SIGTERM, 143},
	} {
		t.Run(fmt.Sprintf("synch=%d/pes=%d/%v", c.synch, c.pes, c.signal), func(t *testing.T) {
			modeltest.Watch(t)
			cfg := rosstest.Small()
			cfg.Synch, cfg.PEs, cfg.End, cfg.ConsLookahead = ross.Scheduler(c.synch), c.pes, 1e15, 1
			sent := false
			model := ross.Type[none, word]{
				Name: "endless",
				Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
				Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
					if lp.ID() == 0 && lp.Now() >= 1000 && !sent {
						sent = true
						_ = syscall.Kill(syscall.Getpid(), c.signal)
					}
					ross.Send(lp, lp.ID(), 1, word{})
				},
				Reverse: func(*none, *ross.LP, *ross.Bits, *word) {},
			}
			sim, report := rosstest.Define(t, cfg, model)
			ctx, stop := ross.WithSignals(context.Background())
			defer stop()
			err := sim.Run(ctx)
			var interrupt *ross.Interrupt
			require.ErrorAs(t, err, &interrupt)
			require.Equal(t, c.signal, interrupt.Signal)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, c.status, ross.ExitCode(err))
			require.Contains(t, report.String(), "Net Events Processed")
			st := sim.Stats()
			require.Positive(t, st.NetEvents())
		})
	}
}

func TestStopGivesTheSignalsBack(t *testing.T) {
	ctx, stop := ross.WithSignals(context.Background())
	require.NoError(t, ctx.Err())
	stop()
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.NotPanics(t, stop, "the next one does nothing")
	require.Equal(t, 1, ross.ExitCode(context.Cause(ctx)), "no signal, no signal's status")
}

// A run stops at its memory limit, whatever it fills the
// memory with, and says how to go on.

const memoryText = `^ross: LP \d \(\w+\) at time [0-9.e+-]+: sent an event, with \d+ pending(, in a chain of \d+ events without delay from LP \d at time [0-9.]+)?: ` +
	`memory limit reached: \d+ of \d+ bytes in use: raise --max-memory, or have fewer events pending$`

// requireMemoryLimit runs a model that never stops growing.
func requireMemoryLimit(t *testing.T, typ ross.LPType) {
	t.Helper()
	cfg := rosstest.Small()
	cfg.Digest = false
	cfg.MaxMemory = 4 << 20
	out := rosstest.Try(t, cfg, typ)
	require.ErrorIs(t, out.Err, ross.ErrMemory)
	require.Regexp(t, memoryText, out.Err.Error())
	st := out.Stats()
	assert.Contains(t, out.Report, "Net Events Processed")
	// The set of pending events is measured now and then and not refused, so
	// that the limit may be passed by what one look misses.
	assert.Less(t, st.MemoryAllocated, 2*cfg.MaxMemory)
}

func TestMemoryLimitStopsAModelThatExplodes(t *testing.T) {
	requireMemoryLimit(t, ross.Type[none, word]{
		Name: "breeder",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *word) {
			for range 3 {
				ross.Send(lp, lp.ID(), 0.01, word{})
			}
		},
	})
}

func TestMemoryLimitStopsAHandlerThatSendsForEver(t *testing.T) {
	sent := 0
	requireMemoryLimit(t, rosstest.Once(func(lp *ross.LP) {
		for range 1 << 17 {
			ross.Send(lp, 0, 1, word{N: 1})
			sent++
		}
	}))
	require.Equal(t, 1<<17, sent, "the handler goes on after the first error")
}

func TestMemoryLimitStopsAnEndlessChainWithoutDelay(t *testing.T) {
	requireMemoryLimit(t, rosstest.Once(func(lp *ross.LP) { ross.Send(lp, lp.ID(), 0, word{}) }))
}

func TestMemoryLimitStopsLargePayloads(t *testing.T) {
	type page struct{ Bytes [5000]byte }
	requireMemoryLimit(t, ross.Type[none, page]{
		Name: "pages",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, page{}) },
		Event: func(_ *none, lp *ross.LP, _ *ross.Bits, _ *page) {
			for range 2 {
				ross.NewEvent[page](lp, lp.ID(), 0.5).Bytes[4999] = 1
			}
		},
	})
}

func TestMemoryLimitRefusesAPayloadThatNeverFits(t *testing.T) {
	type huge struct{ Bytes [8 << 20]byte }
	requireMemoryLimit(t, ross.Type[none, huge]{
		Name: "huge",
		Init: func(_ *none, lp *ross.LP) {
			if lp.ID() == 0 {
				ross.NewEvent[huge](lp, 0, 1).Bytes[0] = 1
			}
		},
		Event: func(*none, *ross.LP, *ross.Bits, *huge) {},
	})
}

func TestMoreLPsOrKPsThanMemoryAreRefusedByDefine(t *testing.T) {
	cfg := rosstest.Small()
	cfg.NLP = 1 << 31
	err := defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --nlp")

	cfg = rosstest.Small()
	cfg.NKP = 1 << 31
	err = defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --nkp")
}

func TestMorePEsThanMemoryAreRefusedByDefine(t *testing.T) {
	cfg := rosstest.Small()
	cfg.Synch, cfg.PEs, cfg.NLP = 3, 1<<23, 1
	err := defineError(t, cfg, rosstest.Once(func(*ross.LP) {}))
	require.ErrorIs(t, err, ross.ErrMemory)
	require.ErrorContains(t, err, "raise --max-memory or lower --pes")
}
