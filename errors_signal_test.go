// Runs that a signal is to stop.

package ross_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/internal/testing/testkit"
)

func TestSignalStopsARunAtTheNextGVT(t *testing.T) {
	for _, c := range []struct {
		synch, pes int
		signal     syscall.Signal
		status     int
	}{
		{1, 1, syscall.SIGINT, 130}, {2, 2, syscall.SIGINT, 130}, {3, 2, syscall.SIGINT, 130},
		{3, 1, syscall.SIGTERM, 143}, {5, 2, syscall.SIGTERM, 143}, {1, 1, syscall.SIGHUP, 129}, {3, 2, syscall.SIGHUP, 129},
	} {
		t.Run(fmt.Sprintf("synch=%d/pes=%d/%v", c.synch, c.pes, c.signal), func(t *testing.T) {
			testkit.Watch(t)
			cfg := rosstest.Small()
			cfg.Synch, cfg.PEs, cfg.End, cfg.ConsLookahead = ross.Scheduler(c.synch), c.pes, 1e15, 1
			if c.signal == syscall.SIGHUP {
				cfg.Checkpoints.Name, cfg.Checkpoints.OnExit = filepath.Join(t.TempDir(), "hangup"), true
				heard := make(chan os.Signal, 1)
				signal.Notify(heard, c.signal) // which nohup would have the tests ignore, and so the run
				defer signal.Stop(heard)
			}
			sent := false
			model := ross.Type[none]{
				Name: "endless",
				Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
				Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
					if lp.ID() == 0 && lp.Now() >= 1000 && !sent {
						sent = true
						_ = syscall.Kill(syscall.Getpid(), c.signal)
					}
					ross.Send(lp, lp.ID(), 1, word{})
				}).Reverse(func(*none, *ross.LP, *word) {}),
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
			if cfg.Checkpoints.OnExit {
				require.Contains(t, report.String(), "Checkpoint stored at time ")
			}
			st := sim.Summary()
			require.Positive(t, st.NetEvents())
		})
	}
}

func TestAHangupThatNohupIgnoresStopsNoRun(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	cfg := rosstest.Small()
	cfg.End, cfg.Checkpoints.Name, cfg.Checkpoints.OnExit = 100, filepath.Join(t.TempDir(), "hangup"), true
	sim, _ := rosstest.Define(t, cfg, ross.Type[none]{
		Name: "waiting",
		Init: func(_ *none, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
			if lp.ID() == 0 {
				_ = syscall.Kill(syscall.Getpid(), syscall.SIGHUP)
			}
			ross.Send(lp, lp.ID(), 1, word{})
		}),
	})
	ctx, stop := ross.WithSignals(context.Background())
	defer stop()
	require.NoError(t, sim.Run(ctx))
}

func TestStopGivesTheSignalsBack(t *testing.T) {
	ctx, stop := ross.WithSignals(context.Background())
	require.NoError(t, ctx.Err())
	stop()
	require.ErrorIs(t, ctx.Err(), context.Canceled)
	require.NotPanics(t, stop, "the next one does nothing")
	require.Equal(t, 1, ross.ExitCode(context.Cause(ctx)), "no signal, no signal's status")
}
