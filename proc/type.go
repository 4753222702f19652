// This file owns Type: what an LP type with processes is made of.

package proc

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Type returns t for LPs whose states have processes: with the handlers that processes need next to its own, if it has
// any, and with what begins and ends a run. Options give parameters.
//
//	var bank = proc.Type(ross.Type[Bank]{LPs: 1, Init: (*Bank).Init})
func Type[S any, P interface {
	*S
	Host
}](t ross.Type[S], options ...Option) ross.Type[S] {
	var set settings
	for _, o := range options {
		o(&set)
	}
	awake := (*Processes).awake
	wakes := ross.On(plain.Recast[func(*S, *ross.LP, *wake)](&awake))
	if set.given != nil || !isFirst[S, P]() {
		wakes = ross.On(func(s *S, lp *ross.LP, m *wake) {
			if m.Why == attach {
				(*asking)(unsafe.Pointer(m)).given = set.given
				return
			}
			P(s).processes().awake(lp, m)
		})
	}
	routines := ross.On(func(s *S, lp *ross.LP, m *passage) {
		if r := P(s).processes().begin(lp); r.open {
			r.arriveRoutine(m)
			r.drain()
		}
	})
	state := reflect.TypeFor[S]()
	handlers := make([]ross.Handler[S], 1, 2)
	find := func() {
		all := []ross.Handler[S]{wakes}
		if len(arrivals[state]) > 0 || !stays[state] {
			all = append(all, routines)
		}
		for _, h := range arrivals[state] {
			all = append(all, h.(ross.Handler[S]))
		}
		handlers[0] = ross.Events(all...)
	}
	find()
	early.add(state, find)
	if t.Event != nil {
		handlers = append(handlers, t.Event)
	}
	t.Event = ross.Events(handlers...)
	return t
}

// isFirst reports whether a state begins with its Processes: the handlers of these are then handlers of the state.
func isFirst[S any, P interface {
	*S
	Host
}]() bool {
	s := new(S)
	return unsafe.Pointer(P(s).processes()) == unsafe.Pointer(s)
}

// early are types that were made before a run has begun. A type may be the value of a variable of its package, which is
// made before the generated code enters its processes.
var early earlyTypes

type earlyTypes struct {
	mu   sync.Mutex
	find map[reflect.Type][]func() // find the handlers of types, by the type of the state
	over atomic.Bool               // all generated code has entered its processes
}

// add enters a type.
func (e *earlyTypes) add(state reflect.Type, find func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over.Load() {
		return
	}
	if e.find == nil {
		e.find = map[reflect.Type][]func(){}
	}
	e.find[state] = append(e.find[state], find)
}

// update has the types with a state find their handlers again.
func (e *earlyTypes) update(state reflect.Type) {
	for _, find := range e.find[state] {
		find()
	}
}

// end forgets the types, when a run begins. Each LP calls it.
func (e *earlyTypes) end() {
	if e.over.Load() {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.find = nil
	e.over.Store(true)
}
