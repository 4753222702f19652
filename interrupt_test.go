// A signal stops a run at the next GVT; the report so far is printed.

package ross_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"

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
