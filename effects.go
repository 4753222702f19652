// This file owns effects: what an event did beside its state, as the check of
// rollback reads it from the history.

package ross

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/ross-go/ross/internal/event"
	"github.com/ross-go/ross/internal/plain"
)

// effects is what a run of an event left beside the state of its LP.
type effects struct {
	sends  []sent
	msgs   [][]uint64
	types  []uint16 // of the receivers
	taken  []uint64 // addresses of blocks
	freed  []uint64
	beyond int  // sends past the end
	calls  int  // of the GVT hook
	saves  int  // values that Save noted
	failed bool // the model reported an error
}

// sent is an event that was sent. The first tie-breaker, the last and their
// number say all about a lineage, as in the digest.
type sent struct {
	To                    LPID
	Time, SendTime        float64
	Priority, Tie, OwnTie float64
	Ties                  int
}

// effects reads what the event of lp did from its history.
func (c *checker) effects(lp *LP) (o effects) {
	h := &lp.kp.hist
	notes := 0
	for end := h.head; end > h.last+groupWords; {
		word := h.buf[end-1]
		tag, what := word>>tagShift, payloadOf(word)
		switch tag {
		case tagChild:
			c.addSent(&o, uint32(what))
		case tagAlloc:
			o.taken = append(o.taken, h.buf[end-2])
		case tagFree:
			o.freed = append(o.freed, h.buf[end-2])
		case tagBeyond:
			o.beyond++
		case tagHook:
			o.calls++
		case tagSave:
			o.saves++
		case tagNote:
			notes++
		}
		end -= 1 + wordsOf(tag, what)
	}
	for _, n := range lp.kp.notes[len(lp.kp.notes)-notes:] {
		o.failed = o.failed || n.err != nil
	}
	slices.Reverse(o.sends)
	slices.Reverse(o.msgs)
	slices.Reverse(o.types)
	return o
}

// addSent copies event i, so that it can be compared when it is cancelled.
func (c *checker) addSent(o *effects, i uint32) {
	pe := c.pe
	e := pe.arena.At(i)
	s := sent{To: pe.at(e.Dst).id, Time: e.Time, SendTime: e.SendTime, Priority: e.Prio, Tie: e.Tie, OwnTie: e.Tie, Ties: 1}
	if e.Lineage != 0 {
		s.OwnTie, s.Ties = pe.arena.Lines.Tie(e.Lineage), 1+pe.arena.Lines.Len(e.Lineage)
	}
	size := pe.sim.types[e.Type].msgSize
	msg := make([]uint64, (size+7)/8)
	if pe.at(e.Dst).typ != analysisType { // whose events have no message
		plain.CopyBytes(plain.WordsAt(msg), event.Payload(e), size)
	}
	o.sends, o.msgs, o.types = append(o.sends, s), append(o.msgs, msg), append(o.types, e.Type)
}

// compareOutcomes tells what a second run of an event did otherwise.
func (c *checker) compareOutcomes(first, second *effects) (found []string) {
	count := func(what string, before, after int) {
		if before != after {
			found = append(found, c.difference(what, fmt.Sprint(before), fmt.Sprint(after)))
		}
	}
	count("the number of its sends", len(first.sends), len(second.sends))
	count("the number of its sends past the end", first.beyond, second.beyond)
	count("the number of its calls of the GVT hook", first.calls, second.calls)
	for i := range min(len(first.sends), len(second.sends)) {
		path := fmt.Sprintf("Sends[%d]", i)
		found = append(found, c.texts(c.sent.Compare(unsafe.Pointer(&first.sends[i]), unsafe.Pointer(&second.sends[i]), path))...)
		if first.types[i] == second.types[i] {
			copier := c.types[first.types[i]].msgCopier
			a, b := plain.WordsAt(first.msgs[i]), plain.WordsAt(second.msgs[i])
			found = append(found, c.texts(copier.Compare(a, b, path+".Message"))...)
		}
	}
	return found
}

// apply notes which blocks an event has taken and given back; unapply forgets it.
func (c *checker) apply(o *effects) {
	for _, at := range o.taken {
		c.live[at] = true
	}
	for _, at := range o.freed {
		delete(c.live, at)
	}
}

func (c *checker) unapply(o *effects) {
	for _, at := range o.freed {
		c.live[at] = true
	}
	for _, at := range o.taken {
		delete(c.live, at)
	}
}
