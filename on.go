// This file owns On: handlers for one of several messages of an LP type, and their undo data.

package ross

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/plain"
)

// None is a message without contents, and undo data of handlers that need none.
type None = struct{}

// Handler is what On returns, as Type.On accepts it.
type Handler[S any] interface {
	message(s *S, typeName string) (*kernel.Message, error)
}

// Handlers are the functions that an LP type with state S has for one type of messages M. On
// makes them.
type Handlers[S, U, M any] struct {
	event, reverse, commit func(s *S, lp *LP, undo *U, m *M)
	trace                  func(lp *LP, kind TraceKind, m *M, buf []byte) bool
}

// On returns the handlers of an LP type for messages of type M: event, a method expression of the
// state S as a rule, handles an event with such a message. Reverse and Commit add others.
//
// U is the undo data: what Reverse needs to know about its Event, such as a former value or the
// branch that was taken. The engine keeps it with the event's history, so that messages stay as
// they were sent. It is zero when Event begins. Event fills it in, and Reverse and Commit of the
// same event see it. U holds no pointers. Handlers that need no undo data have *ross.None there,
// and those that want the bit field of the event *ross.Bits. Events that cannot be undone, and
// sequential runs, keep nothing.
//
// Handlers leave their message as it is. If Event writes to it, Reverse has to restore it, or Event
// calls Save before: an event that is handled again gets the message as it was left. Only
// SaveByDelta restores messages by itself.
//
//	ross.Type[Router, ross.None]{On: []ross.Handler[Router]{
//		ross.On((*Router).Packet).Reverse((*Router).UndoPacket),
//		ross.On((*Router).Credit).Reverse((*Router).UndoCredit),
//	}}
func On[S, U, M any](event func(s *S, lp *LP, undo *U, m *M)) Handlers[S, U, M] {
	return Handlers[S, U, M]{event: event}
}

// Reverse sets the function that undoes what Event did to the state, see Type.Reverse.
func (h Handlers[S, U, M]) Reverse(f func(s *S, lp *LP, undo *U, m *M)) Handlers[S, U, M] {
	h.reverse = f
	return h
}

// Commit sets the function that is called once an event is final, see Type.Commit.
func (h Handlers[S, U, M]) Commit(f func(s *S, lp *LP, undo *U, m *M)) Handlers[S, U, M] {
	h.commit = f
	return h
}

// Trace sets the function that describes events in traces, see Type.Trace.
func (h Handlers[S, U, M]) Trace(f func(lp *LP, kind TraceKind, m *M, buf []byte) bool) Handlers[S, U, M] {
	h.trace = f
	return h
}

// message checks the handlers and returns them in the form that the engine uses.
func (h Handlers[S, U, M]) message(_ *S, typeName string) (*kernel.Message, error) {
	msg, undo := reflect.TypeFor[M](), reflect.TypeFor[U]()
	if h.event == nil {
		return nil, fmt.Errorf("ross: LP type %q: On for message %s has no Event: %w: give it a handler", typeName, msg, ErrModel)
	}
	if where, kind := plain.FindPointer(undo, undo.String()); where != "" {
		return nil, fmt.Errorf("ross: LP type %q: undo data for message %s: %s is a %s: %w: it is kept as bytes, so use numbers, arrays and structs of them",
			typeName, msg, where, kind, ErrModel)
	}
	if where := findBlock(undo, undo.String()); where != "" {
		return nil, fmt.Errorf("ross: LP type %q: undo data for message %s: %s is a ross.Block: %w: call ross.Save for the Block of the state",
			typeName, msg, where, ErrModel)
	}
	if where, kind := plain.FindPointer(msg, msg.String()); where != "" {
		return nil, fmt.Errorf("ross: LP type %q: message: %s is a %s: %w: messages travel as bytes, so use numbers, arrays and structs of them",
			typeName, where, kind, ErrModel)
	}
	if where := findBlock(msg, msg.String()); where != "" {
		return nil, fmt.Errorf("ross: LP type %q: message: %s is a ross.Block: %w: its memory belongs to the LP that allocated it, "+
			"so send its contents; for Reverse, call ross.Save for the Block of the state", typeName, where, ErrModel)
	}
	m := &kernel.Message{
		Word: plain.TypeWord[M](), Name: msg.String(), Go: msg, Size: msg.Size(),
		Spans: plain.SpansOf(msg), Layout: plain.LayoutOf(msg),
		Event:   plain.Recast[kernel.Handler](&h.event),
		Reverse: plain.Recast[kernel.Handler](&h.reverse),
		Commit:  plain.Recast[kernel.Handler](&h.commit),
		Trace:   plain.Recast[func(*kernel.LP, kernel.TraceKind, unsafe.Pointer, []byte) bool](&h.trace),
	}
	if undo != reflect.TypeFor[Bits]() {
		m.Undo = undo.Size()
	}
	setTimed(m)
	return m, nil
}

// setTimed adds to a message the one that After sends: it has the number of its timer behind it.
func setTimed(m *kernel.Message) {
	t := *m
	t.Word, t.Size = unsafe.Pointer(&t), kernel.TimedSize(m.Size)
	t.Spans = append(t.Spans[:len(t.Spans):len(t.Spans)], plain.Span{Off: t.Size - kernel.TimerSize, Size: kernel.TimerSize})
	m.Timed = &t
}

// messages returns all messages that the type receives.
func (t *Type[S, M]) messages() ([]*kernel.Message, error) {
	var all []*kernel.Message
	if t.Event != nil {
		m, err := Handlers[S, Bits, M]{t.Event, t.Reverse, t.Commit, t.Trace}.message(nil, t.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	} else if where := t.unused(); where != "" {
		return nil, fmt.Errorf("ross: LP type %q: %s is set, and Event is nil: %w: give it Event, or set it in On", t.Name, where, ErrModel)
	}
	for i, h := range t.On {
		if h == nil {
			return nil, fmt.Errorf("ross: LP type %q: On[%d] is nil: %w: give it what ross.On returns", t.Name, i, ErrModel)
		}
		m, err := h.message(nil, t.Name)
		if err != nil {
			return nil, err
		}
		for _, other := range all {
			if other.Word == m.Word {
				return nil, fmt.Errorf("ross: LP type %q: there are two handlers for message %s: %w: name a type of its own for each", t.Name, m.Name, ErrModel)
			}
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("ross: LP type %q: Event is nil: %w: give it a handler, or several with On", t.Name, ErrModel)
	}
	return all, nil
}

// unused returns the name of a function that goes with Event, if one is set.
func (t *Type[S, M]) unused() string {
	switch {
	case t.Reverse != nil:
		return "Reverse"
	case t.Commit != nil:
		return "Commit"
	case t.Trace != nil:
		return "Trace"
	}
	return ""
}
