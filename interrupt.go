// This file owns the handling of signals: a signal stops the run at the next GVT instead of
// killing the process.

package ross

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
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
// signal (130 for Ctrl-C). A second signal ends the process at once. stop ends the handling of
// signals; call it when the run is over.
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
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel(nil)
	}
}
