// This file owns what a program does about signals: it stops its run at the next
// GVT instead of dying in the middle of it.

package ross

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Interrupt is why a run was stopped that a signal ended: the cause of a context of
// WithSignals.
type Interrupt struct {
	Signal syscall.Signal
}

func (i *Interrupt) Error() string { return fmt.Sprintf("interrupted (%v)", i.Signal) }

// WithSignals returns a context that ends with ctx, or when the process gets SIGINT
// (Ctrl-C) or SIGTERM: a run with it stops at the next GVT, prints the report of what
// it has committed, and returns an error for which ExitCode is 128 + the signal's
// number, 130 for Ctrl-C. A second signal ends the process at once. stop gives the
// signals back; call it when the run is over.
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
