// This file owns how a model says what handles its events: On, OnUndo and Events.

package ross

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// None is a message without contents.
type None = struct{}

// Handler handles the events of LPs with state S. On and OnUndo return one for messages of one type,
// and Events makes one of several.
type Handler[S any] interface {
	messages(s *S, typeName string) ([]*kernel.Message, error)
}

// EventHandler has the functions for messages of type M that LPs with state S have. On makes it.
type EventHandler[S, M any] struct {
	event, reverse, commit func(s *S, lp *LP, m *M)
	trace                  func(lp *LP, kind TraceKind, m *M, buf []byte) bool
}

// UndoHandler is an EventHandler whose functions share undo data of type U. OnUndo makes it.
type UndoHandler[S, U, M any] struct {
	event, reverse, commit func(s *S, lp *LP, undo *U, m *M)
	trace                  func(lp *LP, kind TraceKind, m *M, buf []byte) bool
}

// On returns the handler for messages of type M: event (tw_lptype.event), a method expression of the
// state S as a rule, handles an event with such a message. It may change s, draw from lp's streams, and
// send. Reverse, Commit and Trace add functions to the handler.
//
// Handlers leave their message as it is. If event writes to it, Reverse has to restore it, or event
// calls Save before: an event that is handled again gets the message as it was left. Only
// SaveByDelta restores messages by itself.
//
//	ross.Type[Router]{Event: ross.Events(
//		ross.On((*Router).Packet),
//		ross.OnUndo((*Router).Credit).Reverse((*Router).UndoCredit),
//	)}
func On[S, M any](event func(s *S, lp *LP, m *M)) EventHandler[S, M] {
	return EventHandler[S, M]{event: event}
}

// OnUndo is On for functions with undo data: what Reverse needs to know about its event, such as a former
// value or the branch that was taken. The engine keeps the data with the event until it is final, so that
// messages stay as they were sent. They are zero when event begins, which fills them in; Reverse and Commit
// of the same event see them. Events that cannot be undone, and sequential runs, keep nothing.
//
// U holds no pointers. *Bits is the bit field that events have in ROSS (tw_bf). It takes no memory, and handlers
// with it may, as models of ROSS do, also leave in the message what Reverse needs.
func OnUndo[S, U, M any](event func(s *S, lp *LP, undo *U, m *M)) UndoHandler[S, U, M] {
	return UndoHandler[S, U, M]{event: event}
}

// Events returns the handler of LPs that receive messages of several types: one of the handlers for each,
// so that no message needs a field that says what it is.
func Events[S any](handlers ...Handler[S]) Handler[S] { return severalHandlers[S](handlers) }

// Reverse sets the function that undoes what the event did to s, which it sees as the event left it (revent).
// After it, the engine undoes draws and sends and restores what Save saved. Schedulers that do not roll back
// never call it.
func (h EventHandler[S, M]) Reverse(f func(s *S, lp *LP, m *M)) EventHandler[S, M] {
	h.reverse = f
	return h
}

// Reverse sets the function that undoes what the event did, see EventHandler.Reverse.
func (h UndoHandler[S, U, M]) Reverse(f func(s *S, lp *LP, undo *U, m *M)) UndoHandler[S, U, M] {
	h.reverse = f
	return h
}

// Commit sets the function that is called once for each event that will never be rolled back, in the order of
// the LP's events (commit). In an optimistic run, later events of the LP have been handled by then, so it must
// not change anything that the event or Reverse uses or that Save saves. It may change fields that nothing
// else uses, for example statistics.
func (h EventHandler[S, M]) Commit(f func(s *S, lp *LP, m *M)) EventHandler[S, M] {
	h.commit = f
	return h
}

// Commit sets the function that is called once an event is final, see EventHandler.Commit.
func (h UndoHandler[S, U, M]) Commit(f func(s *S, lp *LP, undo *U, m *M)) UndoHandler[S, U, M] {
	h.commit = f
	return h
}

// Trace sets the function that writes at most Type.TraceSize bytes about an event of lp to buf, which is zeroed
// (ev_trace; formerly rbev_col and ev_col). kind is the kind of the trace. Events for which it returns false are
// left out of the trace. Without it, every event is traced without additional bytes. With --trace-exact it is also
// called when an execution is about to be undone.
func (h EventHandler[S, M]) Trace(f func(lp *LP, kind TraceKind, m *M, buf []byte) bool) EventHandler[S, M] {
	h.trace = f
	return h
}

// Trace sets the function that describes events in traces, see EventHandler.Trace.
func (h UndoHandler[S, U, M]) Trace(f func(lp *LP, kind TraceKind, m *M, buf []byte) bool) UndoHandler[S, U, M] {
	h.trace = f
	return h
}

func (h EventHandler[S, M]) messages(_ *S, typeName string) ([]*kernel.Message, error) {
	return message(typeName, plain.TypeWord[M](), reflect.TypeFor[M](), plain.Recast[kernel.Handler](&h.event),
		plain.Recast[kernel.Handler](&h.reverse), plain.Recast[kernel.Handler](&h.commit), plain.Recast[traces](&h.trace))
}

// What depends on no type is a function next to the methods, which each package compiles for its own types.

// traces is what describes an event in traces, as the engine calls it.
type traces = func(*kernel.LP, kernel.TraceKind, unsafe.Pointer, []byte) bool

// message returns what the engine knows of a handler without undo data, for messages of a type.
func message(typeName string, word unsafe.Pointer, msg reflect.Type, event, reverse, commit kernel.Handler,
	trace traces) ([]*kernel.Message, error) {
	m := &kernel.Message{Event: event, Reverse: withoutUndo(reverse), Commit: withoutUndo(commit), Trace: trace}
	return describe(m, typeName, word, msg, event != nil, nil)
}

// withoutUndo returns a function without undo data as the engine calls Reverse and Commit.
func withoutUndo(f kernel.Handler) kernel.UndoHandler {
	if f == nil {
		return nil
	}
	return func(state unsafe.Pointer, lp *kernel.LP, _ *uint32, msg unsafe.Pointer) { f(state, lp, msg) }
}

func (h UndoHandler[S, U, M]) messages(_ *S, typeName string) ([]*kernel.Message, error) {
	m := &kernel.Message{
		Reverse: plain.Recast[kernel.UndoHandler](&h.reverse),
		Commit:  plain.Recast[kernel.UndoHandler](&h.commit),
		Trace:   plain.Recast[traces](&h.trace),
	}
	return messageWithUndo(m, typeName, plain.TypeWord[M](), reflect.TypeFor[M](), reflect.TypeFor[U](),
		plain.Recast[kernel.UndoHandler](&h.event))
}

// messageWithUndo returns what the engine knows of a handler with undo data: m, and what its event does.
func messageWithUndo(m *kernel.Message, typeName string, word unsafe.Pointer, msg, undo reflect.Type,
	event kernel.UndoHandler) ([]*kernel.Message, error) {
	if m.Undo = undo.Size(); undo == reflect.TypeFor[Bits]() {
		m.Undo = 0
	}
	if m.Undo > 0 {
		m.Undoes = event
	} else {
		m.Event = func(state unsafe.Pointer, lp *kernel.LP, msg unsafe.Pointer) {
			event(state, lp, &lp.PE.Current.Bits, msg)
		}
	}
	return describe(m, typeName, word, msg, event != nil, undo)
}

// describe checks a handler for messages of a type, and what undo data it has, and adds what the type is.
func describe(m *kernel.Message, typeName string, word unsafe.Pointer, msg reflect.Type, hasEvent bool,
	undo reflect.Type) ([]*kernel.Message, error) {
	if !hasEvent {
		return nil, fmt.Errorf("ross: LP type %q: the handler for message %s is nil: %w: give On or OnUndo a function",
			typeName, msg, ErrModel)
	}
	if undo != nil {
		if where, kind := plain.FindPointer(undo, undo.String()); where != "" {
			return nil,
				fmt.Errorf(
					"ross: LP type %q: undo data for message %s: %s is a %s: %w: it is kept as bytes, so use numbers, arrays and structs of them",
					typeName, msg, where, kind, ErrModel)
		}
		if where := findBlock(undo, undo.String()); where != "" {
			return nil,
				fmt.Errorf(
					"ross: LP type %q: undo data for message %s: %s is a ross.Block: %w: call ross.Save for the Block of the state",
					typeName, msg, where, ErrModel)
		}
	}
	if where, kind := plain.FindPointer(msg, msg.String()); where != "" {
		return nil,
			fmt.Errorf(
				"ross: LP type %q: message: %s is a %s: %w: messages travel as bytes, so use numbers, arrays and structs of them",
				typeName, where, kind, ErrModel)
	}
	if where := findBlock(msg, msg.String()); where != "" {
		return nil,
			fmt.Errorf("ross: LP type %q: message: %s is a ross.Block: %w: its memory belongs to the LP that allocated it, "+
				"so send its contents; for Reverse, call ross.Save for the Block of the state", typeName, where, ErrModel)
	}
	m.Word, m.Name, m.Go, m.Size = word, msg.String(), msg, msg.Size()
	m.Spans, m.Layout = plain.SpansOf(msg), plain.LayoutOf(msg)
	setTimed(m)
	return []*kernel.Message{m}, nil
}

// severalHandlers is what Events returns.
type severalHandlers[S any] []Handler[S]

func (all severalHandlers[S]) messages(s *S, typeName string) ([]*kernel.Message, error) {
	return join(typeName, len(all), func(i int) ([]*kernel.Message, error) {
		if all[i] == nil {
			return nil, nil
		}
		return all[i].messages(s, typeName)
	})
}

// join returns the messages of n handlers. A nil one has none.
func join(typeName string, n int, messages func(i int) ([]*kernel.Message, error)) ([]*kernel.Message, error) {
	var found []*kernel.Message
	for i := range n {
		more, err := messages(i)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			return nil, fmt.Errorf("ross: LP type %q: handler %d of Events is nil: %w: give it what ross.On returns", typeName,
				i, ErrModel)
		}
		for _, m := range more {
			for _, other := range found {
				if other.Word == m.Word {
					return nil,
						fmt.Errorf("ross: LP type %q: there are two handlers for message %s: %w: name a type of its own for each",
							typeName, m.Name, ErrModel)
				}
			}
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("ross: LP type %q: Events has no handler: %w: give it what ross.On returns", typeName,
			ErrModel)
	}
	return found, nil
}

// setTimed adds to a message the one that After sends: it has the number of its timer behind it.
func setTimed(m *kernel.Message) {
	t := *m
	t.Word, t.Size = unsafe.Pointer(&t), kernel.TimedSize(m.Size)
	t.Spans = append(t.Spans[:len(t.Spans):len(t.Spans)],
		plain.Span{Off: t.Size - kernel.TimerSize, Size: kernel.TimerSize})
	m.Timed = &t
}
