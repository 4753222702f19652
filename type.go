// This file owns Type, the description of a kind of LP, and what belongs to it: Bits, Checker, Saving and Save.

package ross

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/sys/plain"
)

// TraceKind says which events an event trace contains (--event-trace).
type TraceKind int

// The kinds of event traces.
const (
	TraceAll       TraceKind = 1 // every execution, including those undone later
	TraceRollbacks TraceKind = 2 // events that caused a primary rollback
	TraceCommitted TraceKind = 3 // committed events
)

// Checker says how --synch=4 and 6 compare the states of a type. It is for models that do not
// want everything compared that can be reached from the state: floating-point sums that
// Reverse restores only up to rounding, caches, or objects that several LPs share
// (crv_checkpointer, crv_add_custom_state_checkpoint).
type Checker[S any] struct {
	// Save returns a copy of the data to be compared (save_lp). It must be set if Compare is
	// set, and only then.
	Save func(s *S) any
	// Compare returns an error that says what differs, or nil if nothing does (check_lps).
	Compare func(s *S, saved any) error
	// Clean, if not nil, is called for each copy that is no longer needed (clean_lp).
	Clean func(saved any)
	// Print, if not nil, writes a state that differs to the report in readable form
	// (print_lp). It is also used without Save and Compare.
	Print func(w io.Writer, s *S)
	// Message says that the message is compared, too: Reverse must restore it. If it is false,
	// Event may leave in the message what Reverse needs, as models of ROSS do. What is left
	// there must not affect a second call of Event; this is always checked.
	Message bool
	// Digest returns the part of the state that the digest of final states covers
	// (Config.Digest): a value of any kind, which must be the same, bit by bit, whatever was
	// rolled back. It leaves out data that need not be exact, such as sums with rounding
	// errors after Reverse, and caches. If it is nil, the digest covers all fields, or nothing
	// of the state if Compare is set.
	Digest func(s *S) any
}

// stateCheck returns the functions of Check in the form in which the engine calls them.
func stateCheck(t *Type[anyState], state reflect.Type) (kernel.StateCheck, error) {
	sc := kernel.StateCheck{State: state, Clean: func(any) {}}
	c := t.Check
	if c == nil {
		return sc, nil
	}
	if (c.Save == nil) != (c.Compare == nil) {
		return sc, fmt.Errorf("ross: LP type %q: Check has only one of Save and Compare: %w: give both or neither", t.Name,
			ErrModel)
	}
	if c.Save != nil {
		sc.Save = func(p unsafe.Pointer) any { return c.Save((*anyState)(p)) }
		sc.Compare = func(p unsafe.Pointer, saved any) error { return c.Compare((*anyState)(p), saved) }
	}
	if c.Clean != nil {
		sc.Clean = c.Clean
	}
	if c.Print != nil {
		sc.Print = func(w io.Writer, p unsafe.Pointer) { c.Print(w, (*anyState)(p)) }
	}
	if c.Digest != nil {
		sc.Digest = func(p unsafe.Pointer) any { return c.Digest((*anyState)(p)) }
	}
	sc.Message = c.Message
	return sc, nil
}

// setSerial sets how checkpoints store the states of the type.
func setSerial(t *Type[anyState], lt *kernel.Type, state reflect.Type) error {
	s := &lt.Serial
	s.State = plain.LayoutOf(state)
	given := 0
	for _, is := range []bool{t.SerializedSize != nil, t.Serialize != nil, t.Deserialize != nil} {
		if is {
			given++
		}
	}
	switch {
	case given == 3:
		s.Size = plain.Recast[func(unsafe.Pointer, *kernel.LP) int](&t.SerializedSize)
		s.Put = plain.Recast[func(unsafe.Pointer, *kernel.LP, []byte)](&t.Serialize)
		s.Get = plain.Recast[func(unsafe.Pointer, *kernel.LP, []byte) error](&t.Deserialize)
		return nil
	case given > 0:
		return fmt.Errorf("ross: LP type %q: SerializedSize, Serialize and Deserialize: %w: give all three, or none", lt.Name,
			ErrModel)
	}
	where, kind := plain.FindPointerIn(state, state.String(), blockElemOf)
	if where == "" {
		s.State, s.Shape = plain.LayoutIn(state, blockElemOf, statistic.StoredAs), plain.ShapeOf(state, blockElemOf)
		return nil
	}
	s.Cannot = fmt.Errorf(
		"ross: checkpoint: LP type %q: state: %s is a %s: %w: %s; or give the type SerializedSize, Serialize and Deserialize",
		lt.Name, where, kind, ErrModel, kernel.InsteadOf(kind))
	return nil
}

// Bits is a bit field that belongs to an event, for use by the model (tw_bf). The engine
// clears it before each forward execution. Event sets bits so that Reverse knows which
// branches Event took.
type Bits uint32

// Set sets bit i, 0 to 31 (bf->c1 = 1). In Set, Clear and Get any other i ends the run with
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

//go:noinline
func noSuchBit(method string, i uint) { panic(kernel.BadBit{Method: method, I: i}) }

// Type describes a kind of LP (tw_lptype): its state S, the messages that it receives, and
// its handlers, usually methods of *S written as method expressions. Only Event is mandatory.
//
// In a parallel run several PEs call the functions at once, each for its own LPs, so variables
// that the functions share must not change. Final is called after the run, for one LP after
// another, and the functions of Check in schedulers with one PE.
//
// Messages travel as bytes, so they hold no pointers, strings, slices, maps or interfaces. S may hold
// anything. A simulation may have many types, each with messages of its own types and sizes.
//
// A field of a state or message with the tag `ross:"-"` is scratch: data that no result depends on, such
// as a cache or a buffer. Handlers may write to it without undoing that. The schedulers that
// check rollback do not compare scratch, digests do not cover it, Save and SaveByDelta leave
// it as it is in the state, and checkpoints store zeros for it. Since it is not restored, it
// may hold anything when a handler is called, and in a state also pointers. Parameters do not belong
// there, because a restart does not call Init: let handlers be methods of a value that holds them.
type Type[S any] struct {
	// Name appears in reports, errors, statistics and files. Default: the name of S, such as Server; if
	// several types have that name, with the package, such as queue.Server.
	Name string
	// LPs is the number of LPs of this type. If each type has one, the LPs of the first type have the lowest ids, those
	// of the second follow, and so on, without a Config.TypeMap; their sum is Config.LPs, which may be 0
	// before Define. Either all types say how many they have, or none.
	// Default: 0, the configuration says how many LPs there are; if it does not, each PE has 8 (Config.NLP).
	LPs int
	// Label returns the model's own name of an LP, such as "router (3,4,5)", which errors, the
	// report and logs show, quoted, next to its id; "" means none. It is called only when such a
	// text is written, by several PEs at once, also for LPs of other ranks and for events that
	// are undone, so it depends on nothing but the id and constants. Rank 0 also calls it for all
	// LPs when instrumentation begins and, while the run goes on, for each checkpoint: it writes
	// their names next to these files, for rossreader. If it panics, the LP has no name. Default:
	// nil, no names.
	Label func(gid LPID) string
	// Init is called for each LP before the run, in the order of local ids on each PE (init).
	Init func(s *S, lp *LP)
	// PreRun is called for each LP after Init of all LPs (pre_run).
	PreRun func(s *S, lp *LP)
	// Event handles the events of the LPs: what On or OnUndo returns for a type of messages, or Events for several.
	Event Handler[S]
	// Saving says how events are undone. Default: SaveAuto, which means by Reverse if it is
	// set, and otherwise by the engine.
	Saving Saving
	// Lookahead, if above 0, is a promise of the model: every event that an LP of this type sends to
	// another LP has at least this delay, in virtual time. If all types declare one, the lookahead of
	// the conservative scheduler is the least of these, or Config.ConsLookahead if that is more, and
	// Auto may choose that scheduler (see NeverStops). A send with a lesser delay is an ErrLookahead under
	// Conservative and Auto, which rely on the promise, and under RollbackCheck and OptimisticDebug, which check
	// the model, as package modeltest does. The others need no promise, and do not look. Default: 0, no promise.
	Lookahead float64
	// NeverStops says that LPs of this type end the run, if they ever do, by StopAfter with a delay of at
	// least the lookahead. Auto tries the conservative scheduler only if all types say so: that scheduler
	// cannot undo events that come after a sudden stop. Under Auto, LP.Stop and shorter delays are an
	// ErrLookahead then. Default: false, the LPs may end the run at any time.
	NeverStops bool
	// SetsStreams says that handlers of events call SetState of LP.RNG, or Skip over 2^15 draws or
	// more. The engine then saves the streams with each event; otherwise it counts draws, and a
	// handler that does so in an optimistic run is an ErrModel. Config.Streams.PerLP above 1 has the same
	// effect as SetsStreams. Default: false.
	SetsStreams bool
	// Final is called for each LP after the run (final).
	Final func(s *S, lp *LP)
	// Check says how --synch=4 and 6 compare states (crv_add_custom_state_checkpoint).
	// Default: nil, which compares all fields and everything that the state refers to.
	Check *Checker[S]
	// TraceSize is the number of bytes that Trace adds to each event of a trace, 0 to 1 MiB
	// (ev_sz).
	TraceSize int
	// TraceLayout names and types these bytes, such as "served:u32,_:x4,wait:f64" (see
	// instr.ParseLayout): run.json has it, and rossreader dump shows them in columns of these names.
	// If TraceSize is 0, it is that of the layout; otherwise both must agree. Default: "", unknown.
	TraceLayout string
	// Untraced leaves the events of LPs of this type out of traces.
	Untraced bool
	// SampleSize is the number of bytes of a sample by GVT or by real time, 0 to 1 MiB
	// (mstat_sz).
	SampleSize int
	// SampleLayout names and types these bytes, as TraceLayout does.
	SampleLayout string
	// Sample writes at most SampleSize bytes about lp to buf, which is zeroed, whenever
	// samples are taken by GVT or by real time (model_stat_fn). The state is that after lp's
	// last event, which an optimistic run may undo later. Sample must not send, draw, or
	// change the state.
	Sample func(s *S, lp *LP, buf []byte)
	// PointSize is the number of bytes of a sample at a virtual time, 0 to 1 MiB
	// (sample_struct_sz).
	PointSize int
	// PointLayout names and types these bytes, as TraceLayout does.
	PointLayout string
	// Point writes at most PointSize bytes about lp to buf, which is zeroed, at each virtual
	// time at which samples are taken (sample_event_fn). At that moment all earlier events of
	// lp have happened, and no later ones. Point may change the state, for example to reset
	// counters; ReversePoint must then undo the change. Point must not send or draw.
	Point func(s *S, lp *LP, buf []byte)
	// ReversePoint undoes what Point did to the state; buf contains what Point wrote
	// (sample_revent_fn). Default: nil, for a Point that changes nothing.
	ReversePoint func(s *S, lp *LP, buf []byte)
	// SerializedSize returns the number of bytes that Serialize will write about lp, 0 to 1
	// GiB (model_size). A type whose state holds no pointers needs none of SerializedSize,
	// Serialize and Deserialize: its bytes are stored as they are, and the contents of its
	// Blocks with them, up to 1 GiB in all. Other types need all three to be stored in
	// checkpoints.
	SerializedSize func(s *S, lp *LP) int
	// Serialize writes the state of lp to buf, which has SerializedSize bytes and is zeroed
	// (serialize). It must not send, draw, or change the state.
	Serialize func(s *S, lp *LP, buf []byte)
	// Deserialize restores the state of lp from the bytes that Serialize wrote (deserialize).
	// The state is zero, except that with LoadPostInit it is what Init made. buf is valid
	// until Deserialize returns. Deserialize may call Alloc, but must not send or draw. An
	// error ends the run before its first event.
	Deserialize func(s *S, lp *LP, buf []byte) error
}

// LPType is a Type of any S, as Define accepts it.
type LPType interface {
	lps() int
	lpType(set *settings.Settings) (*kernel.Type, error)
}

func (t Type[S]) lps() int { return t.LPs }

// lpType checks the type and returns it in the form that the engine uses.
func (t Type[S]) lpType(*settings.Settings) (*kernel.Type, error) {
	return typeOf((*Type[anyState])(unsafe.Pointer(&t)), reflect.TypeFor[S](), plain.TypeWord[S](),
		func(name string) ([]*kernel.Message, error) { return t.Event.messages(nil, name) },
		func(n int) (unsafe.Pointer, any) {
			states := make([]S, n)
			return unsafe.Pointer(unsafe.SliceData(states)), states
		})
}

// anyState is any state. A Type has the same fields for all of them, so what depends on no state is compiled once, for
// this one, and not by each package that has a Type.
type anyState struct{}

// typeOf is lpType for a type with another state: what messages its LPs receive, and what makes their states.
func typeOf(t *Type[anyState], state reflect.Type, word unsafe.Pointer,
	receives func(name string) ([]*kernel.Message, error), slab func(n int) (unsafe.Pointer, any)) (*kernel.Type, error) {
	whole := ""
	if t.Name == "" {
		whole = state.String()
		t.Name = cmp.Or(state.Name(), whole)
	}
	layouts := instr.RunType{Name: t.Name, Trace: t.TraceLayout, Sample: t.SampleLayout, Point: t.PointLayout}
	for _, p := range []struct {
		what   string
		size   *int
		layout string
	}{{"Trace", &t.TraceSize, t.TraceLayout}, {"Sample", &t.SampleSize, t.SampleLayout},
		{"Point", &t.PointSize, t.PointLayout}} {
		if err := checkPayload(t.Name, p.what, p.size, p.layout); err != nil {
			return nil, err
		}
	}
	if !(t.Lookahead >= 0) || math.IsInf(t.Lookahead, 1) {
		return nil, fmt.Errorf("ross: LP type %q: Lookahead is %g: %w: give a finite delay of 0 or more", t.Name, t.Lookahead,
			ErrModel)
	}
	if t.Event == nil {
		return nil,
			fmt.Errorf(
				"ross: LP type %q: Event is nil: %w: give it what ross.On returns for a function, or ross.Events for several",
				t.Name, ErrModel)
	}
	messages, err := receives(t.Name)
	if err != nil {
		return nil, err
	}
	lt := &kernel.Type{
		Name: t.Name, Whole: whole, Layouts: layouts,
		StateType: word, StateSize: state.Size(),
		Messages:  messages,
		Lookahead: t.Lookahead, NeverStops: t.NeverStops, SetsStreams: t.SetsStreams,
		Init:      plain.Recast[func(unsafe.Pointer, *kernel.LP)](&t.Init),
		PreRun:    plain.Recast[func(unsafe.Pointer, *kernel.LP)](&t.PreRun),
		Final:     plain.Recast[func(unsafe.Pointer, *kernel.LP)](&t.Final),
		Label:     plain.Recast[func(uint64) string](&t.Label),
		TraceSize: t.TraceSize,
		Untraced:  t.Untraced, SampleSize: t.SampleSize, PointSize: t.PointSize,
		Sample:        plain.Recast[func(unsafe.Pointer, *kernel.LP, []byte)](&t.Sample),
		SamplePoint:   plain.Recast[func(unsafe.Pointer, *kernel.LP, []byte)](&t.Point),
		UnsamplePoint: plain.Recast[func(unsafe.Pointer, *kernel.LP, []byte)](&t.ReversePoint),
		Slab:          slab,
	}
	if !slices.ContainsFunc(messages, func(m *kernel.Message) bool { return m.Trace != nil }) {
		lt.TraceSize, lt.Layouts.Trace = 0, ""
	}
	if err := setSerial(t, lt, state); err != nil {
		return nil, err
	}
	if lt.Check, err = stateCheck(t, state); err != nil {
		return nil, err
	}
	if lt.Figures, err = statistic.FieldsOf(state); err != nil {
		return nil, fmt.Errorf("ross: LP type %q: state: %w: %w", t.Name, ErrModel, err)
	}
	return lt, lt.SetSaving(kernel.Saving(t.Saving), state)
}

// checkPayload checks the size and the layout of what a type adds to events or samples, and sets a
// size of 0 to that of the layout.
func checkPayload(typ, what string, size *int, layout string) error {
	l, err := instr.ParseLayout(layout)
	if err != nil {
		return fmt.Errorf("ross: LP type %q: %sLayout: %w: %w", typ, what, ErrModel, err)
	}
	switch n := l.Size(); {
	case *size == 0:
		*size = n
	case n != 0 && n != *size:
		return fmt.Errorf(
			"ross: LP type %q: %sLayout has %d bytes, and %sSize is %d: %w: make them agree, with fields _:xN for bytes without a meaning, or leave out %sSize",
			typ, what, n, what, *size, ErrModel, what)
	}
	if *size < 0 || *size > kernel.MaxTraceSize {
		return fmt.Errorf("ross: LP type %q: %sSize is %d: %w: give 0 to %d bytes", typ, what, *size, ErrModel,
			kernel.MaxTraceSize)
	}
	return nil
}

// Saving says how the events of an LP type are undone.
type Saving uint8

// The ways to undo events.
const (
	// SaveAuto, the default, means SaveByReverse for a type with a Reverse handler and
	// SaveByDelta for others.
	SaveAuto Saving = iota
	// SaveByReverse means that Reverse undoes what Event did (reverse computation, as in
	// ROSS). Reverse sees the state as Event left it. After it the engine restores the values
	// that Event saved with Save.
	SaveByReverse
	// SaveByLog means that Event calls Save or Write for each field before it changes it.
	SaveByLog
	// SaveByDelta means that the engine compares the state after each event with a copy from
	// before, and stores the difference (tw_snapshot, tw_snapshot_delta). The state must hold
	// no pointers, strings, slices, maps or interfaces, except in scratch (see Type), which is
	// neither copied nor restored. The cost grows with the size of the state: some 25 ns an
	// event for 64 bytes, 200 ns for 2.7 KB. For large states that an event changes
	// little, SaveByLog with Write is faster.
	SaveByDelta
	// SaveNever means that events of this type cannot be undone. An optimistic scheduler
	// handles them when nothing earlier can arrive any more and a reserve of memory is free;
	// until then later events of the PE wait as well. A handler that takes more than an eighth
	// of Config.MaxMemory may end the run.
	SaveNever
)

var savingNames = [...]string{"automatic", "Reverse", "Save", "deltas", "never"}

// String returns the name that the report uses.
func (s Saving) String() string {
	if int(s) < len(savingNames) {
		return savingNames[s]
	}
	return fmt.Sprintf("Saving(%d)", uint8(s))
}

// Save stores the value of *p before the handler of lp changes it, so that a rollback can
// restore it. It has an effect only in schedulers that roll back. *p lies in the state of lp,
// in memory of Alloc, or in the current message, and holds no pointers. A type whose Saving is
// SaveByLog needs nothing else to be undone if it calls Save or Write for everything that it
// changes.
//
// A type with a Reverse handler may call Save for single fields. On a rollback, Reverse is
// called first, with the state as Event left it; then the engine restores the saved values,
// the newest first. So undo each field either by Save, called before the event first changes
// it, or by Reverse.
//
// A type whose Saving is SaveByDelta need not call Save: the engine undoes all changes, and
// Save has no effect.
func Save[T any](lp *LP, p *T) {
	k := &lp.k
	if pe := k.PE; pe.KeepsHistory() && pe.Running == k && pe.Current != nil && unsafe.Sizeof(*p) > 0 {
		if !pe.InDelta && k.InPlainState(unsafe.Pointer(p), unsafe.Sizeof(*p)) && kernel.SaveValue(&k.KP.History, p) {
			return
		}
		if pe.MaySave(k, unsafe.Pointer(p), unsafe.Sizeof(*p), plain.TypeWord[T](), reflect.TypeFor[T]) && !pe.InDelta {
			k.SaveKept(unsafe.Pointer(p), unsafe.Sizeof(*p))
		}
	}
}

// Write is Save for a part of the state that the handler is about to change through a
// pointer: it saves *p and returns p.
//
//	port := ross.Write(lp, &s.Ports[i])
//	port.Credits--
//	port.Sent++
//
// If a handler changes its state only through such pointers, undoing an event costs what the
// parts cost that it changes, however large the state is. A Write takes a few nanoseconds and
// the size of T + 16 bytes until the event is committed, so choose a field or a small struct,
// not the whole state. A rollback check (--synch=6) names each field that was changed without.
func Write[T any](lp *LP, p *T) *T {
	Save(lp, p)
	return p
}
