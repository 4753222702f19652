// This file owns Type: what an LP type with processes is made of.

package proc

import (
	"reflect"

	"github.com/ross-go/ross"
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
	handlers := []ross.Handler[S]{
		ross.On(func(s *S, lp *ross.LP, m *wake) {
			if m.Why == attach {
				P(s).processes().run.given = set.given
				return
			}
			if r := P(s).processes().begin(lp); r.open {
				r.awake(m)
			}
		}),
	}
	state := reflect.TypeFor[S]()
	if len(arrivals[state]) > 0 || !stays[state] {
		handlers = append(handlers, ross.On(func(s *S, lp *ross.LP, m *passage) {
			if r := P(s).processes().begin(lp); r.open {
				r.arriveRoutine(m)
				r.drain()
			}
		}))
	}
	for _, h := range arrivals[state] {
		handlers = append(handlers, h.(ross.Handler[S]))
	}
	if t.Event != nil {
		handlers = append(handlers, t.Event)
	}
	t.Event = ross.Events(handlers...)
	return t
}

// Option is an option of Type.
type Option func(*settings)

type settings struct{ given any }

// Given gives the processes of a type their parameters, which they read with Param. They do not change during a run.
func Given[T any](parameters *T) Option { return func(s *settings) { s.given = parameters } }

// Param returns the parameters that Given has given to the type of the LP. If they are not a T, that is a mistake of
// the model (ErrPlace), and the result is zero.
func Param[T any](p *Self) *T {
	if v, ok := p.run.given.(*T); ok {
		return v
	}
	p.fail(ErrPlace, "asked for parameters that its type has not been given", "give proc.Type the option proc.Given")
	return new(T)
}
