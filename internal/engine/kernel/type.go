// This file owns Type: a type of LPs as the engine sees it, without the Go types of its
// state and message.

package kernel

import (
	"fmt"
	"io"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/sys/plain"
)

// StateCheck is a ross.Checker without its type parameter.
type StateCheck struct {
	State   reflect.Type                                // Go type of the state
	Save    func(state unsafe.Pointer) any              // nil: compare all fields
	Compare func(state unsafe.Pointer, saved any) error // goes with Save
	// Clean is called when a saved state is no longer needed.
	Clean   func(saved any)
	Print   func(w io.Writer, state unsafe.Pointer) // nil: do not print states that differ
	Digest  func(state unsafe.Pointer) any          // nil: all fields
	Message bool                                    // compare the message, too
}

// serialType says how the states of a type are stored in checkpoints.
type serialType struct {
	// SerializedSize, Serialize and Deserialize of the type, all or none.
	Size func(state unsafe.Pointer, lp *LP) int
	Put  func(state unsafe.Pointer, lp *LP, buf []byte)
	Get  func(state unsafe.Pointer, lp *LP, buf []byte) error
	// If they are nil: what is copied, or why that is impossible.
	Shape  *plain.Shape // of a state, which is stored with its Blocks
	Cannot error        // why a state cannot be copied
	// Refuse, if not nil, returns why a state cannot be stored, or nil. It is called before the first event of a run
	// that may store checkpoints, and for each checkpoint.
	Refuse func(state unsafe.Pointer, lp *LP) error
	State  string // layout that must match when a checkpoint is loaded
}

// BadBit is the value with which methods of Bits panic. They do not know the LP; the engine
// turns the value into an error that names it.
type BadBit struct {
	Method string // of Bits
	I      uint   // the bit
}

// Saving says how events of a type are undone.
type Saving uint8

// The ways to undo events.
const (
	saveAuto      Saving = iota
	SaveByReverse        // by the model's Reverse
	SaveByLog            // from values that the model saved with Save
	SaveByDelta          // from differences that the engine saves
	SaveNever            // not at all: events wait until nothing earlier can arrive
)

// Handler is an Event of any type without undo data: a function of three pointers.
type Handler func(state unsafe.Pointer, lp *LP, msg unsafe.Pointer)

// UndoHandler is an Event with undo data, and a Reverse or Commit: undo is where these data are, or
// else the bits of the event.
type UndoHandler func(state unsafe.Pointer, lp *LP, undo *uint32, msg unsafe.Pointer)

// Type is a ross.Type without its type parameters.
type Type struct {
	Name       string           // as given by the model, or that of the state's Go type
	Whole      string           // name of the state's Go type with its package, if the model has given no name
	ID         uint16           // index into Run.Types
	StateType  unsafe.Pointer   // identifies the Go type of the state, see plain.TypeWord
	StateSize  uintptr          // bytes
	Layouts    instr.RunType    // what the type adds to events and samples
	Messages   []*Message       // that its LPs receive; at least one
	words      []unsafe.Pointer // Message.Word of all that can be sent, those of timers last
	ids        []uint16         // and Message.ID
	Saving     Saving           // how its events are undone
	Lookahead  float64          // least delay of its sends to other PEs, as the model declares; 0: it does not
	NeverStops bool             // its LPs end the run with at least the lookahead, or never
	// SetsStreams says that handlers set the first stream of their LP.
	SetsStreams bool
	Plain       bool    // the state holds no pointers
	plainAt     uintptr // where the longest part of the state without scratch begins
	plainSize   uintptr // its size; 0 if the state holds pointers besides scratch
	CannotSave  error   // why deltas of the state are impossible
	Hidden      bool    // the model does not know of its LPs, and its events have no message
	Init        func(state unsafe.Pointer, lp *LP)
	PreRun      func(state unsafe.Pointer, lp *LP)
	Final       func(state unsafe.Pointer, lp *LP)
	Label       func(gid uint64) string // names an LP; may be nil
	Check       StateCheck              // for the check of rollback and the digest
	TraceSize   int                     // number of bytes that Message.Trace fills in
	Untraced    bool                    // leaves all events of the type out of traces
	// SampleSize and PointSize are the numbers of bytes that Sample and SamplePoint fill.
	SampleSize int
	Sample     func(state unsafe.Pointer, lp *LP, buf []byte)
	PointSize  int
	// The model's Point and ReversePoint.
	SamplePoint, UnsamplePoint func(state unsafe.Pointer, lp *LP, buf []byte)
	Serial                     serialType        // for checkpoints
	Kept                       []plain.Span      // bytes of the state that are not scratch
	Scratch                    []plain.Scratch   // and what is, without the data of statistics
	Figures                    []statistic.Field // statistics in the state
	// Slab returns the address of n zero states, and a value that keeps them alive.
	Slab func(n int) (unsafe.Pointer, any)
	Life life // nil for types of Go
}

// life is what a type of another language does when a run begins and ends. It is called for each type of the run.
type life interface {
	Open(r *Run) error  // the run has its PEs and LPs
	Start(r *Run) error // before Init of the first LP
	End(r *Run)         // after Final of the last one, also if there was none, or Start has failed
	Release(r *Run)     // the run gives up its types, and has perhaps not been opened
}

// Error says which bit is wrong, and why.
func (b BadBit) Error() string { return fmt.Sprintf("Bits.%s(%d): %v", b.Method, b.I, ErrBits) }
