// This file owns who waits for whom at an LP, and which of them can never go on.

package proc

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/output/held"
)

// queue is a field of a state in which processes wait, or which they have.
type queue interface {
	// each calls f with each wait, and with those who have something of it.
	each(k *kernel.LP, ps *Processes, f func(ref Ref, has bool))
}

var queueType = reflect.TypeFor[queue]()

// field is a queue in a type of state.
type field struct {
	off  uintptr
	path string
	typ  reflect.Type
}

// fields are the queues by type of state: []field.
var fields sync.Map

// fieldsOf returns the queues in a type of state.
func fieldsOf(state reflect.Type) []field {
	if all, ok := fields.Load(state); ok {
		return all.([]field)
	}
	var all []field
	var find func(t reflect.Type, off uintptr, path string)
	find = func(t reflect.Type, off uintptr, path string) {
		switch {
		case reflect.PointerTo(t).Implements(queueType):
			all = append(all, field{off, path, t})
		case t.Kind() == reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				name := path + "." + f.Name
				if path == "" {
					name = f.Name
				}
				find(f.Type, off+f.Offset, name)
			}
		case t.Kind() == reflect.Array:
			for i := range t.Len() {
				n := len(all)
				find(t.Elem(), off+uintptr(i)*t.Elem().Size(), fmt.Sprintf("%s[%d]", path, i))
				if len(all) == n {
					return
				}
			}
		}
	}
	find(state, 0, "")
	fields.Store(state, all)
	return all
}

// waitsAt is where a process waits, and who has what it waits for: nil if it is served there.
type waitsAt struct {
	path string
	has  *[]Ref
}

// queuesOf returns where the processes of an LP wait.
func queuesOf(k *kernel.LP) map[PID]waitsAt {
	at := map[PID]waitsAt{}
	eachQueue(k, func(path string, waiting, has []Ref) {
		for _, ref := range waiting {
			at[ref.PID] = waitsAt{path, &has}
		}
		for _, ref := range has {
			if pr := processesOf(k).find(ref.PID); pr != nil && pr.wait == forService && pr.epoch == ref.Epoch {
				at[ref.PID] = waitsAt{path, nil}
			}
		}
	})
	return at
}

// eachQueue calls f for each queue of the state: with those who wait now, and those who have something of it.
func eachQueue(k *kernel.LP, f func(path string, waiting, has []Ref)) {
	ps := processesOf(k)
	if ps == nil {
		return
	}
	for _, q := range fieldsOf(k.Type().Check.State) {
		var waiting, has []Ref
		reflect.NewAt(q.typ, unsafe.Add(k.State, q.off)).Interface().(queue).each(k, ps, func(ref Ref, holds bool) {
			switch pr := ps.find(ref.PID); {
			case holds:
				has = append(has, ref)
			case pr != nil && (pr.epoch == ref.Epoch || pr.wait == forService):
				waiting = append(waiting, ref)
			}
		})
		f(q.path, waiting, has)
	}
}

// processesOf returns the Processes of an LP, or nil.
func processesOf(k *kernel.LP) *Processes {
	host, ok := reflect.NewAt(k.Type().Check.State, k.State).Interface().(Host)
	if !ok {
		return nil
	}
	return host.processes()
}

// stuck marks the processes that can never go on, and adds what is held by processes that have ended. A process can go
// on if a time is set for it, if it waits for what any event may bring and the run may have events, or if it waits for
// one who can go on.
func (ps *Processes) stuck(k *kernel.LP, all []held.Thing, queues map[PID]waitsAt, dry bool) []held.Thing {
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
		at := queues[id]
		switch {
		case pr.timer != 0 || pr.wait == forTime || pr.wait == forService && at.has == nil:
			return true
		case pr.wait == forEnd:
			return goesOn[joins[id]]
		case pr.wait == forTurn || pr.wait == forService:
			for _, ref := range *at.has {
				if ref.PID == 0 || goesOn[ref.PID] || !dry && ref.travels() {
					return true
				}
			}
			return len(*at.has) == 0 && !dry // until somebody brings servers
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
		t.Stuck = fmt.Sprintf("%s %s%s since %g%s", t.Name(), t.Does, places(t.At), t.Since, ps.because(id, pr, queues, joins))
	}
	eachQueue(k, func(path string, _, has []Ref) {
		for _, ref := range has {
			if ref.PID == 0 || ps.find(ref.PID) != nil || !dry && ref.travels() {
				continue
			}
			all = append(all, held.Thing{Stuck: fmt.Sprintf("process %s #%d has ended, and nobody has released "+
				"the server of %s that it had: release it, with defer if the process may be killed",
				nameOf(uint64(ref.name)<<32), ref.PID.serial(), path)})
		}
	})
	return all
}

// travels reports whether a process is one of those that travel: one that has no record any more may come back.
func (ref Ref) travels() bool {
	for _, c := range codes.all {
		if uint32(c.kind>>32) == ref.name {
			return len(c.visits) > 0
		}
	}
	return false
}

// places returns " at bank.go:34", or "".
func places(at string) string {
	if at == "" {
		return ""
	}
	return " at " + at
}

// because says why a process cannot go on.
func (ps *Processes) because(id PID, pr *process, queues map[PID]waitsAt, joins map[PID]PID) string {
	who := func(id PID, name uint32) string {
		h := ps.find(id)
		if h == nil {
			return fmt.Sprintf("process %s #%d, which has ended", nameOf(uint64(name)<<32), id.serial())
		}
		return fmt.Sprintf("process %s #%d%s, which cannot go on either", nameOf(h.kind), id.serial(),
			places(ps.placeOf(id.handle(), h)))
	}
	switch {
	case pr.wait == forEnd && joins[id] != 0:
		return ", that of " + who(joins[id], 0)
	case (pr.wait == forTurn || pr.wait == forService) && queues[id].has != nil && len(*queues[id].has) > 0:
		first := (*queues[id].has)[0]
		return ", held by " + who(first.PID, first.name)
	}
	return ", and no event is left"
}
