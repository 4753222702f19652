// This file owns travelling: processes that go on at another LP.

package proc

import (
	"reflect"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/sys/plain"
)

// Move is the message of a process that travels: its frame F, with all that it knows.
type Move[F any] struct{ Frame F }

// departure is where a process goes.
type departure struct {
	to    ross.LPID
	delay float64
	word  unsafe.Pointer // the type of the state there
}

// visit is a type of LPs to which a process travels.
type visit struct {
	word unsafe.Pointer
	send func(r *runner, frame unsafe.Pointer)
}

// At has the process travel to LP to, where it arrives after the delay, and goes on. The result is the state there,
// which has to be an S. The process takes its local variables along, and nothing else: the state of the LP that it
// leaves is out of reach, and what it keeps there, such as servers, it gives back before. At the new LP it has another
// PID; an interruption that waits is lost, and a process that others join does not travel (ErrPlace). The delay is that
// of a message: the lookahead that the type promises is its least value.
func At[S any, P interface {
	*S
	Host
}](p *Self, to ross.LPID, delay float64) *S {
	if !BeginAt[S, P](p, to, delay) {
		p.Suspend()
	}
	defer p.Continue()
	return EndAt[S, P](p)
}

// BeginAt begins an At.
func BeginAt[S any, P interface {
	*S
	Host
}](p *Self, to ross.LPID, delay float64) bool {
	p.begin(inTravel, 0)
	if p.pr.waiting != 0 {
		p.fail(ErrPlace, "travels while another process waits for its end", "join a process that stays, which travels with what it starts")
	}
	p.run.going = departure{to, delay, wordOf[S]()}
	return false
}

// EndAt ends an At.
func EndAt[S any, P interface {
	*S
	Host
}](p *Self) *S {
	return StateOf[S, P](p)
}

// Visit enters that a process travels to LPs with state S. Generated code calls it.
func Visit[F, S any, P interface {
	*S
	Host
}](c *Code) {
	word := wordOf[S]()
	for _, v := range c.visits {
		if v.word == word {
			return
		}
	}
	c.visits = append(c.visits, visit{word, func(r *runner, frame unsafe.Pointer) {
		ross.NewEvent[Move[F]](r.lp, r.going.to, r.going.delay).Frame = *(*F)(frame)
	}})
	state := reflect.TypeFor[S]()
	arrivals[state] = append(arrivals[state], ross.On(func(s *S, lp *ross.LP, m *Move[F]) {
		r := P(s).processes().begin(lp)
		if !r.open {
			return
		}
		if h, pr := r.add(nil, c); h != 0 {
			*(*F)(pr.frameAt(lp)) = m.Frame
			pr.flags &^= fresh
			r.drain()
		}
	}))
	early.update(state)
}

// arrivals are the handlers of processes that arrive, by the type of the state: ross.Handler[S]. stays has the states
// whose processes were generated. Without a process that arrives there is one message, and less to choose for an event.
var (
	arrivals = map[reflect.Type][]any{}
	stays    = map[reflect.Type]bool{}
)

// depart sends a process to another LP.
func (r *runner) depart(h container.Handle, pr *process, code *Code) {
	if r.post(code, unsafe.Pointer(&r.frame[0])) {
		r.exit(h)
	}
}

// post sends a frame to where going says. It reports whether it has.
func (r *runner) post(code *Code, frame unsafe.Pointer) bool {
	for i := range code.visits {
		if code.visits[i].word == r.going.word {
			code.visits[i].send(r, frame)
			return true
		}
	}
	r.k.Blame(ErrGenerated, "run go generate", "process %s travels to an LP with a %s", shortOf(code.name),
		plain.TypeOf(r.going.word))
	return false
}
