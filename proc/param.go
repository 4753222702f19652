// This file owns the parameters of a model: how types have them, and how processes ask for them.

package proc

import (
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Option is an option of Type.
type Option func(*settings)

type settings struct{ given any }

// Given gives the processes of a type their parameters, which they read with Param. They do not change during a run.
func Given[T any](parameters *T) Option { return func(s *settings) { s.given = parameters } }

// Param returns the parameters that Given has given to the type of the LP. If they are not a T, that is a mistake of
// the model (ErrPlace), and the result is zero.
//
// A variable that is defined as m := proc.Param[T](p), and never assigned to again, may be used after waits, unlike
// other pointers: generated code asks again. Also at another LP it has the parameters that it was defined with.
func Param[T any](p *Self) *T {
	if v, ok := p.run.given.(*T); ok {
		return v
	}
	p.fail(ErrPlace, "asked for parameters that its type has not been given", "give proc.Type the option proc.Given")
	return new(T)
}

// Origin is the type of an LP, by which a process finds parameters again, also when it has travelled. Only generated
// code uses it.
type Origin uint16

// OriginOf returns the type of the LP at which the process is.
func OriginOf(p *Self) Origin { return Origin(p.run.k.Type().ID) }

// ParamOf returns the parameters that Param has returned at an LP of a type. Before the process has called Param there,
// the result has no meaning.
func ParamOf[T any](p *Self, from Origin) *T {
	if v, ok := p.run.givenTo(p.run.k, from).(*T); ok {
		return v
	}
	return new(T)
}

// asking is the message that asks the handler of a type for its parameters; it is never sent.
type asking struct {
	wake
	given any
}

// givenTo returns the parameters of a type, or nil, in an event of k.
func (r *runner) givenTo(k *kernel.LP, of Origin) any {
	all := k.PE.Run.Types
	if int(of) >= len(all) {
		return nil // a state that is impossible
	}
	if r.known == nil {
		r.known = make([]any, len(all))
	}
	if r.known[of] == nil {
		a := asking{wake: wake{Why: attach}}
		for _, m := range all[of].Messages {
			if m.Word == plain.TypeWord[wake]() {
				m.Event(nil, k, unsafe.Pointer(&a))
			}
		}
		r.known[of] = a.given
	}
	return r.known[of]
}
