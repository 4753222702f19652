// This file owns LP: a logical process, the object that a model consists of.

package ross

import (
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
	"github.com/ross-go/ross/rng"
)

// LPID is the global id of an LP (tw_lpid), 0 to Simulation.TotalLPs() - 1.
type LPID uint64

// LP is a logical process (tw_lp): an id, a state, and random streams. A handler reaches the
// engine through its LP. An LP belongs to the goroutine of its PE, and only its own handlers
// may call its methods during a run.
//
// Simulation.LP returns nil for an LP of another rank. The state of a nil LP (StateOf), its PE
// and its KP are nil, its TypeName is "", its Local is -1, and it is not suspended. Its other
// methods panic, as those of nil pointers do; Simulation.Place knows where the LP is, and Gather
// and Reduce reach the states of all ranks.
type LP struct {
	k kernel.LP
}

// faceLP returns the LP that models see. Both types have the same layout: the engine's LP is
// the only field of the model's.
func faceLP(lp *kernel.LP) *LP { return (*LP)(unsafe.Pointer(lp)) }

var _ [0]struct{} = [unsafe.Sizeof(LP{}) - unsafe.Sizeof(kernel.LP{})]struct{}{}

// ID returns the global id of the LP (gid in ROSS).
func (lp *LP) ID() LPID { return LPID(lp.k.ID) }

// Now returns the virtual time (tw_now): the receive time of the event that is being handled
// or committed, and Simulation.Clock in Init and PreRun. In hooks, in Final and after the run
// it is the time of the LP's last event, or 0 if it had none. Events of cancelled timers do not count.
func (lp *LP) Now() float64 { return lp.k.Now }

// RNG returns the first random stream of the LP (lp->rng). The engine undoes draws together
// with the event that made them. Type.SetsStreams tells it that handlers also call SetState of this
// stream. They may not assign to it.
func (lp *LP) RNG() *rng.Stream { return &lp.k.RNG }

// Stream returns random stream i of the LP (lp->rng[i]), or nil unless 0 <= i <
// Config.RNGsPerLP.
func (lp *LP) Stream(i int) *rng.Stream { return lp.k.Stream(i) }

// PE returns the PE that the mapping gives the LP to. It does not change while the run goes on, even if the
// thread of another PE handles the events of the LP (Config.Balance).
func (lp *LP) PE() *PE {
	if lp == nil {
		return nil
	}
	return facePE(lp.k.KP.Home)
}

// KP returns the KP that the LP belongs to.
func (lp *LP) KP() *KP {
	if lp == nil {
		return nil
	}
	return faceKP(lp.k.KP)
}

// Local returns the local id of the LP, which is its index on its PE: lp.PE().LP(lp.Local())
// is lp. It depends on the mapping and on the number of PEs, so what a model does in its
// events must not depend on it. See Simulation.Place.
func (lp *LP) Local() int {
	if lp == nil {
		return -1
	}
	return int(lp.k.Local())
}

// TypeName returns the name of the type of the LP.
func (lp *LP) TypeName() string {
	if lp == nil {
		return ""
	}
	return lp.k.Type().Name
}

// Label returns what the model calls the LP (Type.Label), or "".
func (lp *LP) Label() string { return lp.k.Type().LabelOf(lp.k.ID) }

// Sender returns the id of the LP that sent the event which is being handled (tw_event.src_lp), and in
// Init and PreRun the LP's own.
func (lp *LP) Sender() LPID { return LPID(lp.k.Sender()) }

// SentAt returns the virtual time at which the event that is being handled was sent
// (tw_event.send_ts), and 0 in Init and PreRun.
func (lp *LP) SentAt() float64 { return lp.k.SentAt() }

// Signature returns the signature of the event that is being handled (tw_now_sig), and the
// zero Signature in Init and PreRun.
func (lp *LP) Signature() Signature { return Signature(lp.k.Signature()) }

// Suspend makes the LP ignore all events after the current one, until a rollback undoes the
// current one (tw_lp_suspend). Ignored events are counted and committed, but neither their
// handlers nor Commit are called. If the suspending event is committed, the LP stays
// suspended. An LP suspends itself when it finds an impossible state; in an optimistic run
// this is more often caused by an event that came too early than by a mistake. Suspended
// returns code, whose meaning is up to the model. Reverse is called for the suspending event
// only if reverse is true.
//
// Sequential and conservative schedulers suspend LPs in the same way, so they commit the same
// events.
func (lp *LP) Suspend(reverse bool, code int) { lp.k.Suspend(reverse, code) }

// Suspended returns whether the LP is suspended, and the code given to Suspend.
func (lp *LP) Suspended() (code int, suspended bool) {
	if lp == nil {
		return 0, false
	}
	return int(lp.k.Code()), lp.k.Suspended()
}

// TriggerGVTHook makes the GVT hook fire when the current event is committed, if its trigger
// is HookWhenModelCalls (tw_trigger_gvt_hook_now).
func (lp *LP) TriggerGVTHook() { lp.k.TriggerHook() }

// TriggerGVTHookReverse undoes TriggerGVTHook in a Reverse handler
// (tw_trigger_gvt_hook_now_rev).
func (lp *LP) TriggerGVTHookReverse() { lp.k.UntriggerHook() }

// Fail ends the run with an error of the model, for example about an impossible state. Run
// returns it wrapped in a *ModelError. The handler goes on, but its later sends have no
// effect.
func (lp *LP) Fail(err error) { lp.k.Blame(err, "", "the model gave up") }

// Printf prints to Config.Output when the current event is committed (tw_output); output of an
// event that is rolled back is dropped. In Init, PreRun, Commit and Final, and in schedulers
// that do not roll back, it prints at once.
func (lp *LP) Printf(format string, args ...any) { lp.k.Print(fmt.Sprintf(format, args...)) }

// StateOf returns the state of an LP (tw_getstate). It returns nil if the state is not an S,
// or if lp is nil, as Simulation.LP returns it for LPs of other ranks. StateOf is meant for
// hooks, for Final, and for reading results after the run; handlers receive their state as an
// argument.
func StateOf[S any](lp *LP) *S {
	if lp == nil || lp.k.Type().StateType != plain.TypeWord[S]() {
		return nil
	}
	return (*S)(lp.k.State)
}
