// This file owns Run: what all PEs of a rank share.

package kernel

import (
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/sys/mem"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report/figures"
	"github.com/ross-go/ross/rng"
)

// Output is where a rank prints. It keeps its first error, which Err returns once. Package report has one.
type Output interface {
	io.Writer
	Err() error
	// Take lets another component show the progress of the run, and print through wrap; giveBack ends this.
	Take(wrap func(w io.Writer) io.Writer) (giveBack func())
	ProgressTaken() bool
}

// Front is what package ross, which models use, gives a run.
type Front struct {
	Owner  any            // what models see of the run
	Log    *Log           // of the models; nil: nobody wants it
	Opaque []reflect.Type // types that states may refer to without being compared
	// BlockElem returns the type of a Block's values; ok is false if t is not a Block.
	BlockElem func(t reflect.Type) (elem reflect.Type, ok bool)
	// NewError returns the error for a mistake of an LP.
	NewError func(m Mistake) error
	// TimeOf returns the virtual time of such an error; ok is false for other errors.
	TimeOf func(err error) (at float64, ok bool)
	// Collective begins a call that all ranks make: ross.Simulation.collective.
	Collective func(call string, err error) error
	Out        Output            // output of this rank
	Warn       func(text string) // prints a warning
	// SeesReport says that who sees the warnings sees the report as well, in the same place.
	SeesReport bool
	NoProgress bool // no lines are printed while the run goes on
}

// Run is what all PEs of a rank share. It does not change while events are handled.
type Run struct {
	Front
	Set   settings.Settings // as given by the options
	Watch *watch            // of LPs whose events are shown; nil: there are none
	Types []*Type           // by Type.ID
	// Messages are those of all types, by Message.ID, which Event.Type holds.
	Messages []*Message
	Analysis *Type                // of analysis LPs, nil if there are none
	TypeMap  func(gid uint64) int // index into Types by LP; nil: there is one type
	Layout   *mapping.Map         // where the LPs are
	PEs      []*PE                // of this rank
	Base     uint64               // number of the first PE of this rank
	Total    uint64               // LPs of all ranks
	place
	// Near calls a function on a thread that is near to the memory of a PE; nil: PEs are not bound to processors.
	Near        func(pe uint64, f func())
	serialState serialState  // of a run whose scheduler is chosen while it runs
	Budget      *mem.Budget  // memory of the run
	Space       *event.Space // of the events of all PEs here
	Report      io.Writer    // Out on the rank that prints the report
	StartTime   float64      // virtual time at which the run starts
	Restarts    bool         // the LPs are those of a checkpoint, and Init has not been called after loading
	Rank0       bool         // this is rank 0
	Keeps       bool         // events at and after the end are kept, for a checkpoint
	// HookTakes says that the GVT hook may take events, see PE.TakeEvents, and that LPs call it in a conservative run,
	// too, in which others may be beyond the event that calls it, by up to the lookahead.
	HookTakes bool
	Ahead     float64 // lookahead that sends have to keep; 0: none. See keepsAhead
	// StopAhead is the least delay with which handlers may end the run; 0: any. It is the lookahead if the
	// run may be conservative on several PEs, since others may have committed events up to it later.
	StopAhead float64
	PESize    uint64   // bytes of a PE
	Stopped   *Stopped // who has stopped the run; nil until then
	Until     float64  // virtual time that the run has reached at its end; +Inf: that of its last event
	// Gather sends bytes to all ranks and returns those of each. nil: there is one rank.
	Gather func(own []byte) ([][]byte, error)
}

// Mistake describes what the model of an LP did wrong.
type Mistake struct {
	LP    uint64  // its id
	Label string  // what the model calls it, or ""
	Type  string  // name of its type
	Time  float64 // virtual time of its event
	What  string  // what it did
	Fix   string  // what to do about it
	Err   error   // the kind of mistake, such as ErrDelay
	// Message is the Go type of the message that the LP was handling, "" if it was handling none. Several
	// says that LPs of its type receive more than one type of message.
	Message string
	Several bool
	Causes  string // likely ones, or ""
	Stack   string // of a panic
}

// leastDelay returns the delay below which sends are looked at: what the run needs, or any of its LP types promises, if
// the run needs a lookahead or checks the model; otherwise 0, since then the promises do not matter to it.
func (r *Run) leastDelay() float64 {
	least := r.Ahead
	if least > 0 || r.Set.Checks() {
		for _, t := range r.Types {
			least = max(least, t.Lookahead)
		}
	}
	return least
}

// PE returns the PE with a number, or nil if it is in another rank.
func (r *Run) PE(id uint64) *PE {
	if id-r.Base >= uint64(len(r.PEs)) {
		return nil
	}
	return r.PEs[id-r.Base]
}

// LP returns the LP with a global id, or nil if it does not exist or is in another rank.
func (r *Run) LP(gid uint64) *LP {
	if r.Layout == nil || gid >= r.Total {
		return nil
	}
	id, local := r.Layout.Locate(gid)
	pe := r.PE(id)
	if pe == nil {
		return nil
	}
	return &pe.LPs[local]
}

// TypeAt returns the type of an LP without touching the LP.
func (r *Run) TypeAt(gid uint64) *Type {
	id, local := r.Layout.Locate(gid)
	if pe := r.PE(id); pe != nil {
		return r.typeAt(uint32(pe.Address.offset + local))
	}
	t, err := r.TypeOf(gid)
	if err != nil {
		return r.Types[0] // the LP's own rank reports the error
	}
	return t
}

// TypeOf returns the type that the type map gives to an LP.
func (r *Run) TypeOf(gid uint64) (*Type, error) {
	i := 0
	if r.TypeMap != nil {
		i = r.TypeMap(gid)
	}
	if i < 0 || i >= len(r.Types) {
		return nil,
			fmt.Errorf("ross: Config.TypeMap: gives type %d to LP %d: %w: give 0 to %d, an index into the types of Define",
				i, gid, ErrModel, len(r.Types)-1)
	}
	return r.Types[i], nil
}

// Printf prints to the report.
func (r *Run) Printf(format string, args ...any) { fmt.Fprintf(r.Report, format, args...) }

// NumPEs returns the number of PEs of all ranks.
func (r *Run) NumPEs() uint64 { return r.Layout.NumPEs() }

// MostPEs is the largest number of PEs that the record of a send can name, see TagRemote.
const MostPEs = 1 << (TagShift - 32)

// typeAt returns the type of LP i of this process.
func (r *Run) typeAt(i uint32) *Type {
	if r.types == nil {
		return r.Types[0]
	}
	return r.Types[r.types[i]]
}

// typeOf is Run.TypeAt, and quick for LPs of this PE if their ids are consecutive.
func (pe *PE) typeOf(gid uint64) *Type {
	r := pe.Run
	if len(r.Types) == 1 {
		return r.Types[0]
	}
	if i := gid - pe.first; i-uint64(pe.from) < uint64(pe.span) {
		return r.Types[r.types[i]]
	}
	return r.TypeAt(gid)
}

// HasState reports whether LP gid has a state of a type, or does not exist, which is another mistake.
func (pe *PE) HasState(gid uint64, state unsafe.Pointer) bool {
	return gid >= pe.total || pe.typeOf(gid).StateType == state
}

// Sizes returns the sizes of the engine's and the model's structures.
func (r *Run) Sizes() figures.StructSizes {
	var model, msg uint64
	for _, t := range r.Types {
		model, msg = max(model, uint64(t.StateSize)), max(msg, uint64(t.largest()))
	}
	streams := r.Set.Streams.PerLP*uint64(unsafe.Sizeof(rng.Stream{})) + uint64(unsafe.Sizeof(rng.CLCG4{}))
	more := (r.Set.Streams.PerLP - 1) * uint64(unsafe.Sizeof(rng.Stream{}))
	return figures.StructSizes{
		PE: r.PESize, KP: uint64(unsafe.Sizeof(KP{})), LP: uint64(LPSize),
		LPModel: model, LPRNGs: streams, TotalLP: uint64(LPSize) + more + model,
		Event: event.Size, EventWithModel: event.Size + msg,
	}
}
