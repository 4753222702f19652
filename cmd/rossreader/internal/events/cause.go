// This file owns causes and effects: which event drew the tie-breaker of another one.

package events

import (
	"slices"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/rng"
)

// none is in place of an entry where there is none.
const none = -1

// mostDraws is the largest number of draws that is believed: a damaged record may have any.
const mostDraws = 1 << 24

// draws calls do for each tie-breaker that an event drew.
func draws(x *instr.Exact, do func(tie float64)) {
	if x.Draws > mostDraws {
		return
	}
	var g rng.CLCG4
	g.SetState(rng.State{C: x.Stream})
	for range x.Draws {
		do(g.Unif())
	}
}

// byTie are entries by a tie-breaker: those that drew it, or those that have it.
type byTie map[float64][]int

// moment is a time of an LP: of what it received, or, if sent is set, of what it sent.
type moment struct {
	lane int
	at   float64
	sent bool
}

// mostKept is the largest number of tie-breakers that are kept for the next question.
const mostKept = 1 << 18

// kept are tie-breakers of moments, so that all events of one time are found as quickly as a single one.
type kept struct {
	moments map[moment]byTie
	n       int // of tie-breakers
}

// ties returns what there is by tie-breaker at a moment, from what was kept or else from the file.
func (t *Trace) ties(m moment) (byTie, error) {
	t.keeping.Lock()
	defer t.keeping.Unlock()
	if found, ok := t.kept.moments[m]; ok {
		return found, nil
	}
	found, n := byTie{}, 0
	add := func(i int) error {
		_, x, err := t.record(&t.entries[i])
		if err != nil {
			return err
		}
		enter := func(tie float64) {
			found[tie] = append(found[tie], i)
			n++
		}
		if m.sent {
			enter(x.Tie)
		} else {
			draws(&x, enter)
		}
		return nil
	}
	if m.sent {
		for _, i := range t.sent(m.lane, m.at) {
			if err := add(i); err != nil {
				return nil, err
			}
		}
	} else {
		for first, end := t.between(m.lane, m.at, m.at); first < end; first++ {
			if err := add(first); err != nil {
				return nil, err
			}
		}
	}
	if t.kept.n += n; t.kept.moments == nil || t.kept.n > mostKept {
		t.kept.moments, t.kept.n = map[moment]byTie{}, n
	}
	t.kept.moments[m] = found
	return found, nil
}

// cause returns the entry of the event that sent event i, none if the trace has none, and how many events fit.
func (t *Trace) cause(i int) (found, fit int, err error) {
	e := &t.entries[i]
	first, end := t.between(int(e.src), e.send, e.send)
	if first == end {
		return none, 0, nil
	}
	if !t.exact {
		if first <= i && i < end { // sent without delay to itself, probably by the event before
			if i == first {
				return none, 0, nil
			}
			return i - 1, i - first, nil
		}
		return first, end - first, nil
	}
	_, x, err := t.record(e)
	if err != nil {
		return none, 0, err
	}
	drew, err := t.ties(moment{lane: int(e.src), at: e.send})
	if err != nil {
		return none, 0, err
	}
	found = none
	for _, k := range drew[x.Tie] {
		c := &t.entries[k]
		switch rank := c.rank(); {
		case k == i:
		case e.stayed() && c.stayed(): // then nothing else can be the cause
			return k, 1, nil
		case found == none || rank > 0 && t.entries[found].rank() == 0:
			found, fit = k, 1
		case rank > 0 || t.entries[found].rank() == 0:
			if fit++; rank > t.entries[found].rank() {
				found = k
			}
		}
	}
	if found == none && end-first == 1 && first != i {
		if _, of, err := t.record(&t.entries[first]); err != nil || of.Draws == instr.UnknownDraws {
			return first, 1, err
		}
	}
	return found, fit, nil
}

// rank says how likely it is that an event that was undone is the effect of an event whose draws fit: 2 if that was
// undone as well, 1 if executions of it were, 0 if there was nothing to undo.
func (e *entry) rank() int {
	switch {
	case !e.stayed():
		return 2
	case e.undone() > 0:
		return 1
	}
	return 0
}

// effects returns the entries of the events that event i sent.
func (t *Trace) effects(i int) (all []int, err error) {
	e, lane := &t.entries[i], t.laneAt(i)
	var fit []int
	if !t.exact {
		fit = t.sent(lane, e.recv)
	} else {
		_, x, err := t.record(e)
		if err != nil {
			return nil, err
		}
		if x.Draws == 0 {
			return nil, nil
		}
		have, err := t.ties(moment{lane, e.recv, true})
		if err != nil {
			return nil, err
		}
		draws(&x, func(tie float64) { fit = append(fit, have[tie]...) })
		if x.Draws == instr.UnknownDraws {
			fit = t.sent(lane, e.recv)
		}
	}
	for _, k := range fit {
		of, _, err := t.cause(k)
		if err != nil {
			return nil, err
		}
		if of == i {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all, nil
}
