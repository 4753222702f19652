// This file owns the behaviour of a PE without events: it polls for a while, yields the
// processor, sleeps, and is woken.

package run

import (
	"runtime"
	"time"

	"github.com/ross-go/ross/gvt"
	"github.com/ross-go/ross/internal/engine/meter"
	"github.com/ross-go/ross/internal/engine/timewarp"
)

// endIdle ends a period without events, at the beginning of a phase or now. The time of the
// events that ended it does not count as idle time.
func (pe *PE) endIdle(at meter.Phase) {
	if !pe.pause.Begin.IsZero() {
		if at.Begin.IsZero() {
			at = pe.Counts.Enter()
		}
		pe.chargeIdle(at)
		pe.pause = meter.Phase{}
		pe.Team.Resting.Add(-1)
	}
}

// chargeIdle counts the part of a period without events that precedes a phase.
func (pe *PE) chargeIdle(at meter.Phase) {
	d := max(at.Begin.Sub(pe.pause.Begin).Seconds()-(at.Within-pe.pause.Within), 0)
	pe.Counts.IdleSeconds += d
	pe.Counts.Timed += d
}

// splitIdle splits a period without events that is still going on, so that its first part is
// counted.
func (pe *PE) splitIdle() {
	if pe.pause.Begin.IsZero() {
		return
	}
	now := pe.Counts.Enter()
	pe.chargeIdle(now)
	pe.pause = meter.Phase{Begin: now.Begin, Within: pe.Counts.Timed}
}

// rest is called when the PE has no event that it may handle. Only a new GVT or another PE can
// change that.
//
// A round of GVT takes time from PEs that have events, so a PE that is idle while others are
// not waits a little before it asks for a round.
func (pe *PE) rest() {
	t := pe.Team
	if pe.cp.Waits {
		pe.waitForWriter()
	}
	if pe.mayForce() && (t.Resting.Load() == int32(len(t.Active())) || pe.Waits() && pe.Idled == min(patience, pe.Spin)) &&
		pe.ForceGVT() {
		pe.Idled++
		return
	}
	if !pe.Team.OnlyPE {
		pe.idle()
	}
}

const (
	// patience is the number of times that a PE whose events wait for GVT polls before it asks
	// for a round while others are busy: some microseconds.
	patience = 256
	// nap is the time that it sleeps before it asks again.
	nap = 250 * time.Microsecond
	// A PE that waits for other ranks sleeps longer and longer between polls. If the ranks
	// share its processors, nothing else gives them time.
	leastRemoteNap = 4 * time.Microsecond
	mostRemoteNap  = timewarp.LeastSleep
	remoteNaps     = 16 // naps of the same length
	remoteTries    = 4  // polls before the first nap
	// Ranks that share processors yield instead, that often, before the first nap. A yield takes long if other programs
	// run: then they nap at once, for a number of naps.
	remoteYields  = 32
	slowYield     = time.Millisecond
	napsAfterSlow = 1024
	// remoteSleep is how long it sleeps at most where others wake it.
	remoteSleep = 5 * time.Millisecond
)

// idle is called when the PE has nothing to do. It first spins, then yields the processor,
// then sleeps until another PE has something for it.
func (pe *PE) idle() {
	pe.Idled++
	switch {
	case pe.Idled < pe.Spin:
		if pe.Idled&63 == 63 {
			yield()
		}
		return
	case pe.Remote != nil && pe.Idled < pe.Spin+pe.tries():
		pe.letPass()
		return
	case pe.Remote != nil:
		pe.napRemote(pe.Idled - pe.Spin - pe.tries())
		return
	case pe.Idled < pe.Spin+16:
		runtime.Gosched()
		return
	}
	pe.Address.Asleep.Store(true)
	pe.giveWay("asleep")
	if pe.hasWork() {
		if !pe.Address.Asleep.CompareAndSwap(true, false) {
			<-pe.Address.Wake // another PE is already waking it
			pe.giveWay("woken")
		}
		return
	}
	pe.giveWay("sleep")
	if !pe.Waits() {
		<-pe.Address.Wake
		pe.giveWay("woken")
		pe.Idled = 0
		return
	}
	pe.alarm.Reset(nap)
	select {
	case <-pe.Address.Wake:
		pe.giveWay("woken")
		pe.Idled = 0
	case <-pe.alarm.C:
		pe.giveWay("alarm")
		if !pe.Address.Asleep.CompareAndSwap(true, false) {
			<-pe.Address.Wake
		}
		pe.ForceGVT()
		pe.Idled = pe.Spin // skip spinning
	}
	pe.alarm.Stop()
}

// waitForWriter gives the processor to the writing of the checkpoint for which the run waits.
func (pe *PE) waitForWriter() {
	if pe.Run.Set.Turn == nil { // which decides who runs
		time.Sleep(nap)
	}
}

// tries returns how often the PE looks for something to do before it naps while it waits for other ranks.
func (pe *PE) tries() int {
	if pe.Crowded && pe.thread.own && pe.napsAtOnce == 0 {
		return remoteYields
	}
	return remoteTries
}

// letPass lets others have the processor between two such looks. It costs less than to sleep and be woken, by a
// processor that may have gone to sleep itself. But who yields to other programs comes back late.
func (pe *PE) letPass() {
	switch {
	case !pe.thread.own:
		runtime.Gosched()
	case pe.Crowded && pe.napsAtOnce == 0: // Gosched would go through several threads to come back to this one
		begin := time.Now()
		if yield(); time.Since(begin) > slowYield {
			pe.napsAtOnce = napsAfterSlow
		}
	}
}

// napRemote sleeps for the n-th time while the PE waits for other ranks.
func (pe *PE) napRemote(n int) {
	if pe.ready == nil {
		pe.ready = pe.hasWork
	}
	pe.napsAtOnce = max(pe.napsAtOnce-1, 0)
	switch d := min(leastRemoteNap<<min(n/remoteNaps, 16), mostRemoteNap); {
	case pe.Run.Set.Turn != nil:
	case pe.thread.own && pe.SleepRemote(pe.ready, pe.wantsNews(), remoteSleep):
	case pe.thread.own:
		sleep(d)
	case n < remoteNaps: // PEs that share threads give way: one that sleeps in the system would stop others
		runtime.Gosched()
	default:
		time.Sleep(d)
	}
	if pe.Waits() && n%remoteNaps == 0 && pe.mayForce() {
		pe.ForceGVT()
	}
}

// wantsNews reports whether a message of another rank may give a PE that has nothing to do something to do. If it only
// waits for GVT, messages can wait with it.
func (pe *PE) wantsNews() bool {
	return !pe.Member.Busy() || pe.Undoes() && !pe.Waits()
}

// hasWork reports whether a PE that is about to sleep has something to do after all.
func (pe *PE) hasWork() bool {
	t := pe.Team
	if pe.Member.Poll() != gvt.Idle || len(pe.Channels.Dirty) > 0 || t.Broken.Load() || t.Stop.Load() &&
		!pe.Member.Busy() {
		return true
	}
	for i := range pe.Channels.In {
		if r := pe.Channels.In[i].Load(); r != nil && !r.Empty() {
			return true
		}
	}
	return false
}
