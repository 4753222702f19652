// This file owns StopAfter, by which a handler ends the run at a later virtual time.

package kernel

import (
	"fmt"
	"math"
)

// StopAfter ends the run at a virtual time, a delay after that of the event being handled, as if
// it were the end in the settings. Of several calls the one with the earliest time counts. A
// delay that does not change the time is Stop. If the event is undone, so is StopAfter.
func (lp *LP) StopAfter(delay float64) {
	if !lp.mayStop("StopAfter") {
		return
	}
	at, ahead := lp.Now+delay, lp.PE.Run.StopAhead
	switch {
	case !(delay >= 0) || delay > math.MaxFloat64:
		lp.Blame(ErrDelay, "a delay must be finite and at least 0", "stopped the run after a delay of %g", delay)
	case delay < ahead:
		lp.Blame(ErrLookahead, fmt.Sprintf("give a delay of %g or more, or %s", ahead, lp.PE.Run.otherWays()),
			"stopped the run after a delay of %g, but other PEs may already have handled events up to %g later", delay, ahead)
	case at == lp.Now:
		lp.stopHere()
	case at <= math.MaxFloat64:
		lp.stopAt(at)
	}
}

// stopAt ends the run at a virtual time. A time at or after the end of the run is kept as well,
// because a run from a checkpoint may have another end.
func (lp *LP) stopAt(at float64) {
	x := lp.more()
	if x.StopAt > 0 && x.StopAt <= at {
		return
	}
	if lp.PE.Undoes() {
		h := lp.KP.Grow(2)
		h.Push(math.Float64bits(x.StopAt))
		h.Push(TagStopAt << TagShift)
	}
	lp.WantStop(at)
}

// UndoStopAfter undoes a StopAfter of lp. bits are those of the time that it had wanted before.
func (lp *LP) UndoStopAfter(bits uint64) {
	lp.extra().StopAt = math.Float64frombits(bits)
	if s := &lp.PE.Stops; s.First.By == lp.ID {
		s.findFirst(lp.PE.End)
	}
}

// WantStop makes a virtual time, which is earlier than the one before if there is one, the time
// at which lp ends the run.
func (lp *LP) WantStop(at float64) {
	pe, x := lp.PE, lp.more()
	x.StopAt = at
	s := &pe.Stops
	if !x.listed {
		x.listed = true
		s.LPs = append(s.LPs, lp)
	}
	if s.First.consider(lp.ID, at, pe.End); s.First == (Stopped{lp.ID, at}) {
		pe.LookFrom(TimeBits(at)) // later events would be undone
	}
}

// StopsAt returns the virtual time at which lp ends the run, 0 if it does not.
func (lp *LP) StopsAt() float64 {
	if lp.extra() == nil {
		return 0
	}
	return lp.extra().StopAt
}

// findFirst computes First after a call was undone, and drops LPs that want no end any more.
func (s *Stops) findFirst(end float64) {
	s.First = Stopped{}
	left := s.LPs[:0]
	for _, lp := range s.LPs {
		if x := lp.extra(); x.StopAt > 0 {
			left = append(left, lp)
			s.First.consider(lp.ID, x.StopAt, end)
		} else {
			x.listed = false
		}
	}
	clear(s.LPs[len(left):])
	s.LPs = left
}

// consider makes a time at which an LP ends the run the first, if it is. It does not count if it
// is not before the end of the run.
func (first *Stopped) consider(by uint64, at, end float64) {
	if s := (Stopped{by, at}); at < end && (first.Time == 0 || s.IsBefore(*first)) {
		*first = s
	}
}

// IsBefore reports whether a run that has both ends because of s.
func (s Stopped) IsBefore(o Stopped) bool { return s.Time < o.Time || s.Time == o.Time && s.By < o.By }

// end returns the earliest end that the PE knows, if any.
func (s *Stops) end() Stopped {
	first := s.Agreed
	if s.First.Time > 0 {
		first.consider(s.First.By, s.First.Time, math.Inf(1))
	}
	return first
}

// Unknown returns the earliest end that LPs of the PE want; ok is false if there is none, or if
// all PEs know of one that is not later.
func (s *Stops) Unknown() (first Stopped, ok bool) {
	first = s.end()
	return first, first != s.Agreed
}

// Agree records an end that all PEs know from now on.
func (s *Stops) Agree(by uint64, at float64) {
	s.Announced++
	s.Agreed.consider(by, at, math.Inf(1))
}
