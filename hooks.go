// This file owns hooks, which are functions of the program that belong to no LP, and the handling of signals: a signal
// stops the run at the next GVT.

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

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/sys/plain"
)

// PEType holds functions that the engine calls for each PE (tw_petype). Each may be nil. In a
// parallel run the PEs call PreLPInit and PostLPInit at the same time; Final is called for one
// PE after another.
type PEType struct {
	PreLPInit  func(*PE) // before the LPs' Init (pre_lp_init)
	PostLPInit func(*PE) // after it (post_lp_init)
	Final      func(*PE) // at the end of the run (final)
}

// HookTrigger says when the GVT hook fires. The zero value never fires. With --synch=4 no
// event is committed, so no trigger fires.
type HookTrigger struct {
	k kernel.Trigger
}

// HookAt returns a trigger that fires once, when all events before virtual time t are
// committed and no others (tw_trigger_gvt_hook_at). It does not fire for a time after the end
// of the run; a run whose end is +Inf ends with its last event. When the hook is called,
// PE.GVT is t.
func HookAt(t float64) HookTrigger { return HookAtSignature(Signature{Time: t}) }

// HookAtSignature returns a trigger that fires once, when all events before a signature are
// committed and no others (tw_trigger_gvt_hook_at_event_sig). No event needs to have that
// signature. Priorities and tie-breakers of events are 0 to 1; a greater number comes after
// all of them, and a smaller one before. Priority 2, for example, marks the end of a time.
func HookAtSignature(sig Signature) HookTrigger {
	return HookTrigger{kernel.Trigger{Kind: kernel.HookAt, Sig: kernel.Signature(sig)}}
}

// HookEvery returns a trigger that fires at every n-th GVT computation
// (tw_trigger_gvt_hook_every). All events before GVT are committed then. An optimistic run has
// undone all others; a conservative run has also committed events up to its lookahead after
// GVT. A sequential run computes no GVT: it warns and never calls the hook.
func HookEvery(n uint64) HookTrigger {
	return HookTrigger{kernel.Trigger{Kind: kernel.HookEvery, N: n}}
}

// HookWhenModelCalls returns a trigger that fires when a handler has called LP.TriggerGVTHook
// and its event is committed, together with all others of the same signature, and no later one
// is (tw_trigger_gvt_hook_when_model_calls). When the hook is called, PE.GVT is the time of
// that event. A conservative run refuses the trigger with ErrHook.
func HookWhenModelCalls() HookTrigger { return HookTrigger{kernel.Trigger{Kind: kernel.HookByModel}} }

// hooks returns the hooks of a configuration in the form in which the engine calls them.
func (c *Config) hooks() run.Hooks {
	return run.Hooks{
		PreInit:  plain.Recast[func(*run.PE)](&c.PE.PreLPInit),
		PostInit: plain.Recast[func(*run.PE)](&c.PE.PostLPInit),
		Final:    plain.Recast[func(*run.PE)](&c.PE.Final),
		GVT:      plain.Recast[func(*run.PE, bool)](&c.GVTHook),
		Trigger:  c.HookTrigger.k,
		Disturb:  c.knobs.Disturb,
	}
}

// Interrupt is the error of a run that a signal stopped. It is the cause of a context of
// WithSignals.
type Interrupt struct {
	Signal syscall.Signal // SIGINT, SIGTERM or SIGHUP
}

// Error names the signal.
func (i *Interrupt) Error() string { return fmt.Sprintf("interrupted (%v)", i.Signal) }

// WithSignals returns a context that ends with ctx, or when the process receives SIGINT
// (Ctrl-C) or SIGTERM, or SIGHUP while a run with Config.Checkpoints.OnExit goes on. A run with this context then stops
// at the next GVT, prints the report of what it has committed, and returns an error for which ExitCode is 128 + the
// number of the signal (130 for Ctrl-C). A second signal ends the process at once, and so does the first one if a run
// of several ranks sees no GVT for five seconds after it, because another rank is gone. stop ends the handling of
// signals; call it when the run is over. Further calls do nothing.
func WithSignals(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if s, ok := ranks.EarlySignal().(syscall.Signal); ok {
		signal.Stop(signals)
		cancel(&Interrupt{Signal: s})
	}
	ctx = context.WithValue(ctx, signalsKey{}, signals)
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

// signalsKey is the key of the signals in a context of WithSignals.
type signalsKey struct{}

// heedHangup has SIGHUP stop a run that stores a checkpoint then, if ctx is one of WithSignals. A terminal or a
// connection that is lost sends it. Programs that nohup has started ignore it.
func heedHangup(ctx context.Context) {
	if signals, ok := ctx.Value(signalsKey{}).(chan os.Signal); ok && ctx.Err() == nil && !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
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
