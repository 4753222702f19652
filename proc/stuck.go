// This file owns who waits for whom at an LP, and which of them can never go on.

package proc

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/held"
	"github.com/ross-go/ross/internal/sys/plain"
)

// queue is a field of a state in which processes wait, or which they have.
type queue interface {
	// each calls f with each wait, and with those who have something of it.
	each(k *kernel.LP, ps *Processes, f func(ref Ref, has bool))
}

var queueType = reflect.TypeFor[queue]()

// fields are the queues by type of state: []plain.Place.
var fields sync.Map

// fieldsOf returns the queues in a type of state.
func fieldsOf(state reflect.Type) []plain.Place {
	all, ok := fields.Load(state)
	if !ok {
		all = plain.Places(state, func(t reflect.Type) bool { return reflect.PointerTo(t).Implements(queueType) })
		fields.Store(state, all)
	}
	return all.([]plain.Place)
}

// filled is a queue of a state: those who wait in it now, and those who have something of it.
type filled struct {
	path         string
	waiting, has []Ref
}

// waitsAt is the queue in which a process waits, or where it is served.
type waitsAt struct {
	*filled // nil: in none
	served  bool
}

// queues returns the queues of the state.
func (ps *Processes) queues(k *kernel.LP) (all []filled) {
	for _, f := range fieldsOf(k.Type().Check.State) {
		q := filled{path: f.Path}
		reflect.NewAt(f.Type, unsafe.Add(k.State, f.Off)).Interface().(queue).each(k, ps, func(ref Ref, holds bool) {
			switch pr := ps.find(ref.PID); {
			case holds:
				q.has = append(q.has, ref)
			case pr != nil && (pr.epoch == ref.Epoch || pr.wait == forService):
				q.waiting = append(q.waiting, ref)
			}
		})
		all = append(all, q)
	}
	return all
}

// waitsOf returns where the processes of an LP wait.
func (ps *Processes) waitsOf(queues []filled) map[PID]waitsAt {
	at := map[PID]waitsAt{}
	for i := range queues {
		q := &queues[i]
		for _, ref := range q.waiting {
			at[ref.PID] = waitsAt{q, false}
		}
		for _, ref := range q.has {
			if pr := ps.find(ref.PID); pr != nil && pr.wait == forService && pr.epoch == ref.Epoch {
				at[ref.PID] = waitsAt{q, true}
			}
		}
	}
	return at
}

// stuck marks the processes that can never go on, and adds what is held by processes that have ended. A process can go
// on if a time is set for it, if it waits for what any event may bring and the run may have events, or if it waits for
// one who can go on.
func (ps *Processes) stuck(k *kernel.LP, all []held.Thing, queues []filled, waits map[PID]waitsAt,
	dry bool) []held.Thing {
	lp := faceOf(k)
	goesOn := map[PID]bool{}
	joins := map[PID]PID{} // whose end a process waits for
	for h, pr := range ps.all() {
		if pr.waiting != 0 {
			for w := range ps.ring(lp, pr.waiting) {
				joins[w.ref.PID] = pidOf(h, pr.serial)
			}
		}
	}
	can := func(id PID, pr *process) bool {
		at := waits[id]
		switch {
		case pr.timer != 0 || pr.wait == forTime || pr.wait == forService && (at.filled == nil || at.served):
			return true
		case pr.wait == forEnd:
			return goesOn[joins[id]]
		case at.filled != nil && (pr.wait == forTurn || pr.wait == forService):
			for _, ref := range at.has {
				if ref.PID == 0 || goesOn[ref.PID] || !dry && ps.hasLeft(ref.name) {
					return true
				}
			}
			return len(at.has) == 0 && !dry // until somebody brings servers
		}
		return !dry
	}
	for changed := true; changed; {
		changed = false
		for h, pr := range ps.all() {
			if id := pidOf(h, pr.serial); !goesOn[id] && can(id, pr) {
				goesOn[id], changed = true, true
			}
		}
	}
	number := map[uint64]int{}
	for i := range all {
		number[all[i].Number] = i
	}
	for h, pr := range ps.all() {
		id := pidOf(h, pr.serial)
		if goesOn[id] {
			continue
		}
		t := &all[number[uint64(pr.serial)]]
		t.Stuck = fmt.Sprintf("%s %s%s since %g%s", t.Name(), t.Does, places(t.At), t.Since, ps.because(id, pr, waits[id], joins))
	}
	for _, q := range queues {
		for _, ref := range q.has {
			if ref.PID == 0 || ps.find(ref.PID) != nil || !dry && ps.hasLeft(ref.name) {
				continue
			}
			way := "release it, with defer if the process may be killed"
			if ps.hasLeft(ref.name) {
				way = "let it come back, and release it here"
			}
			all = append(all, held.Thing{Stuck: fmt.Sprintf("%s, and nobody has released the server of %s "+
				"that it had: %s", ps.gone(ref, ""), q.path, way)})
		}
	}
	return all
}

// gone names a process that has no record any more, and says what has become of it, after a joining word or none.
func (ps *Processes) gone(ref Ref, joined string) string {
	what := " has ended"
	if ps.hasLeft(ref.name) {
		what = " has ended or is at another LP"
	}
	return "process " + nameFor(ref.PID, uint64(ref.name)<<32) + joined + what
}

// places returns " at bank.go:34", or "".
func places(at string) string {
	if at == "" {
		return ""
	}
	return " at " + at
}

// because says why a process cannot go on.
func (ps *Processes) because(id PID, pr *process, at waitsAt, joins map[PID]PID) string {
	who := func(id PID, name uint32) string {
		if h := ps.find(id); h != nil {
			return "process " + ps.nameAt(id, h) + ", which cannot go on either"
		}
		return ps.gone(Ref{PID: id, name: name}, ", which")
	}
	switch {
	case pr.wait == forEnd && joins[id] != 0:
		return ", that of " + who(joins[id], 0)
	case (pr.wait == forTurn || pr.wait == forService) && at.filled != nil && len(at.has) > 0:
		first := at.has[0]
		return ", held by " + who(first.PID, first.name)
	}
	return ", and no event is left"
}
