// This file owns travelling: processes that go on at another LP.

package proc

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/internal/engine/kernel"
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
	state unsafe.Pointer // the type of their state
	move  unsafe.Pointer // the type of the message
	size  uintptr        // and its size
}

// At has the process travel to LP to, where it arrives after the delay, and goes on. The result is the state there,
// which has to be an S. The process takes its local variables along, and nothing else: the state of the LP that it
// leaves is out of reach. A server or members of a pool that it has there, it may keep: the Turn is a variable, which
// names them when the process is back, or when it is sent to one that is there, and until its Release nobody else gets
// them. Only servers that are preemptive (resource.Preemptive) it gives back before, since one that another customer
// takes from it does not find it. At the new LP it has another PID; an interruption that waits is lost, and a process
// that others join does not travel (ErrPlace). The delay is that of a message: the lookahead that the type promises is
// its least value.
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
	if !(delay >= 0) {
		p.refuses(delay, "travels")
	}
	if p.run.awaited(p.pr.waiting) {
		p.fail(ErrPlace, "travels while another process waits for its end", "join a process that stays, which travels with what it starts")
	}
	p.run.going = departure{to, delay, wordOf[S]()}
	p.goes("travels")
	return false
}

// goes reports a way to an LP with another state than is expected there: the engine would only know of a message.
func (p *Self) goes(how string) {
	k, to := p.run.k, &p.run.going
	if k.PE.HasState(uint64(to.to), to.word) {
		return
	}
	p.fail(ErrPlace, fmt.Sprintf("%s to %s, whose state is not a %s", how, k.NameFor(uint64(to.to)), plain.TypeOf(to.word)),
		"compute the id of an LP that has this state, or ask for the state that this LP has")
}

// awaited reports whether somebody in a ring still waits.
func (r *runner) awaited(last container.Handle) bool {
	for h := last; h != 0; {
		w := r.waiters().Get(r.lp, h)
		if r.waits(w.ref) != nil {
			return true
		}
		if h = w.next; h == last {
			break
		}
	}
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
	arrive := c.visit(visit{wordOf[S](), plain.TypeWord[Move[F]](), unsafe.Sizeof(Move[F]{})})
	if arrive == nil {
		return
	}
	arrives := ross.On(plain.Recast[func(*S, *ross.LP, *Move[F])](&arrive))
	if !isFirst[S, P]() {
		arrives = ross.On(func(s *S, lp *ross.LP, m *Move[F]) { arrive(P(s).processes(), lp, unsafe.Pointer(m)) })
	}
	enter(reflect.TypeFor[S](), arrives)
}

// visit enters that a process travels to LPs of a type, and returns what it does when it arrives, or nil if that has
// been entered.
func (c *Code) visit(to visit) func(ps *Processes, lp *ross.LP, m unsafe.Pointer) {
	for _, v := range c.visits {
		if v.state == to.state {
			return nil
		}
	}
	c.visits = append(c.visits, to)
	return func(ps *Processes, lp *ross.LP, m unsafe.Pointer) {
		if r := ps.begin(lp); r.open {
			r.arrive(c, m)
		}
	}
}

// enter enters a handler of processes that arrive at LPs with a state.
func enter(state reflect.Type, arrives any) {
	arrivals[state] = append(arrivals[state], arrives)
	early.update(state)
}

// arrivals are the handlers of processes that arrive, by the type of the state: ross.Handler[S]. stays has the states
// whose processes were generated. Without a process that arrives there is one message, and less to choose for an event.
var (
	arrivals = map[reflect.Type][]any{}
	stays    = map[reflect.Type]bool{}
)

// arrive lets a process go on that has arrived with a frame. It needs no record if it travels on, or ends, before it
// waits.
func (r *runner) arrive(c *Code, frame unsafe.Pointer) {
	h := r.take()
	if h == 0 {
		return
	}
	pr := &r.visitor
	pr.identity = identity{kind: c.kind, serial: r.ps.serial}
	pr.pause = pause{size: c.size}
	id := pidOf(h, pr.serial)
	if r.checks {
		r.ran = append(r.ran, trip{id, c.kind, c.frame().place(frame)})
	}
	if r.seen != nil {
		r.seen(r.k.ID, r.k.Now, uint64(id), uint8(byStart))
	}
	at := unsafe.Pointer(&pr.words)
	if c.words > inFrame {
		if r.frame == nil {
			r.frame = make([]uint64, largest)
		}
		at = plain.WordsAt(r.frame)
	}
	copyWords(at, frame, c.words)
	r.visiting, r.kind, r.code = id, c.kind, c
	r.self.id, r.self.pr = id, pr
	ended := c.resume(&r.self, at)
	clean(at, c.inner)
	switch travels := pr.wait == inTravel; {
	case r.visiting == 0:
	case !ended && !travels:
		r.admit()
	case ended || r.post(c, at):
		if !ended {
			r.departs(c.kind)
		}
		r.giveBack(h)
		r.visiting = 0
	}
	if now := r.self.pr; now != pr {
		if to := now.frame(); c.words <= inFrame || now.more.Len() >= c.words {
			copyWords(to, at, c.words)
		}
		r.stop(h, now, c, at, ended)
	}
	r.self.leave()
	if len(r.ready)|len(r.old) != 0 {
		r.drain()
	}
}

// bitOf returns the bit of a process in the set of those that have travelled, by its name, as kinds begin with. Others
// may have the same.
func bitOf(name uint32) uint32 { return 1 << (name % 32) }

// departs notes that a process of a kind travels from the LP.
func (r *runner) departs(kind uint64) {
	if n, bit := &r.ps.numbers, bitOf(uint32(kind>>32)); n.left&bit == 0 {
		r.saveNumbers()
		n.left |= bit
	}
}

// hasLeft reports whether a process with a name has travelled from the LP: of those that are gone, one with the name
// may come back.
func (ps *Processes) hasLeft(name uint32) bool { return ps.left&bitOf(name) != 0 }

// copyWords copies n words.
func copyWords(to, from unsafe.Pointer, n int) {
	a, b := unsafe.Slice((*uint64)(to), n), unsafe.Slice((*uint64)(from), n)
	for i := range a {
		a[i] = b[i]
	}
}

// post sends a frame to where going says. It reports whether it has.
func (r *runner) post(code *Code, frame unsafe.Pointer) bool {
	for i := range code.visits {
		v := &code.visits[i]
		if v.state != r.going.word {
			continue
		}
		if m := r.k.Schedule(uint64(r.going.to), r.going.delay, kernel.DefaultPriority, v.move, v.size); m != nil {
			copyWords(m, frame, code.words)
		}
		return true
	}
	r.k.Blame(ErrGenerated, "run go generate", "process %s travels to an LP with a %s", shortOf(code.name),
		plain.TypeOf(r.going.word))
	return false
}
