// This file owns what a PE does that has nothing to do: it looks around, lets others
// have the processor, sleeps, and is woken.

package ross

import (
	"runtime"
	"time"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/meter"
)

// endIdle ends a time without events, at the begin of a phase, or now: the events
// that have ended it are no part of it.
func (pe *PE) endIdle(at meter.Phase) {
	if !pe.pause.Begin.IsZero() {
		if at.Begin.IsZero() {
			at = pe.counts.Enter()
		}
		pe.chargeIdle(at)
		pe.pause = meter.Phase{}
		pe.team.resting.Add(-1)
	}
}

// chargeIdle counts what has passed of a time without events until the begin of a phase.
func (pe *PE) chargeIdle(at meter.Phase) {
	d := max(at.Begin.Sub(pe.pause.Begin).Seconds()-(at.Within-pe.pause.Within), 0)
	pe.counts.IdleSeconds += d
	pe.counts.Timed += d
}

// splitIdle makes two times without events of the one that goes on, so that the first
// counts.
func (pe *PE) splitIdle() {
	if pe.pause.Begin.IsZero() {
		return
	}
	now := pe.counts.Enter()
	pe.chargeIdle(now)
	pe.pause = meter.Phase{Begin: now.Begin, Within: pe.counts.Timed}
}

// rest is for a PE that has no event it may handle. Only a new GVT, or another
// PE, can change that.
//
// A round of GVT takes time from PEs that have events, so one that is idle while
// others are not waits a little before it asks for one.
func (pe *PE) rest() {
	t := pe.team
	if (t.resting.Load() == int32(len(t.pes)) || pe.held && pe.idled == min(patience, t.spin)) && pe.forceGVT() {
		pe.idled++
		return
	}
	if !pe.team.alone {
		pe.idle()
	}
}

const (
	// patience is how many times a PE whose events wait for GVT looks around before
	// it asks for one while others are at work: some microseconds.
	patience = 256
	// nap is how long it sleeps before it asks again.
	nap = 250 * time.Microsecond
	// A PE that waits for other ranks sleeps longer and longer before it looks again:
	// where they share its processors, nothing else gives them time.
	leastFarNap = 4 * time.Microsecond
	mostFarNap  = 256 * time.Microsecond
	farNaps     = 16 // of one length
	farTries    = 4  // looks before the first
)

// rouse wakes the PE if it is asleep. Others call it.
func (pe *PE) rouse() {
	if pe.asleep.Load() && pe.asleep.CompareAndSwap(true, false) {
		pe.wake <- struct{}{}
	}
}

// rouseAll wakes all PEs that sleep.
func (t *team) rouseAll() {
	for _, pe := range t.pes {
		pe.rouse()
	}
}

// idle is called when the PE has nothing to do. It burns some time, then lets
// others have the processor, then sleeps until somebody has something for it.
func (pe *PE) idle() {
	pe.idled++
	switch {
	case pe.idled < pe.team.spin:
		if pe.idled&63 == 63 {
			yield()
		}
		return
	case pe.far != nil && pe.idled < pe.team.spin+farTries:
		runtime.Gosched()
		return
	case pe.far != nil: // what comes from other ranks does not wake it
		pe.napFar(pe.idled - pe.team.spin - farTries)
		return
	case pe.idled < pe.team.spin+16:
		runtime.Gosched()
		return
	}
	pe.asleep.Store(true)
	if pe.hasWork() {
		if !pe.asleep.CompareAndSwap(true, false) {
			<-pe.wake // somebody has seen to it already
		}
		return
	}
	if !pe.held {
		<-pe.wake
		pe.idled = 0
		return
	}
	pe.alarm.Reset(nap)
	select {
	case <-pe.wake:
		pe.idled = 0
	case <-pe.alarm.C:
		if !pe.asleep.CompareAndSwap(true, false) {
			<-pe.wake
		}
		pe.forceGVT()
		pe.idled = pe.team.spin // half awake
	}
	pe.alarm.Stop()
}

// napFar sleeps for the n-th time.
func (pe *PE) napFar(n int) {
	sleep(min(leastFarNap<<min(n/farNaps, 16), mostFarNap))
	if pe.held && n%farNaps == 0 {
		pe.forceGVT()
	}
}

// hasWork reports whether a PE that is about to sleep has something to do after
// all.
func (pe *PE) hasWork() bool {
	if pe.member.Poll() != gvt.Idle || len(pe.ch.dirty) > 0 || pe.team.stop.Load() {
		return true
	}
	for i := range pe.ch.in {
		if r := pe.ch.in[i].Load(); r != nil && !r.Empty() {
			return true
		}
	}
	return false
}
