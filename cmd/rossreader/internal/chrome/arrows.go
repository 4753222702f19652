// This file finds which event sent which, and draws arrows between them.

package chrome

import (
	"math"

	"github.com/ross-go/ross/instr"
)

// mostRemembered bounds the memory, some 100 bytes for each event: an event beyond it has an arrow
// only if the event that sent it is among those remembered.
const mostRemembered = 4_000_000

// moment is the time of an event at its LP. It identifies the event unless an LP has several events
// at one time, as far as the 32 bits of the file tell; then it stands for the last one before.
type moment struct {
	lp   uint32
	time uint32 // bits
}

func momentOf(lp uint32, time float32) moment { return moment{lp, math.Float32bits(time)} }

// end is an end of an arrow: the track and the beginning of an event.
type end struct {
	at    place
	begin int64 // ticks
}

// arrows draws an arrow from each event to those that it sent. A trace says for each event who sent
// it, and when: the event that its sender handled at that time. The file may have it after those that
// it sent, if another PE handled it.
type arrows struct {
	enc      *encoder
	on       bool
	seen     map[moment]end
	waiting  map[moment][]end // events whose sender has not been seen
	held     int              // events in seen and waiting
	drawn    uint64
	backward uint64 // arrows left out because the sender has the later real time
	full     bool   // some events could not be remembered
}

func newArrows(enc *encoder, on bool) *arrows {
	return &arrows{enc: enc, on: on, seen: map[moment]end{}, waiting: map[moment][]end{}}
}

// see takes the next event, whose slice has been drawn.
func (a *arrows) see(e *instr.Event, here end) {
	if !a.on {
		return
	}
	cause, self := momentOf(e.Src, e.SendTS), momentOf(e.Dest, e.RecvTS)
	if from, ok := a.seen[cause]; ok {
		a.draw(from, here)
	} else if a.room() {
		a.waiting[cause] = append(a.waiting[cause], here)
	}
	if effects, ok := a.waiting[self]; ok && cause != self {
		for _, to := range effects {
			a.draw(here, to)
		}
		delete(a.waiting, self)
		a.held -= len(effects)
	}
	if _, known := a.seen[self]; known || a.room() {
		a.seen[self] = here
	}
}

// room reports whether another event can be remembered, and counts it.
func (a *arrows) room() bool {
	if a.held >= mostRemembered {
		a.full = true
		return false
	}
	a.held++
	return true
}

func (a *arrows) draw(from, to end) {
	if from.begin > to.begin { // viewers do not draw it
		a.backward++
		return
	}
	a.drawn++
	a.enc.arrow(from.at, from.begin, to.at, to.begin)
}
