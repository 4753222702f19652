// This file owns Type: what a model tells the engine about a kind of LP, and
// its registration.

package ross

import (
	"fmt"
	"github.com/ross-go/ross/internal/plain"
	"reflect"
	"unsafe"
)

// Bits is a model's bit field of an event (tw_bf): the engine zeroes it before
// each forward execution, and a Reverse handler reads from it which way the
// forward one went.
type Bits uint32

// Set sets bit i, 0 to 31 (bf->c1 = 1). Another i, here and below, ends the run with
// ErrBits.
func (b *Bits) Set(i uint) {
	if i > 31 {
		noSuchBit("Set", i)
	}
	*b |= 1 << (i & 31)
}

// Clear clears bit i, 0 to 31.
func (b *Bits) Clear(i uint) {
	if i > 31 {
		noSuchBit("Clear", i)
	}
	*b &^= 1 << (i & 31)
}

// Get reports whether bit i, 0 to 31, is set.
func (b *Bits) Get(i uint) bool {
	if i > 31 {
		noSuchBit("Get", i)
	}
	return *b>>(i&31)&1 != 0
}

// badBit is what the methods of Bits panic with, which know no LP: the engine makes an
// error of it that names one.
type badBit struct {
	method string
	i      uint
}

func (b badBit) Error() string { return fmt.Sprintf("Bits.%s(%d): %v", b.method, b.i, ErrBits) }

//go:noinline
func noSuchBit(method string, i uint) { panic(badBit{method, i}) }

// Type describes a kind of LP (tw_lptype): its state S, the message M that it
// receives, and its handlers, usually methods of *S written as method
// expressions. Only Event is mandatory.
//
// In a parallel run the functions are called by several PEs at once, each for its own LPs;
// but Map is called by Define and Final after the run, for one LP after the other, and
// those of Check run in schedulers with one PE. So what they share they only read.
//
// M travels as bytes, so it holds no pointers, strings, slices, maps or
// interfaces. S may hold anything. A simulation may have many types, each with
// messages of its own type and size.
type Type[S, M any] struct {
	// Name stands in reports and errors.
	Name string
	// Init is called for each LP before the run, in the order of local indices
	// on each PE (init).
	Init func(s *S, lp *LP)
	// PreRun is called for each LP after all Inits (pre_run).
	PreRun func(s *S, lp *LP)
	// Event handles an event (event). It may change s, draw from lp's streams,
	// write to m, and send.
	Event func(s *S, lp *LP, bits *Bits, m *M)
	// Reverse undoes what Event did to s, which it finds as Event left it; streams, sends
	// and what Save noted are undone by the engine, after Reverse (revent). Schedulers
	// that do not roll back never call it.
	Reverse func(s *S, lp *LP, bits *Bits, m *M)
	// Saving says how events are undone, see the constants. Default SaveAuto:
	// by Reverse if there is one, else by the engine.
	Saving Saving
	// Commit is called once for each event that will never be rolled back, in
	// the order of the events of an LP (commit). In optimistic runs later events of the LP
	// have been handled by then, so it must not change what Event or Reverse uses, or Save
	// notes. Fields of its own it may change, for statistics say.
	Commit func(s *S, lp *LP, bits *Bits, m *M)
	// Final is called for each LP after the run (final).
	Final func(s *S, lp *LP)
	// Map returns the PE of an LP, for a custom mapping without Config.Custom.PE and For
	// (map): 0 to Simulation.NumPEs-1, which is known from New on and counts the PEs of all
	// ranks, as Config.PEs does not. Define calls it, in no promised order.
	Map func(gid LPID) PEID
	// Check says how --synch=4 and 6 compare states. nil: all fields, whatever
	// the state leads to (crv_add_custom_state_checkpoint).
	Check *Checker[S]
	// TraceSize is the number of bytes that Trace puts into an event trace
	// (ev_sz).
	TraceSize int
	// Trace writes at most TraceSize bytes about an event of lp into buf, which
	// it gets zeroed. kind says what the trace is of. Events for which it returns
	// false are left out of the trace (ev_trace; formerly rbev_col and ev_col). nil:
	// every event is traced, without a payload.
	Trace func(lp *LP, kind TraceKind, m *M, buf []byte) bool
	// Untraced leaves the events of these LPs out of traces.
	Untraced bool
	// SampleSize is the number of bytes of a sample by GVT or by real time, 0 to
	// 1 MiB (mstat_sz).
	SampleSize int
	// Sample writes at most SampleSize bytes about lp into buf, which it gets
	// zeroed, when samples are taken by GVT or by real time (model_stat_fn). The
	// state is that of lp's last event, which an optimistic run may undo later.
	// It must neither send, nor draw, nor change the state.
	Sample func(s *S, lp *LP, buf []byte)
	// PointSize is the number of bytes of a sample at a virtual time
	// (sample_struct_sz).
	PointSize int
	// Point writes at most PointSize bytes about lp into buf, which it gets zeroed,
	// at each virtual time at which samples are taken: all events of lp before that
	// time have happened, none after it (sample_event_fn). It may change the state, for
	// example start counting anew, and then has to have ReversePoint undo that; it
	// must neither send nor draw. bits are those of the point.
	Point func(s *S, lp *LP, bits *Bits, buf []byte)
	// ReversePoint undoes what Point did to the state; buf is what Point wrote
	// (sample_revent_fn). nil: Point changes nothing.
	ReversePoint func(s *S, lp *LP, bits *Bits, buf []byte)
	// SerializedSize returns how many bytes Serialize will write about lp into a
	// checkpoint, 0 to 1 GiB (model_size). A type whose state holds no pointers and no
	// Block needs none of the three: its bytes are stored as they are. Others that are
	// to be stored give all three.
	SerializedSize func(s *S, lp *LP) int
	// Serialize writes the state of lp into buf, which has SerializedSize bytes and is
	// zeroed (serialize). It must neither send, nor draw, nor change the state.
	Serialize func(s *S, lp *LP, buf []byte)
	// Deserialize makes the state of lp from what Serialize wrote (deserialize). The
	// state is zero, or, after Init with LoadPostInit, what Init made. buf is good until it
	// returns. It may call Alloc; it must neither send nor draw. An error ends the
	// run before its first event.
	Deserialize func(s *S, lp *LP, buf []byte) error
}

// handler is an Event, Reverse or Commit of any type: a function whose
// arguments are four pointers.
type handler func(state unsafe.Pointer, lp *LP, bits *Bits, msg unsafe.Pointer)

// lpType is a Type without its type parameters.
type lpType struct {
	name       string
	id         uint16
	stateType  unsafe.Pointer // typeWord of S
	msg        unsafe.Pointer // typeWord of M
	msgName    string
	msgSize    uintptr
	stateSize  uintptr
	spans      []plain.Span
	saving     Saving
	plain      bool  // the state holds no pointers
	cannotSave error // why deltas of the state are impossible
	event      handler
	reverse    handler
	commit     handler
	init       func(state unsafe.Pointer, lp *LP)
	preRun     func(state unsafe.Pointer, lp *LP)
	final      func(state unsafe.Pointer, lp *LP)
	mapTo      func(gid LPID) PEID
	check      stateCheck
	traceSize  int
	trace      func(lp *LP, kind TraceKind, msg unsafe.Pointer, buf []byte) bool
	untraced   bool
	sampleSize int
	sample     func(state unsafe.Pointer, lp *LP, buf []byte)
	pointSize  int
	// These are Point and ReversePoint.
	samplePoint, unsamplePoint func(state unsafe.Pointer, lp *LP, bits *Bits, buf []byte)
	serial                     serialType
	// slab returns n zero states, their address, and what keeps them alive.
	slab func(n int) (unsafe.Pointer, any)
}

// LPType is a Type of any S and M, as Define takes it.
type LPType interface {
	lpType() (*lpType, error)
}

func (t Type[S, M]) lpType() (*lpType, error) {
	var s S
	var m M
	msg := reflect.TypeFor[M]()
	if t.Name == "" {
		t.Name = reflect.TypeFor[S]().String()
	}
	if t.Event == nil {
		return nil, fmt.Errorf("ross: LP type %q: Event is nil: %w: give it a handler", t.Name, ErrModel)
	}
	for _, size := range []struct {
		name string
		is   int
	}{{"TraceSize", t.TraceSize}, {"SampleSize", t.SampleSize}, {"PointSize", t.PointSize}} {
		if size.is < 0 || size.is > maxTraceSize {
			return nil, fmt.Errorf("ross: LP type %q: %s is %d: %w: give 0 to %d bytes", t.Name, size.name, size.is, ErrModel, maxTraceSize)
		}
	}
	if where, kind := plain.FindPointer(msg, msg.String()); where != "" {
		return nil, fmt.Errorf("ross: LP type %q: message: %s is a %s: %w: messages travel as bytes, so use numbers, arrays and structs of them",
			t.Name, where, kind, ErrModel)
	}
	if where := findBlock(msg, msg.String()); where != "" {
		return nil, fmt.Errorf("ross: LP type %q: message: %s is a ross.Block: %w: its memory belongs to the LP that allocated it, "+
			"so send what is in it; for Reverse, call ross.Save for the Block of the state", t.Name, where, ErrModel)
	}
	lt := &lpType{
		name:      t.Name,
		stateType: plain.TypeWord[S](), stateSize: unsafe.Sizeof(s),
		msg: plain.TypeWord[M](), msgName: msg.String(), msgSize: unsafe.Sizeof(m),
		spans:     plain.SpansOf(msg),
		event:     plain.Recast[handler](&t.Event),
		reverse:   plain.Recast[handler](&t.Reverse),
		commit:    plain.Recast[handler](&t.Commit),
		init:      plain.Recast[func(unsafe.Pointer, *LP)](&t.Init),
		preRun:    plain.Recast[func(unsafe.Pointer, *LP)](&t.PreRun),
		final:     plain.Recast[func(unsafe.Pointer, *LP)](&t.Final),
		mapTo:     t.Map,
		traceSize: t.TraceSize,
		trace:     plain.Recast[func(*LP, TraceKind, unsafe.Pointer, []byte) bool](&t.Trace),
		untraced:  t.Untraced, sampleSize: t.SampleSize, pointSize: t.PointSize,
		sample:        plain.Recast[func(unsafe.Pointer, *LP, []byte)](&t.Sample),
		samplePoint:   plain.Recast[func(unsafe.Pointer, *LP, *Bits, []byte)](&t.Point),
		unsamplePoint: plain.Recast[func(unsafe.Pointer, *LP, *Bits, []byte)](&t.ReversePoint),
		slab: func(n int) (unsafe.Pointer, any) {
			states := make([]S, n)
			return unsafe.Pointer(unsafe.SliceData(states)), states
		},
	}
	if t.Trace == nil {
		lt.traceSize = 0
	}
	err := t.setSerial(lt, msg)
	if err != nil {
		return nil, err
	}
	if lt.check, err = t.stateCheck(); err != nil {
		return nil, err
	}
	return lt, lt.setSaving(t.Saving, reflect.TypeFor[S]())
}
