// This file owns the committed events of a run, which are noted to find the first one that differs.

package modeltest

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/run"
)

// noted is a committed event of an LP.
type noted struct {
	time, sent float64
	src        uint64
	msg        *kernel.Message
	at         int // its message begins here in the bytes of the LP
}

// lpEvents has the committed events of an LP. Only the PE that commits them writes to it.
type lpEvents struct {
	events []noted
	bytes  []byte // of their messages, as the handlers left them
}

// seen has the committed events of a run, by LP.
type seen []lpEvents

// watch has the engine note what is committed, before what the model's Commit does.
func watch(s *run.Engine) *seen {
	all := make(seen, s.Total)
	for _, m := range s.Messages {
		if m.To.Hidden {
			continue
		}
		commit := m.Commit
		m.Commit = func(state unsafe.Pointer, lp *kernel.LP, undo *uint32, msg unsafe.Pointer) {
			of := &all[lp.ID]
			of.events = append(of.events, noted{lp.Now, lp.SentAt(), lp.Sender(), m, len(of.bytes)})
			for _, span := range m.Spans {
				of.bytes = append(of.bytes, unsafe.Slice((*byte)(unsafe.Add(msg, span.Off)), span.Size)...)
			}
			if commit != nil {
				commit(state, lp, undo, msg)
			}
		}
	}
	return &all
}

// message returns the bytes of the message of event i.
func (l *lpEvents) message(i int) []byte {
	end := len(l.bytes)
	if i+1 < len(l.events) {
		end = l.events[i+1].at
	}
	return l.bytes[l.events[i].at:end]
}

// text describes event i: its message, its time and where it comes from.
func (l *lpEvents) text(i int) string {
	e := &l.events[i]
	return fmt.Sprintf("%s at time %g, which LP %d sent at time %g", e.value(l.message(i)), e.time, e.src, e.sent)
}

// value returns the message as Go writes it.
func (e *noted) value(bytes []byte) string {
	m := e.msg
	p := reflect.New(m.Go) // a message of a timer has its number behind it
	size := m.Go.Size()
	for _, s := range m.Spans {
		if s.Off+s.Size <= size {
			copy(unsafe.Slice((*byte)(unsafe.Add(p.UnsafePointer(), s.Off)), s.Size), bytes)
		}
		bytes = bytes[s.Size:]
	}
	return m.Name + strings.TrimPrefix(fmt.Sprintf("%+v", p.Elem()), m.Name)
}

// handlerOf returns the name of the function that handles a message, or "".
func handlerOf(m *kernel.Message) string {
	f := uintptr(0)
	switch {
	case m.Event != nil:
		f = reflect.ValueOf(m.Event).Pointer()
	case m.Undoes != nil:
		f = reflect.ValueOf(m.Undoes).Pointer()
	}
	if found := runtime.FuncForPC(f); found != nil {
		name := found.Name()
		if strings.HasPrefix(name, enginePath+".") { // the engine's own, around the model's
			return ""
		}
		return strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], "-fm")
	}
	return ""
}
