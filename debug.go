// This file owns the optimistic debug scheduler (--synch=4): events are handled
// without GVT, so that none is committed, until there are no more; then all are
// rolled back, and everything has to be as it was before the first
// (tw_scheduler_optimistic_debug in ROSS).

package ross

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/plain"
)

// initial is an event of Init or PreRun as it was before the first event ran.
type initial struct {
	index uint32
	sent  sent
	kind  uint16
	msg   []uint64
}

// undoneBytes is how much an event may take when it is rolled back, beside what
// it has: its key goes back to the queue.
const undoneBytes = 64

// debug handles all events, rolls them back, and compares.
func (pe *PE) debug(ctx context.Context) error {
	c := pe.check
	c.begin()
	pe.bound = gvt.Bound{} // nothing is committed
	pe.horizon = never
	before, err := c.initialEvents()
	if err != nil {
		return err
	}
	if err := pe.runAhead(ctx); err != nil {
		return err
	}
	n := pe.uncommitted
	mistake := pe.oldestMistake()
	pe.rollbackTo(&pe.bound)
	if pe.err == nil {
		pe.err = pe.queueError()
	}
	if c.when = "after Init"; pe.err == nil {
		c.compareAll(n)
		c.comparePending(n, before)
	}
	c.forget()
	c.checked = uint64(n)
	return errors.Join(mistake, pe.err)
}

// runAhead handles events until there are none, memory is short, or the model
// has reported a mistake.
func (pe *PE) runAhead(ctx context.Context) error {
	for pe.err == nil && pe.oldestMistake() == nil {
		if err := pe.stopped(ctx); err != nil {
			return err
		}
		if pe.q.Empty() {
			if pe.refill(); pe.q.Empty() {
				break
			}
		}
		reserve := uint64(pe.uncommitted+burst) * undoneBytes
		if pe.held || pe.budget.Used()+reserve > pe.budget.Limit() {
			pe.sim.printf("Memory limit reached after %d events: they are rolled back now\n\n", pe.uncommitted)
			break
		}
		pe.handleSome(burst)
		if pe.probe != nil {
			pe.collectAlone()
		}
		pe.mostPending = max(pe.mostPending, pe.q.Len())
		pe.publishSometimes()
	}
	if pe.running != nil {
		pe.gvt = pe.running.now
	}
	pe.running, pe.cur = nil, nil
	if pe.err == nil {
		return pe.queueError()
	}
	return pe.err
}

// oldestMistake returns the error that the model would have reported first, if
// events were committed.
func (pe *PE) oldestMistake() error {
	var oldest error
	at := 0.0
	for i := range pe.kps {
		for _, n := range pe.kps[i].notes {
			var m *ModelError
			if errors.As(n.err, &m) && (oldest == nil || m.Time < at) {
				oldest, at = n.err, m.Time
			}
		}
	}
	return oldest
}

// initialEvents copies the events that wait before the first one runs.
func (c *checker) initialEvents() ([]initial, error) {
	pe := c.pe
	var o effects
	var all []initial
	each := uint64(unsafe.Sizeof(initial{})) + uint64(len(c.msg[0]))*8
	if err := pe.budget.Charge(each * pe.started); err != nil {
		return nil, fmt.Errorf("ross: Run: copies of %d events of %d bytes each: %w: raise --max-memory", pe.started, each, err)
	}
	for i := uint32(1); i <= pe.arena.Peak(); i++ {
		if pe.arena.At(i).State == event.Pending {
			c.addSent(&o, i)
			all = append(all, initial{index: i})
		}
	}
	for i := range all {
		all[i].sent, all[i].kind, all[i].msg = o.sends[i], o.types[i], o.msgs[i]
	}
	return all, nil
}

// compareAll compares all LPs with what they were. The first that differs is
// told of.
func (c *checker) compareAll(n int) {
	var bad *LP
	var found []string
	more := 0
	for i := range c.last {
		lp := &c.pe.lpSlab[i]
		lp.now = 0
		d := c.differences(lp, &c.last[i])
		switch {
		case len(d) == 0:
		case bad == nil:
			bad, found = lp, d
		default:
			more++
		}
	}
	if bad != nil {
		c.blameAll(bad, n, more, found)
	}
}

// comparePending compares the events that wait with those that waited.
func (c *checker) comparePending(n int, before []initial) {
	pe := c.pe
	pe.q.Purge()
	if pe.q.Len() != uint64(len(before)) && pe.err == nil {
		pe.fail(fmt.Errorf("ross: --synch=4: %d events wait after the rollback, %d did before: this is a bug of the engine: report it with the model",
			pe.q.Len(), len(before)))
	}
	for i := range before {
		b := &before[i]
		e := pe.arena.At(b.index)
		var now effects
		c.addSent(&now, b.index)
		found := c.texts(c.sent.Compare(unsafe.Pointer(&b.sent), unsafe.Pointer(&now.sends[0]), "Pending"))
		if t := &c.types[b.kind]; t.message || pe.sim.types[b.kind].saving == SaveByDelta {
			found = append(found, c.texts(t.msgCopier.Compare(plain.WordsAt(b.msg), event.Payload(e), "Pending.Message"))...)
		}
		if len(found) > 0 {
			c.blameAll(pe.at(e.Dst), n, 0, found)
			return
		}
	}
}

func (c *checker) blameAll(lp *LP, n, more int, found []string) {
	who := fmt.Sprintf("the rollback of all events (%d)", n)
	if more > 0 {
		who += fmt.Sprintf(" left %d more LPs different and this one", more)
	}
	c.blame(lp, who, found, "find with --synch=6 which event is not undone")
}
