// This file owns effects: what an event did besides changing its LP's state. The check of
// rollback reads them from the history.

package check

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/sys/plain"
)

// effects is what a run of an event did besides changing the state of its LP.
type effects struct {
	sends  []sent
	msgs   [][]uint64 // messages of the sends
	types  []uint16   // Message.ID of the sends
	taken  []uint64   // addresses of allocated blocks
	freed  []uint64   // addresses of freed blocks
	beyond int        // number of sends past the end
	calls  int        // number of calls of the GVT hook
	stops  int        // number of calls of Stop and StopAfter
	stopAt float64    // when the LP ends the run after them
	saves  int        // number of values that Save recorded
	noted  []uint64   // what statistics recorded: a word and its record, newest first
	failed bool       // the model reported an error
}

// sent is an event that was sent. Its first tie-breaker, its last one and their number
// stand for its lineage, as in the digest.
type sent struct {
	To                    uint64
	Time, SendTime        float64
	Priority, Tie, OwnTie float64
	Ties                  int
}

// effects reads the effects of the event of lp from its history.
func (c *Checker) effects(lp *kernel.LP) (o effects) {
	notes := 0
	o.stopAt = lp.StopsAt()
	for r := lp.KP.History.Newest(); r.Next(); {
		switch r.Tag {
		case kernel.TagChild:
			c.addSent(&o, uint32(r.What))
		case kernel.TagAlloc:
			o.taken = append(o.taken, r.Address())
		case kernel.TagFree:
			o.freed = append(o.freed, r.Address())
		case kernel.TagBeyond:
			o.beyond++
		case kernel.TagHook:
			o.calls++
		case kernel.TagStop, kernel.TagStopAt:
			o.stops++
		case kernel.TagSave:
			o.saves++
		case kernel.TagRecord:
			o.noted = append(o.noted, r.Address(), kernel.Recorded(r.What))
		case kernel.TagNote:
			notes++
		}
	}
	for _, n := range lp.KP.Notes[len(lp.KP.Notes)-notes:] {
		o.failed = o.failed || n.Err != nil
	}
	slices.Reverse(o.sends)
	slices.Reverse(o.msgs)
	slices.Reverse(o.types)
	return o
}

// addSent adds a copy of event i, so that it can be compared after the event is cancelled.
func (c *Checker) addSent(o *effects, i uint32) {
	pe := c.PE
	e := pe.Arena.At(i)
	s := sent{To: pe.At(e.Dst).ID, Time: e.Time, SendTime: e.SendTime, Priority: e.Prio, Tie: e.Tie, OwnTie: e.Tie,
		Ties: 1}
	if e.Lineage != 0 {
		s.OwnTie, s.Ties = pe.Arena.Lines.Tie(e.Lineage), 1+pe.Arena.Lines.Len(e.Lineage)
	}
	size := pe.MessageOf(e).Size
	msg := make([]uint64, (size+7)/8)
	plain.CopyBytes(plain.WordsAt(msg), event.Payload(e), size)
	o.sends, o.msgs, o.types = append(o.sends, s), append(o.msgs, msg), append(o.types, e.Type)
}

// compareOutcomes returns what a second run of an event did differently.
func (c *Checker) compareOutcomes(first, second *effects) (found []string) {
	count := func(what string, before, after int) {
		if before != after {
			found = append(found, c.difference(what, fmt.Sprint(before), fmt.Sprint(after)))
		}
	}
	count("the number of its sends", len(first.sends), len(second.sends))
	count("the number of its sends past the end", first.beyond, second.beyond)
	count("the number of its calls of the GVT hook", first.calls, second.calls)
	count("the number of its calls of Stop", first.stops, second.stops)
	if first.stopAt != second.stopAt {
		found = append(found, c.difference("the time of StopAfter", fmt.Sprint(first.stopAt), fmt.Sprint(second.stopAt)))
	}
	count("the number of its recordings", len(first.noted)/2, len(second.noted)/2)
	if len(first.noted) == len(second.noted) && !slices.Equal(first.noted, second.noted) {
		found = append(found, "other numbers recorded in statistics than "+c.When)
	}
	for i := range min(len(first.sends), len(second.sends)) {
		path := fmt.Sprintf("Sends[%d]", i)
		found = append(found,
			c.texts(c.sent.Compare(unsafe.Pointer(&first.sends[i]), unsafe.Pointer(&second.sends[i]), path))...)
		if t := first.types[i]; t == second.types[i] && c.msgs[t] != nil {
			copier := c.msgs[t]
			a, b := plain.WordsAt(first.msgs[i]), plain.WordsAt(second.msgs[i])
			found = append(found, c.texts(copier.Compare(a, b, path+".Message"))...)
		}
	}
	return found
}

// apply updates the set of live blocks with those that an event of lp has allocated and freed.
func (c *Checker) apply(lp *kernel.LP, o *effects) {
	for _, at := range o.taken {
		c.live[at] = lp.WordAt(at)
	}
	for _, at := range o.freed {
		delete(c.live, at)
	}
}

// unapply undoes apply.
func (c *Checker) unapply(lp *kernel.LP, o *effects) {
	for _, at := range o.freed {
		c.live[at] = lp.WordAt(at)
	}
	for _, at := range o.taken {
		delete(c.live, at)
	}
}
