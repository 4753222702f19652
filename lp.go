// This file owns LP, a logical process, the object that a model consists of, and what an LP has or belongs to: its
// place, its PE and KP, its blocks of memory, and its log.

package ross

import (
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/check"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/sys/plain"
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
// Config.Streams.PerLP.
func (lp *LP) Stream(i int) *rng.Stream { return lp.k.Stream(i) }

// PE returns the PE that the mapping gives the LP to. It does not change while the run goes on, even if the
// thread of another PE handles the events of the LP, unless Config.Tuning.FixedKPs is set.
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

// Place says where an LP is. All numbers count from 0.
type Place struct {
	Rank  int  // process of the PE, see Simulation.Rank
	PE    PEID // index among the PEs of all ranks
	KP    int  // index on that PE, see KP.ID
	Local int  // local id of the LP on that PE, see LP.Local
}

// Place returns the place of any LP, including those of other ranks. ok is false if no LP has
// the id, before Define, and after Close.
func (s *Simulation) Place(id LPID) (p Place, ok bool) {
	if s.r.Layout == nil || uint64(id) >= s.r.Total {
		return Place{}, false
	}
	pe, local := s.r.Layout.Locate(uint64(id))
	return Place{
		Rank: int(pe) / s.cfg.PEs, PE: PEID(pe), KP: int(s.r.Layout.KP(pe, local)), Local: int(local),
	}, true
}

// LPAt returns the global id of the LP with a local id on a PE of any rank; it is the inverse
// of Place. ok is false if there is no such LP, before Define, and after Close.
func (s *Simulation) LPAt(pe PEID, local int) (id LPID, ok bool) {
	if s.r.Layout == nil || local < 0 || uint64(local) >= s.r.Layout.NumLPs(uint64(pe)) {
		return 0, false
	}
	return LPID(s.r.Layout.GID(uint64(pe), uint64(local))), true
}

// PEID is the index of a PE among all PEs of a run (tw_peid), 0 to Simulation.NumPEs() - 1.
type PEID uint64

// PE is a processing element (tw_pe): a thread with its LPs, an event queue, a pool of events,
// and a clock. Which LPs and KPs it has is what the mapping says, and does not change while the run goes
// on. Without Config.Tuning.FixedKPs the thread of another PE may handle their events, so that handlers of LPs of one
// PE may run at the same time, as those of different PEs do.
type PE struct {
	r run.PE
}

// facePE returns the PE that models see, as faceLP does for an LP: each PE of the kernel lies
// at the beginning of one.
func facePE(pe *kernel.PE) *PE { return (*PE)(unsafe.Pointer(pe)) }

// ID returns the index of the PE among all PEs of the run.
func (pe *PE) ID() PEID { return PEID(pe.r.ID) }

// Simulation returns the simulation that the PE belongs to.
func (pe *PE) Simulation() *Simulation { return pe.r.Run.Owner.(*Simulation) }

// NumLPs returns the number of LPs on the PE (g_tw_nlp), and 0 for a nil PE.
func (pe *PE) NumLPs() int {
	if pe == nil {
		return 0
	}
	return len(pe.r.LPs)
}

// LP returns the LP with local id i (tw_getlp), or nil unless 0 <= i < NumLPs(). It also
// returns nil for a nil PE, such as Simulation.PE returns for a PE of another rank.
func (pe *PE) LP(i int) *LP {
	if pe == nil || i < 0 || i >= len(pe.r.LPs) {
		return nil
	}
	return faceLP(&pe.r.LPs[i])
}

// NumKPs returns the number of KPs on the PE (g_tw_nkp), and 0 for a nil PE.
func (pe *PE) NumKPs() int {
	if pe == nil {
		return 0
	}
	return len(pe.r.KPs)
}

// KP returns the KP with index i (tw_getkp), or nil unless 0 <= i < NumKPs(). It also returns
// nil for a nil PE, such as Simulation.PE returns for a PE of another rank.
func (pe *PE) KP(i int) *KP {
	if pe == nil || i < 0 || i >= len(pe.r.KPs) {
		return nil
	}
	return faceKP(&pe.r.KPs[i])
}

// GVT returns the virtual time before which all events are committed. In a sequential run it
// is the time of the next event.
func (pe *PE) GVT() float64 { return pe.r.LastGVT() }

// SetHookTrigger sets the next trigger of the GVT hook. Only the hook itself, and functions of
// PEType before the first event, may call it: nothing undoes it. A hook that fires at a time
// uses it to set the next time, which must be later than the one it was called for. In a
// parallel run each PE has its own trigger. A conservative PE has already handled events after
// GVT; GVT plus the lookahead is always late enough.
func (pe *PE) SetHookTrigger(t HookTrigger) { pe.r.SetHookTrigger(t.k) }

// KP is a kernel process (tw_kp): a group of LPs with a common list of processed events, on
// which rollbacks work. Few KPs make commits cheap; many make rollbacks short. In schedulers
// without rollback KPs only play a part in the mapping.
type KP struct {
	k kernel.KP
}

// faceKP returns the KP that models see.
func faceKP(kp *kernel.KP) *KP { return (*KP)(unsafe.Pointer(kp)) }

// ID returns the index of the KP on its PE, 0 to Config.NKP - 1.
func (kp *KP) ID() int { return int(kp.k.ID) }

// PE returns the PE that the KP belongs to.
func (kp *KP) PE() *PE { return facePE(kp.k.Home) }

// NumLPs returns the number of LPs of the KP, which is 0 for surplus KPs.
func (kp *KP) NumLPs() int { return int(kp.k.LPs) }

// Block is memory of Alloc: n values of T. It holds no Go pointer, so a state or another block
// may have it as a field. The zero Block is empty.
type Block[T any] struct {
	at uint64 // the address and more, which only the engine interprets
	n  uint64 // number of values
}

// Len returns the number of values.
func (b Block[T]) Len() int { return int(b.n) }

// Alloc returns zeroed memory for n values of T, which belongs to lp until Free. If the
// current event is rolled back, so is the allocation. T holds no pointers; a Block is not a
// pointer. Call Alloc from Init, PreRun and Event.
//
// Asking for more than Config.MaxMemory is an ErrMemory, and the block is then empty. In an
// optimistic run this may happen in an event that is undone later, so a handler that writes to
// values by index should compare the index with Len.
func Alloc[T any](lp *LP, n int) Block[T] {
	var zero T
	b := alloc(&lp.k, n, unsafe.Sizeof(zero), plain.TypeWord[T](), reflect.TypeFor[T])
	return Block[T]{at: b.At, n: b.N}
}

// alloc is Alloc for values of a size and a type.
func alloc(k *kernel.LP, n int, size uintptr, word unsafe.Pointer, elem func() reflect.Type) kernel.Block {
	if !k.MayAlloc("allocated outside of its handlers") {
		return kernel.Block{}
	}
	if n < 0 || !k.PE.IsPlain(word, elem) {
		k.Blame(ErrSave, "ask for 0 or more values of a type without pointers", "allocated %d values of %s", n, elem())
		return kernel.Block{}
	}
	if n == 0 || size == 0 {
		return kernel.Block{N: uint64(n)}
	}
	if limit := k.PE.Budget.Limit(); uint64(n) > limit/uint64(size) {
		k.Blame(ErrMemory, "ask for less, or raise --max-memory",
			"allocated %d values of %s of %d bytes each, and the limit is %d bytes", n, elem(), size, limit)
		return kernel.Block{}
	}
	at := k.Alloc(uintptr(n) * size)
	if at == 0 {
		return kernel.Block{}
	}
	return kernel.Block{At: at, N: uint64(n)}
}

// Free releases a block of lp. Its contents remain until the current event is over, and for
// Reverse. Free of a block without values is allowed but not needed. Free of a block that was
// freed before, or that belongs to another LP, is an ErrSave. Call Free from Init, PreRun and
// Event.
//
// A state may keep the Block, but better sets it to its zero value: a Block that is kept cannot be
// distinguished from another one of the LP once its memory has been used again 63 times.
func Free[T any](lp *LP, b Block[T]) {
	k := &lp.k
	var zero T
	if size := uintptr(b.n) * unsafe.Sizeof(zero); size > 0 && k.MayAlloc("freed memory outside of its handlers") {
		k.Free(b.at, size)
	}
}

// Of returns the values of the block, which handlers of lp may read and write. They are valid
// until the handler returns. For a block that an earlier event has freed, Of reports an
// ErrSave and returns zeros that nobody else sees.
//
// If the Saving of the LP's type is SaveByDelta, the engine saves the whole block when an
// event first calls Of; the containers of package container save single values. Other types
// must undo in Reverse what they write, or call Save before.
func (b Block[T]) Of(lp *LP) []T {
	k := &lp.k
	if b.n == 0 {
		return nil
	}
	var zero T
	pe, p := k.PE, kernel.AddressOf(b.at)
	if !k.InUse(b.at) && unsafe.Sizeof(zero) > 0 && !k.MayRead(b.at) {
		return make([]T, b.n)
	}
	if pe.InDelta && !slices.Contains(pe.Accessed, b.at) {
		pe.Accessed = append(pe.Accessed, b.at)
		k.Save(p, uintptr(b.n)*unsafe.Sizeof(zero))
	}
	return unsafe.Slice((*T)(p), b.n)
}

// engineTypes returns the types of the engine, which states may refer to but do not contain.
func engineTypes() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[LP](), reflect.TypeFor[PE](), reflect.TypeFor[KP](),
		reflect.TypeFor[Simulation](), reflect.TypeFor[rng.Stream]()}
}

// blockElemOf returns the type of the values of t and true if t is a Block type.
func blockElemOf(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	if b, ok := reflect.New(t).Interface().(interface {
		types() (self, elem reflect.Type)
	}); ok { // a struct that embeds a Block has its methods
		if self, elem := b.types(); self == t {
			return elem, true
		}
	}
	return nil, false
}

// types returns the types of the block and of its values.
func (*Block[T]) types() (self, elem reflect.Type) {
	return reflect.TypeFor[Block[T]](), reflect.TypeFor[T]()
}

// findBlock returns the path of a Block within a type, or "" if it contains none.
func findBlock(t reflect.Type, path string) string { return check.PathOfBlock(t, path, blockElemOf) }

// Log returns the logger of the LP. A record reaches Config.ModelLog when its event is
// committed, and is dropped if the event is undone. It carries, before its own attributes:
//
//	lp     id of the LP
//	label  what the model calls it, if it has a name (Type.Label)
//	at     virtual time
//	pe     PE of the LP
//
// Records arrive in the order of the events of this rank, so all schedulers make the same log,
// apart from pe. In a parallel run they arrive when GVT has passed their time. Records of Init,
// PreRun, hooks and Final arrive at once. They have no wall-clock time, which would only say
// when the event happened to be handled.
//
// Values of types other than those of slog, also errors and structs, are turned into text at
// once, as slog.TextHandler does it, because the state may have changed when the record
// arrives.
//
// Without Config.ModelLog, or if Config.ModelLogOnly leaves the LP out, or if the handler does
// not want the level, a call returns at once. Only handlers of the LP itself may log.
func (lp *LP) Log() *slog.Logger { return lp.k.Logger() }
