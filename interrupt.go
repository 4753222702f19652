// This file owns the handling of signals: a signal stops the run at the next GVT instead of
// killing the process.

package ross

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// Interrupt is the error of a run that a signal stopped. It is the cause of a context of
// WithSignals.
type Interrupt struct {
	Signal syscall.Signal // SIGINT or SIGTERM
}

// Error names the signal.
func (i *Interrupt) Error() string { return fmt.Sprintf("interrupted (%v)", i.Signal) }

// WithSignals returns a context that ends with ctx, or when the process receives SIGINT
// (Ctrl-C) or SIGTERM. A run with this context then stops at the next GVT, prints the report
// of what it has committed, and returns an error for which ExitCode is 128 + the number of the
// signal (130 for Ctrl-C). A second signal ends the process at once, and so does the first one if
// a run of several ranks sees no GVT for five seconds after it, because another rank is gone. stop
// ends the handling of signals; call it when the run is over. Further calls do nothing.
func WithSignals(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&Interrupt{Signal: s.(syscall.Signal)})
		case <-done:
		}
	}()
	return ctx, sync.OnceFunc(func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	})
}

// endBySignal ends this process as a second signal does, if a signal was to stop the run, and other
// ranks hold it up. Only one rank says so, because the launcher names the one that is gone.
func endBySignal(cause error, rank int, wait time.Duration) {
	var i *Interrupt
	if !errors.As(cause, &i) {
		return
	}
	if rank == 0 {
		fmt.Fprintf(os.Stderr, "ross: rank 0: %v, and no GVT for %v: a rank is gone, or its event takes longer; "+
			"the run ends without a report, and goes on from its last checkpoint\n", i, wait)
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(i.Signal)
	}
}
